# SPDX-License-Identifier: Apache-2.0
"""The same elements, in other axes."""

from __future__ import annotations

from typing import Any

from . import _core
from ._errors import ParameterError
from ._typing import Array, DTypeLike, Ints, Tensor, X, _error, arrayed, composed, op

_expand_dims, _flatten, _moveaxis = op("expand_dims"), op("flatten"), op("moveaxis")
_permute_dims, _reshape, _squeeze = op("permute_dims"), op("reshape"), op("squeeze")
_swapaxes, _transpose, _unflatten = op("swapaxes"), op("transpose"), op("unflatten")
_view_as, _stored = op("view_as"), op("stored")


def expand_dims(x: X, /, axis: Ints) -> X:
    """Axes of extent 1, where they are in the result.

    >>> weft.expand_dims(np.zeros((2, 3)), axis=1).shape
    (2, 1, 3)
    """
    return _expand_dims(x, axis)


def squeeze(x: X, /, axis: Ints | None = None) -> X:
    """Without axes of extent 1; none: all of them.

    >>> weft.squeeze(np.zeros((2, 1, 3)), axis=1).shape
    (2, 3)
    """
    return _squeeze(x, axis)


def reshape(x: X, /, shape: Ints, *, copy: bool | None = None) -> X:
    """The same elements, row-major; an extent of -1 follows from the others.

    >>> weft.reshape(np.arange(6), (2, -1)).tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    if copy and not isinstance(x, Tensor):
        return composed(_core.tensor_from(x, True), lambda t: _reshape(t, shape)).numpy()
    return _reshape(x, shape)


def permute_dims(x: X, /, axes: Ints) -> X:
    """The axes in another order: axis k of the result is axis axes[k] of x.

    >>> weft.permute_dims(np.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return _permute_dims(x, axes)


def transpose(x: X, /, axes: Ints | None = None) -> X:
    """The same, by default with the axes in reverse order, as in NumPy.

    >>> weft.transpose(np.zeros((2, 3, 4))).shape
    (4, 3, 2)
    """
    return _transpose(x, axes)


def matrix_transpose(x: X, /) -> X:
    """The last two axes exchanged.

    >>> weft.matrix_transpose(np.zeros((2, 3, 4))).shape
    (2, 4, 3)
    """
    x = arrayed(x)
    if x.ndim < 2:
        raise _error(ParameterError, "bad_rank",
                     f"matrix_transpose: x has rank {x.ndim}, expected 2 or more")
    return _swapaxes(x, -1, -2)


def moveaxis(x: X, source: Ints, destination: Ints, /) -> X:
    """Some axes to other places, the others in their order.

    >>> weft.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    return _moveaxis(x, source, destination)


def swapaxes(x: X, axis1: Ints, axis2: Ints, /) -> X:
    """Two axes exchanged.

    >>> weft.swapaxes(np.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return _swapaxes(x, axis1, axis2)


def flatten(x: X, /, start_axis: Ints = 0, end_axis: Ints = -1) -> X:
    """Axes from one to another as one.

    >>> weft.flatten(np.zeros((2, 3, 4)), 1).shape
    (2, 12)
    """
    return _flatten(x, start_axis, end_axis)


def unflatten(x: X, /, axis: Ints, shape: Ints) -> X:
    """One axis as several.

    >>> weft.unflatten(np.zeros((2, 12)), 1, (3, 4)).shape
    (2, 3, 4)
    """
    return _unflatten(x, axis, shape)


def view_as(x: X, /, dtype: DTypeLike) -> X:
    """The bytes of the elements as elements of another type.

    >>> weft.view_as(np.float32([1.0]), np.uint32).tolist()
    [1065353216]
    """
    return _view_as(x, dtype)


def stored(x: Tensor, /) -> Tensor:
    """x, computed once where several use it.

    >>> weft.stored(weft.ones(3)).shape
    (3,)
    """
    made: Tensor = _stored(x)
    return made


__all__ = ["expand_dims", "flatten", "matrix_transpose", "moveaxis", "permute_dims", "reshape",
           "squeeze", "stored", "swapaxes", "transpose", "unflatten", "view_as"]
