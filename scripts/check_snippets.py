#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps a document's C++ true. Every ```cpp block is compiled; the ```text block that follows one
directly is what it must print.

  check_snippets.py extract FILE.md... DIR   writes DIR/NAME_N.cpp, and NAME_N.txt where it must print,
                                             where NAME is the file's ("readme", "programs")
  check_snippets.py run DIR                  runs DIR/bin/NAME_N and compares

A block with `int main` is a whole program and is always run. Any other is a fragment: it becomes
the body of main, and is run only where a ```text block says what it prints.
"""

import difflib
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```[^\n]*\n", re.M | re.S)
FRAGMENT_INCLUDES = "#include <weft/eigen.h>\n#include <fmt/core.h>\n"


def is_program(code):
    return "int main" in code


def to_program(code, line, name):
    if is_program(code):
        return f'#line {line} "{name}"\n{code}'
    own = "".join(re.findall(r"^#include.*\n", code, re.M))
    body = re.sub(r"^#include.*$", "", code, flags=re.M)
    return f'{FRAGMENT_INCLUDES}{own}int main() {{\n#line {line} "{name}"\n{body}}}\n'


def write_if_new(path, text):
    """An unchanged snippet is not compiled again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def extract(document, folder):
    """The files that were written."""
    name = document.stem.lower().replace("-", "_")
    text = document.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    written = set()
    for block, after in zip(blocks, [*blocks[1:], None]):
        if block[1] != "cpp":
            continue
        stem = f"{name}_{sum(p.suffix == '.cpp' for p in written) + 1}"
        line = text.count("\n", 0, block.start(2)) + 1
        source = folder / f"{stem}.cpp"
        write_if_new(source, to_program(block[2], line, document.name))
        written.add(source)
        prints = None
        if after and after[1] == "text" and not text[block.end():after.start()].strip():
            prints = after[2]
        elif is_program(block[2]):
            prints = ""
        if prints is not None:
            written.add(folder / f"{stem}.txt")
            write_if_new(folder / f"{stem}.txt", prints)
    return written


def extract_all(documents, folder):
    folder.mkdir(parents=True, exist_ok=True)
    written = set().union(*(extract(document, folder) for document in documents))
    for old in {*folder.glob("*.cpp"), *folder.glob("*.txt")} - written:
        old.unlink()


def lines_of(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def run(folder):
    wrong = 0
    for expected in sorted(folder.glob("*.txt")):
        result = subprocess.run([folder / "bin" / expected.stem], cwd=folder, capture_output=True,
                                text=True, check=False)
        want, have = lines_of(expected.read_text(encoding="utf-8")), lines_of(result.stdout)
        if result.returncode != 0 or (want and want != have):
            wrong += 1
            print(f"{expected.stem}: exit {result.returncode}", result.stderr.rstrip(), sep="\n")
            print(*difflib.unified_diff(want, have, "the page", "printed", lineterm=""), sep="\n")
        else:
            print(f"{expected.stem}: as the page says")
    return 1 if wrong else 0


def main():
    what, *paths = sys.argv[1:]
    if what == "extract":
        return extract_all([Path(path) for path in paths[:-1]], Path(paths[-1]))
    return run(Path(paths[0]))


if __name__ == "__main__":
    sys.exit(main())
