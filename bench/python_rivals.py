#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft, NumPy, einops and torch (where it is installed, else told) on the same arrays, in one process.

Results are compared before they are timed; then each way has five turns. Prints a table: the median of all calls,
in microseconds, and between which two times eight in ten of them were. --seconds N: of each row (2).
"""

import argparse
import os
import platform
import time
from pathlib import Path

import einops
import numpy as np

import weft
import weft.einops as ours

try:
    import torch
except ImportError:
    torch = None

COLUMNS = ["weft", "NumPy", "einops"] + (["torch"] if torch else [])
PATTERNS = [("b h w c -> b c h w", {}), ("b h w c -> h (b w) c", {}),
            ("(b1 b2) h w c -> (b1 h) (b2 w) c", {"b1": 4}),
            ("b (h h1) (w w1) c -> b h w (c h1 w1)", {"h1": 2, "w1": 2})]


def times_of(ways, seconds, calls):
    """Microseconds a call, by way; the ways have five turns each, whose first call is not counted."""
    times = {way: [] for way in ways}
    for _ in range(5):
        for way, call in ways.items():
            call()
            end = time.perf_counter() + seconds / 5 / len(ways)
            while True:
                start = time.perf_counter()
                for _ in range(calls):
                    call()
                times[way].append((time.perf_counter() - start) / calls * 1e6)
                if time.perf_counter() > end:
                    break
    return times


def told(times):
    low, median, high = np.percentile(times, [10, 50, 90])
    digits = 1 if median < 100 else 0
    return f"{median:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def roll(rng):
    x = np.arange(16, dtype=np.float32)
    ways = {"weft": lambda: weft.roll(x, 3, axis=0), "NumPy": lambda: np.roll(x, 3, axis=0)}
    if torch:
        ways["torch"] = lambda: torch.roll(torch.from_numpy(x), 3, 0).numpy()
    return "`roll` of 16 floats, array in and out", ways, 200


def swin(rng):
    images = rng.standard_normal((8, 56, 56, 96)).astype(np.float32)
    cut = "b (h p) (w q) c -> (b h w) (p q) c"

    def by_numpy():
        turned = np.roll(images, (-3, -3), (1, 2))
        return turned.reshape(8, 8, 7, 8, 7, 96).transpose(0, 1, 3, 2, 4, 5).reshape(-1, 49, 96)

    ways = {"weft": lambda: ours.rearrange(weft.asarray(images).roll((-3, -3), axis=(1, 2)), cut, p=7,
                                           q=7).numpy(),
            "NumPy": by_numpy,
            "einops": lambda: einops.rearrange(np.roll(images, (-3, -3), (1, 2)), cut, p=7, q=7)}
    if torch:
        ways["torch"] = lambda: einops.rearrange(
            torch.roll(torch.from_numpy(images), (-3, -3), (1, 2)), cut, p=7, q=7).contiguous().numpy()
    return "Swin's shifted windows of [8, 56, 56, 96] f32", ways, 1


def six_ops(rng):
    """W9 of bench/RESULTS.md."""
    x = rng.standard_normal((64, 256, 1024), np.float32)
    updates = rng.standard_normal((64, 256, 1024), np.float32)

    def by_weft():
        y = weft.asarray(x).transpose((2, 0, 1)).roll(5, axis=0).tile((1, 2, 1)).roll(-3, axis=1)
        return y.transpose((1, 2, 0)).slice_scatter(updates, [0], [128], [2], axis=0).numpy()

    def by_numpy():
        y = np.roll(np.tile(np.roll(x.transpose(2, 0, 1), 5, 0), (1, 2, 1)), -3, 1).transpose(1, 2, 0)
        made = np.ascontiguousarray(y)
        made[::2] = updates
        return made

    def by_torch():
        y = torch.from_numpy(x).permute(2, 0, 1).roll(5, 0).repeat(1, 2, 1).roll(-3, 1).permute(1, 2, 0)
        made = y.contiguous()
        made[::2] = torch.from_numpy(updates)
        return made.numpy()

    ways = {"weft": by_weft, "NumPy": by_numpy} | ({"torch": by_torch} if torch else {})
    return "W9: transpose, roll, tile, roll, transpose, slice_scatter of [64, 256, 1024] f32", ways, 1


def pattern(text, sizes):
    def made(rng):
        batch = rng.standard_normal((32, 96, 96, 3)).astype(np.float32)
        ways = {"weft": lambda: ours.rearrange(weft.asarray(batch), text, **sizes).numpy(copy=True),
                "NumPy": lambda: np.ascontiguousarray(einops.rearrange(batch, text, **sizes)),
                "einops": lambda: np.ascontiguousarray(einops.rearrange(batch, text, **sizes))}
        if torch:
            ways["torch"] = lambda: einops.rearrange(torch.from_numpy(batch), text, **sizes).contiguous().numpy()
        return f"`{text}` of [32, 96, 96, 3] f32", ways, 1

    return made


def machine():
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    versions = [f"Python {platform.python_version()}", f"NumPy {np.__version__}", f"einops {einops.__version__}",
                f"torch {torch.__version__}" if torch else "torch is missing, not measured"]
    return f"{len(models)} cores of {models[0] if models else platform.machine()}; " + ", ".join(versions)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=2)
    arguments.add_argument("--rows", type=int, nargs="*", help="only those, from 0")
    given = arguments.parse_args()
    if torch:
        torch.set_num_threads(len(os.sched_getaffinity(0)))
    print(machine() + "\n\n| microseconds | " + " | ".join(COLUMNS) + " |\n| --- |" + " --- |" * len(COLUMNS))
    makers = [roll, swin, six_ops, *(pattern(*each) for each in PATTERNS)]
    for maker in makers if given.rows is None else [makers[row] for row in given.rows]:
        name, ways, calls = maker(np.random.default_rng(0))
        expected = np.asarray(ways["NumPy"]())
        for call in ways.values():
            np.testing.assert_array_equal(np.asarray(call()), expected)
        times = times_of(ways, given.seconds, calls)
        cells = [told(times[way]) if way in times else "" for way in COLUMNS]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
