# SPDX-License-Identifier: Apache-2.0
"""Many elements made one, and products: as NumPy's."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import weft
from support import FLOATS, INTEGERS, NUMBERS, arrays, axes_of, axis_of, every_way, near, same

moderate = {"min_value": -100, "max_value": 100}
axes_or_none = lambda x: st.none() | axes_of(x)  # noqa: E731


@given(st.data(), st.booleans())
def test_sums_of_integers(data, keepdims):
    x = data.draw(arrays(types=INTEGERS + [np.bool_]))
    axes = data.draw(axes_or_none(x))
    for name, function in [("sum", np.sum), ("prod", np.prod), ("count_nonzero", np.count_nonzero)]:
        expected = np.asarray(function(x, axis=axes, keepdims=keepdims))
        every_way(lambda t: getattr(weft, name)(t, axis=axes, keepdims=keepdims), x,
                  expected=expected.astype(np.uint64 if expected.dtype.kind == "u" else np.int64))


@given(st.data(), st.booleans())
def test_sums_of_fractions(data, keepdims):
    x = data.draw(arrays(types=FLOATS, elements=moderate, min_side=1))
    axes = data.draw(axes_or_none(x))
    close = dict(rtol=1e-4, atol=1e-3)
    for name in ("sum", "mean", "var", "std"):
        expected = getattr(np, name)(x, axis=axes, keepdims=keepdims)
        made = getattr(weft, name)(x, axis=axes, keepdims=keepdims)
        assert made.dtype == x.dtype and made.shape == np.shape(expected)
        np.testing.assert_allclose(made, expected, **close)
        lazy = getattr(weft.asarray(x), name)(axis=axes, keepdims=keepdims)
        same(lazy.numpy(), made)


@given(st.data(), st.booleans())
def test_extremes(data, keepdims):
    x = data.draw(arrays(types=NUMBERS, min_side=1))
    axes = data.draw(axes_or_none(x))
    for name, function in [("max", np.max), ("min", np.min)]:
        every_way(lambda t: getattr(weft, name)(t, axis=axes, keepdims=keepdims), x,
                  check=lambda a, b: near(a, b, 0.5),
                  expected=function(x, axis=axes, keepdims=keepdims))


@given(st.data(), st.booleans())
def test_positions(data, keepdims):
    x = data.draw(arrays(types=NUMBERS, min_rank=1, min_side=1))
    axis = data.draw(st.none() | axis_of(x))
    for name, function in [("argmax", np.argmax), ("argmin", np.argmin)]:
        every_way(lambda t: getattr(weft, name)(t, axis=axis, keepdims=keepdims), x,
                  expected=function(x, axis=axis, keepdims=keepdims))


@given(st.data(), st.booleans())
def test_truths(data, keepdims):
    x = data.draw(arrays(types=[np.bool_, np.int32, np.float32]))
    axes = data.draw(axes_or_none(x))
    for name, function in [("all", np.all), ("any", np.any)]:
        every_way(lambda t: getattr(weft, name)(t, axis=axes, keepdims=keepdims), x,
                  expected=function(x, axis=axes, keepdims=keepdims))


@given(st.data(), st.booleans())
def test_cumulative(data, initial):
    x = data.draw(arrays(types=INTEGERS, min_rank=1))
    axis = data.draw(axis_of(x))
    for name, function, first in [("cumulative_sum", np.cumsum, 0), ("cumulative_prod", np.cumprod, 1)]:
        expected = function(x, axis=axis)
        if initial:
            width = [(0, 0)] * x.ndim
            width[axis] = (1, 0)
            expected = np.pad(expected, width, constant_values=first)
        every_way(lambda t: getattr(weft, name)(t, axis=axis, include_initial=initial), x,
                  expected=expected)


@given(st.data())
def test_diff(data):
    x = data.draw(arrays(types=INTEGERS + [np.bool_], min_rank=1, min_side=1))
    axis, n = data.draw(axis_of(x)), data.draw(st.integers(0, 3))
    with np.errstate(all="ignore"):
        every_way(lambda t: weft.diff(t, axis=axis, n=n), x, expected=np.diff(x, n=n, axis=axis))


def test_types_of_sums():
    x = np.array([1, 2], np.int8)
    same(weft.sum(x, dtype=np.float32), np.float32(3))
    same(weft.cumulative_sum(x, dtype=np.int16), np.array([1, 3], np.int16))


@given(st.data())
def test_softmax_and_its_kin(data):
    x = data.draw(arrays(types=FLOATS, elements=moderate, min_rank=1, min_side=1))
    axis = data.draw(axis_of(x))
    wide = x.astype(np.float64)
    powers = np.exp(wide - wide.max(axis, keepdims=True))
    total = powers.sum(axis, keepdims=True)
    close = dict(rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(weft.softmax(x, axis=axis), powers / total, **close)
    logs = wide - wide.max(axis, keepdims=True) - np.log(total)
    np.testing.assert_allclose(weft.log_softmax(x, axis=axis), logs, **close)
    sums = np.log(total) + wide.max(axis, keepdims=True)
    np.testing.assert_allclose(weft.logsumexp(x, axis=axis, keepdims=True), sums, **close)


@given(arrays(types=FLOATS, elements=moderate, min_rank=1, min_side=1))
def test_norms(x):
    wide = x.astype(np.float64)
    scale = np.linspace(1, 2, x.shape[-1]).astype(x.dtype)
    bias = np.linspace(-1, 1, x.shape[-1]).astype(x.dtype)
    square = (wide * wide).mean(-1, keepdims=True)
    close = dict(rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(weft.rms_norm(x, scale), wide / np.sqrt(square + 1e-5) * scale, **close)
    away = wide - wide.mean(-1, keepdims=True)
    made = away / np.sqrt((away * away).mean(-1, keepdims=True) + 1e-5) * scale + bias
    np.testing.assert_allclose(weft.layer_norm(x, scale, bias), made, rtol=1e-2, atol=1e-2)


def matrices(data, *shapes):
    """Small whole numbers, whose products are exact in every order."""
    dtype = data.draw(st.sampled_from([np.int32, np.int64, np.float32, np.float64]))
    whole = st.integers(-8, 8)
    return [data.draw(arrays(types=[dtype], shape=shape, elements=whole)) for shape in shapes]


@given(st.data())
def test_matmul(data):
    i, j, k = (data.draw(st.integers(1, 4)) for _ in range(3))
    batch = data.draw(st.sampled_from([(), (2,), (3, 1)]))
    x, y = matrices(data, (*batch, i, k), data.draw(st.sampled_from([(k, j), (2, k, j), (k,)])))
    check = lambda a, b: near(a, b, 0.5)  # noqa: E731
    every_way(weft.matmul, x, y, check=check, expected=x @ y)
    every_way(lambda a, b: a @ b, x, y, check=check, expected=x @ y)


@given(st.data())
def test_other_products(data):
    i, j, k = (data.draw(st.integers(1, 4)) for _ in range(3))
    x, y, z = matrices(data, (i, k), (k, j), (i, k))
    check = lambda a, b: near(a, b, 0.5)  # noqa: E731
    every_way(weft.vecdot, x, z, check=check, expected=(x * z).sum(-1, dtype=x.dtype))
    every_way(weft.outer, x[0], y[0], check=check, expected=np.outer(x[0], y[0]))
    every_way(lambda a, b: weft.tensordot(a, b, axes=1), x, y, check=check,
              expected=np.tensordot(x, y, axes=1))
    every_way(lambda a, b: weft.tensordot(a, b, axes=([1], [0])), x, y, check=check,
              expected=np.tensordot(x, y, axes=([1], [0])))
    for pattern in ("ij,jk->ik", "ij,jk->ki", "ij,jk"):
        every_way(lambda a, b: weft.einsum(pattern, a, b), x, y, check=check,
                  expected=np.einsum(pattern, x, y))
    every_way(lambda a, b: weft.einsum("...j,...j->...", a, b), x, z, check=check,
              expected=np.einsum("...j,...j->...", x, z))


def test_products_of_what_is_no_matrix_are_refused():
    with pytest.raises(weft.ParameterError):
        weft.matmul(np.ones(()), np.ones(3))
    with pytest.raises(weft.ShapeError):
        weft.matmul(np.ones((2, 3)), np.ones((2, 3)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["mean", "var", "std"])
@pytest.mark.parametrize("shape, axis", [((0,), None), ((2, 0), 1), ((2, 0), 0), ((0, 3), (0, 1)), ((0, 3), -2)])
def test_of_nothing(name, shape, axis):
    x = np.zeros(shape, np.float32)
    expected = np.asarray(getattr(np, name)(x, axis=axis, keepdims=True))
    for made in (getattr(weft, name)(x, axis=axis, keepdims=True), getattr(weft.asarray(x), name)(axis=axis, keepdims=True).numpy()):
        assert made.dtype == expected.dtype and np.array_equal(made, expected, equal_nan=True)


def test_lists():
    x = [[1.0, 2.0], [4.0, 8.0]]
    for name in ("mean", "var", "std", "sum"):
        same(getattr(weft, name)(x), getattr(weft, name)(np.array(x)))
    same(weft.sum([1j, 2]), weft.sum(np.array([1j, 2])))
