#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the command does while it works: hooks_test.py WEFT [STOPS [MEBIBYTES]]

Ctrl-C at random moments ends it soon with status 130 and leaves nothing behind; a trace is JSON whose events nest on each thread
and account for the time; a bar is shown on a terminal; no escapes where output is no terminal."""

import json
import os
import pty
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

WEFT = str(Path(sys.argv[1]).resolve())
STOPS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
MEBIBYTES = int(sys.argv[3]) if len(sys.argv) > 3 else 256
CHAIN = "roll([1001, 7], [0, 1]) | transpose"
SOON = 1.0  # seconds; what it takes is printed, machines of tests are busy
TRIES = 20  # for each stop: a run may be over before it is asked to stop


def environment(**more): return {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | more


def whole_run(folder):
    start = time.monotonic()
    subprocess.run([WEFT, "run", CHAIN, "x.npy", "-o", "y.npy"], cwd=folder, check=True)
    return time.monotonic() - start


def check_stops(folder):
    seed = random.randrange(10**6)
    rng = random.Random(seed)
    print("seed of stops", seed)
    takes, waits, tries = min(whole_run(folder) for _ in range(3)), [], 0
    (folder / "y.npy").write_bytes(b"kept")
    while len(waits) < STOPS:
        tries += 1
        assert tries <= TRIES * STOPS, (len(waits), takes)
        start = time.monotonic()
        run = subprocess.Popen([WEFT, "run", CHAIN, "x.npy", "-o", "y.npy"], cwd=folder, stderr=subprocess.PIPE)
        time.sleep(0.02 + rng.random() * 0.8 * takes)
        sent = time.monotonic()
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=60)
        if run.returncode == 0:  # it was faster, and may be from now on
            takes = min(takes, time.monotonic() - start)
            (folder / "y.npy").write_bytes(b"kept")
            continue
        if run.returncode == -signal.SIGINT: continue  # it had not begun
        waits.append(time.monotonic() - sent)
        assert run.returncode == 130 and told == b"", (run.returncode, told)
        assert (folder / "y.npy").read_bytes() == b"kept"
        assert sorted(p.name for p in folder.iterdir()) == ["x.npy", "y.npy"], list(folder.iterdir())
    waits.sort()
    print(f"{STOPS} of {tries} runs were stopped, after {1e3 * waits[len(waits) // 2]:.0f} ms in the median, {1e3 * waits[-1]:.0f} at most; "
          f"a whole run takes {takes:.2f} s")
    assert waits[len(waits) // 2] < SOON, waits
    (folder / "y.npy").unlink()


def covered(events):
    """Microseconds that some event of the list is open."""
    total, end = 0.0, -1.0
    for begin, stop in sorted(events):
        total += max(0.0, stop - max(begin, end))
        end = max(end, stop)
    return total


def check_trace(folder):
    start = time.monotonic()
    subprocess.run([WEFT, "run", CHAIN, "x.npy", "-o", "y.npy", "--trace", "t.json"], cwd=folder, check=True)
    wall = 1e6 * (time.monotonic() - start)
    events = json.loads((folder / "t.json").read_text())["traceEvents"]
    threads = {}
    for event in events:
        assert event["ph"] == "X" and event["dur"] >= 0.001, event
        threads.setdefault(event["tid"], []).append((event["ts"], event["ts"] + event["dur"]))
    for own in threads.values():
        stack = []
        for begin, end in sorted(own, key=lambda e: (e[0], -e[1])):
            while stack and stack[-1] <= begin + 1e-3: stack.pop()
            assert not stack or end <= stack[-1] + 1e-3, (begin, end, stack)
            stack.append(end)
    share = covered([e for own in threads.values() for e in own]) / wall
    kinds = {event["cat"] for event in events}
    print(f"trace: {len(events)} events of {len(threads)} threads, {100 * share:.1f} % of {wall / 1e6:.2f} s, {sorted(kinds)}")
    assert kinds >= {"file", "eval", "pass", "kernel"}, kinds
    return share


def on_terminal(words, folder, env):
    """What a command writes to a terminal."""
    main, own = pty.openpty()
    run = subprocess.Popen([WEFT, *words], cwd=folder, stderr=own, stdout=subprocess.DEVNULL, env=env)
    os.close(own)
    told = b""
    try:
        while part := os.read(main, 65536): told += part
    except OSError:
        pass  # its end
    os.close(main)
    run.wait()
    return told


def check_terminal(folder):
    wrong = ["run", "flip | rol(1)", "x.npy", "-o", "y.npy"]
    assert b"\033[" in on_terminal(wrong, folder, environment())
    assert b"\033" not in on_terminal(wrong, folder, environment(NO_COLOR="1"))
    assert b"\033" not in on_terminal(["--color", "never", *wrong], folder, environment())
    piped = subprocess.run([WEFT, *wrong], cwd=folder, capture_output=True, env=environment())
    assert b"\033" not in piped.stderr + piped.stdout
    always = subprocess.run([WEFT, *wrong, "--color", "always"], cwd=folder, capture_output=True, env=environment(NO_COLOR="1"))
    assert b"\033[" in always.stderr
    told = subprocess.run([WEFT, "explain", CHAIN, "x.npy"], cwd=folder, capture_output=True, check=True, env=environment(NO_COLOR="1"))
    assert told.stdout and b"\033" not in told.stdout + told.stderr
    # Longer than a second, by one thread and much arithmetic.
    slow = " | ".join(["sin", "exp", "atan", "cbrt", "erf"] * 12)
    shown = on_terminal(["run", slow, "x.npy", "-o", "y.npy", "--threads", "1"], folder, environment())
    parts = [int(part.split(b"]")[1].split(b"%")[0]) for part in shown.split(b"\r") if part.startswith(b"[")]
    assert parts and parts == sorted(parts) and shown.endswith(b"\r"), shown[-200:]
    print(f"a bar was drawn {len(parts)} times, from {parts[0]} to {parts[-1]} %")


def check_plans(folder):
    told = subprocess.run([WEFT, "explain", "--json", CHAIN + " | sum(axes=[0])", "x.npy"], cwd=folder, capture_output=True, check=True)
    plan, = json.loads(told.stdout)
    assert plan["passes"] and plan["read"] >= MEBIBYTES << 20, plan
    assert plan["passes"][-1]["dtype"] == "f32" and not plan["passes"][-1]["temporary"], plan


def main():
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root)
        rows = MEBIBYTES * 64
        np.save(folder / "x.npy", np.arange(rows * 4096, dtype=np.float32).reshape(rows, 4096))
        check_stops(folder)
        assert any(check_trace(folder) >= 0.95 for _ in range(10))  # what a busy machine takes is in no event
        check_plans(folder)
        check_terminal(folder)


if __name__ == "__main__":
    main()
