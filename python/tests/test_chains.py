# SPDX-License-Identifier: Apache-2.0
"""Random chains of movement, arithmetic, reductions and products against NumPy, an op at a time there, fused here.

  python test_chains.py FIRST COUNT [large]     tries so many seeds"""

import sys

import numpy as np
import pytest

import weft


class Chain:
    """Values of weft's, lazy, beside NumPy's."""

    def __init__(self, seed, is_large):
        self.random = np.random.default_rng(seed)
        self.is_large = is_large
        self.dtype = np.dtype(self.random.choice(["int64", "float64", "float32"]))
        self.values, self.log, self.largest = [], [], 1.0

    def below(self, count):
        return int(self.random.integers(count))

    def leaf(self, shape):
        if self.dtype == np.int64:
            made = self.random.integers(-50, 50, shape)
        else:
            made = (self.random.integers(-4000, 4000, shape) / 1024).astype(self.dtype)
        return np.asfortranarray(made) if self.below(2) else made

    def shape(self):
        if self.is_large:
            rank = 1 + self.below(3)
            return [1 + self.below([400_000, 900, 90][rank - 1]) for _ in range(rank)]
        shape = [1 + self.below(6) for _ in range(1 + self.below(4))]
        if self.below(3) == 0:
            shape[self.below(len(shape))] = 1 + self.below(400)
        return shape

    def add(self, what, ours, numpys):
        self.log.append(f"{what} {list(numpys.shape)}")
        self.values.append((ours, numpys))
        if numpys.size:
            self.largest = max(self.largest, float(np.abs(numpys).max()))

    def run(self):
        shape = self.shape()
        for _ in range(1 + self.below(3)):
            a = self.leaf(shape)
            self.add("leaf", weft.asarray(a), a)
        for _ in range(2 + self.below(10)):
            x, a = self.values[-1 - self.below(min(3, len(self.values)))]
            if a.ndim == 0:
                x, a = weft.expand_dims(x, axis=0), a[None]
            steps = [self.move, self.compute, self.reduce, self.multiply]
            steps[self.below(len(steps))](x, a, self.below(a.ndim))
        for x, a in self.values[-1 - self.below(3):]:
            self.check(x.numpy(), a)

    def move(self, x, a, axis):
        room = a.size < (900_000 if self.is_large else 5_000)
        match self.below(6):
            case 0: self.add("roll", weft.roll(x, 3, axis=axis), np.roll(a, 3, axis))
            case 1: self.add("flip", weft.flip(x, axis=axis), np.flip(a, axis))
            case 2: self.add("turn", weft.permute_dims(x, tuple(range(a.ndim))[::-1]), a.T)
            case 3: self.add("take every other", x[..., ::2], a[..., ::2])
            case 4: self.add("flatten", weft.reshape(x, (-1,)), a.reshape(-1))
            case 5 if room:
                self.add("concat", weft.concat([x, weft.flip(x, axis=axis)], axis=axis),
                         np.concatenate([a, np.flip(a, axis)], axis))

    def compute(self, x, a, _):
        y, b = next((pair for pair in reversed(self.values) if pair[1].shape == a.shape), (x, a))
        match self.below(4):
            case 0: self.add("triple", x + x * 2, a + a * 2)
            case 1: self.add("subtract", x - y, a - b)
            case 2 if self.dtype == np.int64:  # rounding may turn the sign of others
                self.add("where", weft.where(x > 0, x, y), np.where(a > 0, a, b))
            case 3: self.add("clip", weft.clip(x, -1, 1), np.clip(a, -1, 1))

    def reduce(self, x, a, axis):
        match self.below(6):
            case 0: self.add("sum", weft.sum(x, axis=axis), a.sum(axis, dtype=a.dtype))
            case 1: self.add("max", weft.max(x, axis=axis, keepdims=True), a.max(axis, keepdims=True))
            case 2: self.add("cumulative sum", weft.cumulative_sum(x, axis=axis), a.cumsum(axis))
            case 3 if self.dtype != np.int64:
                self.add("mean", weft.mean(x, axis=axis), a.mean(axis))
            case 4 if self.dtype != np.int64:
                e = np.exp(a - a.max(axis, keepdims=True))
                self.add("softmax", weft.softmax(x, axis=axis), e / e.sum(axis, keepdims=True))
            case 5 if self.dtype == np.int64:
                self.add("argmax", weft.argmax(x, axis=axis), a.argmax(axis))

    def multiply(self, x, a, _):
        if a.size > (300_000 if self.is_large else 20_000) or a.shape[max(a.ndim - 2, 0)] > 1000:
            return
        if self.below(2) and a.ndim >= 2:
            self.add("by itself", weft.matmul(x, weft.matrix_transpose(x)), a @ np.swapaxes(a, -1, -2))
        else:
            b = self.leaf([a.shape[-1], 1 + self.below(8)])
            self.add("by a matrix", weft.matmul(x, weft.asarray(b)), a @ b)

    def check(self, got, expected):
        assert got.shape == expected.shape and got.dtype == expected.dtype, self.log
        if self.dtype == np.int64:
            assert np.array_equal(got, expected), self.log
        elif expected.size and np.isfinite(expected).all():
            # Sums cancel, so what is left may be as wrong as the largest value on the way.
            bound = (1e-3 if self.dtype == np.float32 else 1e-11) * self.largest
            assert np.abs(got - expected).max() <= bound, self.log


def run(seed, is_large=False):
    with np.errstate(all="ignore"):
        Chain(seed, is_large).run()


@pytest.mark.parametrize("first", range(0, 500, 50))
def test_chains(first):
    for seed in range(first, first + 50):
        try:
            run(seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error


def test_large_chains():
    for seed in range(20):
        run(seed, is_large=True)


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:3])
    for seed in range(first, first + count):
        try:
            run(seed, "large" in sys.argv)
        except Exception as error:
            print(f"seed {seed}: {error}")
    print(f"{count} chains from seed {first} on")
