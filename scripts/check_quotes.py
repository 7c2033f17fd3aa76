#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what a page quotes of sources: every line of its code blocks must be a line of one of them.

Usage: check_quotes.py PAGE SOURCE... A line of three dots stands for what is left out; comments and
blank lines may be left out anywhere.
"""

import sys
from pathlib import Path


def quoted_lines(page):
    inside = False
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif inside and line.strip() not in ("", "..."):
            yield number, line.strip()


def without_comment(line):
    return line.partition("//")[0].strip()


def check(page, source):
    known = {without_comment(line) for line in source.splitlines()}
    joined = " ".join(source.split())
    for number, line in quoted_lines(page):
        if without_comment(line) not in known and " ".join(line.split()) not in joined:
            yield f"{number}: {line}"


def main():
    page, *sources = (Path(name).read_text(encoding="utf-8") for name in sys.argv[1:])
    count, wrongs = len(list(quoted_lines(page))), list(check(page, "\n".join(sources)))
    print(*wrongs, f"{count} quoted lines, {len(wrongs)} in no source", sep="\n")
    return 1 if wrongs or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
