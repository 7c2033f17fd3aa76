# SPDX-License-Identifier: Apache-2.0
"""Gradients, beside torch's where it is installed, and scatters that combine, beside NumPy's ufunc.at."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weft
from conftest import FRAMEWORKS

UFUNCS = {"add": np.add, "multiply": np.multiply, "minimum": np.minimum, "maximum": np.maximum}
TYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16, np.float32,
         np.float64, np.complex64, np.complex128]


def same_numbers(made, expected):
    """NaNs are equal: which of two stays is nobody's promise."""
    assert made.dtype == expected.dtype and made.shape == expected.shape
    assert np.array_equal(made, expected, equal_nan=made.dtype.kind in "fc"), (made, expected)


def test_grad_of_one_and_of_several():
    x, y = weft.asarray(np.array([1.0, 2.0])), weft.asarray(np.array([3.0, 5.0]))
    assert weft.grad((x * x * y).sum(), x).tolist() == [6.0, 20.0]
    of_x, of_y = weft.grad((x * x * y).sum(), [x, y])
    assert of_x.tolist() == [6.0, 20.0] and of_y.tolist() == [1.0, 4.0]


def test_what_grad_refuses():
    x = weft.asarray(np.array([1.0, 2.0]))
    with pytest.raises(weft.ParameterError, match="expected tensors, as weft.asarray makes of arrays"):
        weft.grad(np.ones(1), [x])
    with pytest.raises(weft.ShapeError, match="y has 2 elements"):
        weft.grad(x * 2, x)
    y = x * 2
    y.numpy()
    with pytest.raises(weft.ParameterError, match="forgot what it was made of"):
        weft.grad(y.sum(), x)


def test_a_program_of_gradients(tmp_path):
    x, w = weft.placeholder("float64", ["n", 3]), weft.placeholder("float64", [3])
    program = weft.Program([x, w], lambda x, w: weft.grad(weft.tanh(x @ w).sum(), [x, w]))
    program.save(tmp_path / "g.json")
    rows, weights = np.arange(6.0).reshape(2, 3) / 5, np.array([1.0, -2.0, 0.5])
    slope = 1 - np.tanh(rows @ weights) ** 2
    for each in (program, weft.Program.load(tmp_path / "g.json")):
        of_x, of_w = each(rows, weights)
        assert np.allclose(of_x, np.outer(slope, weights)) and np.allclose(of_w, slope @ rows)


@given(st.sampled_from(TYPES), st.sampled_from(sorted(UFUNCS)), st.integers(1, 6), st.integers(0, 4), st.integers(0, 12),
       st.integers(0, 2**32 - 1))
def test_scatters_as_ufunc_at(dtype, reduction, rows, columns, count, seed):
    if np.dtype(dtype).kind == "c" and reduction in ("minimum", "maximum"):
        return  # refused
    rng = np.random.default_rng(seed)

    def drawn(shape):
        numbers = rng.integers(-100, 100, shape) if np.dtype(dtype).kind in "iu" else rng.normal(size=shape) * 3
        if np.dtype(dtype).kind == "f" and np.size(numbers):
            numbers = np.where(rng.random(shape) < 0.05, rng.choice([np.nan, np.inf, -np.inf], shape), numbers)
        return numbers.astype(dtype)

    ufunc, index = UFUNCS[reduction], rng.integers(-rows, rows, count)
    data, updates = drawn((rows, columns)), drawn((count, columns))
    with np.errstate(all="ignore"):
        expected = data.copy()
        ufunc.at(expected, index, updates)
        same_numbers(weft.index_put(data, index, updates, reduction=reduction), expected)
        same_numbers(weft.index_put(data.T, index, updates.T, axis=1, reduction=reduction), expected.T)
        same_numbers(weft.scatter_nd(data, index[:, None], updates, reduction=reduction), expected)
        each = rng.integers(0, rows, (count, columns))
        expected = data.copy()
        ufunc.at(expected, (each, np.arange(columns)), updates)
        same_numbers(weft.scatter_elements(data, each, updates, axis=0, reduction=reduction), expected)


# What both can say of a matrix: weft's function, and torch's.
LINKS = [
    (lambda x: weft.tanh(x), lambda t, x: t.tanh(x)), (lambda x: weft.sin(x), lambda t, x: t.sin(x)),
    (lambda x: weft.exp(x * 0.3), lambda t, x: t.exp(x * 0.3)), (lambda x: weft.sigmoid(x), lambda t, x: t.sigmoid(x)),
    (lambda x: weft.log(x * x + 2), lambda t, x: t.log(x * x + 2)), (lambda x: weft.sqrt(x * x + 1), lambda t, x: t.sqrt(x * x + 1)),
    (lambda x: weft.gelu(x), lambda t, x: t.nn.functional.gelu(x)), (lambda x: weft.relu(x), lambda t, x: t.relu(x)),
    (lambda x: weft.softplus(x), lambda t, x: t.nn.functional.softplus(x)), (lambda x: weft.abs(x), lambda t, x: t.abs(x)),
    (lambda x: weft.softmax(x, axis=-1), lambda t, x: t.softmax(x, -1)),
    (lambda x: x - x.mean(axis=0, keepdims=True), lambda t, x: x - x.mean(0, keepdim=True)),
    (lambda x: x * x.max(axis=1, keepdims=True), lambda t, x: x * x.amax(1, keepdim=True)),
    (lambda x: weft.cumulative_sum(x, axis=1) * 0.5, lambda t, x: t.cumsum(x, 1) * 0.5),
    (lambda x: weft.cumulative_prod(x, axis=1), lambda t, x: t.cumprod(x, 1)),
    (lambda x: x.T, lambda t, x: x.T), (lambda x: weft.roll(x, 1, axis=0), lambda t, x: t.roll(x, 1, 0)),
    (lambda x: weft.flip(x, axis=1), lambda t, x: t.flip(x, [1])), (lambda x: weft.tile(x, (1, 2)), lambda t, x: t.tile(x, (1, 2))),
    (lambda x: x[1:, ::2], lambda t, x: x[1:, ::2]), (lambda x: weft.tril(x), lambda t, x: t.tril(x)),
    (lambda x: weft.concat([x, x * 2]), lambda t, x: t.cat([x, x * 2])),
    (lambda x: x @ x.T * 0.3, lambda t, x: x @ x.T * 0.3),
    (lambda x: weft.take(x, np.array([1, 0, 1]), axis=0), lambda t, x: x[t.tensor([1, 0, 1])]),
    (lambda x: weft.pad(x, ((1, 1), (1, 1)), mode="reflect"),
     lambda t, x: t.nn.functional.pad(x[None], (1, 1, 1, 1), mode="reflect")[0]),
    (lambda x: weft.unfold(x, 1, 2).sum(axis=2), lambda t, x: x.unfold(1, 2, 1).sum(2)),
    (lambda x: weft.minimum(x, weft.flip(x, axis=0)), lambda t, x: t.minimum(x, t.flip(x, [0]))),
]

if "torch" in FRAMEWORKS:
    @pytest.mark.parametrize("seed", range(200))
    def test_as_torch_has_them(seed):
        torch, rng = FRAMEWORKS["torch"], random.Random(seed)
        start = np.random.default_rng(seed).normal(size=(3, 4)) + 0.01
        x, theirs = weft.asarray(start), torch.tensor(start, requires_grad=True)
        y, t = x, theirs
        for _ in range(rng.randint(1, 8)):
            ours, other = rng.choice(LINKS)
            if min(y.shape) < 3 or max(y.shape) > 24:
                y, t = weft.tile(y, (3, 3))[:3, :4], torch.tile(t, (3, 3))[:3, :4]
            y, t = ours(y), other(torch, t)
        weights = np.random.default_rng(seed + 1).normal(size=y.shape)
        got = weft.vjp(y, x, weights).numpy()
        expected, = torch.autograd.grad(t, theirs, torch.tensor(weights))
        expected = expected.numpy()
        assert np.all(np.abs(got - expected) <= 1e-9 * (1 + np.abs(expected).max())), seed
