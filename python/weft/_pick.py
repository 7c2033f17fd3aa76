# SPDX-License-Identifier: Apache-2.0
"""Some of the elements, by slices and by indices."""

from __future__ import annotations

from typing import Any, Sequence, Union

from . import _core
from ._typing import Array, Ints, Operand, Tensor, X, is_one, op

_center_crop, _crop, _diagonal = op("center_crop"), op("crop"), op("diagonal")
_gather_elements, _gather_nd, _narrow = op("gather_elements"), op("gather_nd"), op("narrow")
_select, _slice, _take, _where = op("select"), op("slice"), op("take"), op("where")

#: Integers as elements.
Indices = Union[Tensor, Array, Sequence[Any], int]


def slice(x: X, /, start: Ints, stop: Ints, step: Ints | None = None, *,
          axis: Ints | None = None) -> X:
    """`x[start:stop:step]` on each axis that is named; none: the first ones.

    >>> weft.slice(np.arange(10), 2, 8, 3).tolist()
    [2, 5]
    """
    start, stop = _listed(start), _listed(stop)
    return _slice(x, start, stop, None if step is None else _listed(step),
                  None if axis is None else _listed(axis))


def _listed(values: Any) -> Any:
    return [values] if is_one(values) else values


def narrow(x: X, /, axis: Ints, start: Ints, length: Ints) -> X:
    """So many positions of one axis.

    >>> weft.narrow(np.arange(10), 0, 2, 3).tolist()
    [2, 3, 4]
    """
    return _narrow(x, axis, start, length)


def crop(x: X, /, before: Ints, after: Ints, *, axis: Ints | None = None) -> X:
    """Without so many positions on both sides.

    >>> weft.crop(np.arange(10), [2], [3]).tolist()
    [2, 3, 4, 5, 6]
    """
    return _crop(x, before, after, axis)


def center_crop(x: X, /, size: Ints, *, axis: Ints | None = None) -> X:
    """The middle, of that size.

    >>> weft.center_crop(np.arange(10), [4]).tolist()
    [3, 4, 5, 6]
    """
    return _center_crop(x, size, axis)


def select(x: X, /, axis: Ints, index: Ints) -> X:
    """One index of an axis, which goes.

    >>> weft.select(np.arange(6).reshape(2, 3), 1, -1).tolist()
    [2, 5]
    """
    return _select(x, axis, index)


def diagonal(x: X, /, offset: Ints = 0, axis1: Ints = 0, axis2: Ints = 1) -> X:
    """A diagonal of two axes, which becomes the last axis.

    >>> weft.diagonal(np.arange(9).reshape(3, 3)).tolist()
    [0, 4, 8]
    """
    return _diagonal(x, offset, axis1, axis2)


def split(x: X, /, lengths: Ints, *, axis: Ints = 0) -> list[X]:
    """An axis cut into parts of those lengths, or into so many of one length.

    numpy.split takes places where this takes lengths.

    >>> [part.tolist() for part in weft.split(np.arange(5), [2, 3])]
    [[0, 1], [2, 3, 4]]
    """
    return _core.split(x, lengths, axis)


def chunk(x: X, /, chunks: Ints, *, axis: Ints = 0) -> list[X]:
    """An axis cut into so many parts, of which the last may be smaller.

    >>> [part.tolist() for part in weft.chunk(np.arange(5), 2)]
    [[0, 1, 2], [3, 4]]
    """
    return _core.chunk(x, chunks, axis)


def unstack(x: X, /, *, axis: Ints = 0) -> tuple[X, ...]:
    """Each index of an axis by itself.

    >>> [part.tolist() for part in weft.unstack(np.arange(4).reshape(2, 2))]
    [[0, 1], [2, 3]]
    """
    return tuple(_core.unstack(x, None, axis))


def take(x: X, indices: Indices, /, *, axis: Ints | None = None) -> X:
    """Positions of an axis; without one, of all elements in row-major order.

    >>> weft.take(np.array([5, 6, 7]), np.array([2, 0]), axis=0).tolist()
    [7, 5]
    """
    return _take(x, indices, axis)


gather = take


def take_along_axis(x: X, indices: Indices, /, *, axis: Ints = -1) -> X:
    """`out[..., j, ...] = x[..., indices[..., j, ...], ...]`; other axes are broadcast.

    >>> weft.take_along_axis(np.array([[3, 1, 2]]), np.array([[1, 2, 0]])).tolist()
    [[1, 2, 3]]
    """
    from ._grow import broadcast_except

    return broadcast_except(x, indices, axis, _gather_elements)


def gather_elements(x: X, indices: Indices, /, *, axis: Ints) -> X:
    """The same of indices whose other extents are at most those of x (ONNX, torch.gather).

    >>> weft.gather_elements(np.array([[3, 1, 2]]), np.array([[1, 2]]), axis=1).tolist()
    [[1, 2]]
    """
    return _gather_elements(x, indices, axis)


def gather_nd(x: X, indices: Indices, /) -> X:
    """Elements or slices, by tuples of indices along the last axis of `indices`.

    >>> weft.gather_nd(np.array([[0, 1], [2, 3]]), np.array([[1, 0], [0, 1]])).tolist()
    [2, 1]
    """
    return _gather_nd(x, indices)


def where(condition: Tensor | Array, x1: Operand, x2: Operand, /) -> Any:
    """Elements of x1 where the condition holds, of x2 elsewhere.

    >>> weft.where(np.array([True, False]), np.array([1, 2]), 0).tolist()
    [1, 0]
    """
    if hasattr(x1, "dtype") and hasattr(x2, "dtype") and x1.dtype != x2.dtype:
        from ._grow import _one_type

        x1, x2 = _one_type((x1, x2))
    return _where(condition, x1, x2)


__all__ = ["center_crop", "chunk", "crop", "diagonal", "gather", "gather_elements", "gather_nd",
           "narrow", "select", "slice", "split", "take", "take_along_axis", "unstack", "where"]
