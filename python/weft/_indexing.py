# SPDX-License-Identifier: Apache-2.0
"""x[...]: slices, integers, None, Ellipsis and arrays of integers, as NumPy reads them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._errors import DtypeError, IndexError, ParameterError
from ._typing import Tensor, _error, lazy, op

_slice, _select, _take = op("slice"), op("select"), op("take")
_expand_dims, _gather_nd, _permute_dims = op("expand_dims"), op("gather_nd"), op("permute_dims")


def picked(x: Tensor, key: Any) -> Tensor:
    """What x[key] is."""
    parts = key if isinstance(key, tuple) else (key,)
    arrays = {}
    taking = 0
    for part in parts:
        if part is None or part is Ellipsis:
            continue
        taking += 1
        _refuse_masks(part)
    if sum(part is Ellipsis for part in parts) > 1:
        raise _error(IndexError, "bad_index", "x[...]: an Ellipsis is there twice")
    if taking > x.ndim:
        raise _error(IndexError, "bad_index",
                     f"x[...]: {taking} indices, the tensor has rank {x.ndim}")
    if not any(part is Ellipsis for part in parts):
        parts = (*parts, Ellipsis)

    # Integers beside arrays of integers are such arrays, of rank 0.
    has_arrays = any(isinstance(part, (list, tuple, np.ndarray, Tensor)) for part in parts)

    # One slice for all axes, then integers from the last axis on, then new axes, then arrays.
    axis, starts, stops, steps, axes = 0, [], [], [], []
    selected, new, place = [], [], 0
    for part in parts:
        if part is Ellipsis:
            skipped = x.ndim - taking
            axis, place = axis + skipped, place + skipped
        elif part is None:
            new.append(place)
            place += 1
        elif isinstance(part, slice):
            _add_slice(x, axis, part, (starts, stops, steps, axes))
            axis, place = axis + 1, place + 1
        elif _is_integer(part) and not has_arrays:
            selected.append((axis, _checked(x, axis, operator.index(part))))
            axis += 1
        else:
            if not isinstance(part, (np.ndarray, Tensor)):
                is_empty = isinstance(part, (list, tuple)) and not part
                part = np.asarray(part, dtype=np.int64 if is_empty else None)
            arrays[place] = lazy(part)
            axis, place = axis + 1, place + 1
    made: Any = x
    if axes:
        made = _slice(made, starts, stops, steps, axes)
    for own, index in reversed(selected):
        made = _select(made, own, index)
    if new:
        made = _expand_dims(made, new)
    if arrays:
        made = _by_arrays(made, arrays)
    return made if made is not x else x.__copy__()  # type: ignore[no-any-return]


def _is_integer(part: Any) -> bool:
    if isinstance(part, (bool, np.bool_, np.ndarray, Tensor, list, tuple)):
        return False
    try:
        operator.index(part)
    except TypeError:
        raise _error(IndexError, "bad_index",
                     f"x[...]: {type(part).__name__} is no index; slices, integers, None, Ellipsis "
                     "and arrays of integers are") from None
    return True


def _refuse_masks(part: Any) -> None:
    is_mask = isinstance(part, (bool, np.bool_)) or (
        isinstance(part, (np.ndarray, Tensor)) and part.dtype == np.bool_) or (
        isinstance(part, list) and bool(part) and np.asarray(part).dtype == np.bool_)
    if is_mask:
        raise _error(DtypeError, "dtype_mismatch",
                     "x[...]: a mask of bools makes a shape that only its elements tell; "
                     "weft.where(mask, x, y) keeps the shape")
    if isinstance(part, (np.ndarray, Tensor)) and part.dtype.kind not in "iu":
        raise _error(DtypeError, "dtype_mismatch",
                     f"x[...]: the index is of {part.dtype}, expected integers")


def _checked(x: Tensor, axis: int, index: int) -> int:
    if x.is_open:
        return index
    extent = x.shape[axis]
    if not -extent <= index < extent:
        raise _error(IndexError, "bad_index",
                     f"x[...]: index {index} of axis {axis} is out of range for extent {extent}")
    return index


def _add_slice(x: Tensor, axis: int, part: slice, lists: tuple[list[int], ...]) -> None:
    if part == slice(None):
        return
    step = 1 if part.step is None else operator.index(part.step)
    if step == 0:
        raise _error(ParameterError, "zero_step", f"x[...]: the step of axis {axis} is 0")
    far = 2**63 - 1
    start = operator.index(part.start) if part.start is not None else (0 if step > 0 else far)
    # A stop of -1 counts from the end: what is before the first place is far below.
    stop = operator.index(part.stop) if part.stop is not None else (far if step > 0 else -far)
    clamped = (max(-far, min(far, number)) for number in (start, stop, step))
    for values, number in zip(lists, (*clamped, axis)):
        values.append(number)


def _by_arrays(x: Any, arrays: dict[int, Tensor]) -> Any:
    """Arrays of integers at those axes of x; several are broadcast to one another."""
    from ._grow import broadcast_arrays

    if len(arrays) == 1:
        ((axis, indices),) = arrays.items()
        return _take(x, indices, axis)
    axes = list(arrays)
    # Of one type, which all kinds of indices fit into.
    same = {each.dtype for each in arrays.values()}
    indices = [each if len(same) == 1 else op("astype")(each, np.int64) for each in arrays.values()]
    places = broadcast_arrays(*indices)
    others = [axis for axis in range(x.ndim) if axis not in axes]
    tuples = op("stack")(places, -1)
    made = _gather_nd(_permute_dims(x, axes + others), tuples)
    # NumPy: in the place of the first array where they are beside one another, else in front.
    rank = places[0].ndim
    if axes != list(range(axes[0], axes[0] + len(axes))) or axes[0] == 0:
        return made
    order = list(range(rank, rank + axes[0])) + list(range(rank)) + list(range(rank + axes[0], made.ndim))
    return _permute_dims(made, order)
