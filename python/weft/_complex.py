# SPDX-License-Identifier: Apache-2.0
"""What is made of the parts of complex numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np

from . import _core
from ._typing import Tensor, arrayed, composed, op

_real, _imag, _stack = op("real"), op("imag"), op("stack")
_squeeze, _view_as = op("squeeze"), op("view_as")


def is_complex(x: Any) -> bool:
    """Whether the elements are, of what may be a tensor, an array or a number."""
    return np.dtype(getattr(x, "dtype", type(x))).kind == "c"


def joined(real: Tensor, imag: Tensor) -> Tensor:
    """Complex numbers of their parts, whatever those are: by the bytes, for inf times i has a NaN."""
    kind = np.complex64 if real.dtype == np.float32 else np.complex128
    return _squeeze(_view_as(_stack([real, imag], -1), kind), -1)  # type: ignore[no-any-return]


def by_parts(x: Any, work: Callable[[Any], Any]) -> Any:
    """`work` of both parts, which are those of the result; of real numbers `work` of them."""
    x = arrayed(x)
    if not is_complex(x):
        return work(x)
    return composed(x, lambda t: joined(work(_real(t)), work(_imag(t))))


def true_or_not(x: Any) -> Any:
    """Complex numbers as whether they are not 0, all others as they are."""
    x = arrayed(x)
    return composed(x, lambda t: op("not_equal")(t, 0)) if is_complex(x) else x


def axes_of(x: Any, axis: Any) -> list[int] | None:
    """The axes that a reduction names, or None where they are for the op to refuse."""
    if axis is None:
        return list(range(len(x.shape)))
    named = [axis] if isinstance(axis, SupportsIndex) else axis
    if not isinstance(named, (tuple, list)):
        return None
    axes = [operator.index(k) for k in named]
    rank = len(x.shape)
    if any(not -rank <= k < rank for k in axes) or len({k % rank for k in axes}) != len(axes):
        return None
    return [k % rank for k in axes]


def complex_prod(x: Any, axis: Any, keepdims: bool) -> Any:
    """Halves of the elements multiplied with one another, until one is left."""
    def work(t: Tensor) -> Tensor:
        reduced = axes_of(t, axis)
        if reduced is None:
            return op("prod")(_real(t), axis, keepdims)  # type: ignore[no-any-return]  # refuses
        kept = [k for k in range(len(t.shape)) if k not in reduced]
        shape = [1 if k in reduced else n for k, n in enumerate(t.shape) if keepdims or k in kept]
        count = math.prod(t.shape[k] for k in reduced)
        left = op("reshape")(op("permute_dims")(t, [*reduced, *kept]), [count, *(t.shape[k] for k in kept)])
        if count == 0:
            return _core.tensor_from(np.ones(shape, t.dtype), None)  # type: ignore[no-any-return]
        while count > 1:
            half = count // 2
            rest = [op("slice")(left, 2 * half, count, None, 0)] if count % 2 else []
            pairs = op("multiply")(op("slice")(left, 0, half, None, 0), op("slice")(left, half, 2 * half, None, 0))
            left, count = (op("concat")([pairs, *rest], 0) if rest else pairs), half + len(rest)
        return op("reshape")(left, shape)  # type: ignore[no-any-return]

    return composed(x, work)


def complex_cumulative_prod(x: Any, axis: int | None, include_initial: bool) -> Any:
    """Products of 1, 2, 4, ... elements up to each."""
    def work(t: Tensor) -> Tensor:
        axes = axes_of(t, axis)
        if axes is None or len(axes) != 1:
            return op("cumulative_prod")(_real(t), axis, False)  # type: ignore[no-any-return]  # refuses
        along = axes[0]
        made, reach, count = t, 1, t.shape[along]
        while reach < count:
            front = op("slice")(made, 0, reach, None, along)
            behind = op("multiply")(op("slice")(made, reach, count, None, along),
                                    op("slice")(made, 0, count - reach, None, along))
            made, reach = op("concat")([front, behind], along), 2 * reach
        if not include_initial:
            return made
        shape = [1 if k == along else n for k, n in enumerate(t.shape)]
        one = _core.tensor_from(np.ones(shape, t.dtype), None)
        return op("concat")([one, made], along)  # type: ignore[no-any-return]

    return composed(x, work)


__all__ = ["axes_of", "by_parts", "complex_cumulative_prod", "complex_prod", "is_complex", "joined",
           "true_or_not"]
