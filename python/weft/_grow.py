# SPDX-License-Identifier: Apache-2.0
"""More elements than before, and copies with a part replaced."""

from __future__ import annotations

import operator
from typing import Any, Callable, Sequence

import numpy as np

from . import _core
from ._errors import ParameterError
from ._pick import Indices
from ._typing import Array, Ints, Operand, Tensor, X, _error, arrayed, composed, is_one, lazy, op, tensors

_broadcast_to, _concat, _pad, _repeat = op("broadcast_to"), op("concat"), op("pad"), op("repeat")
_stack, _tile, _unfold = op("stack"), op("tile"), op("unfold")
_flatten, _reshape, _astype = op("flatten"), op("reshape"), op("astype")


def broadcast_to(x: X, /, shape: Ints) -> X:
    """x repeated along axes of extent 1, by NumPy's rules.

    >>> weft.broadcast_to(np.arange(2), (2, 2)).tolist()
    [[0, 1], [0, 1]]
    """
    return _broadcast_to(x, shape)


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that tensors of those shapes are broadcast to.

    >>> weft.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    from ._errors import ShapeError

    try:
        return np.broadcast_shapes(*shapes)
    except ValueError as error:
        raise _error(ShapeError, "shape_mismatch", f"broadcast_shapes: {error}") from None


def broadcast_arrays(*arrays: X) -> tuple[X, ...]:
    """All of them broadcast to one shape.

    >>> [x.shape for x in weft.broadcast_arrays(np.zeros((2, 1)), np.zeros(3))]
    [(2, 3), (2, 3)]
    """
    arrays = tuple(map(arrayed, arrays))
    shape = broadcast_shapes(*(tuple(x.shape) for x in arrays))
    made = [_broadcast_to(x, shape) for x in arrays]
    if any(isinstance(x, Tensor) for x in arrays):
        return tuple(lazy(x) for x in made)  # type: ignore[misc]
    return tuple(made)


def broadcast_except(x: Any, indices: Any, axis: Any, called: Callable[..., Any]) -> Any:
    """A call of two operands whose axes but one are broadcast to one another."""
    def work(data: Tensor, places: Tensor) -> Any:
        if data.ndim != places.ndim or not is_one(axis):
            return called(data, places, axis)
        own = operator.index(axis)
        if not -data.ndim <= own < data.ndim:
            return called(data, places, axis)
        own %= data.ndim
        others = [list(t.shape) for t in (data, places)]
        for extents in others:
            extents[own] = 1
        common = list(broadcast_shapes(*map(tuple, others)))
        for k, t in enumerate((data, places)):
            others[k] = common[:own] + [t.shape[own]] + common[own + 1:]
        return called(_broadcast_to(data, others[0]), _broadcast_to(places, others[1]), axis)

    return tensors((x, indices), work)


def concat(arrays: Sequence[X], /, *, axis: Ints | None = 0) -> X:
    """One after another along an axis; without one, all elements of each.

    >>> weft.concat([np.arange(2), np.arange(3)]).tolist()
    [0, 1, 0, 1, 2]
    """
    arrays = _one_type(arrays)
    if axis is None:
        return tensors(arrays, lambda *xs: _concat([_flatten(x, 0, -1) for x in xs], 0))
    return _concat(arrays, axis)


def stack(arrays: Sequence[X], /, *, axis: Ints = 0) -> X:
    """Beside one another along a new axis.

    >>> weft.stack([np.arange(2), np.arange(2)], axis=1).tolist()
    [[0, 0], [1, 1]]
    """
    return _stack(_one_type(arrays), axis)


def _one_type(arrays: Any) -> Any:
    """All cast to the type that those of one kind meet in, as in NumPy."""
    from ._elementwise import result_type

    arrays = list(arrays)
    kinds = {x.dtype for x in arrays if hasattr(x, "dtype")}
    if len(kinds) < 2 or any(kind.kind not in "iufc" for kind in kinds):
        return arrays
    common = result_type(*kinds)
    return [x if x.dtype == common else _astype(x, common) for x in arrays]


def tile(x: X, repetitions: Ints, /) -> X:
    """x one copy beside another, so often along each axis; an int is of the last axis.

    >>> weft.tile(np.arange(2), 2).tolist()
    [0, 1, 0, 1]
    """
    return _tile(x, [repetitions] if is_one(repetitions) else repetitions)


def repeat(x: X, repeats: Ints, /, *, axis: Ints | None = None) -> X:
    """Each position of an axis so often; without one, each element, and the result is flat.

    >>> weft.repeat(np.arange(2), 2).tolist()
    [0, 0, 1, 1]
    """
    x = arrayed(x)
    if axis is None and x.ndim != 1:
        return composed(x, lambda t: _repeat(_reshape(t, [-1]), repeats, 0))
    return _repeat(x, repeats, 0 if axis is None else axis)


def pad(x: X, pad_width: Any, mode: str = "constant", *, constant_values: Operand = 0) -> X:
    """More positions around, as numpy.pad: a number, (before, after), or those of each axis.

    `mode` is "constant", "edge", "reflect", "symmetric" or "wrap".

    >>> weft.pad(np.arange(3), (1, 2), mode="wrap").tolist()
    [2, 0, 1, 2, 0, 1]
    """
    x = arrayed(x)
    if isinstance(pad_width, dict):
        widths = np.zeros((x.ndim, 2), dtype=np.int64)
        for axis, width in pad_width.items():
            widths[axis] = width
    else:
        given = np.asarray(pad_width)
        try:
            widths = np.broadcast_to(given if x.ndim else 0, (x.ndim, 2))
        except ValueError:
            raise _error(ParameterError, "length_mismatch",
                         f"pad: pad_width has shape {list(given.shape)}, expected what is broadcast "
                         f"to [{x.ndim}, 2]") from None
    return _pad(x, constant_values, widths[:, 0], widths[:, 1], mode)


def unfold(x: X, /, axis: Ints, size: Ints, step: Ints = 1) -> X:
    """Windows that slide along an axis, in a new last axis.

    >>> weft.unfold(np.arange(4), 0, 2).tolist()
    [[0, 1], [1, 2], [2, 3]]
    """
    return _unfold(x, axis, size, step)


__all__ = ["broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "pad", "repeat",
           "stack", "tile", "unfold"]
