#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what failed in the array API's suite to the page that tells why. Usage: array_api_list.py PAGE REPORT

Names what failed and is not on the page, and what is there and did not fail; then it exits with 1.
"""

import re
import sys
from pathlib import Path


def main():
    page, report = (Path(name).read_text() for name in sys.argv[1:])
    listed = {line.strip() for line in page.splitlines() if line.startswith("    array_api_tests/")}
    failed = set()
    for line in re.findall(r"^(?:FAILED|ERROR) (.*)$", report, re.MULTILINE):
        # "NAME - MESSAGE"; what is on the page is the measure of where a name with " - " in it ends.
        known = [name for name in listed if line == name or line.startswith(name + " - ")]
        failed.add(max(known, key=len) if known else line.partition(" - ")[0])
    for name in sorted(failed - listed):
        print(f"failed, and the page does not say why: {name}")
    for name in sorted(listed - failed):
        print(f"on the page, and passed: {name}")
    return 1 if failed != listed or not re.search(r"\d+ passed", report) else 0


if __name__ == "__main__":
    sys.exit(main())
