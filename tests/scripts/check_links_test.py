#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_links.py lets objects pass that refer to rooms below them, and names what refers to one above."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_links.py"
VALUE = "namespace weft { int shape() { return 1; } int known = 1; }"
OPS = "namespace weft { int shape(); int roll() { return shape(); } }"


def check(rooms):
    """Of a source for each room."""
    with tempfile.TemporaryDirectory() as root:
        lines = []
        for k, (room, source) in enumerate(rooms.items()):
            made = Path(root, f"{k}.o")
            Path(root, f"{k}.cpp").write_text(source)
            subprocess.run([os.environ.get("CXX", "c++"), "-c", Path(root, f"{k}.cpp"), "-o", made], check=True)
            lines.append(f"{room} {made}")
        listed = Path(root, "rooms.txt")
        listed.write_text("\n".join(lines))
        return subprocess.run([sys.executable, "-B", SCRIPT, listed], capture_output=True, text=True)


class CheckLinks(unittest.TestCase):
    def test_what_refers_to_rooms_below_passes(self):
        result = check({"graph/value": VALUE, "ops": OPS})
        self.assertEqual(result.stdout, "2 rooms, 1 arrows, 0 wrong\n")
        self.assertEqual(result.returncode, 0)

    def test_a_call_of_a_room_above_is_named(self):
        result = check({"graph/value": VALUE + "namespace weft { int roll(); int up() { return roll(); } }", "ops": OPS})
        self.assertIn("graph/value may not use ops: weft::roll()", result.stdout)
        self.assertEqual(result.returncode, 1)

    def test_a_room_may_refer_to_what_one_within_it_may(self):
        kernels = "namespace weft { int set() { return 1; } }"
        asks = OPS + "namespace weft { int set(); int ask() { return set(); } }"
        self.assertEqual(check({"graph/value": VALUE, "engine/kernels": kernels, "ops": asks}).returncode, 0)
        elsewhere = {"graph": "namespace weft { int set(); int ask() { return set(); } }", "engine/kernels": kernels}
        self.assertIn("graph may not use engine/kernels: weft::set()", check(elsewhere).stdout)

    def test_so_is_data_of_one(self):
        result = check({"graph/value": "extern int table; int up() { return table; }", "ops": "int table = 2;"})
        self.assertIn("graph/value may not use ops: table", result.stdout)
        self.assertEqual(result.returncode, 1)

    def test_so_is_what_a_library_of_highway_has(self):
        call = "namespace hwy { int SupportedTargets(); } int up() { return hwy::SupportedTargets(); }"
        result = check({"graph/value": VALUE + call, "ops": OPS})
        self.assertIn("graph/value may not use Highway's library: hwy::SupportedTargets()", result.stdout)
        self.assertEqual(result.returncode, 1)

    def test_rooms_without_an_arrow_are_no_rooms(self):
        self.assertEqual(check({"graph/value": VALUE, "ops": "int own;"}).returncode, 1)


if __name__ == "__main__":
    unittest.main()
