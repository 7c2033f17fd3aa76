# SPDX-License-Identifier: Apache-2.0
"""What is made of the parts of complex numbers, as NumPy's."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import weft
from support import FLOATS, NUMBERS, arrays, axes_of, axis_of, every_way, near, same

COMPLEX = [np.complex64, np.complex128]
special = st.sampled_from([0.0, -0.0, 1.0, -2.5, 0.5, 1.5, np.inf, -np.inf, np.nan])
numbers = st.builds(complex, special, special)


def close(made, expected):
    assert made.dtype == expected.dtype and made.shape == expected.shape
    tolerance = 1e-4 if expected.dtype == np.complex64 else 1e-12
    np.testing.assert_allclose(made, expected, rtol=tolerance, atol=tolerance)


def parts_alike(made, expected):
    """Equal, but for the signs of zeros."""
    assert made.dtype == expected.dtype and made.shape == expected.shape
    np.testing.assert_array_equal(made.real, expected.real)
    np.testing.assert_array_equal(made.imag, expected.imag)


@given(st.data(), st.booleans())
def test_sums(data, keepdims):
    x = data.draw(arrays(types=COMPLEX, min_side=1, elements={"max_magnitude": 100}))
    axes = data.draw(st.none() | axes_of(x))
    for name in ("sum", "mean"):
        every_way(lambda t: getattr(weft, name)(t, axis=axes, keepdims=keepdims), x, check=close,
                  expected=np.asarray(getattr(np, name)(x, axis=axes, keepdims=keepdims)))
    for name in ("all", "any", "count_nonzero"):
        every_way(lambda t: getattr(weft, name)(t, axis=axes, keepdims=keepdims), x,
                  expected=np.asarray(getattr(np, name)(x, axis=axes, keepdims=keepdims)))


@given(st.data())
def test_cumulative_sums(data):
    x = data.draw(arrays(types=COMPLEX, min_rank=1, min_side=1, elements={"max_magnitude": 100}))
    axis = data.draw(axis_of(x))
    every_way(lambda t: weft.cumulative_sum(t, axis=axis), x, check=close, expected=np.cumsum(x, axis=axis))


@pytest.mark.parametrize("dtype", COMPLEX)
def test_infinite_parts_stay_apart(dtype):
    x = np.array([complex(np.inf, 1), complex(2, -np.inf), complex(-0.0, np.nan)], dtype)
    parts_alike(weft.sum(x[:2]), x[0].dtype.type(complex(np.inf, -np.inf)))
    parts_alike(weft.round(x), np.round(x))


@given(st.data())
def test_round_and_sign(data):
    x = data.draw(arrays(types=COMPLEX, elements=numbers))
    with np.errstate(all="ignore"):
        every_way(weft.round, x, check=parts_alike, expected=np.round(x))
    finite = np.where(np.isfinite(x), x, x.dtype.type(0))
    every_way(weft.sign, finite, check=close, expected=np.asarray(np.sign(finite)))
    every_way(lambda t: weft.astype(t, bool), x, expected=x.astype(bool))


@given(arrays(types=COMPLEX, elements={"min_magnitude": 1e-3, "max_magnitude": 1e3}))
def test_reciprocal(x):
    every_way(weft.reciprocal, x, check=close, expected=np.asarray(np.reciprocal(x)))


@given(arrays(types=NUMBERS))
def test_parts_of_real_numbers(x):
    for name in ("real", "imag", "conj"):
        every_way(getattr(weft, name), x, expected=getattr(np, name)(x))


@given(st.data())
def test_vecdot(data):
    x = data.draw(arrays(types=COMPLEX + FLOATS, min_rank=1, min_side=1, elements=st.integers(-9, 9)))
    y = data.draw(arrays(types=[np.result_type(x, np.complex64)], shape=x.shape, elements=st.integers(-9, 9)))
    axis = data.draw(axis_of(x))
    expected = np.asarray((np.conj(x) * y).sum(axis))
    if x.dtype.kind == "c":
        every_way(lambda a, b: weft.vecdot(a, b, axis=axis), x, y, check=close, expected=expected)
    else:
        with pytest.raises(weft.DtypeError):
            weft.vecdot(x, y, axis=axis)


@given(st.data())
def test_products(data):
    x = data.draw(arrays(types=COMPLEX, min_rank=2, max_rank=2, min_side=1, elements=st.integers(-9, 9)))
    y = data.draw(arrays(types=[x.dtype, x.real.dtype], shape=(x.shape[1], 3), elements=st.integers(-9, 9)))
    every_way(weft.matmul, x, y, check=close, expected=x @ y)
    every_way(lambda a, b: weft.tensordot(a, b, axes=1), x, y, check=close, expected=np.tensordot(x, y, axes=1))
    every_way(lambda a, b: weft.matmul(weft.matrix_transpose(b), weft.matrix_transpose(a)), x, y, check=close,
              expected=y.T @ x.T)
    every_way(weft.outer, x[0], y[:, 0], check=close, expected=np.outer(x[0], y[:, 0]))
    close(np.asarray(weft.asarray(x) @ weft.asarray(y)), x @ y)


def test_vecdot_says_what_does_not_fit():
    x = np.ones((2, 3), np.complex64)
    with pytest.raises(weft.AxisError, match="vecdot"):
        weft.vecdot(x, x, axis=2)
    with pytest.raises(weft.ShapeError, match="vecdot"):
        weft.vecdot(x, x[:, :2])
    same(weft.vecdot(np.arange(3), np.arange(3)), np.asarray(5))


FUNCTIONS = ["sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh",
             "asin", "acos", "atan", "asinh", "acosh", "atanh"]
#: NumPy's names, where they are others.
OTHER = {name: f"arc{name[1:]}" for name in FUNCTIONS if name.startswith("a")}


def near_in_the_plane(made, expected, ulps=32):
    """Within so much of the length, part by part where a part is not finite."""
    assert made.dtype == expected.dtype and made.shape == expected.shape
    for own, other in ((made.real, expected.real), (made.imag, expected.imag)):
        np.testing.assert_array_equal(np.isnan(own), np.isnan(other))
        np.testing.assert_array_equal(np.where(np.isinf(other), other, 0), np.where(np.isinf(own), own, 0))
    known = np.isfinite(expected)
    tolerance = ulps * np.finfo(expected.real.dtype).eps
    assert (np.abs(made[known] - expected[known]) <= tolerance * np.abs(expected[known])).all(), (made, expected)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(st.data())
def test_functions(name, data):
    x = data.draw(arrays(types=COMPLEX, elements={"max_magnitude": 30, "min_magnitude": 1e-3}))
    # In long double: NumPy's own log1p and expm1 lose what is small.
    expected = np.asarray(getattr(np, OTHER.get(name, name))(x.astype(np.clongdouble))).astype(x.dtype)
    every_way(getattr(weft, name), x, check=near_in_the_plane, expected=expected)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", COMPLEX)
def test_special_values_of_functions(name, dtype):
    parts = [0.0, -0.0, 1.0, -2.0, 0.5, np.inf, -np.inf, np.nan]
    x = np.array([complex(a, b) for a in parts for b in parts], dtype)
    with np.errstate(all="ignore"):
        expected = getattr(np, OTHER.get(name, name))(x)
    made = getattr(weft, name)(x)
    if name == "expm1":  # the array API's are those of exp, less 1; NumPy makes inf times 0
        with np.errstate(all="ignore"):
            odd, other = ~np.isfinite(x), np.exp(x)
            expected.real[odd], expected.imag[odd] = other.real[odd] - 1, other.imag[odd]
    if name == "acosh":  # the array API's and C's, which older NumPys have not
        expected.imag[(x.real == 0) & np.isnan(x.imag)] = np.pi / 2
    for argument, own, other in zip(x, made, expected):
        for a, b, beside in ((own.real, other.real, other.imag), (own.imag, other.imag, other.real)):
            if np.isnan(beside):  # C leaves the sign open then
                a, b = abs(a), abs(b)
            assert np.isnan(a) == np.isnan(b) and (np.isnan(a) or np.isclose(a, b, rtol=1e-5, atol=1e-7)), \
                (name, argument, own, other)


@pytest.mark.parametrize("name", ["asinh", "acosh", "atanh"])
@given(st.data())
def test_hyperbolic_inverses(name, data):
    limits = {"asinh": (-2.0 ** 120, 2.0 ** 120), "acosh": (1, 2.0 ** 120), "atanh": (-1, 1)}[name]
    x = data.draw(arrays(types=FLOATS + [np.float16],
                         elements=st.floats(*limits, width=32).map(lambda v: max(-60000.0, min(60000.0, v)))))
    with np.errstate(all="ignore"):
        expected = np.asarray(getattr(np, OTHER[name])(x.astype(np.longdouble))).astype(x.dtype)
    every_way(getattr(weft, name), x, check=lambda a, b: near(a, b, 6), expected=expected)


@pytest.mark.parametrize("name", ["asinh", "acosh", "atanh"])
def test_hyperbolic_inverses_of_special_values(name):
    x = np.array([0.0, -0.0, 1, -1, 0.5, 2, -2, 1e300, -1e300, np.inf, -np.inf, np.nan])
    with np.errstate(all="ignore"):
        near(getattr(weft, name)(x), getattr(np, OTHER[name])(x))
    with pytest.raises(weft.DtypeError, match=name):
        getattr(weft, name)(np.arange(3))


@given(st.data())
def test_pow(data):
    x = data.draw(arrays(types=COMPLEX, elements={"max_magnitude": 30, "min_magnitude": 0.125}))
    y = data.draw(arrays(types=[x.dtype], shape=x.shape, elements={"max_magnitude": 4}))
    for power in (y, 2, -1.5, 1j):
        second = np.asarray(power, np.clongdouble)
        expected = np.asarray(x.astype(np.clongdouble) ** second).astype(x.dtype)
        if power is y:
            every_way(weft.pow, x, y, check=lambda a, b: near_in_the_plane(a, b, 2048), expected=expected)
        else:
            every_way(lambda t: weft.pow(t, power), x, check=lambda a, b: near_in_the_plane(a, b, 2048),
                      expected=expected)
            assert (weft.asarray(x) ** power).dtype == x.dtype


def test_pow_of_zero_and_of_kinds_that_do_not_meet():
    zero = np.zeros(3, np.complex64)
    made = weft.pow(zero, np.array([0, 2 + 1j, -1], np.complex64))
    np.testing.assert_array_equal(made, np.array([1, 0, complex(np.nan, np.nan)], np.complex64))
    assert complex((2.0 ** weft.asarray(np.array(1j)))) == pytest.approx(2 ** 1j)
    with pytest.raises(weft.DtypeError):
        weft.pow(zero, np.ones(3, np.float32))


@given(st.data(), st.booleans())
def test_products(data, keepdims):
    # None above 1: where many overflow, NumPy's order of products makes NaN of some that others make infinite.
    x = data.draw(arrays(types=COMPLEX, elements=st.sampled_from([0, 1, -1, 1j, -1j, 0.5, 0.5 + 0.5j])))
    axes = data.draw(st.none() | axes_of(x))
    every_way(lambda t: weft.prod(t, axis=axes, keepdims=keepdims), x, check=close,
              expected=np.asarray(np.prod(x, axis=axes, keepdims=keepdims)))
    if x.ndim:
        axis = data.draw(axis_of(x))
        every_way(lambda t: weft.cumulative_prod(t, axis=axis), x, check=close, expected=np.cumprod(x, axis=axis))
        with_one = weft.cumulative_prod(x, axis=axis, include_initial=True)
        assert with_one.shape[axis] == x.shape[axis] + 1 and np.all(np.take(with_one, 0, axis) == 1)


def test_products_refuse_what_others_do():
    x = np.ones((2, 3), np.complex64)
    with pytest.raises(weft.AxisError, match="prod"):
        weft.prod(x, axis=2)
    with pytest.raises(weft.AxisError, match="cumulative_prod"):
        weft.cumulative_prod(x, axis=2)
    with pytest.raises(weft.ParameterError, match="cumulative_prod: x has rank 2"):
        weft.cumulative_prod(x)


@pytest.mark.parametrize("x", [complex(2.97e-206, 1), complex(-1e-300, -1), complex(1e-170, 1), complex(1e-5, 1), complex(1e-3, 1)])
def test_atan_beside_its_pole(x):
    for z in (x, complex(x.real, -x.imag)):
        near(weft.atan(np.array([z])).view(float), np.array([np.atan(z)]).view(float), ulps=8)
        near(weft.atanh(np.array([1j * z])).view(float), np.array([np.atanh(1j * z)]).view(float), ulps=8)
