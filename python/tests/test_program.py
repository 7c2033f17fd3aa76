# SPDX-License-Identifier: Apache-2.0
"""Programs: recorded once, run with any sizes."""

import pickle

import numpy as np
import pytest

import weft
from support import same


def rolled():
    x = weft.placeholder(weft.float32, ("rows", None), name="x")
    shift = weft.placeholder(weft.int64, (), name="shift")
    return weft.Program([x, shift], lambda x, shift: weft.roll(x, shift, axis=0) * 2)


def test_arrays_in_arrays_out():
    program = rolled()
    for rows, shift in [(3, 1), (5, -2), (3, 1)]:
        a = np.arange(rows * 4, dtype=np.float32).reshape(rows, 4)
        same(program(a, np.int64(shift)), np.roll(a, shift, 0) * np.float32(2))
    assert program.hits >= 1


def test_tensors_in_tensors_out():
    made = rolled()(weft.ones((2, 2), dtype=weft.float32), weft.asarray(1))
    assert isinstance(made, weft.Tensor)


def test_several_outputs():
    x = weft.placeholder(weft.float64, (None,))
    program = weft.Program([x], lambda x: (x + 1, x[::-1]))
    one, other = program(np.arange(3.0))
    same(one, np.arange(3.0) + 1)
    same(other, np.arange(3.0)[::-1])


def test_json_and_files(tmp_path):
    program = rolled()
    assert weft.Program.from_json(program.to_json()) == program
    program.save(tmp_path / "p.json")
    assert weft.Program.load(tmp_path / "p.json") == program
    assert pickle.loads(pickle.dumps(program)) == program
    assert "roll" in str(program)
    assert program != weft.Program([weft.placeholder(weft.float32, (2,))], lambda x: x + 1)
    assert "pass" in program.explain(np.zeros((2, 2), np.float32), np.int64(1))


def test_inputs_that_do_not_fit():
    x = weft.placeholder(weft.float32, (weft.Dim(2, 4), 3))
    program = weft.Program([x], lambda x: x + 1)
    with pytest.raises(weft.ShapeError):
        program(np.zeros((5, 3), np.float32))
    with pytest.raises(weft.DtypeError):
        program(np.zeros((2, 3)))
    with pytest.raises(weft.ParameterError):
        program()


def test_dims():
    assert repr(weft.Dim(1, 64, "batch")) == "weft.Dim(batch=1..64)"
    assert weft.Dim(3, 3) == weft.Dim(3, 3) != weft.Dim(2, 3)
    with pytest.raises(weft.ShapeError):
        weft.Dim(3, 2)
    assert weft.placeholder(weft.int8).is_open
