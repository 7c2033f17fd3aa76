# SPDX-License-Identifier: Apache-2.0
"""Elements computed from elements, fused into the pass that moves them."""

from __future__ import annotations

from typing import Any, Protocol, overload

import numpy as np

from ._errors import DtypeError
from ._typing import Array, DTypeLike, Operand, Tensor, X, _error, composed, op


class Unary(Protocol):
    """A function of one tensor or array."""

    __name__: str

    def __call__(self, x: X, /) -> X: ...


class Binary(Protocol):
    """A function of two, one of which may be a number; of arrays alone it makes an array."""

    __name__: str

    @overload
    def __call__(self, x1: Tensor, x2: Operand, /) -> Tensor: ...
    @overload
    def __call__(self, x1: Operand, x2: Tensor, /) -> Tensor: ...
    @overload
    def __call__(self, x1: Array, x2: Array | float, /) -> Array: ...
    @overload
    def __call__(self, x1: float, x2: Array, /) -> Array: ...


def _finished(function: Any, name: str, sentence: str, example: str, result: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{sentence}\n\n    >>> {example}\n    {result}\n    "
    return function


def _unary(name: str, formula: str, argument: str, result: str, keeps_integers: bool = False) -> Unary:
    called = op(name)
    if keeps_integers:

        def function(x: Any, /) -> Any:
            return (op("positive") if np.dtype(x.dtype).kind in "iu" else called)(x)
    else:

        def function(x: Any, /) -> Any:
            return called(x)

    return _finished(function, name, f"`{formula}` of each element.",  # type: ignore[no-any-return]
                     f"weft.{name}(np.array({argument})).tolist()", result)


def _of_parts(name: str, formula: str, joined: str, result: str) -> Unary:
    """A function of one that asks both parts of complex numbers."""
    called = op(name)

    def of_complex(x: Tensor) -> Any:
        return op(joined)(called(op("real")(x)), called(op("imag")(x)))

    def function(x: Any, /) -> Any:
        return composed(x, of_complex) if np.dtype(x.dtype).kind == "c" else called(x)

    return _finished(function, name, f"`{formula}`, for each element.",  # type: ignore[no-any-return]
                     f"weft.{name}(np.array([np.nan, 1.0])).tolist()", result)


def _binary(name: str, formula: str, first: str, second: str, result: str) -> Binary:
    called = op(name)

    def function(x1: Any, x2: Any, /) -> Any:
        return called(x1, x2)

    return _finished(function, name, f"`{formula}` of elements, broadcast by NumPy's rules.",  # type: ignore[no-any-return]
                     f"weft.{name}(np.array({first}), {second}).tolist()", result)


abs = _unary("abs", "|x|", "[-1, 2]", "[1, 2]")
negative = _unary("negative", "-x", "[1, -2]", "[-1, 2]")
positive = _unary("positive", "x", "[1, -2]", "[1, -2]")
sign = _unary("sign", "-1, 0 or 1", "[-3, 0, 2]", "[-1, 0, 1]")
square = _unary("square", "x * x", "[2, 3]", "[4, 9]")
reciprocal = _unary("reciprocal", "1 / x", "[2.0, 4.0]", "[0.5, 0.25]")
sqrt = _unary("sqrt", "the square root", "[4.0, 9.0]", "[2.0, 3.0]")
rsqrt = _unary("rsqrt", "1 / sqrt(x)", "[4.0]", "[0.5]")
cbrt = _unary("cbrt", "the cube root", "[8.0]", "[2.0]")
exp = _unary("exp", "e ** x", "[0.0]", "[1.0]")
exp2 = _unary("exp2", "2 ** x", "[3.0]", "[8.0]")
expm1 = _unary("expm1", "e ** x - 1", "[0.0]", "[0.0]")
log = _unary("log", "the natural logarithm", "[1.0]", "[0.0]")
log2 = _unary("log2", "the logarithm to base 2", "[8.0]", "[3.0]")
log10 = _unary("log10", "the logarithm to base 10", "[100.0]", "[2.0]")
log1p = _unary("log1p", "log(1 + x)", "[0.0]", "[0.0]")
sin = _unary("sin", "the sine", "[0.0]", "[0.0]")
cos = _unary("cos", "the cosine", "[0.0]", "[1.0]")
tan = _unary("tan", "the tangent", "[0.0]", "[0.0]")
asin = _unary("asin", "the arc sine", "[0.0]", "[0.0]")
acos = _unary("acos", "the arc cosine", "[1.0]", "[0.0]")
atan = _unary("atan", "the arc tangent", "[0.0]", "[0.0]")
sinh = _unary("sinh", "the hyperbolic sine", "[0.0]", "[0.0]")
cosh = _unary("cosh", "the hyperbolic cosine", "[0.0]", "[1.0]")
tanh = _unary("tanh", "the hyperbolic tangent", "[0.0]", "[0.0]")
erf = _unary("erf", "the error function", "[0.0]", "[0.0]")
sigmoid = _unary("sigmoid", "1 / (1 + exp(-x))", "[0.0]", "[0.5]")
silu = _unary("silu", "x * sigmoid(x)", "[0.0]", "[0.0]")
gelu = _unary("gelu", "x / 2 * (1 + erf(x / sqrt(2)))", "[0.0]", "[0.0]")
gelu_tanh = _unary("gelu_tanh", "gelu by tanh", "[0.0]", "[0.0]")
relu = _unary("relu", "max(x, 0)", "[-1.0, 2.0]", "[0.0, 2.0]")
softplus = _unary("softplus", "log(1 + exp(x))", "[-1000.0]", "[0.0]")
floor = _unary("floor", "the whole number below", "[1.5]", "[1.0]", keeps_integers=True)
ceil = _unary("ceil", "the whole number above", "[1.5]", "[2.0]", keeps_integers=True)
round = _unary("round", "the nearest whole number, of halves the even one", "[0.5, 1.5]", "[0.0, 2.0]",
               keeps_integers=True)
trunc = _unary("trunc", "the whole number towards 0", "[-1.5]", "[-1.0]", keeps_integers=True)
isnan = _of_parts("isnan", "whether x is NaN", "logical_or", "[True, False]")
isinf = _of_parts("isinf", "whether x is infinite", "logical_or", "[False, False]")
isfinite = _of_parts("isfinite", "whether x is neither infinite nor NaN", "logical_and",
                     "[False, True]")
signbit = _unary("signbit", "whether the sign is minus", "[-1.0, 1.0]", "[True, False]")
logical_not = _unary("logical_not", "not x", "[True, False]", "[False, True]")
bitwise_invert = _unary("bitwise_invert", "~x", "[0, 1]", "[-1, -2]")
real = _unary("real", "the real part", "[1 + 2j]", "[1.0]")
imag = _unary("imag", "the imaginary part", "[1 + 2j]", "[2.0]")
conj = _unary("conj", "the conjugate", "[1 + 2j]", "[(1-2j)]")

add = _binary("add", "x1 + x2", "[1, 2]", "3", "[4, 5]")
subtract = _binary("subtract", "x1 - x2", "[1, 2]", "3", "[-2, -1]")
multiply = _binary("multiply", "x1 * x2", "[1, 2]", "3", "[3, 6]")
divide = _binary("divide", "x1 / x2", "[1.0, 2.0]", "2.0", "[0.5, 1.0]")
floor_divide = _binary("floor_divide", "x1 // x2", "[-3, 7]", "2", "[-2, 3]")
remainder = _binary("remainder", "x1 % x2", "[-3, 7]", "2", "[1, 1]")
pow = _binary("pow", "x1 ** x2", "[2, 3]", "2", "[4, 9]")
minimum = _binary("minimum", "the smaller", "[1, 5]", "3", "[1, 3]")
maximum = _binary("maximum", "the larger", "[1, 5]", "3", "[3, 5]")
atan2 = _binary("atan2", "the angle of (x2, x1)", "[0.0]", "1.0", "[0.0]")
hypot = _binary("hypot", "sqrt(x1 ** 2 + x2 ** 2)", "[3.0]", "4.0", "[5.0]")
logaddexp = _binary("logaddexp", "log(exp(x1) + exp(x2))", "[-np.inf]", "0.0", "[0.0]")
copysign = _binary("copysign", "x1 with the sign of x2", "[1.0]", "-2.0", "[-1.0]")
equal = _binary("equal", "x1 == x2", "[1, 2]", "2", "[False, True]")
not_equal = _binary("not_equal", "x1 != x2", "[1, 2]", "2", "[True, False]")
less = _binary("less", "x1 < x2", "[1, 2]", "2", "[True, False]")
less_equal = _binary("less_equal", "x1 <= x2", "[1, 2]", "2", "[True, True]")
greater = _binary("greater", "x1 > x2", "[1, 3]", "2", "[False, True]")
greater_equal = _binary("greater_equal", "x1 >= x2", "[1, 2]", "2", "[False, True]")
logical_and = _binary("logical_and", "x1 and x2", "[True, False]", "True", "[True, False]")
logical_or = _binary("logical_or", "x1 or x2", "[True, False]", "False", "[True, False]")
logical_xor = _binary("logical_xor", "x1 != x2", "[True, False]", "True", "[False, True]")
bitwise_and = _binary("bitwise_and", "x1 & x2", "[1, 2]", "3", "[1, 2]")
bitwise_or = _binary("bitwise_or", "x1 | x2", "[1, 2]", "1", "[1, 3]")
bitwise_xor = _binary("bitwise_xor", "x1 ^ x2", "[1, 2]", "3", "[2, 1]")
bitwise_left_shift = _binary("bitwise_left_shift", "x1 << x2", "[1, 2]", "1", "[2, 4]")
bitwise_right_shift = _binary("bitwise_right_shift", "x1 >> x2", "[4, 2]", "1", "[2, 1]")

_fma, _minimum, _maximum, _astype = op("fma"), op("minimum"), op("maximum"), op("astype")


def fma(x1: Operand, x2: Operand, x3: Operand, /) -> Any:
    """`x1 * x2 + x3`, rounded once.

    >>> weft.fma(np.array([2.0]), 3.0, 1.0).tolist()
    [7.0]
    """
    return _fma(x1, x2, x3)


def clip(x: X, /, min: Operand | None = None, max: Operand | None = None) -> X:
    """Elements within limits.

    >>> weft.clip(np.array([1, 5, 9]), 2, 6).tolist()
    [2, 5, 6]
    """
    # Beyond the limits where they cross the upper one holds, as in NumPy.
    made = x if min is None else _maximum(x, min)
    made = made if max is None else _minimum(made, max)
    return op("positive")(x) if made is x else made


def astype(x: X, dtype: DTypeLike, /, *, copy: bool = True, device: str | None = None) -> X:
    """Elements cast: to integers towards zero, to bool whether they are not 0.

    >>> weft.astype(np.array([1.7, -1.7]), weft.int8).tolist()
    [1, -1]
    """
    from ._create import _check_device

    _check_device("astype", device)
    return _astype(x, dtype)


def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """The type that those make together; of kinds that differ a DtypeError.

    >>> weft.result_type(np.int8, np.uint8)
    dtype('int16')
    """
    given = [np.dtype(x if isinstance(x, type) else getattr(x, "dtype", x))
             for x in arrays_and_dtypes if not isinstance(x, (bool, int, float, complex))]
    if not given:
        raise _error(DtypeError, "dtype_mismatch", "result_type: no types, expected one or more")
    names = {kind.name for kind in given}
    if len(names) == 1:
        return given[0]
    if names == {"float16", "bfloat16"}:
        return np.dtype(np.float32)
    if "bfloat16" in names:
        return result_type(*(kind for kind in given if kind.name != "bfloat16"))
    kinds = {"i" if kind.kind in "iu" else kind.kind for kind in given}
    common = np.result_type(*given)
    if len(kinds) > 1 or ("i" in kinds and common.kind == "f"):
        raise _error(DtypeError, "dtype_mismatch",
                     f"result_type: {', '.join(sorted(names))} do not meet; cast one with astype")
    return common


__all__ = [
    "abs", "negative", "positive", "sign", "square", "reciprocal", "sqrt", "rsqrt", "cbrt", "exp",
    "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "erf", "sigmoid", "silu", "gelu", "gelu_tanh", "relu", "softplus",
    "floor", "ceil", "round", "trunc", "isnan", "isinf", "isfinite", "signbit", "logical_not",
    "bitwise_invert", "real", "imag", "conj", "add", "subtract", "multiply", "divide",
    "floor_divide", "remainder", "pow", "minimum", "maximum", "atan2", "hypot", "logaddexp",
    "copysign", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
    "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor",
    "bitwise_left_shift", "bitwise_right_shift", "fma", "clip", "astype", "result_type",
]
