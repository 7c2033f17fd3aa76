#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the arrows between the rooms where they are linked: what the objects of a room refer to is in
rooms that it may use. Usage: check_links.py LIST, which has a line `ROOM OBJECT...` for each room."""

import subprocess
import sys
from pathlib import Path

from check_layers import ROOMS

DEFINED = "TDBR"  # code and data; what is weak is wherever it is needed


def symbols_of(objects):
    """What they define, and what they refer to."""
    listed = subprocess.run(["nm", "--demangle", *objects], capture_output=True, text=True, check=True)
    defined, used = set(), set()
    for line in listed.stdout.splitlines():
        kind, _, name = line[17:].partition(" ")
        if kind in DEFINED and kind:
            defined.add(name)
        elif kind == "U":
            used.add(name)
    return defined, used


def allowed(room, linked):
    """What the objects of a room may refer to: what it may use, and rooms in it that are linked with it."""
    within = [each for each in ROOMS
              if each == room or (each.startswith(room + "/") and each not in linked)]
    return {room}.union(*(ROOMS[each] for each in within))


def main():
    lines = [line.split() for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    symbols = {room: symbols_of(objects) for room, *objects in lines}
    homes = {name: room for room, (defined, _) in symbols.items() for name in defined}
    wrongs = [f"{room} may not use {homes[name]}: {name}"
              for room, (_, used) in symbols.items() for name in sorted(used)
              if name in homes and homes[name] not in allowed(room, symbols)]
    # Its library is not linked: it takes milliseconds to load (engine/kernels/instruction_set.h).
    wrongs += [f"{room} may not use Highway's library: {name}"
               for room, (_, used) in symbols.items() for name in sorted(used) if name.startswith("hwy::")]
    arrows = {(room, homes[name]) for room, (_, used) in symbols.items() for name in used
              if name in homes and homes[name] != room}
    print(*wrongs, f"{len(symbols)} rooms, {len(arrows)} arrows, {len(wrongs)} wrong", sep="\n")
    return 1 if wrongs or not arrows else 0


if __name__ == "__main__":
    sys.exit(main())
