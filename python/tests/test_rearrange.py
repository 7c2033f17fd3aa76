# SPDX-License-Identifier: Apache-2.0
"""The same elements elsewhere: as NumPy and einops move them, to the byte."""

import einops
import numpy as np
from hypothesis import given, strategies as st

import weft
from support import arrays, axes_of, axis_of, every_way, same

shifts = st.integers(-9, 9)


@given(arrays(), shifts)
def test_roll_of_all_elements(x, shift):
    every_way(lambda t: weft.roll(t, shift), x, expected=np.roll(x, shift))


@given(st.data())
def test_roll_along_axes(data):
    x = data.draw(arrays(min_rank=1))
    axes = tuple(data.draw(st.lists(st.integers(-x.ndim, x.ndim - 1), min_size=1, max_size=4)))
    shift = tuple(data.draw(shifts) for _ in axes)
    every_way(lambda t: weft.roll(t, shift, axis=axes), x, expected=np.roll(x, shift, axes))
    every_way(lambda t: weft.roll(t, shift[0], axis=axes), x, expected=np.roll(x, shift[0], axes))
    every_way(lambda t: weft.roll(t, shift[0], axis=axes[0]), x,
              expected=np.roll(x, shift[0], axes[0]))


@given(st.lists(shifts, min_size=1, max_size=3))
def test_shifts_of_one_axis_sum(shift):
    x = np.arange(12).reshape(3, 4)
    every_way(lambda t: weft.roll(t, shift, axis=1), x, expected=np.roll(x, shift, 1))
    every_way(lambda t: weft.roll(t, shift), x, expected=np.roll(x, shift))


@given(st.data())
def test_flip(data):
    x = data.draw(arrays())
    axes = data.draw(st.none() | axes_of(x))
    every_way(lambda t: weft.flip(t, axis=axes), x, expected=np.flip(x, axes))


@given(st.data())
def test_rot90(data):
    x = data.draw(arrays(min_rank=2))
    axes = tuple(data.draw(st.permutations(range(x.ndim)))[:2])
    k = data.draw(st.integers(-5, 5))
    every_way(lambda t: weft.rot90(t, k, axis=axes), x, expected=np.rot90(x, k, axes))


@given(st.data())
def test_shifts_of_spectra(data):
    x = data.draw(arrays(min_rank=1))
    axes = data.draw(st.none() | axes_of(x))
    every_way(lambda t: weft.fftshift(t, axis=axes), x, expected=np.fft.fftshift(x, axes))
    every_way(lambda t: weft.ifftshift(t, axis=axes), x, expected=np.fft.ifftshift(x, axes))


@given(st.data())
def test_reverse_sequence(data):
    x = data.draw(arrays(min_rank=2, min_side=1))
    lengths = np.array([data.draw(st.integers(1, x.shape[1])) for _ in range(x.shape[0])])
    expected = x.copy()
    for row, length in enumerate(lengths):
        expected[row, :length] = x[row, :length][::-1]
    every_way(lambda t: weft.reverse_sequence(t, lengths), x, expected=expected)


@given(st.data())
def test_patterns(data):
    sizes = {name: data.draw(st.integers(1, 3)) for name in "abcd"}
    x = data.draw(arrays(shape=(sizes["a"] * sizes["b"], sizes["c"], sizes["d"])))
    names = data.draw(st.permutations("abcd"))
    cut = data.draw(st.integers(0, 4))
    right = " ".join(names[:cut]) + (f" ({' '.join(names[cut:])})" if cut < 4 else "")
    pattern = f"(a b) c d -> {right}"
    every_way(lambda t: weft.rearrange(t, pattern, b=sizes["b"]), x,
              expected=einops.rearrange(x, pattern, b=sizes["b"]))
    repeated = f"(a b) c d -> {right} r"
    every_way(lambda t: weft.repeat_pattern(t, repeated, b=sizes["b"], r=2), x,
              expected=einops.repeat(x, repeated, b=sizes["b"], r=2))


@given(st.data())
def test_reduce_by_a_pattern(data):
    sizes = {name: data.draw(st.integers(1, 3)) for name in "abc"}
    x = data.draw(arrays(types=[np.int64], elements=st.integers(-9, 9),
                         shape=(sizes["a"] * sizes["b"], sizes["c"])))
    kept = data.draw(st.lists(st.sampled_from("abc"), unique=True))
    pattern = f"(a b) c -> {' '.join(kept)}"
    reduction = data.draw(st.sampled_from(["sum", "prod", "min", "max"]))
    every_way(lambda t: weft.reduce_pattern(t, pattern, reduction, b=sizes["b"]), x,
              expected=einops.reduce(x, pattern, reduction, b=sizes["b"]))


@given(st.data())
def test_blocks(data):
    batch, channels, block, height, width = (data.draw(st.integers(1, 3)) for _ in range(5))
    x = data.draw(arrays(shape=(batch, channels * block * block, height, width)))
    dcr = einops.rearrange(x, "n (p q c) h w -> n c (h p) (w q)", p=block, q=block)
    crd = einops.rearrange(x, "n (c p q) h w -> n c (h p) (w q)", p=block, q=block)
    every_way(lambda t: weft.depth_to_space(t, block), x, expected=dcr)
    every_way(lambda t: weft.depth_to_space(t, block, mode="depth_first"), x, expected=crd)
    every_way(lambda t: weft.space_to_depth(t, block), dcr, expected=x)
    every_way(lambda t: weft.pixel_shuffle(t, block), x, expected=crd)
    every_way(lambda t: weft.pixel_unshuffle(t, block), crd, expected=x)


@given(st.data())
def test_windows(data):
    batch, rows, columns, p, q, channels = (data.draw(st.integers(1, 3)) for _ in range(6))
    x = data.draw(arrays(shape=(batch, rows * p, columns * q, channels)))
    windows = einops.rearrange(x, "b (h p) (w q) c -> (b h w) p q c", p=p, q=q)
    every_way(lambda t: weft.window_partition(t, (p, q)), x, expected=windows)
    every_way(lambda t: weft.window_reverse(t, (p, q), x.shape[1:3]), windows, expected=x)


@given(st.data())
def test_channel_shuffle(data):
    groups, size = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    x = data.draw(arrays(shape=(2, groups * size, 3)))
    every_way(lambda t: weft.channel_shuffle(t, groups), x,
              expected=einops.rearrange(x, "b (g c) w -> b (c g) w", g=groups))


def test_shifts_of_numpy():
    x = np.arange(12).reshape(3, 4)
    same(weft.roll(x, np.array([1, 2])), np.roll(x, np.array([1, 2])))
    same(weft.roll(x, np.int64(2)), np.roll(x, 2))
    for shift in [(1, 2), np.array([1, 2])]:
        for axis in [1, np.int64(1)]:
            same(weft.roll(x, shift, axis=axis), np.roll(x, shift, axis))


def test_lists():
    same(weft.roll([[1, 2], [3, 4]], 1), np.roll([[1, 2], [3, 4]], 1))
