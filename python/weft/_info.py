# SPDX-License-Identifier: Apache-2.0
"""What is known of types."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import DtypeError
from ._typing import DTypeLike, _error


def _dtype(given: Any) -> np.dtype[Any]:
    """The type of an array or tensor, or the type that is given itself."""
    return np.dtype(given if isinstance(given, type) else getattr(given, "dtype", given))


def finfo(type: DTypeLike, /) -> np.finfo[Any]:
    """Limits of a floating-point type.

    >>> weft.finfo(weft.float32).bits
    32
    """
    return np.finfo(_dtype(type))


def iinfo(type: DTypeLike, /) -> np.iinfo[Any]:
    """Limits of an integer type.

    >>> weft.iinfo(weft.int8).max
    127
    """
    return np.iinfo(_dtype(type))


def isdtype(dtype: DTypeLike, kind: Any) -> bool:
    """Whether a type is of a kind, as in the array API standard.

    >>> weft.isdtype(weft.int8, "signed integer")
    True
    """
    return bool(np.isdtype(np.dtype(dtype), kind)) if hasattr(np, "isdtype") else _isdtype(dtype, kind)


_KINDS = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu",
          "real floating": "f", "complex floating": "c", "numeric": "iufc"}


def _isdtype(dtype: DTypeLike, kind: Any) -> bool:
    if isinstance(kind, tuple):
        return any(_isdtype(dtype, each) for each in kind)
    if isinstance(kind, str) and kind in _KINDS:
        return np.dtype(dtype).kind in _KINDS[kind]
    return np.dtype(dtype) == np.dtype(kind)


def can_cast(from_: Any, to: DTypeLike, /) -> bool:
    """Whether elements keep their values as another type.

    >>> weft.can_cast(weft.int8, weft.int16)
    True
    """
    return bool(np.can_cast(_dtype(from_), np.dtype(to)))
