# SPDX-License-Identifier: Apache-2.0
"""Gradients of tensors, which are tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from . import _core
from ._typing import Array, Tensor, X, op

_stop_gradient = op("stop_gradient")


@overload
def grad(y: Tensor, xs: Tensor, /) -> Tensor: ...
@overload
def grad(y: Tensor, xs: Sequence[Tensor], /) -> list[Tensor]: ...
def grad(y: Tensor, xs: Tensor | Sequence[Tensor], /) -> Tensor | list[Tensor]:
    """The gradients of y, which has one element, by one tensor or several.

    Nothing is computed: ask before y is evaluated, for then it forgets what it was made of.

    >>> x = weft.asarray(np.array([1.0, 2.0]))
    >>> weft.grad((x * x).sum(), x).tolist()
    [2.0, 4.0]
    """
    if isinstance(xs, Tensor):
        return _core.grad(y, [xs])[0]  # type: ignore[no-any-return]
    return _core.grad(y, xs)


@overload
def vjp(y: Tensor, xs: Tensor, cotangent: Tensor | Array, /) -> Tensor: ...
@overload
def vjp(y: Tensor, xs: Sequence[Tensor], cotangent: Tensor | Array, /) -> list[Tensor]: ...
def vjp(y: Tensor, xs: Tensor | Sequence[Tensor], cotangent: Tensor | Array, /) -> Tensor | list[Tensor]:
    """The cotangents of one tensor or several, where that of y is given.

    >>> x = weft.asarray(np.array([1.0, 2.0]))
    >>> weft.vjp(x.flip(), x, np.array([3.0, 4.0])).tolist()
    [4.0, 3.0]
    """
    if isinstance(xs, Tensor):
        return _core.vjp(y, [xs], cotangent)[0]  # type: ignore[no-any-return]
    return _core.vjp(y, xs, cotangent)


def stop_gradient(x: X, /) -> X:
    """x, as a constant for gradients.

    >>> x = weft.asarray(np.array([1.0, 2.0]))
    >>> weft.grad((weft.stop_gradient(x) * x).sum(), x).tolist()
    [1.0, 2.0]
    """
    return _stop_gradient(x)


__all__ = ["grad", "stop_gradient", "vjp"]
