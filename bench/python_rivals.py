#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft, NumPy, einops and (where it is installed) torch on the same arrays, in one process.

Results are compared before they are timed. Prints a table: the median of so many runs, in microseconds.
"""

import statistics
import time

import einops
import numpy as np

import weft
import weft.einops as ours

try:
    import torch
except ImportError:
    torch = None


def median(call, seconds=1.0):
    call()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def row(name, ways):
    expected = np.asarray(ways["NumPy"]())
    for way in ways.values():
        np.testing.assert_array_equal(np.asarray(way()), expected)
    print(f"| {name} | " + " | ".join(
        f"{median(ways[way]):.1f}" if way in ways else "" for way in COLUMNS) + " |", flush=True)


COLUMNS = ["weft", "NumPy", "einops"] + (["torch"] if torch else [])


def main():
    print("| microseconds | " + " | ".join(COLUMNS) + " |")
    print("| --- |" + " --- |" * len(COLUMNS))
    small = np.arange(16, dtype=np.float32)
    ways = {"weft": lambda: weft.roll(small, 3, axis=0), "NumPy": lambda: np.roll(small, 3, axis=0)}
    if torch:
        ways["torch"] = lambda: torch.roll(torch.from_numpy(small), 3, 0)
    row("`roll` of 16 floats, array in and out", ways)

    images = np.random.default_rng(0).standard_normal((8, 56, 56, 96)).astype(np.float32)
    cut = "b (h p) (w q) c -> (b h w) (p q) c"

    def by_numpy():
        turned = np.roll(images, (-3, -3), (1, 2))
        return turned.reshape(8, 8, 7, 8, 7, 96).transpose(0, 1, 3, 2, 4, 5).reshape(-1, 49, 96)

    ways = {"weft": lambda: ours.rearrange(weft.asarray(images).roll((-3, -3), axis=(1, 2)), cut, p=7,
                                           q=7).numpy(),
            "NumPy": lambda: np.ascontiguousarray(by_numpy()),
            "einops": lambda: einops.rearrange(np.roll(images, (-3, -3), (1, 2)), cut, p=7, q=7)}
    if torch:
        ways["torch"] = lambda: einops.rearrange(
            torch.roll(torch.from_numpy(images), (-3, -3), (1, 2)), cut, p=7, q=7).contiguous().numpy()
    row("Swin's shifted windows of [8, 56, 56, 96] f32", ways)

    batch = np.random.default_rng(1).standard_normal((32, 96, 96, 3)).astype(np.float32)
    for pattern, sizes in [("b h w c -> b c h w", {}), ("b h w c -> h (b w) c", {}),
                           ("(b1 b2) h w c -> (b1 h) (b2 w) c", {"b1": 4}),
                           ("b (h h1) (w w1) c -> b h w (c h1 w1)", {"h1": 2, "w1": 2})]:
        ways = {"weft": lambda: ours.rearrange(weft.asarray(batch), pattern, **sizes).numpy(copy=True),
                "NumPy": lambda: np.ascontiguousarray(einops.rearrange(batch, pattern, **sizes)),
                "einops": lambda: np.ascontiguousarray(einops.rearrange(batch, pattern, **sizes))}
        if torch:
            ways["torch"] = lambda: einops.rearrange(torch.from_numpy(batch), pattern, **sizes).contiguous().numpy()
        row(f"`{pattern}` of [32, 96, 96, 3] f32", ways)


if __name__ == "__main__":
    main()
