# SPDX-License-Identifier: Apache-2.0
"""What is known of types."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._dtypes import limits_of_bfloat16, type_of
from ._typing import DTypeLike


class FloatInfo:
    """Limits of a floating-point type, as numbers of Python."""

    __slots__ = ("bits", "dtype", "eps", "max", "min", "smallest_normal")

    def __init__(self, dtype: np.dtype[Any]) -> None:
        known = limits_of_bfloat16() if dtype.name == "bfloat16" else np.finfo(dtype)
        self.bits = int(known.bits)
        self.dtype = np.dtype(known.dtype)
        self.eps, self.max, self.min = float(known.eps), float(known.max), float(known.min)
        self.smallest_normal = float(known.smallest_normal)


def finfo(type: DTypeLike, /) -> FloatInfo:
    """Limits of a floating-point type.

    >>> weft.finfo(weft.float32).bits
    32
    """
    return FloatInfo(type_of(type))


def iinfo(type: DTypeLike, /) -> np.iinfo[Any]:
    """Limits of an integer type.

    >>> weft.iinfo(weft.int8).max
    127
    """
    return np.iinfo(type_of(type))


def isdtype(dtype: DTypeLike, kind: Any) -> bool:
    """Whether a type is of a kind, as in the array API standard.

    >>> weft.isdtype(weft.int8, "signed integer")
    True
    """
    return _isdtype(type_of(dtype), kind)


_KINDS = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu",
          "real floating": "f", "complex floating": "c", "numeric": "iufc"}


def _isdtype(dtype: np.dtype[Any], kind: Any) -> bool:
    if isinstance(kind, tuple):
        return any(_isdtype(dtype, each) for each in kind)
    if isinstance(kind, str) and kind in _KINDS:
        return ("f" if dtype.name == "bfloat16" else dtype.kind) in _KINDS[kind]
    return dtype == type_of(kind)


def can_cast(from_: Any, to: DTypeLike, /) -> bool:
    """Whether elements keep their values as another type.

    >>> weft.can_cast(weft.int8, weft.int16)
    True
    """
    return bool(np.can_cast(type_of(from_), type_of(to)))


class ArrayNamespaceInfo:
    """What the array API standard asks of a namespace.

    >>> weft.__array_namespace_info__().default_device()
    'cpu'
    """

    __slots__ = ()

    def capabilities(self) -> dict[str, Any]:
        """Masks are not taken; shapes that depend on elements are none of weft's."""
        return {"boolean indexing": False, "data-dependent shapes": False, "max dimensions": 16}

    def default_device(self) -> str:
        """"cpu"."""
        return "cpu"

    def devices(self) -> tuple[str, ...]:
        """The CPU alone."""
        return ("cpu",)

    def default_dtypes(self, *, device: str | None = None) -> dict[str, np.dtype[Any]]:
        """NumPy's."""
        return {"real floating": np.dtype(np.float64), "complex floating": np.dtype(np.complex128),
                "integral": np.dtype(np.int64), "indexing": np.dtype(np.int64)}

    def dtypes(self, *, device: str | None = None, kind: Any = None) -> dict[str, np.dtype[Any]]:
        """The standard's types by their names, or those of a kind."""
        names = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                 "float32", "float64", "complex64", "complex128")
        return {name: np.dtype(name) for name in names if kind is None or isdtype(np.dtype(name), kind)}


def __array_namespace_info__() -> ArrayNamespaceInfo:
    """What the array API standard asks of a namespace.

    >>> sorted(weft.__array_namespace_info__().dtypes(kind="complex floating"))
    ['complex128', 'complex64']
    """
    return ArrayNamespaceInfo()
