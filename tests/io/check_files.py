#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hands weft_file what a hostile or unlucky world does. Usage: check_files.py WEFT_FILE [PART...] [--sanitized]

Parts: damaged (files of each format, in an address space of 1 GiB, a second each), full (a disk of 64 MiB, as
root), killed (200 times at a random moment), readers (what weft writes, by Python's own modules). All, unless some
are named."""

import argparse
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import damage

SUFFIX = {"npy": ".npy", "npz": ".npz", "safetensors": ".safetensors", "png": ".png", "jpeg": ".jpg", "raw": ".raw"}
wrongs = []


def wrong(what):
    print("WRONG:", what)
    wrongs.append(what)


def run(words, seconds, sanitized=False):
    """Status (None: too long), and what was said."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    try:
        done = subprocess.run(words, preexec_fn=limit, timeout=seconds, capture_output=True, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout + done.stderr


def check_damaged(weft_file, folder, sanitized):
    for kind, suffix in SUFFIX.items():
        slowest, counts = 0.0, {0: 0, 1: 0}
        files = [(data, True) for data in damage.damaged_files(kind, 100, 17)]
        files += [(data, False) for data in damage.changed_files(kind, 100, 17)]
        for number, (data, must_fail) in enumerate(files):
            path = folder / f"damaged{suffix}"
            path.write_bytes(data)
            begin = time.monotonic()
            status, said = run([weft_file, "read", str(path)], 20 if sanitized else 1, sanitized)
            slowest = max(slowest, time.monotonic() - begin)
            if status not in (0, 1) or (status == 0 and must_fail):
                wrong(f"{kind} {number}: status {status}: {said[-300:]}")
                path.rename(path.with_name(f"{kind}_{number}{suffix}"))
                continue
            counts[status] += 1
        print(f"damaged {kind}: {len(files)} files, {counts[1]} refused, {counts[0]} loaded, slowest {slowest:.2f} s")


def check_full(weft_file, folder, sanitized):
    """A result of 100 MiB into 64; the mount is gone with the process."""
    big = folder / "big.npy"
    write_npy(big, (1024, 25600))
    disk = folder / "disk"
    disk.mkdir()
    script = f"""
mount -t tmpfs -o size=64m none {disk} || exit 77
{weft_file} copy {folder / 'small.npy'} {disk / 'out.npy'} || exit 3
cp {disk / 'out.npy'} {folder / 'before.npy'}
for what in turn copy; do
  for memory in 0 1000000; do
    {weft_file} $what {big} {disk / 'out.npy'} $memory
    status=$?
    [ $status = 1 ] || exit $((100 + status % 100))
    cmp {disk / 'out.npy'} {folder / 'before.npy'} || exit 4
    [ "$(ls -A {disk})" = out.npy ] || exit 5
  done
done
"""
    write_npy(folder / "small.npy", (10, 10))
    done = subprocess.run(["unshare", "-m", "bash", "-c", script], capture_output=True, text=True)
    if done.returncode == 77 or "unshare" in done.stderr:
        print("full: not checked, for a disk cannot be mounted")
    elif done.returncode != 0:
        wrong(f"full: status {done.returncode}: {done.stderr[-300:]}")
    else:
        print("full: 4 saves, each refused, the old file whole")


def write_npy(path, shape):
    count = 1
    for extent in shape:
        count *= extent
    text = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}}}".ljust(117) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode())
        for row in range(0, count, 1 << 16):
            out.write(b"".join(struct.pack("<i", k) for k in range(row, min(row + (1 << 16), count))))


def check_killed(weft_file, folder, sanitized, times=200):
    source, target = folder / "source.npy", folder / "target.npy"
    write_npy(source, (1000, 1500))
    begin = time.monotonic()
    for out in ("new.npy", "twice.npy"):
        subprocess.run([weft_file, "turn", source, folder / out], check=True)
    takes = (time.monotonic() - begin) / 2
    old, new = source.read_bytes(), (folder / "new.npy").read_bytes()
    target.write_bytes(old)
    chance = random.Random(17)
    counts = {"old": 0, "new": 0}
    for number in range(times):
        target.write_bytes(old)
        child = subprocess.Popen([weft_file, "turn", source, target], stdout=subprocess.DEVNULL)
        time.sleep(chance.random() * takes * 1.2)
        child.send_signal(signal.SIGKILL)
        child.wait()
        found = target.read_bytes()
        if found not in (old, new):
            wrong(f"killed: after {number} there is neither the old file nor the new")
        counts["new" if found == new else "old"] += 1
    parts = [path for path in folder.iterdir() if path.name.endswith(".part")]
    print(f"killed {times} times (seed 17): {counts['old']} old files, {counts['new']} new, {len(parts)} parts left")


def check_readers(weft_file, folder, sanitized):
    source = folder / "source.npy"
    write_npy(source, (30, 50))
    for name in ("stored.npz", "deflated.npz"):
        what = "deflate" if name == "deflated.npz" else "copy"
        subprocess.run([weft_file, what, source, folder / name], check=True)
        with zipfile.ZipFile(folder / name) as archive:
            if archive.testzip() is not None or archive.namelist() != ["arr_0.npy"]:
                wrong(f"readers: {name} is not what zipfile reads")
            if not archive.read("arr_0.npy").endswith(source.read_bytes()[128:]):
                wrong(f"readers: {name} has other elements")
    print("readers: zipfile reads both archives")


PARTS = {"damaged": check_damaged, "full": check_full, "killed": check_killed, "readers": check_readers}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft_file")
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    parser.add_argument("--sanitized", action="store_true", help="no limit of the address space, and more time")
    given = parser.parse_args()
    for part in given.parts:
        with tempfile.TemporaryDirectory(prefix="weft_", dir=os.environ.get("TMPDIR")) as folder:
            PARTS[part](os.path.abspath(given.weft_file), Path(folder), given.sanitized)
    return 1 if wrongs else 0


if __name__ == "__main__":
    sys.exit(main())
