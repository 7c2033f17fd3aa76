# SPDX-License-Identifier: Apache-2.0
"""Types that signatures share, and how a function of several ops treats arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, Union

import numpy as np

from . import _core
from ._arrays import seen
from ._tensor import Array, Operand, Tensor, _error, op

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

#: A tensor makes a tensor, an array an array.
X = TypeVar("X", Tensor, Array)
#: One integer, several, or a tensor of them.
Ints = Union[SupportsIndex, Sequence[SupportsIndex], Array, Tensor]
DTypeLike = Any

__all__ = ["Array", "DTypeLike", "Ints", "Operand", "Tensor", "X", "_error", "arrayed", "composed",
           "is_one", "lazy", "op", "tensors", "value"]


def lazy(x: Any) -> Tensor:
    """A tensor of what may be an array."""
    return x if isinstance(x, Tensor) else _core.tensor_from(x, None)  # type: ignore[return-value]


def arrayed(x: Any) -> Any:
    """An array of what may be a list or a number; tensors and arrays as they are."""
    return x if hasattr(x, "dtype") else seen(x, False)


def is_one(x: Any) -> TypeGuard[SupportsIndex]:
    """Whether it is one integer, of Python or of NumPy."""
    if isinstance(x, int):
        return True
    return hasattr(type(x), "__index__") and not isinstance(x, Tensor) and getattr(x, "ndim", 0) == 0


def value(x: Any) -> Array:
    """The elements of what may be a tensor."""
    return x.numpy() if isinstance(x, Tensor) else np.asarray(x)


def composed(x: Any, work: Callable[[Tensor], Tensor]) -> Any:
    """What `work` makes of a tensor, or of an array at once."""
    if isinstance(x, Tensor):
        return work(x)
    return _core.to_numpy(work(lazy(x)))


def tensors(xs: Sequence[Any], work: Callable[..., Any]) -> Any:
    """The same of several: lazy where one of them is a tensor."""
    is_lazy = any(isinstance(x, Tensor) for x in xs)
    made = work(*map(lazy, xs))
    if is_lazy:
        return made
    if isinstance(made, Tensor):
        return _core.to_numpy(made)
    return [_core.to_numpy(each) for each in made]
