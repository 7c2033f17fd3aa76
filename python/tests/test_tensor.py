# SPDX-License-Identifier: Apache-2.0
"""How a tensor behaves among Python's objects."""

import copy

import numpy as np
import pytest

import weft


def test_repr_evaluates_nothing():
    x = weft.asarray(np.arange(6.0).reshape(2, 3))
    y = x + 1
    assert repr(x) == "weft.Tensor(f64 [2, 3], stored)"
    assert repr(y) == "weft.Tensor(f64 [2, 3], lazy)" and not y.is_stored
    assert repr(weft.placeholder(weft.int8, ("n", 3))) == "weft.Tensor(i8 [n, 3], open)"


def test_str_prints_values():
    a = np.arange(6.0).reshape(2, 3)
    assert str(weft.asarray(a)) == str(a)
    assert f"{weft.asarray(a):.2f}".startswith("[[0.00 1.00")


def test_numbers():
    x = weft.asarray(np.float32(2.5))
    assert float(x) == 2.5 and int(x) == 2 and bool(x) and complex(x) == 2.5 and x.item() == 2.5
    assert [0, 1, 2][weft.asarray(1)] == 1
    with pytest.raises(TypeError):
        float(weft.arange(2))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(weft.arange(2))
    with pytest.raises(weft.ShapeError):
        weft.arange(2).item()


def test_sequences():
    x = weft.asarray(np.arange(6).reshape(2, 3))
    assert len(x) == 2 and [row.tolist() for row in x] == [[0, 1, 2], [3, 4, 5]]
    assert 4 in x and 9 not in x
    for refused in (len, iter):
        with pytest.raises(TypeError):
            refused(weft.asarray(1))


def test_attributes():
    x = weft.asarray(np.zeros((2, 3), np.int16))
    assert (x.shape, x.ndim, x.size, x.nbytes, x.dtype) == ((2, 3), 2, 6, 12, np.int16)
    with pytest.raises(TypeError):
        hash(x)
    with pytest.raises(weft.ParameterError):
        weft.arange(2).mT
    with pytest.raises(weft.OpenError):
        weft.placeholder(weft.int8, (None,)).shape


def test_copies():
    a = np.arange(3)
    x = weft.asarray(a)
    shallow, deep = copy.copy(x), copy.deepcopy(x)
    a[0] = 5
    assert shallow.tolist() == [5, 1, 2] and deep.tolist() == [0, 1, 2]


def test_methods_are_the_functions():
    x = weft.asarray(np.arange(6.0).reshape(2, 3))
    assert x.roll(1, axis=1).tolist() == weft.roll(x, 1, axis=1).tolist()
    assert x.sum(axis=0).tolist() == [3, 5, 7]
    assert x.where(x > 2, 0.0).tolist() == [[0, 0, 0], [3, 4, 5]]
    from weft._methods import NAMES
    for name in NAMES:
        assert getattr(weft.Tensor, name) is getattr(weft, name)


def test_explain_and_its_picture():
    y = weft.asarray(np.arange(10.0))[::-1] + 1
    plan = y.explain()
    assert isinstance(plan, str) and "pass" in plan and not y.is_stored
    assert plan._repr_svg_().startswith("<svg") and y._repr_svg_() == plan._repr_svg_()


def test_several_at_once():
    x = weft.asarray(np.arange(4.0))
    a, b = weft.eval(x + 1, x * 2)
    assert a.is_stored and b.is_stored and b.tolist() == [0, 2, 4, 6]


def test_windows_of_results():
    x = weft.broadcast_to(weft.arange(10), (10**9, 10))
    assert weft.eval_region(x, [5, 3], [2, 2]).tolist() == [[3, 4], [3, 4]]


def test_where_evaluation_goes():
    x = weft.roll(weft.ones((1000, 1000)), 3)
    assert x.eval(threads=1) is x and x.is_stored
    with pytest.raises(MemoryError):
        weft.roll(weft.asarray(np.ones((3000, 3000))), 3, axis=0).eval(memory_limit=1 << 20)


def test_mixed_calls_are_lazy():
    made = weft.concat([np.arange(2), weft.arange(2)])
    assert isinstance(made, weft.Tensor) and made.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("call", [lambda x: weft.roll(x, 1, axis=0), lambda x: x.flip(),
                                  lambda x: weft.slice_scatter(x, np.ones(3, np.float32), 1, 4)])
def test_what_is_given_up_is_written_over(call):
    a = np.arange(1 << 18, dtype=np.float32)
    expected = call(weft.asarray(a)).numpy()
    x = weft.asarray(a, copy=True)
    begin = x.numpy().__array_interface__["data"][0]
    y = call(weft.donate(x)).eval(in_place=True)
    assert y.numpy().__array_interface__["data"][0] == begin
    assert np.array_equal(y.numpy(), expected)


def test_what_somebody_sees_is_not_written_over():
    x = weft.asarray(np.arange(1 << 18, dtype=np.float32), copy=True)
    seen = x.numpy()
    y = weft.roll(weft.donate(x), 1, axis=0)
    with pytest.raises(weft.InPlaceError):
        y.eval(in_place=True)
    assert y.numpy()[0] == seen[-1] == (1 << 18) - 1 and seen[0] == 0
