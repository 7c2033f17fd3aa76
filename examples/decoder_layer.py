#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layer of decoder_layer.cpp in NumPy and double precision, all tokens at once: compares what
the program wrote.

  decoder_layer.py [--large] FILE
"""

import sys

import numpy as np

SMALL = dict(model=256, heads=8, kept_heads=2, width=32, hidden=704, tokens=32)
LARGE = dict(model=2048, heads=32, kept_heads=4, width=64, hidden=5632, tokens=160)


def numbers(seed, shape, scale):
    """Evenly from -scale / 2 to scale / 2, the same as the program's."""
    count, low = int(np.prod(shape)), np.uint64(0xFFFFFFFF)
    bits = (np.arange(count, dtype=np.uint64) * np.uint64(2654435761) + np.uint64(seed * 40503)) & low
    bits = ((bits ^ (bits >> np.uint64(16))) * np.uint64(0x45D9F3B)) & low
    bits ^= bits >> np.uint64(16)
    return (((bits >> np.uint64(8)) * 2.0**-24 - 0.5) * scale).reshape(shape)


def rms_norm(x, weight):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weight


def rotated(x, angles):
    first, second = np.split(x, 2, -1)
    return x * np.cos(angles) + np.concatenate([-second, first], -1) * np.sin(angles)


def layer(model, heads, kept_heads, width, hidden, tokens):
    x = numbers(10, [tokens, model], 2)
    norm = rms_norm(x, numbers(1, [model], 1) + 1)
    pairs = np.arange(width) % (width // 2)
    angles = np.arange(tokens)[:, None] * 10000.0 ** (-2 * pairs / width)

    def of_heads(seed, count):
        return (norm @ numbers(seed, [model, count * width], 0.125)).reshape(tokens, count, width).swapaxes(0, 1)

    query, key = rotated(of_heads(2, heads), angles), rotated(of_heads(3, kept_heads), angles)
    key, value = (np.repeat(kept, heads // kept_heads, 0) for kept in (key, of_heads(4, kept_heads)))
    scores = query @ key.swapaxes(1, 2) / np.sqrt(width)
    scores[:, ~np.tri(tokens, dtype=bool)] = -np.inf  # nobody looks at what comes later
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    attended = shares / shares.sum(-1, keepdims=True) @ value
    x = x + attended.swapaxes(0, 1).reshape(tokens, -1) @ numbers(5, [heads * width, model], 0.125)

    norm = rms_norm(x, numbers(6, [model], 1) + 1)
    gate, up = (norm @ numbers(seed, [model, hidden], 0.125) for seed in (7, 8))
    return x + gate / (1 + np.exp(-gate)) * up @ numbers(9, [hidden, model], 0.0625)


def main(arguments):
    sizes = LARGE if "--large" in arguments else SMALL
    expected = layer(**sizes)
    made = np.fromfile(arguments[-1], np.float32).reshape(expected.shape)
    error = np.abs(made - expected).max() / np.abs(expected).max()
    print(f"largest difference from NumPy: {error:.2g} of the largest element")
    return int(error > 2e-6)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
