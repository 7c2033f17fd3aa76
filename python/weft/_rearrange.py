# SPDX-License-Identifier: Apache-2.0
"""The same elements, elsewhere."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._typing import Array, Ints, Tensor, X, arrayed, composed, is_one, op

_channel_shuffle, _depth_to_space = op("channel_shuffle"), op("depth_to_space")
_fftshift, _flip, _ifftshift = op("fftshift"), op("flip"), op("ifftshift")
_pixel_shuffle, _pixel_unshuffle = op("pixel_shuffle"), op("pixel_unshuffle")
_rearrange, _repeat_pattern, _reduce_pattern = op("rearrange"), op("repeat_pattern"), op("reduce_pattern")
_reverse_sequence, _roll, _rot90 = op("reverse_sequence"), op("roll"), op("rot90")
_space_to_depth, _window_partition = op("space_to_depth"), op("window_partition")
_window_reverse, _reshape = op("window_reverse"), op("reshape")


def roll(x: X, /, shift: Ints, *, axis: Ints | None = None) -> X:
    """Elements turned along axes; without one, all of them in row-major order.

    One shift is of every axis, one axis takes the sum of all shifts.

    >>> weft.roll(np.arange(5), 2).tolist()
    [3, 4, 0, 1, 2]
    """
    if axis is None:
        x = arrayed(x)
        if x.ndim == 1:
            return _roll(x, _summed(shift), 0)
        return composed(x, lambda t: _reshape(_roll(_reshape(t, [-1]), _summed(shift), 0),
                                              t.shape))
    if _is_several(shift) and len(shift) > 1 and is_one(axis):
        axis = [axis] * len(shift)
    return _roll(x, shift, axis)


def _is_several(shift: Any) -> bool:
    return isinstance(shift, (list, tuple, range)) or (isinstance(shift, np.ndarray) and shift.ndim == 1)


def _summed(shift: Any) -> Any:
    """Several shifts without axes turn one after another."""
    return sum(map(operator.index, shift)) if _is_several(shift) and all(map(is_one, shift)) else shift


def flip(x: X, /, *, axis: Ints | None = None) -> X:
    """Axes backwards; without one, all of them.

    >>> weft.flip(np.arange(3)).tolist()
    [2, 1, 0]
    """
    return _flip(x, axis)


def rot90(x: X, /, k: Ints = 1, *, axis: Ints = (0, 1)) -> X:
    """k quarter turns, from the first of two axes towards the second.

    >>> weft.rot90(np.arange(4).reshape(2, 2)).tolist()
    [[1, 3], [0, 2]]
    """
    return _rot90(x, k, axis)


def fftshift(x: X, /, *, axis: Ints | None = None) -> X:
    """The element at index 0 to the middle.

    >>> weft.fftshift(np.arange(4)).tolist()
    [2, 3, 0, 1]
    """
    return _fftshift(x, axis)


def ifftshift(x: X, /, *, axis: Ints | None = None) -> X:
    """The element in the middle to index 0.

    >>> weft.ifftshift(np.arange(5)).tolist()
    [2, 3, 4, 0, 1]
    """
    return _ifftshift(x, axis)


def reverse_sequence(x: X, lengths: Any, /, *, batch_axis: Ints = 0, seq_axis: Ints = 1) -> X:
    """The beginning of each sequence of a batch backwards.

    >>> weft.reverse_sequence(np.array([[1, 2, 3], [4, 5, 6]]), np.array([2, 3])).tolist()
    [[2, 1, 3], [6, 5, 4]]
    """
    return _reverse_sequence(x, lengths, batch_axis, seq_axis)


def _sizes(sizes: dict[str, Any]) -> tuple[str, list[Any]]:
    return " ".join(sizes), list(sizes.values())


def rearrange(x: X, pattern: str, /, **sizes: int) -> X:
    """Axes split, permuted and merged by their names, as in einops.

    >>> weft.rearrange(np.arange(6).reshape(2, 3), "h w -> w h").tolist()
    [[0, 3], [1, 4], [2, 5]]
    """
    return _rearrange(x, pattern, *_sizes(sizes))


def repeat_pattern(x: X, pattern: str, /, **sizes: int) -> X:
    """The same, repeated along axes that the right side has alone (einops.repeat).

    >>> weft.repeat_pattern(np.arange(2), "w -> (w r)", r=2).tolist()
    [0, 0, 1, 1]
    """
    return _repeat_pattern(x, pattern, *_sizes(sizes))


def reduce_pattern(x: X, pattern: str, reduction: str, /, **sizes: int) -> X:
    """The same, reduced along axes that the left side has alone (einops.reduce).

    >>> weft.reduce_pattern(np.arange(6).reshape(2, 3), "h w -> w", "max").tolist()
    [3, 4, 5]
    """
    names, values = _sizes(sizes)
    return _reduce_pattern(x, pattern, reduction, names, values)


def depth_to_space(x: X, /, block: Ints, *, mode: str = "blocks_first") -> X:
    """Blocks of channels as blocks of pixels (ONNX's DCR, "depth_first": CRD).

    >>> weft.depth_to_space(np.arange(4).reshape(1, 4, 1, 1), 2).tolist()
    [[[[0, 1], [2, 3]]]]
    """
    return _depth_to_space(x, block, mode)


def space_to_depth(x: X, /, block: Ints, *, mode: str = "blocks_first") -> X:
    """Blocks of pixels as blocks of channels.

    >>> weft.space_to_depth(np.arange(4).reshape(1, 1, 2, 2), 2).shape
    (1, 4, 1, 1)
    """
    return _space_to_depth(x, block, mode)


def pixel_shuffle(x: X, /, factor: Ints) -> X:
    """Channels as pixels, as torch.nn.functional.pixel_shuffle.

    >>> weft.pixel_shuffle(np.arange(4).reshape(1, 4, 1, 1), 2).shape
    (1, 1, 2, 2)
    """
    return _pixel_shuffle(x, factor)


def pixel_unshuffle(x: X, /, factor: Ints) -> X:
    """Pixels as channels.

    >>> weft.pixel_unshuffle(np.arange(4).reshape(1, 1, 2, 2), 2).shape
    (1, 4, 1, 1)
    """
    return _pixel_unshuffle(x, factor)


def window_partition(x: X, /, window: Ints) -> X:
    """Images in windows, which become batches (Swin).

    >>> weft.window_partition(np.zeros((1, 4, 4, 3)), (2, 2)).shape
    (4, 2, 2, 3)
    """
    return _window_partition(x, window)


def window_reverse(x: X, /, window: Ints, shape: Ints) -> X:
    """Images of those windows.

    >>> weft.window_reverse(np.zeros((4, 2, 2, 3)), (2, 2), (4, 4)).shape
    (1, 4, 4, 3)
    """
    return _window_reverse(x, window, shape)


def channel_shuffle(x: X, /, groups: Ints, *, axis: Ints = 1) -> X:
    """Channels dealt out from groups one by one.

    >>> weft.channel_shuffle(np.arange(4).reshape(1, 4), 2).tolist()
    [[0, 2, 1, 3]]
    """
    return _channel_shuffle(x, groups, axis)


__all__ = ["channel_shuffle", "depth_to_space", "fftshift", "flip", "ifftshift", "pixel_shuffle",
           "pixel_unshuffle", "rearrange", "reduce_pattern", "repeat_pattern", "reverse_sequence",
           "roll", "rot90", "space_to_depth", "window_partition", "window_reverse"]
