#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds that every file tells its licence: a line with SPDX's tag, or a pattern in REUSE.toml.

Usage: check_licence.py ROOT
"""

import re
import sys
from pathlib import Path

TAG = "SPDX-License-Identifier: Apache-2.0"
OUTSIDE = {".git", "build", "__pycache__", ".cache", ".hypothesis"}  # what is not weft's, or is made


def files_of(root):
    for path in root.rglob("*"):
        parts = path.relative_to(root).parts
        if path.is_file() and parts != ("LICENSE",) and not OUTSIDE & set(parts):
            yield path


def is_told(path, suffixes):
    if path.name == "REUSE.toml" or path.suffix in suffixes:
        return True
    return TAG in path.read_text(encoding="utf-8", errors="replace")[:300]


def main():
    root = Path(sys.argv[1])
    suffixes = set(re.findall(r'"\*\*(\.\w+)"', (root / "REUSE.toml").read_text(encoding="utf-8")))
    files = list(files_of(root))
    silent = sorted(str(path.relative_to(root)) for path in files if not is_told(path, suffixes))
    print(*silent, f"{len(files)} files, {len(silent)} without a licence", sep="\n")
    return 1 if silent or not files else 0


if __name__ == "__main__":
    sys.exit(main())
