# SPDX-License-Identifier: Apache-2.0
"""The table of errors, one test a row: each is weft's and Python's, and says what is wrong."""

import builtins
import errno
import json
import os
import pickle

import numpy as np
import pytest

import weft

A = np.zeros((2, 3), np.float32)


def program(*extents):
    return weft.Program([weft.placeholder(np.float32, extents)], lambda x: x + 1)


ROWS = [
    (weft.AxisError, (ValueError, IndexError), "bad_axis", lambda tmp: weft.roll(A, 1, axis=5)),
    (weft.ParameterError, (ValueError,), "length_mismatch",
     lambda tmp: weft.roll(A, (1, 2, 3), axis=(0, 1))),
    (weft.ShapeError, (ValueError,), "shape_mismatch", lambda tmp: weft.reshape(A, (5,))),
    (weft.FormatError, (ValueError,), "bad_format", lambda tmp: weft.Program.from_json("no json")),
    (weft.DtypeError, (TypeError,), "dtype_mismatch", lambda tmp: weft.add(A, np.zeros(3, np.int32))),
    (weft.OverflowError, (builtins.OverflowError,), "overflow",
     lambda tmp: weft.broadcast_to(A, (2**40, 2**40, 2, 3))),
    (weft.IndexError, (builtins.IndexError,), "bad_index", lambda tmp: weft.take(A, [7], axis=0)),
    (weft.MemoryError, (builtins.MemoryError,), "out_of_memory",
     lambda tmp: weft.zeros((2**45, 2)).eval()),
    (weft.FileError, (OSError,), "bad_file", lambda tmp: weft.Program.load(tmp / "missing")),
    (weft.OpenError, (RuntimeError,), "open_tensor",
     lambda tmp: weft.placeholder(np.float32, (None,)).numpy()),
    (weft.InPlaceError, (RuntimeError,), "not_in_place",
     lambda tmp: weft.asarray(A)[::-1].eval(in_place=True)),
]


@pytest.mark.parametrize("kind, bases, category, mistake", ROWS, ids=[row[0].__name__ for row in ROWS])
def test_row(kind, bases, category, mistake, tmp_path):
    with pytest.raises(kind) as caught:
        mistake(tmp_path)
    error = caught.value
    assert isinstance(error, weft.Error) and isinstance(error, bases)
    assert error.category == category and str(error)


def test_what_was_given_up_is_empty():
    x = weft.arange(3) + 0
    y = weft.donate(x)
    with pytest.raises(weft.EmptyError) as caught:
        x.shape
    assert caught.value.category == "empty_tensor"
    assert y.tolist() == [0, 1, 2] and not x.has_value
    assert repr(x) == "weft.Tensor(given up)"


def test_an_error_names_op_operand_given_and_expected():
    with pytest.raises(weft.AxisError) as caught:
        weft.roll(A, 1, axis=5)
    assert str(caught.value) == "roll: axis 5 is out of range for rank 2 (shape [2, 3])"


@pytest.mark.parametrize("call", [
    lambda: weft.roll(A, 1, axis="0"), lambda: weft.roll(A, 1.5), lambda: weft.tile(A, [1.5]),
    lambda: weft.permute_dims(A, [[0, 1]]), lambda: weft.rearrange(A, 3),
    lambda: weft.asarray(A, dtype="nonsense"), lambda: weft.astype(A, object),
    lambda: weft.mean(A, axis=0.5), lambda: weft.concat([]), lambda: weft.concat(A, axis=object()),
    lambda: weft.softmax(np.arange(3)), lambda: weft.placeholder(np.float32, (object(),)),
    lambda: weft.roll(None, 1), lambda: weft.add(None, A), lambda: weft.roll(A, 2**70),
])
def test_nonsense_is_an_error_of_python(call):
    with pytest.raises((ValueError, TypeError, OverflowError, AttributeError, RuntimeError)):
        call()


def of_description(text):
    constant = {"dtype": {"opaque": 8, "description": text}, "shape": [2], "bytes": "00" * 16}
    flip = {"op": "flip", "operands": [0], "parameters": {"axes": None}}
    return weft.Program.from_json(json.dumps({"weft": "program", "version": 1, "inputs": [], "constants": [constant],
                                              "calls": [flip], "outputs": [1]}))


@pytest.mark.parametrize("text", ["numpy:'<i4'", "numpy:'O'", "numpy:1+", "numpy:(", "numpy:('<i4', (2,))", "numpy.nope",
                                  "numpy.object_", "ml_dtypes.nope", "ml_dtypes.__name__", "numpy:" + "(" * 4000])
def test_descriptions_are_checked(text):
    with pytest.raises(weft.DtypeError) as caught:
        of_description(text).run()
    assert len(str(caught.value)) < 400


class Whole:
    def __index__(self):
        return 1


def test_anything_with_an_index_is_an_integer():
    assert weft.roll(A, Whole(), axis=Whole()).shape == (2, 3)


@pytest.mark.parametrize("error, call", [
    (weft.FormatError, lambda: weft.rearrange(A, "h w -> w \udc80")),
    (weft.FormatError, lambda: weft.pad(A, 1, mode="\ud800")),
    (weft.FormatError, lambda: weft.placeholder(np.float32, ("\ud800",))),
    (weft.FormatError, lambda: weft.placeholder(np.float32, (), name="\ud800")),
    (weft.FormatError, lambda: weft.Program.from_json("\ud800")),
    (weft.ParameterError, lambda: weft.pad(A, 1, mode="edge\0")),
    (weft.DtypeError, lambda: weft.astype(A, "\ud800")),
    (weft.DtypeError, lambda: weft.placeholder(np.float32, (1.5,))),
    (weft.DtypeError, lambda: weft.Dim("a")),
    (weft.DtypeError, lambda: weft.asarray(None)),
    (weft.DtypeError, lambda: weft.zeros(2).eval(threads="a")),
    (weft.OverflowError, lambda: weft.zeros(2).eval(threads=2**40)),
    (weft.OverflowError, lambda: weft.zeros(2).eval(memory_limit=2**70)),
    (weft.OverflowError, lambda: weft.roll(A, 10**3000)),
    (weft.OverflowError, lambda: weft.roll(A, 10**6000)),
    (weft.AxisError, lambda: weft.diff(A, axis=2)),
    (weft.ParameterError, lambda: weft.einsum()),
    (weft.ShapeError, lambda: weft.flip([[1], [2, 3]])),
    (weft.FileError, lambda: weft.Program.load(os.fsdecode(b"/nowhere/\xff.json"))),
    (weft.FileError, lambda: weft.Program.load("a\0b")),
])
def test_mistakes_are_weft_errors_in_a_line(error, call):
    with pytest.raises(error) as caught:
        call()
    assert caught.value.category and len(str(caught.value)) < 300 and "\n" not in str(caught.value)


def test_errors_of_files_say_which():
    with pytest.raises(OSError) as caught:
        weft.Program.load("/nowhere/x.json")
    assert caught.value.errno == errno.ENOENT and caught.value.filename == "/nowhere/x.json"
    assert str(caught.value).startswith("program: cannot read")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is weft.FileError and str(again) == str(caught.value)


def test_errors_change_nothing():
    x = weft.asarray(np.arange(6).reshape(2, 3))
    for mistake in (lambda: weft.roll(x, 1, axis=4), lambda: x.reshape(4), lambda: x[5]):
        with pytest.raises(weft.Error):
            mistake()
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_errors_can_be_pickled():
    with pytest.raises(weft.AxisError) as caught:
        weft.roll(A, 1, axis=5)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is weft.AxisError and again.category == "bad_axis"
