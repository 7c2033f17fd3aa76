#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Carries out docs/python-tour.md and writes what it prints and draws: its outputs and docs/pictures/tour-*.

Usage: python_tour.py [--check]. With --check nothing is written; what differs is named, and the exit status is 1.
"""

import contextlib
import doctest
import io
import re
import struct
import sys
import zlib
from pathlib import Path

import numpy as np

PAGE = Path(__file__).resolve().parents[1] / "docs" / "python-tour.md"
PICTURES = PAGE.parent / "pictures"
BLOCK = re.compile(r"(?<=^```python\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png(pixels):
    """The bytes of a picture: uint8 [rows, columns, 3]."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows, columns, _ = pixels.shape
    lines = np.zeros((rows, 1 + 3 * columns), np.uint8)  # each begins with its filter: none
    lines[:, 1:] = pixels.reshape(rows, -1)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    return (SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines.tobytes(), 9))
            + chunk(b"IEND", b""))


def pixels_of(data):
    """What png() was given, whichever zlib wrote it."""
    columns, rows = struct.unpack(">II", data[16:24])
    length, = struct.unpack(">I", data[33:37])
    lines = np.frombuffer(zlib.decompress(data[41:41 + length]), np.uint8).reshape(rows, -1)
    return lines[:, 1:].reshape(rows, columns, 3)


def drawn(value, zoom):
    """What a notebook would show: the text of an SVG, or pixels, each drawn as a square."""
    if hasattr(value, "_repr_svg_") and not hasattr(value, "shape"):
        return value._repr_svg_()
    pixels = np.asarray(value)
    assert pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3, pixels.shape
    return pixels.repeat(zoom, 0).repeat(zoom, 1)


def carried_out(text):
    """The page with what its examples print now, and what they draw, by the name of the file."""
    pictures = {}

    def show(name, value, zoom=1):
        made = drawn(value, zoom)
        pictures[f"tour-{name}.{'svg' if isinstance(made, str) else 'png'}"] = made

    names = {"show": show}

    def outputs(block):
        made = []
        for piece in doctest.DocTestParser().parse(block.group()):
            if not isinstance(piece, doctest.Example):
                made.append(piece)
                continue
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(piece.source, str(PAGE), "single"), names)
            first, *others = piece.source.splitlines()
            made.append("\n".join([f">>> {first}", *(f"... {line}".rstrip() for line in others)]) + "\n"
                        + printed.getvalue())
        return "".join(made)

    return BLOCK.sub(outputs, text), pictures


def is_there(path, made):
    if not path.exists():
        return False
    if isinstance(made, str):
        return path.read_text() == made
    return np.array_equal(pixels_of(path.read_bytes()), made)


def main(check):
    text = PAGE.read_text()
    made, pictures = carried_out(text)
    shown = set(re.findall(r"\(pictures/(tour-[^)]*)\)", text))
    wrong = [] if made == text else [PAGE.name]
    wrong += [f"{name}: drawn or shown, not both" for name in sorted(shown ^ set(pictures))]
    wrong += [name for name, picture in pictures.items() if not is_there(PICTURES / name, picture)]
    if check:
        print("\n".join(wrong) or "the page is what it makes")
        return 1 if wrong else 0
    PICTURES.mkdir(exist_ok=True)
    PAGE.write_text(made)
    for name, picture in pictures.items():
        if not is_there(PICTURES / name, picture):
            data = picture.encode() if isinstance(picture, str) else png(picture)
            (PICTURES / name).write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
