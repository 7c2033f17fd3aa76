#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what can be counted of the library's tree: files, lines, the longest functions, the headers that
weft.h brings. Usage: measure_tree.py [ROOT]. docs/decisions tell what it said when."""

import re
import statistics
import sys
from pathlib import Path

FOLDERS = ("graph", "ops", "engine", "io", "testing")
NO_FUNCTION = re.compile(r"\s*(?:\}|if|for|while|switch|do|else|try|catch|namespace|class|struct|enum|union|case|"
                         r"return|extern|inline constexpr|static constexpr|constexpr)\b|.*(?:=|\]|\[&\]) *\{$")


def functions(path):
    """(lines, name) of each function, found by how the formatter indents."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for first, line in enumerate(lines):
        if not line.endswith("{") or "(" not in "".join(lines[max(0, first - 3):first + 1]):
            continue
        if NO_FUNCTION.match(line) or re.search(r"\[[^\]]*\]\s*(\(|\{)", line):
            continue
        head = first
        while head and not re.search(r"([;{}:]|^|//.*|>)$", lines[head - 1]):
            head -= 1
        indent = len(lines[head]) - len(lines[head].lstrip())
        last = next((k for k in range(first + 1, len(lines)) if lines[k].startswith(" " * indent + "}")), first)
        yield last - head + 1, f"{path}:{head + 1} {lines[head].strip()}"


def reached(root, start):
    """The project's headers that `start` includes, by any way."""
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name == "ops.h":
            todo += [path.relative_to(root).as_posix() for path in root.glob("ops/**/*.h")]
        elif (root / name).is_file():
            todo += re.findall(r"#include <weft/([^>]+)>", (root / name).read_text(encoding="utf-8"))
    return seen - {start}


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in (".h", ".cpp"))
    lines = {path.relative_to(root).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    print(f"{len(lines)} files, {sum(lines.values())} lines, median {statistics.median(lines.values()):.0f}")
    for folder in FOLDERS:
        own = [count for name, count in lines.items() if name.startswith(folder + "/")]
        print(f"  {folder}: {len(own)} files, {sum(own)} lines")
    print("longest files:", ", ".join(f"{name} {lines[name]}" for name in sorted(lines, key=lines.get)[:-4:-1]))
    found = sorted((each for path in files for each in functions(path)), reverse=True)
    for count, name in found[:5]:
        print(f"  {count} lines: {name.replace(f'{root}/', '')}")
    print(f"{len(reached(root, 'weft.h'))} of the project's headers behind weft.h")


if __name__ == "__main__":
    main()
