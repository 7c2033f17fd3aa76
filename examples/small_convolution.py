#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""small_convolution.cpp in NumPy and double, its gradients by hand: the loss that it has to reach."""

import numpy as np

IMAGES, SIDE, WINDOW, FILTERS, KINDS, STEPS, RATE = 240, 8, 3, 6, 3, 150, 1.0


def drawn():
    state = 7
    while True:
        state = (state * 1664525 + 1013904223) % 2**32
        yield np.float32((state >> 8) * 2.0**-23) - np.float32(1)


def main():
    random = drawn()
    image, row, column = np.ogrid[:IMAGES, :SIDE, :SIDE]
    at, kind = image // KINDS % SIDE, image % KINDS
    lines = np.choose(kind, [row == at, column == at, (row + column) % SIDE == at])
    noise = np.array([next(random) for _ in range(IMAGES * SIDE * SIDE)]).reshape(lines.shape)
    x = (lines + np.float32(0.3) * noise).astype(float)
    labels = np.eye(KINDS)[np.arange(IMAGES) % KINDS]
    filters = np.array([next(random) * 0.5 for _ in range(WINDOW**2 * FILTERS)], float).reshape(-1, FILTERS)
    bias = np.zeros(FILTERS)
    last = np.array([next(random) * 0.5 for _ in range(FILTERS * KINDS)], float).reshape(FILTERS, KINDS)
    windows = np.lib.stride_tricks.sliding_window_view(x, (WINDOW, WINDOW), (1, 2)).reshape(IMAGES, -1, WINDOW**2)
    for _ in range(STEPS):
        before = windows @ filters + bias
        features = np.maximum(before, 0).mean(1)
        scores = features @ last
        likely = scores - np.log(np.exp(scores).sum(1, keepdims=True))
        loss = -(likely * labels).sum(1).mean()
        wrong = (np.exp(likely) - labels) / IMAGES
        slopes = (wrong @ last.T)[:, None] / windows.shape[1] * (before > 0)
        last = last - RATE * features.T @ wrong
        filters = filters - RATE * np.einsum("nwk,nwf->kf", windows, slopes)
        bias = bias - RATE * slopes.sum((0, 1))
    print(f"loss {loss:.6f}")


if __name__ == "__main__":
    main()
