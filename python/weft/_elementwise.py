# SPDX-License-Identifier: Apache-2.0
"""Elements computed from elements, fused into the pass that moves them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, overload

import numpy as np

from . import _complex_functions as of_complex
from ._complex import by_parts, is_complex, joined, true_or_not
from ._dtypes import type_of
from ._errors import DtypeError
from ._typing import Array, DTypeLike, Operand, Tensor, X, _error, arrayed, composed, op, tensors


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


def _zeros_like(x: Tensor) -> Any:
    from ._create import zeros_like

    return zeros_like(x)


def _direction(x: Tensor) -> Any:
    """z / |z|, and 0 of 0."""
    length = op("abs")(x)
    return op("where")(op("equal")(length, 0), op("astype")(length, x.dtype),
                       op("divide")(x, op("astype")(length, x.dtype)))


def _finished(function: Any, name: str, sentence: str, example: str, result: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{sentence}\n\n    >>> {example}\n    {result}\n    "
    return function


def _unary(name: str, formula: str, argument: str, result: str,
           complex_too: Callable[[Tensor], Any] | None = None, keeps_integers: bool = False) -> Unary:
    called = op(name)
    if complex_too is not None:

        def function(x: Any, /) -> Any:
            x = arrayed(x)
            return composed(x, complex_too) if is_complex(x) else called(x)
    elif keeps_integers:

        def function(x: Any, /) -> Any:
            x = arrayed(x)
            return (op("positive") if np.dtype(x.dtype).kind in "iu" else called)(x)
    else:

        def function(x: Any, /) -> Any:
            return called(x)

    return _finished(function, name, f"`{formula}` of each element.",  # type: ignore[no-any-return]
                     f"weft.{name}(np.array({argument})).tolist()", result)


def _part(name: str, formula: str, argument: str, result: str, of_real: Callable[[Tensor], Any]) -> Unary:
    """A function of complex numbers, and what it is of real ones."""
    called = op(name)

    def function(x: Any, /) -> Any:
        x = arrayed(x)
        return composed(x, of_real) if np.dtype(x.dtype).kind in "iuf" else called(x)

    return _finished(function, name, f"`{formula}` of each element.",  # type: ignore[no-any-return]
                     f"weft.{name}(np.array({argument})).tolist()", result)


def _of_parts(name: str, formula: str, joined: str, result: str) -> Unary:
    """A function of one that asks both parts of complex numbers."""
    called = op(name)

    def of_complex(x: Tensor) -> Any:
        return op(joined)(called(op("real")(x)), called(op("imag")(x)))

    def function(x: Any, /) -> Any:
        x = arrayed(x)
        return composed(x, of_complex) if np.dtype(x.dtype).kind == "c" else called(x)

    return _finished(function, name, f"`{formula}`, for each element.",  # type: ignore[no-any-return]
                     f"weft.{name}(np.array([np.nan, 1.0])).tolist()", result)


def _by_parts(name: str, formula: str, argument: str, result: str) -> Unary:
    """A rounding, which is of both parts of complex numbers, and leaves integers as they are."""
    called = op(name)

    def function(x: Any, /) -> Any:
        x = arrayed(x)
        return (op("positive") if np.dtype(x.dtype).kind in "iu" else lambda t: by_parts(t, called))(x)

    return _finished(function, name, f"`{formula}` of each element.",  # type: ignore[no-any-return]
                     f"weft.{name}(np.array({argument})).tolist()", result)


def _made_of(name: str, formula: str, argument: str, result: str, of_real: Callable[[Any], Any],
             of_both: Callable[[Any, Any], Any]) -> Unary:
    """A function that C++ does not have; of types of two bytes it is computed in float32."""

    def work(x: Tensor) -> Any:
        if x.dtype.itemsize > 2:
            return of_real(x)
        return op("astype")(of_real(op("astype")(x, np.float32)), x.dtype)

    def function(x: Any, /) -> Any:
        x = arrayed(x)
        if not (is_complex(x) or np.dtype(x.dtype).kind == "f" or np.dtype(x.dtype).name == "bfloat16"):
            raise _error(DtypeError, "bad_dtype",
                         f"{name}: {x.dtype}, expected a floating-point or complex type")
        return composed(x, of_complex.of_parts(of_both) if is_complex(x) else work)

    return _finished(function, name, f"`{formula}` of each element.",  # type: ignore[no-any-return]
                     f"weft.{name}(np.array({argument})).tolist()", result)


def _has_complex(x: Any) -> bool:
    return hasattr(x, "dtype") and is_complex(x)


def _complex_pow(x1: Any, x2: Any) -> Any:
    kind = result_type(x1, x2)
    # A number takes the type of the tensor beside it, as everywhere.
    x1, x2 = (np.asarray(x, kind) if isinstance(x, (int, float, complex)) else x for x in (x1, x2))
    real, imag = op("real"), op("imag")
    return tensors((x1, x2), lambda a, b: joined(*of_complex.pow(real(a), imag(a), real(b), imag(b))))


def _binary(name: str, formula: str, first: str, second: str, result: str,
            complex_too: Callable[[Any, Any], Any] | None = None) -> Binary:
    called = op(name)

    def function(x1: Any, x2: Any, /) -> Any:
        if complex_too and (_has_complex(x1) or _has_complex(x2)):
            return complex_too(x1, x2)
        return called(x1, x2)

    return _finished(function, name, f"`{formula}` of elements, broadcast by NumPy's rules.",  # type: ignore[no-any-return]
                     f"weft.{name}(np.array({first}), {second}).tolist()", result)


abs = _unary("abs", "|x|", "[-1, 2]", "[1, 2]")
negative = _unary("negative", "-x", "[1, -2]", "[-1, 2]")
positive = _unary("positive", "x", "[1, -2]", "[1, -2]")
sign = _unary("sign", "-1, 0 or 1", "[-3, 0, 2]", "[-1, 0, 1]", _direction)
square = _unary("square", "x * x", "[2, 3]", "[4, 9]")
reciprocal = _unary("reciprocal", "1 / x", "[2.0, 4.0]", "[0.5, 0.25]",
                    lambda t: op("divide")(1, t))
sqrt = _unary("sqrt", "the square root", "[4.0, 9.0]", "[2.0, 3.0]",
              of_complex.of_parts(of_complex.sqrt))
rsqrt = _unary("rsqrt", "1 / sqrt(x)", "[4.0]", "[0.5]")
cbrt = _unary("cbrt", "the cube root", "[8.0]", "[2.0]")
exp = _unary("exp", "e ** x", "[0.0]", "[1.0]",
             of_complex.of_parts(of_complex.exp))
exp2 = _unary("exp2", "2 ** x", "[3.0]", "[8.0]")
expm1 = _unary("expm1", "e ** x - 1", "[0.0]", "[0.0]",
               of_complex.of_parts(of_complex.expm1))
log = _unary("log", "the natural logarithm", "[1.0]", "[0.0]",
             of_complex.of_parts(of_complex.log))
log2 = _unary("log2", "the logarithm to base 2", "[8.0]", "[3.0]",
              of_complex.of_parts(of_complex.log_to(2)))
log10 = _unary("log10", "the logarithm to base 10", "[100.0]", "[2.0]",
               of_complex.of_parts(of_complex.log_to(10)))
log1p = _unary("log1p", "log(1 + x)", "[0.0]", "[0.0]",
               of_complex.of_parts(of_complex.log1p))
sin = _unary("sin", "the sine", "[0.0]", "[0.0]",
             of_complex.of_parts(of_complex.sin))
cos = _unary("cos", "the cosine", "[0.0]", "[1.0]",
             of_complex.of_parts(of_complex.cos))
tan = _unary("tan", "the tangent", "[0.0]", "[0.0]",
             of_complex.of_parts(of_complex.tan))
asin = _unary("asin", "the arc sine", "[0.0]", "[0.0]",
              of_complex.of_parts(of_complex.asin))
acos = _unary("acos", "the arc cosine", "[1.0]", "[0.0]",
              of_complex.of_parts(of_complex.acos))
atan = _unary("atan", "the arc tangent", "[0.0]", "[0.0]",
              of_complex.of_parts(of_complex.atan))
sinh = _unary("sinh", "the hyperbolic sine", "[0.0]", "[0.0]",
              of_complex.of_parts(of_complex.sinh))
cosh = _unary("cosh", "the hyperbolic cosine", "[0.0]", "[1.0]",
              of_complex.of_parts(of_complex.cosh))
tanh = _unary("tanh", "the hyperbolic tangent", "[0.0]", "[0.0]",
              of_complex.of_parts(of_complex.tanh))
asinh = _made_of("asinh", "the inverse of sinh", "[0.0]", "[0.0]", of_complex.real_asinh, of_complex.asinh)
acosh = _made_of("acosh", "the inverse of cosh", "[1.0]", "[0.0]", of_complex.real_acosh, of_complex.acosh)
atanh = _made_of("atanh", "the inverse of tanh", "[0.0]", "[0.0]", of_complex.real_atanh, of_complex.atanh)
erf = _unary("erf", "the error function", "[0.0]", "[0.0]")
sigmoid = _unary("sigmoid", "1 / (1 + exp(-x))", "[0.0]", "[0.5]")
silu = _unary("silu", "x * sigmoid(x)", "[0.0]", "[0.0]")
gelu = _unary("gelu", "x / 2 * (1 + erf(x / sqrt(2)))", "[0.0]", "[0.0]")
gelu_tanh = _unary("gelu_tanh", "gelu by tanh", "[0.0]", "[0.0]")
relu = _unary("relu", "max(x, 0)", "[-1.0, 2.0]", "[0.0, 2.0]")
softplus = _unary("softplus", "log(1 + exp(x))", "[-1000.0]", "[0.0]")
floor = _unary("floor", "the whole number below", "[1.5]", "[1.0]", keeps_integers=True)
ceil = _unary("ceil", "the whole number above", "[1.5]", "[2.0]", keeps_integers=True)
round = _by_parts("round", "the nearest whole number, of halves the even one", "[0.5, 1.5]", "[0.0, 2.0]")
trunc = _unary("trunc", "the whole number towards 0", "[-1.5]", "[-1.0]", keeps_integers=True)
isnan = _of_parts("isnan", "whether x is NaN", "logical_or", "[True, False]")
isinf = _of_parts("isinf", "whether x is infinite", "logical_or", "[False, False]")
isfinite = _of_parts("isfinite", "whether x is neither infinite nor NaN", "logical_and",
                     "[False, True]")
signbit = _unary("signbit", "whether the sign is minus", "[-1.0, 1.0]", "[True, False]")
logical_not = _unary("logical_not", "not x", "[True, False]", "[False, True]")
bitwise_invert = _unary("bitwise_invert", "~x", "[0, 1]", "[-1, -2]")
real = _part("real", "the real part", "[1 + 2j]", "[1.0]", op("positive"))
imag = _part("imag", "the imaginary part", "[1 + 2j]", "[2.0]", _zeros_like)
conj = _part("conj", "the conjugate", "[1 + 2j]", "[(1-2j)]", op("positive"))

add = _binary("add", "x1 + x2", "[1, 2]", "3", "[4, 5]")
subtract = _binary("subtract", "x1 - x2", "[1, 2]", "3", "[-2, -1]")
multiply = _binary("multiply", "x1 * x2", "[1, 2]", "3", "[3, 6]")
divide = _binary("divide", "x1 / x2", "[1.0, 2.0]", "2.0", "[0.5, 1.0]")
floor_divide = _binary("floor_divide", "x1 // x2", "[-3, 7]", "2", "[-2, 3]")
remainder = _binary("remainder", "x1 % x2", "[-3, 7]", "2", "[1, 1]")
pow = _binary("pow", "x1 ** x2", "[2, 3]", "2", "[4, 9]", _complex_pow)
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
    from ._create import _check_device, _numpy_name

    _check_device("astype", device)
    x = arrayed(x)
    if not copy and x.dtype == _numpy_name(dtype):
        return x
    return _astype(true_or_not(x) if is_complex(x) and _numpy_name(dtype) == bool else x, dtype)


def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """The type that those make together; of kinds that differ a DtypeError.

    >>> weft.result_type(np.int8, np.uint8)
    dtype('int16')
    """
    given = [type_of(x) for x in arrays_and_dtypes if not isinstance(x, (bool, int, float, complex))]
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
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "sigmoid", "silu", "gelu", "gelu_tanh", "relu", "softplus",
    "floor", "ceil", "round", "trunc", "isnan", "isinf", "isfinite", "signbit", "logical_not",
    "bitwise_invert", "real", "imag", "conj", "add", "subtract", "multiply", "divide",
    "floor_divide", "remainder", "pow", "minimum", "maximum", "atan2", "hypot", "logaddexp",
    "copysign", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
    "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor",
    "bitwise_left_shift", "bitwise_right_shift", "fma", "clip", "astype", "result_type",
]
