#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the arrows between the rooms: which folder may include what. Usage: check_layers.py ROOT"""

import re
import sys
from pathlib import Path

# Each room, and what it may use besides itself and the standard library: rooms, in which theirs are
# contained, and libraries. The longest name that a file begins with is its room.
ROOMS = {
    "graph/value": {"fmt"},
    "graph/map": {"graph/value", "fmt"},
    "graph": {"graph/value", "graph/map", "fmt"},
    "graph/plan": {"graph", "graph/value", "graph/map", "fmt"},
    "ops": {"graph", "graph/value", "graph/map", "fmt"},
    "ops/elementwise": {"graph", "graph/value", "graph/map", "ops", "engine/kernels", "Highway", "fmt"},
    "ops/reduce": {"graph", "graph/value", "graph/map", "ops", "ops/elementwise", "engine/kernels", "Highway", "fmt"},
    "engine/kernels": {"graph/value", "Highway", "system"},
    "engine/kernels/product": {"graph/value", "engine/kernels", "Eigen"},
    "ops/product": {"graph", "graph/value", "graph/map", "ops", "ops/elementwise", "ops/reduce", "fmt"},
    "engine/memory": {"graph", "graph/value", "fmt", "system"},
    "engine/run": {"graph", "graph/value", "graph/map", "graph/plan", "engine/kernels", "engine/memory",
                   "fmt", "system"},
    "engine/view": {"graph", "graph/value", "graph/map", "graph/plan", "ops", "engine/memory",
                    "engine/run", "fmt"},
    "engine/program": {"graph", "graph/value", "graph/map", "graph/plan", "engine/memory", "engine/run",
                       "engine/view", "fmt"},
    "io": {"graph", "graph/value", "ops", "ops.h", "engine/memory", "engine/program", "engine/run",
           "engine/view", "fmt", "nlohmann", "system"},
    "cli": {"graph", "graph/value", "ops", "ops/elementwise", "ops/reduce", "engine/memory", "engine/run", "engine/view",
            "engine/program", "io", "fmt", "CLI11", "nlohmann", "system"},
    "testing": {"graph", "graph/value", "graph/map", "graph/plan", "engine/run", "weft.h", "fmt"},
    "op.h": {"graph", "graph/value", "graph/map"},
    "elementwise_op.h": {"graph", "graph/value", "ops/elementwise", "engine/kernels"},
    "weft.h": {"graph", "graph/value", "ops", "ops.h", "engine/memory", "engine/run", "engine/program",
               "engine/view", "fmt"},
    "eigen.h": {"graph", "graph/value", "engine/memory", "weft.h", "fmt", "Eigen"},
    "ops.h": {"ops"},
}
# Files of a room that may use more.
MORE = {"engine/run/workers.cpp": {"TBB"}, "ops/indexing/place_reader.cpp": {"engine/kernels"}}
# Headers that weft.h must not reach by any way: they cost every user seconds to compile.
SLOW = "unsupported/Eigen/"

LIBRARIES = {"fmt": "fmt", "Eigen": "Eigen", "unsupported": "Eigen", "tbb": "TBB", "oneapi": "TBB",
             "hwy": "Highway", "nlohmann": "nlohmann", "CLI": "CLI11"}
SYSTEM = re.compile(r"(sys|linux|mach)/|\w+\.h$")  # <sys/mman.h>, <unistd.h>, <immintrin.h>
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^">]+)[">]')


def room_of(name):
    """The room of a file, or None."""
    rooms = [room for room in ROOMS if name == room or name.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def target_of(header):
    """The room or library that an included <header> belongs to."""
    first, slash, rest = header.partition("/")
    if first == "weft":
        return room_of(rest)
    if slash and first in LIBRARIES:
        return LIBRARIES[first]
    if SYSTEM.match(header):
        return "system"
    return "std" if not slash else first


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, *found.groups()


def check_file(root, path):
    name = path.relative_to(root).as_posix()
    room = room_of(name)
    allowed = {room, "std"} | ROOMS[room] | MORE.get(name, set())
    for number, quote, header in includes(path):
        if quote == '"':
            yield f'{name}:{number}: spell "{header}" as <weft/...>'
        elif target_of(header) is None:
            yield f"{name}:{number}: there is no <{header}>"
        elif target_of(header) not in allowed:
            yield f"{name}:{number}: {room} may not include <{header}>"
        elif header.startswith("weft/") and header != "weft/ops.h":
            if not (root / header[len("weft/"):]).is_file():
                yield f"{name}:{number}: there is no <{header}>"


def check_slow(root):
    """Follows weft.h through the project's own headers."""
    reached, todo = set(), ["weft.h", *(p.relative_to(root).as_posix() for p in root.rglob("ops/**/*.h"))]
    while todo:
        name = todo.pop()
        if name in reached or not (root / name).is_file():
            continue
        reached.add(name)
        for number, _, header in includes(root / name):
            if header.startswith(SLOW):
                yield f"{name}:{number}: weft.h reaches <{header}>"
            todo.append(header.removeprefix("weft/"))


def check(root):
    files = {p for room in ROOMS for p in [root / room, *(root / room).rglob("*")]
             if p.is_file() and p.suffix in (".h", ".cpp")}
    wrongs = [wrong for path in sorted(files) for wrong in check_file(root, path)]
    return len(files), wrongs + list(check_slow(root))


def main():
    count, wrongs = check(Path(sys.argv[1]).resolve())
    print(*wrongs, f"{count} files, {len(wrongs)} wrong includes", sep="\n")
    return 1 if wrongs or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
