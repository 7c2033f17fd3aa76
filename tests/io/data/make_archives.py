#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes archives.txt: .npz files as NumPy and Python's zipfile write them, safetensors as their own library
does, and what those say is in them.

A line is: name, weft's type, shape, note, the file as hex, and the elements, row-major and little-endian, as
hex; the name is that of the file, a colon and that of the member, and "=" is the file before. Usage: make_archives.py >archives.txt"""

import io
import json
import struct
import zipfile

import ml_dtypes
import numpy as np
import safetensors.numpy

NAMES = {"bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8",
         "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16", "float32": "f32",
         "float64": "f64", "complex64": "c64", "bfloat16": "bf16",
         "float8_e4m3fn": "struct of 1 bytes (ml_dtypes.float8_e4m3fn)",
         "float8_e5m2": "struct of 1 bytes (ml_dtypes.float8_e5m2)"}


last = None


def line(file, member, array, note, data):
    global last
    told = "=" if data == last else data.hex()
    last = data
    shape = " ".join(map(str, array.shape)) or "scalar"
    print(f"{file}:{member}", NAMES[array.dtype.newbyteorder("=").name], shape, note or "-", told,
          array.astype(array.dtype.newbyteorder("=")).tobytes().hex() or "-", sep="\t")


def values(dtype, *shape):
    dtype = np.dtype(dtype)
    bits = np.random.default_rng(18).integers(0, 256, int(np.prod(shape)) * dtype.itemsize, np.uint8)
    return bits.view(dtype).reshape(shape)


print("# SPDX-License-Identifier: Apache-2.0")
arrays = {"a": values("f4", 3, 5), "b/ä": np.asfortranarray(values("i2", 3, 4)), "c": values(">c8", 2)}
notes = {"a": "", "b/ä": "Fortran order", "c": "big-endian"}
for file, save in (("savez", np.savez), ("savez_compressed", np.savez_compressed)):
    out = io.BytesIO()
    save(out, **arrays)
    for name, array in arrays.items():
        note = notes[name]
        if file == "savez_compressed":
            note = f"{note}, compressed" if note else "compressed"
        line(file, name, array, note, out.getvalue())


class Pipe(io.RawIOBase):
    """What cannot go back, so that sizes follow the bytes."""

    def __init__(self):
        self.bytes = b""

    def writable(self):
        return True

    def write(self, more):
        self.bytes += bytes(more)
        return len(more)


pipe = Pipe()
with zipfile.ZipFile(pipe, "w", zipfile.ZIP_STORED) as archive:
    with archive.open("x.npy", "w", force_zip64=True) as member:
        np.lib.format.write_array(member, arrays["a"])
    archive.comment = b"a comment"
line("streamed", "x", arrays["a"], "", pipe.bytes)

types = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", ml_dtypes.bfloat16,
         ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]
names = {"bool": "BOOL", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64", "u1": "U8", "u2": "U16", "u4": "U32",
         "u8": "U64", "f2": "F16", "f4": "F32", "f8": "F64", "c8": "C64", ml_dtypes.bfloat16: "BF16",
         ml_dtypes.float8_e4m3fn: "F8_E4M3", ml_dtypes.float8_e5m2: "F8_E5M2"}
tensors = {names[t]: values(t, 2, 3) & True if t == "bool" else values(t, 2, 3) for t in types}
tensors["empty"] = np.zeros((0, 4), "f4")
tensors["scalar"] = values("f4", 1).reshape(())
library = {k: v for k, v in tensors.items() if not k.startswith(("F8", "C64"))}
data = safetensors.numpy.save(library, metadata={"format": "pt"})
for name, array in library.items():
    line("library", name, array, "", data)
# By hand what the library's NumPy half does not take.
header, body = {}, b""
for name, array in tensors.items():
    header[name] = {"dtype": names.get(array.dtype.type, names.get(array.dtype.str[1:], "F32")),
                    "shape": list(array.shape), "data_offsets": [len(body), len(body) + array.nbytes]}
    if name in names.values():
        header[name]["dtype"] = name
    body += array.tobytes()
text = json.dumps(header).encode()
for name, array in tensors.items():
    line("by hand", name, array, "", struct.pack("<Q", len(text)) + text + body)
