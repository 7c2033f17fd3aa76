# SPDX-License-Identifier: Apache-2.0
"""Tensors from arrays, and tensors of one value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _core
from ._errors import OverflowError, ParameterError, ShapeError
from ._typing import Array, DTypeLike, Ints, Tensor, _error, arrayed, lazy, op



def asarray(obj: Any, /, *, dtype: DTypeLike = None, device: str | None = None,
            copy: bool | None = None) -> Tensor:
    """A tensor over the elements of an array, which must not change while it is used.

    The memory is borrowed, whatever its strides, and kept until nothing unevaluated needs it.
    `copy=True` copies it, so that the array may change. What cannot be borrowed is copied: lists,
    elements that are not aligned, or in the other byte order, and those of another dtype than the
    one that is asked for. `copy=False` raises a ParameterError for those.

    >>> a = np.arange(6).reshape(2, 3)
    >>> x = weft.asarray(a)
    >>> np.shares_memory(x.T, a)
    True
    """
    _check_device("asarray", device)
    made: Any = _core.tensor_from(obj, copy)
    if dtype is None or made.dtype == np.dtype(_numpy_name(dtype)):
        return made  # type: ignore[no-any-return]
    if copy is False:
        raise _error(ParameterError, "copy_needed",
                     f"asarray: elements of {made.dtype} are {dtype} only in a copy; copy=False "
                     "was given")
    cast: Tensor = op("astype")(made, dtype)
    return cast


def _numpy_name(dtype: DTypeLike) -> Any:
    from ._dtypes import numpy_dtype, tell

    return numpy_dtype(*tell(dtype))


def _check_device(name: str, device: Any) -> None:
    if device is not None and str(device) != "cpu":
        raise _error(ParameterError, "bad_device", f"{name}: device {device}, expected cpu")


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> Tensor:
    """A tensor over the elements of what has `__dlpack__`: arrays of torch, JAX, NumPy.

    >>> print(weft.from_dlpack(np.arange(3)))
    [0 1 2]
    """
    _check_device("from_dlpack", device)
    made: Any = _core.from_dlpack(x, copy is False)
    return _core.tensor_from(made, True) if copy else made  # type: ignore[return-value]


def full(shape: Ints, fill_value: Any, *, dtype: DTypeLike = None,
         device: str | None = None) -> Tensor:
    """One value everywhere: one element is stored, whatever the shape.

    >>> print(weft.full((2, 2), 7))
    [[7 7]
     [7 7]]
    """
    _check_device("full", device)
    if isinstance(fill_value, Tensor):
        element = fill_value if dtype is None else op("astype")(fill_value, dtype)
    else:
        given = np.asarray(fill_value)
        if given.ndim != 0:
            raise _error(ParameterError, "bad_rank",
                         f"full: the value has rank {given.ndim}, expected a number")
        element = lazy(given if dtype is None else _held(given, _numpy_name(dtype)))
    return _spread(element, shape)


def _held(value: Array, dtype: Any) -> Array:
    """A number as another type, which astype wraps where it is beyond the range."""
    if dtype.kind in "iu" and value.dtype.kind in "iufO":
        number = value.item()
        limits = np.iinfo(dtype)
        if not limits.min - 1 < number < limits.max + 1:
            told = number if abs(number) < 2**128 else "the value"
            raise _error(OverflowError, "overflow", f"full: {told} is out of range for {dtype}")
    return value.astype(dtype)


def _spread(element: Tensor, shape: Ints) -> Tensor:
    made: Tensor = op("broadcast_to")(element, shape)
    return made


def zeros(shape: Ints, *, dtype: DTypeLike = None, device: str | None = None) -> Tensor:
    """Zeros, of float64 unless another type is told.

    >>> print(weft.zeros((2, 3), dtype=weft.int8))
    [[0 0 0]
     [0 0 0]]
    """
    _check_device("zeros", device)
    kind = np.float64 if dtype is None else _numpy_name(dtype)
    return _spread(lazy(np.zeros((), kind)), shape)  # of texts an empty one


def ones(shape: Ints, *, dtype: DTypeLike = None, device: str | None = None) -> Tensor:
    """Ones, of float64 unless another type is told.

    >>> print(weft.ones(3))
    [1. 1. 1.]
    """
    return full(shape, 1, dtype=np.float64 if dtype is None else dtype, device=device)


def empty(shape: Ints, *, dtype: DTypeLike = None, device: str | None = None) -> Tensor:
    """The same as zeros: nothing of weft's is uninitialised, and zeros are free.

    >>> weft.empty((2, 3)).shape
    (2, 3)
    """
    return zeros(shape, dtype=dtype, device=device)


def _like(x: Any, dtype: DTypeLike) -> tuple[Any, Any]:
    x = arrayed(x)
    return x.shape, x.dtype if dtype is None else dtype


def full_like(x: Tensor | Array, /, fill_value: Any, *, dtype: DTypeLike = None,
              device: str | None = None) -> Tensor:
    """One value everywhere, of the shape and type of x.

    >>> print(weft.full_like(np.zeros((1, 2)), 3))
    [[3. 3.]]
    """
    shape, kind = _like(x, dtype)
    return full(shape, fill_value, dtype=kind, device=device)


def zeros_like(x: Tensor | Array, /, *, dtype: DTypeLike = None,
               device: str | None = None) -> Tensor:
    """Zeros of the shape and type of x.

    >>> print(weft.zeros_like(np.ones(2)))
    [0. 0.]
    """
    shape, kind = _like(x, dtype)
    return zeros(shape, dtype=kind, device=device)


def ones_like(x: Tensor | Array, /, *, dtype: DTypeLike = None,
              device: str | None = None) -> Tensor:
    """Ones of the shape and type of x.

    >>> print(weft.ones_like(np.zeros(2)))
    [1. 1.]
    """
    return full_like(x, 1, dtype=dtype, device=device)


def empty_like(x: Tensor | Array, /, *, dtype: DTypeLike = None,
               device: str | None = None) -> Tensor:
    """The same as zeros_like.

    >>> weft.empty_like(np.ones((2, 3))).shape
    (2, 3)
    """
    return zeros_like(x, dtype=dtype, device=device)


def arange(start: float, /, stop: float | None = None, step: float = 1, *,
           dtype: DTypeLike = None, device: str | None = None) -> Tensor:
    """Numbers from start (0 if there is no stop) up to stop, which is left out.

    >>> print(weft.arange(2, 8, 2))
    [2 4 6]
    """
    _check_device("arange", device)
    kind = None if dtype is None else _numpy_name(dtype)
    first, last = (0, start) if stop is None else (start, stop)
    if step == 0:
        raise _error(ParameterError, "zero_step", "arange: step is 0, expected any other")
    if not all(map(math.isfinite, (first, last, step))):
        raise _error(ParameterError, "bad_range",
                     f"arange: from {first} to {last} by {step} has no number of elements")
    return lazy(np.arange(first, last, step, dtype=kind))


def linspace(start: complex, stop: complex, /, num: int, *, dtype: DTypeLike = None,
             device: str | None = None, endpoint: bool = True) -> Tensor:
    """So many numbers, equally spaced from start to stop.

    >>> print(weft.linspace(0, 1, 3))
    [0.  0.5 1. ]
    """
    _check_device("linspace", device)
    kind = None if dtype is None else _numpy_name(dtype)
    return lazy(np.linspace(start, stop, num, dtype=kind, endpoint=endpoint))


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DTypeLike = None,
        device: str | None = None) -> Tensor:
    """Ones on a diagonal, zeros elsewhere.

    >>> print(weft.eye(2, 3, k=1))
    [[0. 1. 0.]
     [0. 0. 1.]]
    """
    columns = n_rows if n_cols is None else n_cols
    k = max(-n_rows, min(columns, k))  # beyond that there is none, however far
    all_ones = ones((n_rows, columns), dtype=dtype, device=device)
    made: Tensor = op("tril")(op("triu")(all_ones, k), k)
    return made


def meshgrid(*arrays: Tensor | Array, indexing: str = "xy") -> tuple[Any, ...]:
    """Coordinates of a grid, of one-dimensional coordinates of its axes.

    >>> print(weft.meshgrid(np.arange(2), np.arange(3))[1])
    [[0 0]
     [1 1]
     [2 2]]
    """
    if indexing not in ("xy", "ij"):
        raise _error(ParameterError, "bad_mode", f'meshgrid: indexing {indexing!r}, expected "xy" or "ij"')
    arrays = tuple(map(arrayed, arrays))
    if any(x.ndim > 1 for x in arrays):
        raise _error(ShapeError, "shape_mismatch", "meshgrid: an array has rank 2 or more, expected 0 or 1")
    is_lazy = any(isinstance(x, Tensor) for x in arrays)
    count, made = len(arrays), []
    places = list(range(count))
    if indexing == "xy" and count > 1:
        places[:2] = [1, 0]
    extents = [1] * count
    for x, place in zip(arrays, places):
        extents[place] = x.size
    for x, place in zip(arrays, places):
        own = [1] * count
        own[place] = -1 if x.size else 0
        grid = op("broadcast_to")(op("reshape")(lazy(x), own), extents)
        made.append(grid if is_lazy else _core.to_numpy(grid))
    return tuple(made)
