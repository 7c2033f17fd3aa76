# SPDX-License-Identifier: Apache-2.0
"""Elements computed from elements: NumPy's types, and its values within the promised ulps."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import weft
from support import FLOATS, INTEGERS, NUMBERS, arrays, every_way, near, same


def quiet():
    """NumPy's warnings of what overflows are not what is tested."""
    return np.errstate(all="ignore")


#: Functions of one operand that are exact: as NumPy's, to the byte.
EXACT = {"abs": (np.abs, NUMBERS), "negative": (np.negative, NUMBERS), "positive": (np.positive, NUMBERS),
         "square": (np.square, NUMBERS), "bitwise_invert": (np.invert, INTEGERS + [np.bool_]),
         "logical_not": (np.logical_not, [np.bool_]), "isnan": (np.isnan, FLOATS),
         "isinf": (np.isinf, FLOATS), "isfinite": (np.isfinite, FLOATS), "signbit": (np.signbit, FLOATS),
         "conj": (np.conj, [np.complex64, np.complex128]),
         "real": (np.real, [np.complex64, np.complex128]),
         "imag": (np.imag, [np.complex64, np.complex128])}
#: The same, but for the signs of zeros and of NaNs.
EQUAL = {"sign": (np.sign, NUMBERS), "floor": (np.floor, FLOATS), "ceil": (np.ceil, FLOATS),
         "round": (np.round, FLOATS), "trunc": (np.trunc, FLOATS), "sqrt": (np.sqrt, FLOATS),
         "reciprocal": (np.reciprocal, FLOATS)}
#: Functions within 2 ulps, which NumPy's may be off, too.
NEAR = {name: getattr(np, numpy_name) for name, numpy_name in [
    ("exp", "exp"), ("exp2", "exp2"), ("expm1", "expm1"), ("log", "log"), ("log2", "log2"),
    ("log10", "log10"), ("log1p", "log1p"), ("sin", "sin"), ("cos", "cos"), ("tan", "tan"),
    ("asin", "arcsin"), ("acos", "arccos"), ("atan", "arctan"), ("sinh", "sinh"), ("cosh", "cosh"),
    ("tanh", "tanh"), ("cbrt", "cbrt")]}


@pytest.mark.parametrize("name", EXACT)
@given(st.data())
def test_exact(name, data):
    function, types = EXACT[name]
    x = data.draw(arrays(types=types))
    with quiet():
        expected = function(x)
    every_way(getattr(weft, name), x, check=same if name not in ("square",) else near,
              expected=expected)


@pytest.mark.parametrize("name", EQUAL)
@given(st.data())
def test_equal(name, data):
    function, types = EQUAL[name]
    x = data.draw(arrays(types=types))
    with quiet():
        expected = np.asarray(function(x), dtype=x.dtype)
    every_way(getattr(weft, name), x, check=lambda a, b: near(a, b, 0.5), expected=expected)


@pytest.mark.parametrize("name", NEAR)
@given(st.data())
def test_near(name, data):
    x = data.draw(arrays(types=FLOATS, elements={"min_value": -80, "max_value": 80}))
    with quiet():
        expected = NEAR[name](x)
    every_way(getattr(weft, name), x, check=near, expected=expected)


@given(arrays(types=FLOATS, elements={"min_value": -30, "max_value": 30}))
def test_activations(x):
    wide = x.astype(np.float64)
    one = x.dtype.type(1)
    with quiet():
        sigmoid = 1 / (1 + np.exp(-wide))
        for name, expected in [("sigmoid", sigmoid), ("silu", wide * sigmoid),
                               ("softplus", np.logaddexp(wide, 0)), ("relu", np.maximum(wide, 0)),
                               ("erf", np.vectorize(math.erf, otypes=[float])(wide)),
                               ("rsqrt", 1 / np.sqrt(wide))]:
            made = getattr(weft, name)(x)
            assert made.dtype == x.dtype and made.shape == x.shape
            np.testing.assert_allclose(made, expected, rtol=8 * np.finfo(one).eps, atol=1e-30)
    gelu = wide / 2 * (1 + np.vectorize(math.erf, otypes=[float])(wide / math.sqrt(2)))
    np.testing.assert_allclose(weft.gelu(x), gelu, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(weft.gelu_tanh(x), gelu, rtol=2e-2, atol=2e-3)


BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply,
          "minimum": np.minimum, "maximum": np.maximum, "equal": np.equal,
          "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal,
          "greater": np.greater, "greater_equal": np.greater_equal}
BINARY_INTEGERS = {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or,
                   "bitwise_xor": np.bitwise_xor}
BINARY_BOOLS = {"logical_and": np.logical_and, "logical_or": np.logical_or,
                "logical_xor": np.logical_xor}
BINARY_FLOATS = {"divide": np.divide, "atan2": np.arctan2, "hypot": np.hypot,
                 "copysign": np.copysign}
OPERATORS = {"add": "__add__", "subtract": "__sub__", "multiply": "__mul__", "divide": "__truediv__",
             "equal": "__eq__", "not_equal": "__ne__", "less": "__lt__", "less_equal": "__le__",
             "greater": "__gt__", "greater_equal": "__ge__", "bitwise_and": "__and__",
             "bitwise_or": "__or__", "bitwise_xor": "__xor__"}


@st.composite
def pairs(draw, types):
    """Two arrays of one type whose shapes are broadcast to one another."""
    dtype = draw(st.sampled_from(types))
    shapes = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4)).input_shapes
    return tuple(draw(arrays(types=[dtype], shape=shape)) for shape in shapes)


@pytest.mark.parametrize("name", [*BINARY, *BINARY_INTEGERS, *BINARY_BOOLS, *BINARY_FLOATS])
@given(st.data())
def test_of_two(name, data):
    functions = {**BINARY, **BINARY_INTEGERS, **BINARY_BOOLS, **BINARY_FLOATS}
    types = FLOATS if name in BINARY_FLOATS else INTEGERS if name in BINARY_INTEGERS else \
        [np.bool_] if name in BINARY_BOOLS else NUMBERS
    x, y = data.draw(pairs(types))
    with quiet():
        expected = functions[name](x, y)
    check = (lambda a, b: near(a, b, 2)) if name in BINARY_FLOATS else (lambda a, b: near(a, b, 0.5))
    every_way(getattr(weft, name), x, y, check=check, expected=expected)
    if name in OPERATORS:
        check(getattr(weft.asarray(x), OPERATORS[name])(weft.asarray(y)).numpy(), expected)


@given(pairs(INTEGERS))
def test_division_of_integers(xy):
    x, y = xy
    y = np.where(y == 0, 3, y).astype(y.dtype)
    with quiet():
        low = np.iinfo(x.dtype).min
        x = np.where((x == low) & (y == y.dtype.type(-1) if low else False), 1, x).astype(x.dtype)
        every_way(weft.floor_divide, x, y, expected=np.floor_divide(x, y))
        every_way(weft.remainder, x, y, expected=np.remainder(x, y))


@given(pairs(FLOATS))
def test_division_of_fractions(xy):
    x, y = xy
    with quiet():
        check = lambda a, b: near(a, b, 1)
        every_way(weft.floor_divide, x, y, check=check, expected=np.floor_divide(x, y))
        every_way(weft.remainder, x, y, check=check, expected=np.remainder(x, y))


@given(st.sampled_from(INTEGERS), st.data())
def test_pow_and_shifts(dtype, data):
    shape = data.draw(hnp.array_shapes(max_dims=2))
    x = data.draw(arrays(types=[dtype], shape=shape))
    y = data.draw(arrays(types=[dtype], shape=shape, elements=st.integers(0, 6)))
    with quiet():
        every_way(weft.pow, x, y, expected=np.power(x, y))
        every_way(weft.bitwise_left_shift, x, y, expected=np.left_shift(x, y))
        every_way(weft.bitwise_right_shift, x, y, expected=np.right_shift(x, y))


@given(st.sampled_from(FLOATS), st.data())
def test_pow_and_logaddexp_of_fractions(dtype, data):
    x = data.draw(arrays(types=[dtype], elements={"min_value": 0, "max_value": 8}))
    y = data.draw(arrays(types=[dtype], shape=x.shape, elements={"min_value": -8, "max_value": 8}))
    with quiet():
        every_way(weft.pow, x, y, check=near, expected=np.power(x, y))
        np.testing.assert_allclose(weft.logaddexp(x, y), np.logaddexp(x, y), rtol=1e-5, atol=1e-15)


@given(arrays(types=[np.int32, np.float32, np.uint8]), st.integers(0, 50), st.integers(0, 50))
def test_clip(x, low, high):
    near(weft.clip(x, low, high), np.clip(x, low, high), 0.5)
    near(weft.clip(x, min=low), np.clip(x, low, None), 0.5)
    near(weft.clip(weft.asarray(x), max=high).numpy(), np.clip(x, None, high), 0.5)


@given(pairs([np.float64]), st.floats(-4, 4))
def test_fma(xy, z):
    x, y = (np.where(np.isfinite(t), np.clip(t, -1e3, 1e3), 1.0) for t in xy)
    np.testing.assert_allclose(weft.fma(x, y, z), x * y + z, rtol=1e-12, atol=1e-12)


@given(st.sampled_from(NUMBERS + [np.bool_]), st.sampled_from(NUMBERS + [np.bool_]), st.data())
def test_astype(kind, to, data):
    floats = np.dtype(kind).kind == "f"
    x = data.draw(arrays(types=[kind], elements={"min_value": 0, "max_value": 100} if floats else None))
    every_way(lambda t: weft.astype(t, to), x, expected=x.astype(to))


@given(st.sampled_from(NUMBERS), st.sampled_from(NUMBERS))
def test_types_that_meet(one, other):
    x, y = np.ones(2, one), np.ones(2, other)
    expected = np.result_type(one, other)
    is_float = {np.dtype(one).kind, np.dtype(other).kind} & {"f"}
    meet = (np.dtype(one).kind == np.dtype(other).kind == "f") or (not is_float and expected.kind != "f")
    if meet:
        same(weft.add(x, y), x + y)
        assert weft.result_type(one, other) == weft.result_type(x, y) == expected
    else:
        with pytest.raises(TypeError, match="astype"):
            weft.add(x, y)
        with pytest.raises(TypeError, match="astype"):
            weft.result_type(one, other)


def test_numbers_are_weak():
    x = np.array([1, 2], np.int8)
    same((weft.asarray(x) + 1).numpy(), x + np.int8(1))
    same((2 - weft.asarray(x)).numpy(), np.int8(2) - x)
    same((2.0 / weft.asarray(x.astype(np.float32))).numpy(), np.float32(2) / x.astype(np.float32))
    with pytest.raises(weft.DtypeError):
        weft.asarray(x) + 0.5
    with pytest.raises(weft.ParameterError):
        weft.asarray(x) + 300


def test_arrays_beside_tensors_leave_the_operator_to_them():
    x = np.arange(3.0)
    t = weft.asarray(x)
    for made in (x + t, t + x, x * t, x - t, x @ t, x == t, x < t):
        assert isinstance(made, weft.Tensor)
    same((x - t * 2).numpy(), x - x * 2)
    with pytest.raises(TypeError):
        t + "text"


def test_operators_of_one():
    x = np.array([-2, 3])
    t = weft.asarray(x)
    same((-t).numpy(), -x)
    same((+t).numpy(), x)
    same(abs(t).numpy(), abs(x))
    same((~t).numpy(), ~x)
    same((t ** 2).numpy(), x ** 2)
    same((t // 2).numpy(), x // 2)
    same((t % 2).numpy(), x % 2)
    same((t << 1).numpy(), x << 1)
    same((t >> 1).numpy(), x >> 1)


@pytest.mark.parametrize("name", ["floor", "ceil", "round", "trunc"])
def test_rounding_keeps_integers(name):
    same(getattr(weft, name)(np.arange(3)), np.arange(3))


@pytest.mark.parametrize("name", ["floor", "isnan", "sqrt", "real", "conj", "asinh"])
def test_lists(name):
    same(getattr(weft, name)([1.0, 4.0]), getattr(weft, name)(np.array([1.0, 4.0])))


@pytest.mark.parametrize("dtype", ["bool", "?", bool, np.bool_, np.dtype(bool)])
def test_complex_numbers_as_bools(dtype):
    same(weft.astype(np.array([1j, 0]), dtype), np.array([True, False]))


def test_bfloat16_is_a_type_everywhere():
    code = """
import numpy as np, weft
assert weft.result_type(weft.bfloat16, np.float32) == np.float32
assert weft.isdtype(weft.bfloat16, "real floating") and not weft.isdtype(weft.bfloat16, "integral")
assert weft.isdtype(weft.bfloat16, (weft.float32, weft.bfloat16))
assert weft.finfo(weft.bfloat16).bits == 16 and weft.finfo(weft.bfloat16).eps == 2**-7
assert weft.can_cast(weft.bfloat16, weft.float32) and not weft.can_cast(weft.float32, weft.bfloat16)
"""
    subprocess.run([sys.executable, "-c", code], check=True)  # where nobody imported ml_dtypes
