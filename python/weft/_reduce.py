# SPDX-License-Identifier: Apache-2.0
"""Many elements made one, along axes, and elements beside others of their row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._complex import (axes_of, by_parts, complex_cumulative_prod, complex_prod, is_complex,
                       true_or_not)
from ._errors import AxisError, ParameterError
from ._typing import Array, DTypeLike, Ints, Operand, Tensor, X, _error, arrayed, composed, lazy, op

_all, _any, _argmax, _argmin = op("all"), op("any"), op("argmax"), op("argmin")
_astype, _count_nonzero, _concat = op("astype"), op("count_nonzero"), op("concat")
_cumulative_prod, _cumulative_sum = op("cumulative_prod"), op("cumulative_sum")
_layer_norm, _log_softmax, _logsumexp = op("layer_norm"), op("log_softmax"), op("logsumexp")
_max, _mean, _min, _prod = op("max"), op("mean"), op("min"), op("prod")
_rms_norm, _softmax, _std, _sum = op("rms_norm"), op("softmax"), op("std"), op("sum")
_var, _slice, _subtract, _not_equal = op("var"), op("slice"), op("subtract"), op("not_equal")


def _as(x: Any, dtype: DTypeLike, work: Any) -> Any:
    """`work` of elements cast to a type first, which the result has, too."""
    x = arrayed(x)
    if dtype is None:
        return work(x)
    return composed(x, lambda t: _astype(work(_astype(t, dtype)), dtype))


def _or_nan(x: Any, axis: Ints | None, keepdims: bool, work: Any) -> Any:
    """`work()`, or NaNs where nothing is reduced to an element, as in NumPy."""
    if np.dtype(getattr(x, "dtype", float)).kind != "f" or getattr(x, "is_open", False):
        return work()
    reduced = axes_of(x, axis)
    if reduced is None or math.prod(x.shape[k] for k in reduced) != 0:
        return work()
    left = [1 if k in reduced else n for k, n in enumerate(x.shape) if keepdims or k not in reduced]
    nan = np.full(left, np.nan, x.dtype)
    return lazy(nan) if isinstance(x, Tensor) else nan


def sum(x: X, /, *, axis: Ints | None = None, dtype: DTypeLike = None, keepdims: bool = False) -> X:
    """Elements added up; integers as int64 or uint64.

    >>> weft.sum(np.arange(6).reshape(2, 3), axis=0).tolist()
    [3, 5, 7]
    """
    return _as(x, dtype, lambda t: by_parts(t, lambda part: _sum(part, axis, keepdims)))


def prod(x: X, /, *, axis: Ints | None = None, dtype: DTypeLike = None, keepdims: bool = False) -> X:
    """Elements multiplied.

    >>> weft.prod(np.arange(1, 5)).tolist()
    24
    """
    return _as(x, dtype, lambda t: complex_prod(t, axis, keepdims) if is_complex(t)
               else _prod(t, axis, keepdims))


def max(x: X, /, *, axis: Ints | None = None, keepdims: bool = False) -> X:
    """The largest element; NaN where there is one.

    >>> weft.max(np.array([1.0, 3.0, 2.0])).tolist()
    3.0
    """
    return _max(x, axis, keepdims)


def min(x: X, /, *, axis: Ints | None = None, keepdims: bool = False) -> X:
    """The smallest element; NaN where there is one.

    >>> weft.min(np.array([1.0, 3.0, 2.0])).tolist()
    1.0
    """
    return _min(x, axis, keepdims)


def mean(x: X, /, *, axis: Ints | None = None, keepdims: bool = False) -> X:
    """The mean of floating-point or complex numbers.

    >>> weft.mean(np.array([1.0, 2.0])).tolist()
    1.5
    """
    return by_parts(x, lambda part: _or_nan(part, axis, keepdims,
                                            lambda: _mean(part, axis, keepdims)))


def var(x: X, /, *, axis: Ints | None = None, correction: float = 0.0, keepdims: bool = False) -> X:
    """The variance; a correction of 1 makes it that of a sample.

    >>> weft.var(np.array([1.0, 3.0])).tolist()
    1.0
    """
    x = arrayed(x)
    return _or_nan(x, axis, keepdims, lambda: _var(x, axis, correction, keepdims))


def std(x: X, /, *, axis: Ints | None = None, correction: float = 0.0, keepdims: bool = False) -> X:
    """The standard deviation.

    >>> weft.std(np.array([1.0, 3.0])).tolist()
    1.0
    """
    x = arrayed(x)
    return _or_nan(x, axis, keepdims, lambda: _std(x, axis, correction, keepdims))


def all(x: X, /, *, axis: Ints | None = None, keepdims: bool = False) -> X:
    """Whether every element is not 0.

    >>> weft.all(np.array([True, False])).tolist()
    False
    """
    return _all(true_or_not(x), axis, keepdims)


def any(x: X, /, *, axis: Ints | None = None, keepdims: bool = False) -> X:
    """Whether some element is not 0.

    >>> weft.any(np.array([True, False])).tolist()
    True
    """
    return _any(true_or_not(x), axis, keepdims)


def count_nonzero(x: X, /, *, axis: Ints | None = None, keepdims: bool = False) -> X:
    """How many elements are not 0.

    >>> weft.count_nonzero(np.array([1, 0, 2])).tolist()
    2
    """
    return _count_nonzero(true_or_not(x), axis, keepdims)


def argmax(x: X, /, *, axis: int | None = None, keepdims: bool = False) -> X:
    """Where the largest element is, the first of several.

    >>> weft.argmax(np.array([1, 3, 2])).tolist()
    1
    """
    return _argmax(x, axis, keepdims)


def argmin(x: X, /, *, axis: int | None = None, keepdims: bool = False) -> X:
    """Where the smallest element is, the first of several.

    >>> weft.argmin(np.array([2, 3, 1])).tolist()
    2
    """
    return _argmin(x, axis, keepdims)


def cumulative_sum(x: X, /, *, axis: int | None = None, dtype: DTypeLike = None,
                   include_initial: bool = False) -> X:
    """Elements up to each, added up.

    >>> weft.cumulative_sum(np.arange(4)).tolist()
    [0, 1, 3, 6]
    """
    return _as(x, dtype, lambda t: by_parts(
        t, lambda part: _cumulative_sum(part, axis, include_initial)))


def cumulative_prod(x: X, /, *, axis: int | None = None, dtype: DTypeLike = None,
                    include_initial: bool = False) -> X:
    """Elements up to each, multiplied.

    >>> weft.cumulative_prod(np.arange(1, 5)).tolist()
    [1, 2, 6, 24]
    """
    return _as(x, dtype, lambda t: complex_cumulative_prod(t, axis, include_initial) if is_complex(t)
               else _cumulative_prod(t, axis, include_initial))


def diff(x: X, /, *, axis: int = -1, n: int = 1, prepend: Tensor | Array | None = None,
         append: Tensor | Array | None = None) -> X:
    """Each element less the one before it along an axis, n times.

    >>> weft.diff(np.array([1, 4, 9])).tolist()
    [3, 5]
    """
    if n < 0:
        raise _error(ParameterError, "bad_value", f"diff: n is {n}, expected 0 or more")

    def work(t: Tensor) -> Tensor:
        if axes_of(t, axis) is None:
            raise _error(AxisError, "bad_axis", f"diff: axis {axis} is out of range for rank {t.ndim}")
        parts = [p for p in (prepend, t, append) if p is not None]
        made = t if len(parts) == 1 else _concat(parts, axis)
        for _ in range(n):
            later = _slice(made, [1], [made.shape[axis]], None, [axis])
            sooner = _slice(made, [0], [-1], None, [axis])
            is_bool = made.dtype == bool
            made = _not_equal(later, sooner) if is_bool else _subtract(later, sooner)
        return made  # type: ignore[no-any-return]

    return composed(x, work)


def softmax(x: X, /, *, axis: Ints = -1) -> X:
    """`exp(x) / sum(exp(x))` along an axis.

    >>> weft.softmax(np.zeros(2)).tolist()
    [0.5, 0.5]
    """
    return _softmax(x, axis)


def log_softmax(x: X, /, *, axis: Ints = -1) -> X:
    """The logarithm of softmax.

    >>> weft.log_softmax(np.zeros(1)).tolist()
    [0.0]
    """
    return _log_softmax(x, axis)


def logsumexp(x: X, /, *, axis: Ints | None = None, keepdims: bool = False) -> X:
    """`log(sum(exp(x)))` along axes.

    >>> weft.logsumexp(np.array([0.0])).tolist()
    0.0
    """
    return _logsumexp(x, axis, keepdims)


def layer_norm(x: X, scale: Operand, bias: Operand, /, *, axis: Ints = -1,
               epsilon: float = 1e-5) -> X:
    """`(x - mean) / sqrt(var + epsilon) * scale + bias` along axes.

    >>> weft.layer_norm(np.array([[1.0, 1.0]]), np.ones(2), np.zeros(2)).tolist()
    [[0.0, 0.0]]
    """
    return _layer_norm(x, scale, bias, axis, epsilon)


def rms_norm(x: X, scale: Operand, /, *, axis: Ints = -1, epsilon: float = 1e-5) -> X:
    """`x / sqrt(mean(x * x) + epsilon) * scale` along axes.

    >>> weft.rms_norm(np.array([[2.0, 2.0]]), np.ones(2), epsilon=0.0).tolist()
    [[1.0, 1.0]]
    """
    return _rms_norm(x, scale, axis, epsilon)


__all__ = ["all", "any", "argmax", "argmin", "count_nonzero", "cumulative_prod", "cumulative_sum",
           "diff", "layer_norm", "log_softmax", "logsumexp", "max", "mean", "min", "prod",
           "rms_norm", "softmax", "std", "sum", "var"]
