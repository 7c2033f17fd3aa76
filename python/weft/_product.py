# SPDX-License-Identifier: Apache-2.0
"""Products of matrices, along any axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._complex import by_parts, is_complex, joined
from ._errors import ParameterError
from ._typing import Array, Ints, Operand, Tensor, _error, is_one, op, tensors

_einsum, _matmul, _outer = op("einsum"), op("matmul"), op("outer")
_tensordot, _vecdot = op("tensordot"), op("vecdot")


def _product(x1: Operand, x2: Operand, multiply: Callable[[Any, Any], Any]) -> Any:
    """Of complex numbers by their parts."""
    if not (is_complex(x1) or is_complex(x2)):
        return multiply(x1, x2)

    def work(a: Tensor, b: Tensor) -> Tensor:
        if not is_complex(b):
            return joined(multiply(op("real")(a), b), multiply(op("imag")(a), b))
        if not is_complex(a):
            return joined(multiply(a, op("real")(b)), multiply(a, op("imag")(b)))
        (r, i), (s, j) = ((op("real")(x), op("imag")(x)) for x in (a, b))
        return joined(op("subtract")(multiply(r, s), multiply(i, j)), op("add")(multiply(r, j), multiply(i, s)))

    return tensors((x1, x2), work)


def matmul(x1: Operand, x2: Operand, /) -> Any:
    """Matrices times matrices; of rank 1 a row or a column.

    >>> weft.matmul(np.eye(2), np.array([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    return _product(x1, x2, _matmul)


def vecdot(x1: Operand, x2: Operand, /, *, axis: int = -1) -> Any:
    """Sums of products along an axis; of complex numbers the first is conjugated.

    >>> weft.vecdot(np.array([1.0, 2.0]), np.array([3.0, 4.0])).tolist()
    11.0
    """
    if not (is_complex(x1) or is_complex(x2)):
        return _vecdot(x1, x2, axis)
    return tensors((x1, x2), lambda a, b: _complex_vecdot(a, b, axis))


def _complex_vecdot(a: Tensor, b: Tensor, axis: int) -> Tensor:
    rank = min(a.ndim, b.ndim)
    if not -rank <= axis < rank:
        return _vecdot(op("abs")(a), op("abs")(b), axis)  # type: ignore[no-any-return]  # raises
    a, b = (op("moveaxis")(x, axis, -1) for x in (a, b))
    if a.shape[-1] != b.shape[-1]:
        return _vecdot(op("abs")(a), op("abs")(b), -1)  # type: ignore[no-any-return]  # raises
    product = op("multiply")(op("conj")(a) if is_complex(a) else a, b)
    return by_parts(product, lambda part: op("sum")(part, -1, False))  # type: ignore[no-any-return]


def outer(x1: Operand, x2: Operand, /) -> Any:
    """All products of an element of one with an element of the other.

    >>> weft.outer(np.array([1, 2]), np.array([3, 4])).tolist()
    [[3, 4], [6, 8]]
    """
    return _product(x1, x2, _outer)


def tensordot(x1: Operand, x2: Operand, /, *, axes: Any = 2) -> Any:
    """Sums of products along so many axes, or along pairs of them.

    >>> weft.tensordot(np.ones((2, 3)), np.ones((3, 2)), axes=1).shape
    (2, 2)
    """
    own, others = (axes, None) if is_one(axes) else ([a] if is_one(a) else list(a) for a in axes)
    return _product(x1, x2, lambda a, b: _tensordot(a, b, own, others))


def einsum(*arguments: Any) -> Any:
    """Sums of products by a pattern: einops' names with spaces, or NumPy's letters.

    The pattern is the first argument, as in NumPy, or the last, as in einops. Without "->" the
    result has the letters that are there once, in alphabetic order, as in NumPy.

    >>> weft.einsum("ij,jk->ik", np.eye(2), np.eye(2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    >>> weft.einsum(np.eye(2), np.eye(2), "i j, j k -> i k").tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    if not arguments:
        raise _error(ParameterError, "length_mismatch", "einsum: no arguments, expected a pattern and tensors")
    if isinstance(arguments[0], str):
        pattern, operands = _named(arguments[0]), arguments[1:]
    else:
        operands, pattern = arguments[:-1], arguments[-1]
    return _einsum(operands, pattern)


def _named(letters: str) -> str:
    """NumPy's letters as names with spaces."""
    left, arrow, right = letters.replace(" ", "").partition("->")
    if not arrow:
        found = left.replace(",", "").replace(".", "")
        right = "".join(sorted(c for c in set(found) if found.count(c) == 1))
        right = "..." * ("..." in left) + right

    def spaced(axes: str) -> str:
        before, dots, after = axes.partition("...")
        return " ".join([*before, *([dots] if dots else []), *after])

    return ", ".join(map(spaced, left.split(","))) + " -> " + spaced(right)


__all__ = ["einsum", "matmul", "outer", "tensordot", "vecdot"]
