#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes pictures.txt: PNG files put together by hand and by Pillow, JPEG files of Pillow, and their pixels.

A line is: name, weft's type, shape, note, the file as hex, and the pixels, little-endian, as hex: of PNG those
that were written, of JPEG those that were compressed, which decoding gives back nearly. Usage: make_pictures.py
>pictures.txt"""

import io
import struct
import zlib

import numpy as np
from PIL import Image

random = np.random.default_rng(19)
print("# SPDX-License-Identifier: Apache-2.0")


def line(name, data, pixels, note="-"):
    name_of = {"uint8": "u8", "uint16": "u16"}[pixels.dtype.name]
    print(name, name_of, " ".join(map(str, pixels.shape)), note, data.hex(), pixels.tobytes().hex(), sep="\t")


def png(width, height, depth, colour, rows, chunks=(), parts=1):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    packed = zlib.compress(b"".join(b"\0" + row for row in rows))
    size = -(-len(packed) // parts)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
            + b"".join(chunk(kind, data) for kind, data in chunks)
            + b"".join(chunk(b"IDAT", packed[k:k + size]) for k in range(0, len(packed), size))
            + chunk(b"IEND", b""))


for name, channels, colour in (("grey", 1, 0), ("grey_alpha", 2, 4), ("rgb", 3, 2), ("rgba", 4, 6)):
    pixels = random.integers(0, 256, (3, 5, channels), np.uint8)
    line(f"{name}.png", png(5, 3, 8, colour, [row.tobytes() for row in pixels], parts=3), pixels)
    wide = random.integers(0, 65536, (3, 5, channels), np.uint16)
    line(f"{name}_16.png", png(5, 3, 16, colour, [row.astype(">u2").tobytes() for row in wide]), wide)
for depth in (1, 2, 4):
    values = random.integers(0, 2**depth, (3, 5), np.uint8)
    bits = [np.unpackbits(row[:, None], axis=1)[:, 8 - depth:].ravel() for row in values]
    rows = [np.packbits(row).tobytes() for row in bits]
    line(f"grey_{depth}.png", png(5, 3, depth, 0, rows), (values * (255 // (2**depth - 1)))[:, :, None])
    palette = random.integers(0, 256, (2**depth, 3), np.uint8)
    line(f"palette_{depth}.png", png(5, 3, depth, 3, rows, [(b"PLTE", palette.tobytes())]), palette[values])
    alpha = random.integers(0, 256, (2**depth - 1, 1), np.uint8)
    full = np.concatenate([palette, np.concatenate([alpha, [[255]]]).astype(np.uint8)], axis=1)
    line(f"palette_alpha_{depth}.png",
         png(5, 3, depth, 3, rows, [(b"PLTE", palette.tobytes()), (b"tRNS", alpha.tobytes())]), full[values])
pixels = random.integers(0, 256, (3, 5, 3), np.uint8)
clear = pixels[1, 2].astype(">u2")
line("clear_colour.png", png(5, 3, 8, 2, [row.tobytes() for row in pixels], [(b"tRNS", clear.tobytes())]),
     np.concatenate([pixels, np.where((pixels == pixels[1, 2]).all(2, keepdims=True), 0, 255).astype(np.uint8)], 2))

y, x = np.mgrid[0:20, 0:28]
smooth = np.stack([4 * y + 3 * x, 200 - 5 * y, 2 * x + 50], axis=2).astype(np.uint8)
for name, picture, options in (("rgb", smooth, {}), ("grey", smooth[:, :, 0], {}),
                               ("progressive", smooth, {"progressive": True})):
    out = io.BytesIO()
    Image.fromarray(picture).save(out, "JPEG", quality=100, subsampling=0, **options)
    line(f"{name}.jpg", out.getvalue(), picture.reshape(20, 28, -1))
for orientation in range(2, 9):
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010E] = "words"
    Image.fromarray(smooth).save(out, "JPEG", quality=100, subsampling=0, exif=exif)
    line(f"turned_{orientation}.jpg", out.getvalue(), smooth, f"EXIF orientation {orientation}")
