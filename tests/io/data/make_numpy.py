#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes numpy.txt: .npy files as NumPy writes them, and what it says is in them.

A line is: name, weft's type, shape, note, the file as hex, and its elements, row-major and little-endian,
as hex. Usage: make_numpy.py >numpy.txt"""

import io
import warnings

import ml_dtypes
import numpy as np

print("# SPDX-License-Identifier: Apache-2.0")
NAMES = {"bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8",
         "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16", "float32": "f32",
         "float64": "f64", "complex64": "c64", "complex128": "c128"}


def layout(dtype):
    """A struct in the words of weft's descriptions."""
    def form(field):
        if field.subdtype is not None:
            return (form(field.subdtype[0]), field.subdtype[1])
        return field.str if field.names is None else layout(field)
    fields = [dtype.fields[name] for name in dtype.names]
    told = {"names": list(dtype.names), "formats": [form(field[0]) for field in fields],
            "offsets": [field[1] for field in fields]}
    if any(len(field) > 2 for field in fields):
        told["titles"] = [field[2] if len(field) > 2 else None for field in fields]
    return told | {"itemsize": dtype.itemsize}


def name_of(dtype):
    if dtype.names is not None:
        return f"struct of {dtype.itemsize} bytes (numpy:{layout(dtype)!r})"
    if dtype.name in NAMES:
        return NAMES[dtype.name]
    if dtype.name in ("float128", "complex256", "longdouble", "clongdouble"):
        return f"struct of {dtype.itemsize} bytes (numpy.{dtype.name})"
    if dtype.kind == "V":
        return f"struct of {dtype.itemsize} bytes"
    return f"struct of {dtype.itemsize} bytes (numpy:{dtype.str!r})"


def npy(name, array, note="", dtype=None, version=None):
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the header is not of the oldest version
        np.lib.format.write_array(file, array, version=version)
    native = array if array.dtype.names else array.astype(array.dtype.newbyteorder("="))
    shape = " ".join(map(str, array.shape)) or "scalar"
    print(name, dtype or name_of(native.dtype), shape, note or "-", file.getvalue().hex(),
          native.tobytes().hex() or "-", sep="\t")


def values(dtype, *shape):
    dtype = np.dtype(dtype)
    bits = np.random.default_rng(17).integers(0, 256, int(np.prod(shape)) * dtype.itemsize, np.uint8)
    if dtype.kind == "b":
        bits &= 1
    return bits.view(dtype).reshape(shape)


for code in ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"):
    npy(f"{code}", values(code, 2, 3))
    if code[1:] != "1":
        npy(f"{code}_big", values(">" + code, 2, 3), "big-endian")
npy("fortran", np.asfortranarray(values("i2", 3, 4, 5)), "Fortran order")
npy("fortran_big", np.asfortranarray(values(">c8", 3, 4)), "Fortran order, big-endian")
npy("scalar", values("f4", 1).reshape(()))
npy("empty", values("f4", 0, 3))
npy("version2", values("u1", 4), version=(2, 0))
npy("version3", values("u1", 4), version=(3, 0))
npy("bytes", values("V12", 3))
npy("text", np.array(["abc", "äöü\U0001f600"]))
npy("text_big", np.array(["abc", "äöü\U0001f600"]).astype(">U4"), "big-endian")
npy("string", np.array([b"abc", b"de"]))
npy("date", np.array(["2026-11-23", "1969-01-01"], "M8[D]"))
npy("seconds", np.array([1, -1], ">m8[25s]"), "big-endian")
npy("longdouble", np.zeros(2, np.longdouble))
npy("clongdouble", np.zeros(2, np.clongdouble))
npy("bfloat16", np.arange(6).astype(ml_dtypes.bfloat16), dtype="struct of 2 bytes")
npy("struct", values([("a", "<f4"), ("b", ">i2", (2, 3))], 3))
npy("padded", values({"names": ["a", "b"], "formats": ["u1", "<f8"], "offsets": [0, 8],
                          "itemsize": 24}, 2))
npy("nested", values([("s", [("x", "u1"), ("y", "<U3")], (2,)), (("title", "é'"), "<i4")], 2, 2))
npy("unicode", values([("日本", "<i4"), ("b", "M8[ns]")], 2))
