# SPDX-License-Identifier: Apache-2.0
"""Copies with a part replaced."""

from __future__ import annotations

from typing import Any

from ._pick import Indices, _listed
from ._typing import Array, Ints, Operand, Tensor, X, op

_index_put, _scatter_elements = op("index_put"), op("scatter_elements")
_scatter_nd, _select_scatter = op("scatter_nd"), op("select_scatter")
_slice_scatter, _tril, _triu = op("slice_scatter"), op("tril"), op("triu")


def slice_scatter(data: X, updates: Tensor | Array, /, start: Ints, stop: Ints,
                  step: Ints | None = None, *, axis: Ints | None = None) -> X:
    """A copy of data in which a slice is `updates`.

    >>> weft.slice_scatter(np.zeros(5, int), np.array([1, 2]), 1, 5, 2).tolist()
    [0, 1, 0, 2, 0]
    """
    return _slice_scatter(data, updates, _listed(start), _listed(stop),
                          None if step is None else _listed(step),
                          None if axis is None else _listed(axis))


def select_scatter(data: X, updates: Tensor | Array, /, axis: Ints, index: Ints) -> X:
    """A copy of data in which one index of an axis is `updates`.

    >>> weft.select_scatter(np.zeros((2, 2), int), np.array([1, 2]), 0, 1).tolist()
    [[0, 0], [1, 2]]
    """
    return _select_scatter(data, updates, axis, index)


def index_put(data: X, indices: Indices, updates: Tensor | Array, /, *, axis: Ints = 0,
              reduction: str = "none") -> X:
    """A copy of data in which positions of an axis are `updates`, or combined with them.

    `reduction` is none, or the ufunc that combines: add, multiply, minimum, maximum.

    >>> weft.index_put(np.zeros(3, int), np.array([2, 0]), np.array([5, 6])).tolist()
    [6, 0, 5]
    >>> weft.index_put(np.ones(3), np.array([2, 2]), np.array([5.0, 6.0]), reduction="add").tolist()
    [1.0, 1.0, 12.0]
    """
    return _index_put(data, indices, updates, axis, reduction)


def scatter_elements(data: X, indices: Indices, updates: Tensor | Array, /, *, axis: Ints,
                     reduction: str = "none") -> X:
    """A copy of data with an element put to an index of an axis for each index (ONNX).

    >>> weft.scatter_elements(np.zeros(3, int), np.array([2]), np.array([5]), axis=0).tolist()
    [0, 0, 5]
    """
    return _scatter_elements(data, indices, updates, axis, reduction)


def scatter_nd(data: X, indices: Indices, updates: Tensor | Array, /, *,
               reduction: str = "none") -> X:
    """A copy of data with elements or slices put to tuples of indices (ONNX).

    >>> weft.scatter_nd(np.zeros((2, 2), int), np.array([[1, 0]]), np.array([5])).tolist()
    [[0, 0], [5, 0]]
    """
    return _scatter_nd(data, indices, updates, reduction)


def tril(x: X, /, *, k: Ints = 0) -> X:
    """Zeros above a diagonal.

    >>> weft.tril(np.ones((2, 2), int)).tolist()
    [[1, 0], [1, 1]]
    """
    return _tril(x, k)


def triu(x: X, /, *, k: Ints = 0) -> X:
    """Zeros below a diagonal.

    >>> weft.triu(np.ones((2, 2), int)).tolist()
    [[1, 1], [0, 1]]
    """
    return _triu(x, k)


__all__ = ["index_put", "scatter_elements", "scatter_nd", "select_scatter", "slice_scatter",
           "tril", "triu"]
