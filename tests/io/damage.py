# SPDX-License-Identifier: Apache-2.0
"""Files that nobody should load: for each format what is told of it wrongly, and files cut short anywhere."""

import json
import random
import struct
import zlib
from pathlib import Path

DATA = Path(__file__).parent / "data"


def told(name):
    """Files of tests/io/data by name."""
    files, last = {}, b""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            words = line.split("\t")
            last = last if words[4] == "=" else bytes.fromhex(words[4])
            files[words[0]] = last
    return files


def npy(text, data=64, version=1, length=None):
    text = text.encode("utf-8", "surrogateescape")
    length = len(text) if length is None else length
    size = struct.pack("<H" if version == 1 else "<I", length)
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + bytes(data)


def array(descr="'<i4'", order="False", shape="(16,)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}}}"


def damaged_npy():
    for shape in ("(-1,)", "(17,)", "(9223372036854775807,)", "(9223372036854775808,)", "(4611686018427387904, 4)",
                  "(-9223372036854775808,)", "(65536, 65536, 65536, 65536)", "(2, -8)", "[16]", "16", "(16.0,)", "('16',)",
                  "(True,)", "(None,)", "((16,),)", "(16", "16,)", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,16)",
                  "{}"):
        yield npy(array(shape=shape))
    for descr in ("'|O'", "'O8'", "'<i3'", "'<f5'", "'<i'", "''", "'<'", "'<i99999999999999999999'", "'|V0'", "'|S0'",
                  "'<U0'", "'<U2147483648'", "'|V4294967296'", "'<M8[D'", "'<M4'", "'<c4'", "'<x4'", "7", "None", "[]",
                  "[('a',)]", "[('a', '|O')]", "[('a', '<i4'), ('a', '<i4')]", "[('a', '<i4', (-1,))]",
                  "[('a', '<i4', (65536, 65536))]", "[('a', '<i4', 'x')]", "[7]", "('<i4', (4,))", "{'names': ['a']}",
                  "{'names': ['a'], 'formats': ['<i4'], 'offsets': [8], 'itemsize': 4}",
                  "{'names': ['a'], 'formats': [], 'offsets': [0], 'itemsize': 4}", "[" * 5000, "'<i4\\x'", "'\\ud800'"):
        yield npy(array(descr=descr))
    for order in ("0", "1", "'False'", "None", "false"):
        yield npy(array(order=order))
    good = array()
    yield from (npy(good, length=65535), npy(good, version=2, length=2**32 - 1), npy(good, version=3, length=65537),
                npy(good, version=4), npy(good, version=0), npy(good, length=3), npy(good, data=63), npy(good, data=0),
                npy(good + good), npy(good + ";"), npy(good[:-1]), npy("{}"), npy("{'descr': '<i4', 'shape': (16,)}"),
                npy(good[:-1] + ", 'more': 1}"), npy(good[:-1] + ", 'shape': (16,)}"), npy(""), npy("\0" * 100),
                npy(array(descr="[('\udcff', '<i4')]"), version=3), b"\x93NUMPZ" + npy(good)[6:], npy(good)[1:], b"",
                b"\x93NUMPY", b"\x93NUMPY\1", b"\0" * 200)


def tensors(header, data=8, length=None):
    text = header if isinstance(header, bytes) else (header if isinstance(header, str) else json.dumps(header)).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + bytes(data)


def damaged_safetensors():
    good = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
    for changes in ({"dtype": "F4"}, {"dtype": ""}, {"dtype": 7}, {"dtype": None}, {"dtype": ["F32"]}, {"shape": [3]},
                    {"shape": [-2]}, {"shape": [2.0]}, {"shape": "2"}, {"shape": {}}, {"shape": [[2]]},
                    {"shape": [2**63]}, {"shape": [2**64]}, {"shape": [2**62, 4]}, {"shape": [1] * 17},
                    {"shape": [2**32, 2**32, 2**32]}, {"shape": [0, 2**63 - 1, 2**63 - 1]}, {"shape": None},
                    {"data_offsets": [0]}, {"data_offsets": []}, {"data_offsets": [0, 8, 8]}, {"data_offsets": [8, 0]},
                    {"data_offsets": [1, 9]}, {"data_offsets": [0, 2**64 - 1]}, {"data_offsets": [2**64 - 8, 2**64]},
                    {"data_offsets": [2**64 - 8, 0]}, {"data_offsets": [-8, 0]}, {"data_offsets": [0.0, 8.0]},
                    {"data_offsets": {"0": 8}}, {"data_offsets": [0, 7]}, {"data_offsets": [0, 9]}, {"more": 1}):
        yield tensors({"x": good | changes})
    for missing in good:
        yield tensors({"x": {k: v for k, v in good.items() if k != missing}})
    one = json.dumps(good)
    yield from (tensors({"x": good, "y": good}), tensors(f'{{"x":{one},"x":{one}}}'),
                tensors({"x": good, "y": good | {"data_offsets": [4, 12]}}, 12),
                tensors({"x": good, "y": good | {"data_offsets": [16, 24]}}, 24), tensors({"x": good}, 9),
                tensors({"x": good}, 7), tensors({"x": good}, 0), tensors({"x": good | {"data_offsets": [8, 16]}}, 16),
                tensors({"x": 7}), tensors({"x": []}), tensors({"x": {"y": good}}), tensors([good]), tensors("7", 0),
                tensors("", 0), tensors("{", 0), tensors("}", 0), tensors("null", 0), tensors('{"x":' * 100000, 0),
                tensors('{"x":' + "[" * 100000, 0), tensors('{"__metadata__":{"a":1}}', 0), tensors('{"__metadata__":[]}', 0),
                tensors('{"__metadata__":{},"__metadata__":{}}', 0), tensors(b'{"\xff":1}', 0),
                tensors({"x": good}, length=2**64 - 1), tensors({"x": good}, length=100_000_001),
                tensors({"x": good}, length=10**8), tensors({"x": good}, length=2**63), tensors({"x": good}, length=0),
                tensors({"x": good}, length=5), tensors(" " + json.dumps({"x": good})),
                tensors(json.dumps({"x": good}) + "x"), b"", b"\0" * 7, b"\0" * 8)


def damaged_npz():
    good = told("archives.txt")
    plain, packed = good["savez:a"], good["savez_compressed:a"]

    def put(data, at, value, form="<H"):
        return data[:at] + struct.pack(form, value) + data[at + struct.calcsize(form):]

    for data in (plain, packed):
        end = data.rindex(b"PK\5\6")
        entry = data.index(b"PK\1\2")
        local = data.index(b"PK\3\4")
        for at, value, form in ((end + 10, 4, "<H"), (end + 10, 65535, "<H"), (end + 12, 2**31, "<I"), (end + 16, 0, "<I"),
                                (end + 16, 2**32 - 1, "<I"), (end + 16, end, "<I"), (end + 20, 5, "<H"), (end, 0, "<I"),
                                (entry, 0, "<I"), (entry + 8, 1, "<H"), (entry + 10, 99, "<H"), (entry + 10, 12, "<H"),
                                (entry + 20, 2**32 - 2, "<I"), (entry + 20, 2**32 - 1, "<I"), (entry + 24, 2**32 - 2, "<I"),
                                (entry + 24, 2**32 - 1, "<I"), (entry + 24, 0, "<I"), (entry + 20, 0, "<I"),
                                (entry + 28, 65535, "<H"), (entry + 30, 65535, "<H"), (entry + 42, 1, "<I"),
                                (entry + 42, end, "<I"), (entry + 42, 2**32 - 1, "<I"), (local, 0, "<I"),
                                (local + 26, 65535, "<H"), (local + 28, 65535, "<H"), (local + 30, 0, "<H")):
            yield put(data, at, value, form)
        second = data.index(b"PK\1\2", entry + 4)
        yield put(data, second + 42, 0, "<I")  # the member of another entry
    # A zip64 end that is said to be where it is not, or is the one that says so.
    for at in (0, 2**64 - 1, 2**63, len(plain) - 22, len(plain) - 2):
        end = plain.rindex(b"PK\5\6")
        yield plain[:end] + struct.pack("<IIQI", 0x07064b50, 0, at, 1) + plain[end:]
    end = packed.rindex(b"PK\5\6")
    entry = packed.index(b"PK\1\2")
    yield put(packed, entry + 16, 12345, "<I")  # checksums
    data = packed.index(b"a.npy") + 5 + 20
    for k in range(4):
        yield packed[:data + 10 * k] + b"\xff\xff\xff" + packed[data + 10 * k + 3:]
    yield plain[4:]
    yield b"PK\5\6" + bytes(17)
    yield b""


def damaged_png():
    good = told("pictures.txt")["rgb.png"]

    def chunk(kind, data, crc=0):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) ^ crc)

    def png(header=(5, 3, 8, 2, 0, 0, 0), rows=3, more=b"", idat=None, end=True):
        packed = zlib.compress(bytes(16) * rows) if idat is None else idat
        return (good[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", *header)) + more
                + (chunk(b"IDAT", packed) if packed else b"") + (chunk(b"IEND", b"") if end else b""))

    for header in ((0, 3, 8, 2, 0, 0, 0), (5, 0, 8, 2, 0, 0, 0), (2**31 - 1, 3, 8, 2, 0, 0, 0),
                   (5, 2**31 - 1, 8, 2, 0, 0, 0), (2**31 - 1, 2**31 - 1, 16, 6, 0, 0, 0), (999999, 999999, 16, 6, 0, 0, 0),
                   (2**32 - 1, 3, 8, 2, 0, 0, 0), (5, 3, 3, 2, 0, 0, 0), (5, 3, 0, 2, 0, 0, 0), (5, 3, 32, 2, 0, 0, 0),
                   (5, 3, 4, 2, 0, 0, 0), (5, 3, 8, 1, 0, 0, 0), (5, 3, 8, 5, 0, 0, 0), (5, 3, 8, 7, 0, 0, 0),
                   (5, 3, 16, 3, 0, 0, 0), (5, 3, 8, 2, 1, 0, 0), (5, 3, 8, 2, 0, 0, 2), (5, 3, 8, 3, 0, 0, 0),
                   (5, 4, 8, 2, 0, 0, 0), (6, 3, 8, 2, 0, 0, 0), (20000, 20000, 8, 2, 0, 0, 0)):
        yield png(header)
    yield from (png(rows=2), png(rows=0), png(idat=b""), png(idat=b"\0" * 20), png(idat=zlib.compress(bytes(48))[:-9]),
                png(more=chunk(b"ABCD", b"")), png(more=chunk(b"IHDR", bytes(13))), good[1:], good[:8] + good[16:], b"", good[:8],
                png(idat=zlib.compress(bytes([9]) * 48)), png(end=False, idat=b""))
    for at in (8, 12, 16, 29, 33, 37):
        yield good[:at] + b"\xff\xff\xff\xff" + good[at + 4:]
    yield good[:8] + chunk(b"IHDR", good[16:29], crc=1) + good[33:]


def damaged_jpeg():
    files = told("pictures.txt")
    good = files["rgb.jpg"]
    frame, scan = good.index(b"\xff\xc0"), good.index(b"\xff\xda")
    tables = good.index(b"\xff\xc4")

    def put(at, data):
        return good[:at] + data + good[at + len(data):]

    yield from (put(frame + 5, b"\0\0"), put(frame + 7, b"\0\0"), put(frame + 5, b"\xff\xff\xff\xff"),
                put(frame + 5, b"\xff\xdc\xff\xdc"), put(frame + 4, b"\x0c"), put(frame + 4, b"\0"), put(frame + 9, b"\0"),
                put(frame + 9, b"\xff"), put(frame + 9, b"\2"), put(frame + 11, b"\0"), put(frame + 11, b"\xff"),
                put(frame + 12, b"\7"), put(frame + 2, b"\0\0"), put(frame + 2, b"\xff\xff"), put(frame + 1, b"\xc3"),
                put(frame + 1, b"\xcb"), put(frame + 1, b"\xd8"), put(frame + 1, b"\xd9"), put(frame + 1, b"\xda"),
                put(tables + 5, b"\xff" * 16), put(tables + 4, b"\x55"), put(tables + 2, b"\0\3"),
                put(scan + 4, b"\0"), put(scan + 4, b"\5"), put(scan + 5, b"\x77"), put(scan + 6, b"\x33"), put(0, b"\0"),
                good[:frame] + good[scan:], good[:scan] + b"\xff\xd9", good[:2] + good[scan:], good[:tables] + good[frame:],
                good[:2] + b"\xff\xd9", good[:3], b"", good[4:])
    middle = (scan + 14 + len(good)) // 2
    yield from (good[:k] + b"\xff\xd9" for k in range(scan + 15, middle, 7))


def damaged_raw():
    """Of elements of 4 bytes."""
    yield from (bytes(n) for n in range(1, 400) if n % 4)


WHOLE = {"npy": lambda: told("numpy.txt").values(), "safetensors": lambda: [told("archives.txt")["library:BOOL"]],
         "npz": lambda: [told("archives.txt")[name] for name in ("savez:a", "savez_compressed:a", "streamed:x")],
         "png": lambda: [told("pictures.txt")[name] for name in ("rgb.png", "palette_2.png", "grey_16.png")],
         "jpeg": lambda: [told("pictures.txt")[name] for name in ("rgb.jpg", "grey.jpg", "progressive.jpg")]}
CRAFTED = {"npy": damaged_npy, "safetensors": damaged_safetensors, "npz": damaged_npz, "png": damaged_png,
           "jpeg": damaged_jpeg, "raw": damaged_raw}


def damaged_files(kind, count, seed):
    """At least `count` files that are refused: the crafted ones, and whole ones cut short."""
    files = list(CRAFTED[kind]())
    chance = random.Random(f"{kind} {seed}")
    whole = [file for file in WHOLE[kind]() if len(file) > 60] if kind in WHOLE else []
    while len(files) < count:
        file = chance.choice(whole)
        # A JPEG without its last bytes may still have all of its pixels.
        last = len(file) - (40 if kind == "jpeg" else 1)
        files.append(file[:chance.randrange(last)])
    return files


def changed_files(kind, count, seed):
    """Whole files with some bits turned, which may still be whole."""
    chance = random.Random(f"{kind} {seed} bits")
    for _ in range(count if kind in WHOLE else 0):
        file = bytearray(chance.choice(list(WHOLE[kind]())))
        for _ in range(chance.randrange(1, 9)):
            file[chance.randrange(len(file))] ^= 1 << chance.randrange(8)
        yield bytes(file)
