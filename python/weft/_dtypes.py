# SPDX-License-Identifier: Apache-2.0
"""numpy.dtype and weft's element types: names both know, and descriptions of all others."""

from __future__ import annotations

import ast
import functools
from typing import Any

import numpy as np

from . import _errors

DType = np.dtype[Any]

_NAMES = {
    "bool": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "c64": "complex64",
    "c128": "complex128",
}
_FROM_NUMPY = {numpy_name: name for name, numpy_name in _NAMES.items()}


def _refuse(what: str) -> _errors.DtypeError:
    error = _errors.DtypeError(what)
    error.category = "dtype_mismatch"
    return error


def _ml_dtypes() -> Any:
    try:
        import ml_dtypes
    except ImportError:
        raise _refuse("the type needs the package ml_dtypes, which is not installed") from None
    return ml_dtypes


def tell(given: Any) -> tuple[str, int, str]:
    """Name, size and description of what numpy.dtype makes of `given`."""
    if given == "bfloat16" or str(given) == "torch.bfloat16":
        return "bf16", 2, ""
    try:
        dtype: DType = np.dtype(given)
    except (TypeError, ValueError, SyntaxError) as error:
        raise _refuse(_cut(str(error))) from None
    return _tell(dtype)


@functools.lru_cache(maxsize=1024)
def _tell(dtype: DType) -> tuple[str, int, str]:
    if dtype.hasobject:
        raise _refuse(
            f"the elements are Python objects ({dtype}), expected numbers, bools, dates, strings "
            "of fixed width or structs"
        )
    known = _FROM_NUMPY.get(dtype.name)
    if known is not None and dtype.isnative:
        return known, dtype.itemsize, ""
    if dtype.name == "bfloat16":
        return "bf16", 2, ""
    if dtype.itemsize == 0:
        raise _refuse(f"elements of {dtype} have 0 bytes, expected 1 or more")
    if dtype.name in ("longdouble", "float128", "clongdouble", "complex256"):
        return "", dtype.itemsize, f"numpy.{dtype.name}"
    if dtype.type.__module__ == "ml_dtypes":
        return "", dtype.itemsize, f"ml_dtypes.{dtype.name}"
    if dtype.names is not None:
        return "", dtype.itemsize, f"numpy:{_layout(dtype)!r}"
    return "", dtype.itemsize, f"numpy:{dtype.str!r}"


def _layout(dtype: DType) -> dict[str, Any]:
    """A struct as what numpy.dtype takes, offsets and all."""
    fields = dtype.fields
    assert fields is not None and dtype.names is not None
    layout = {
        "names": list(dtype.names),
        "formats": [_format(fields[name][0]) for name in dtype.names],
        "offsets": [fields[name][1] for name in dtype.names],
        "itemsize": dtype.itemsize,
    }
    titles = [fields[name][2] if len(fields[name]) > 2 else None for name in dtype.names]
    if all(isinstance(title, str) for title in titles):
        layout["titles"] = titles
    return layout


def _format(dtype: DType) -> Any:
    if dtype.subdtype is not None:
        return (_format(dtype.subdtype[0]), dtype.subdtype[1])
    return dtype.str if dtype.names is None else _layout(dtype)


def _cut(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "..."


@functools.lru_cache(maxsize=1024)
def numpy_dtype(name: str, size: int, description: str) -> DType:
    """The numpy.dtype of one of weft's types; a description may come from anywhere."""
    try:
        dtype = _described(name, size, description)
    except (AttributeError, MemoryError, RecursionError, SyntaxError, TypeError, ValueError):
        raise _refuse(f"{_cut(description)!r} describes no type") from None
    if dtype.itemsize != size or dtype.hasobject or dtype.subdtype is not None:
        raise _refuse(f"{_cut(description)!r} describes no type of elements of {size} bytes")
    return dtype


def _described(name: str, size: int, description: str) -> DType:
    known = _NAMES.get(name)
    if known is not None:
        return np.dtype(known)
    if name == "bf16":
        return np.dtype(_ml_dtypes().bfloat16)
    if description.startswith("ml_dtypes."):
        return np.dtype(getattr(_ml_dtypes(), description.removeprefix("ml_dtypes.")))
    if description.startswith("numpy."):
        return np.dtype(description.removeprefix("numpy."))
    if description.startswith("numpy:"):
        return np.dtype(ast.literal_eval(description.removeprefix("numpy:")))
    return np.dtype((np.void, size))


def type_of(given: Any) -> DType:
    """The type of an array or tensor, or the type that is given itself."""
    return numpy_dtype(*tell(given if isinstance(given, type) else getattr(given, "dtype", given)))


def limits_of_bfloat16() -> Any:
    return _ml_dtypes().finfo("bfloat16")
