#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A file of 3 GB, rolled and transposed to disk, beside cp: large_file.py WEFT FOLDER [GIGABYTES [ROUNDS]]

Anonymous memory is held to 256 MiB by RLIMIT_DATA, also with --memory 64M; caches are dropped before each (for which it has to be
root), and what is written is on the disk at the end of each. Then Ctrl-C at random moments. As long as a few minutes."""

import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

WEFT = str(Path(sys.argv[1]).resolve())
FOLDER = Path(sys.argv[2])
GIGABYTES = float(sys.argv[3]) if len(sys.argv) > 3 else 3
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 3
COLUMNS = 16384
MEBIBYTE = 1 << 20


def drop_caches():
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")


def little_memory(): resource.setrlimit(resource.RLIMIT_DATA, (256 * MEBIBYTE, 256 * MEBIBYTE))


def timed(words, **more):
    drop_caches()
    start = time.monotonic()
    subprocess.run(words, cwd=FOLDER, check=True, **more)
    return time.monotonic() - start


def copied(): return timed(["sh", "-c", "cp x.npy copy.npy && sync copy.npy"])


def rearranged(*more): return timed([WEFT, "run", "roll([1001, 7], [0, 1]) | transpose", "x.npy", "-o", "y.npy", *more],
                                    preexec_fn=little_memory)


def timed_run():
    start = time.monotonic()
    subprocess.run([WEFT, "run", "roll([1001, 7], [0, 1]) | transpose", "x.npy", "-o", "y.npy"], cwd=FOLDER, check=True)
    return time.monotonic() - start


def check(x):
    y = np.load(FOLDER / "y.npy", mmap_mode="r")
    expected = np.roll(x, (1001, 7), (0, 1)).T
    for k in range(0, len(y), 1024): assert np.array_equal(y[k:k + 1024], expected[k:k + 1024]), k


def stop(takes, rng):
    run = subprocess.Popen([WEFT, "run", "roll([1001, 7], [0, 1]) | transpose", "x.npy", "-o", "y.npy"], cwd=FOLDER,
                           preexec_fn=little_memory)
    time.sleep(0.05 + 0.8 * takes * rng.random())
    sent = time.monotonic()
    run.send_signal(signal.SIGINT)
    while len(os.listdir(FOLDER)) > 3: time.sleep(0.001)
    gone = time.monotonic()
    run.wait()
    if run.returncode == 0: return None  # it was done already
    assert run.returncode == 130, run.returncode
    assert sorted(p.name for p in FOLDER.iterdir()) == ["copy.npy", "x.npy", "y.npy"]
    return 1e3 * (gone - sent), 1e3 * (time.monotonic() - sent)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = int(GIGABYTES * 1e9 / 4 / COLUMNS)
    x = np.arange(rows * COLUMNS, dtype=np.float32).reshape(rows, COLUMNS)
    np.save(FOLDER / "x.npy", x)
    times = {"cp": [], "weft": [], "weft --memory 64M": []}
    for _ in range(ROUNDS):
        times["cp"].append(copied())
        times["weft"].append(rearranged())
        times["weft --memory 64M"].append(rearranged("--memory", "64M"))
    for name, own in times.items():
        ratios = [own[k] / times["cp"][k] for k in range(ROUNDS)]
        print(f"{name}: {statistics.median(own):.2f} s {[round(t, 2) for t in own]}, {statistics.median(ratios):.2f} times cp "
              f"[{min(ratios):.2f}, {max(ratios):.2f}]")
    check(x)
    del x
    rng = random.Random(7)
    takes = min(timed_run() for _ in range(2))
    waits = list(filter(None, (stop(takes, rng) for _ in range(20))))
    for what, own in zip(["the file was gone", "the command had ended"], zip(*waits)):
        print(f"Ctrl-C, {len(own)} times: {what} after {statistics.median(own):.0f} ms in the median, {max(own):.0f} at most")


if __name__ == "__main__":
    main()
