#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_snippets.py finds every C++ block, and fails where a program prints something else."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_snippets.py"

DOCUMENT = """# Title
```cpp
#include <cstdio>
int main() { std::puts("hello"); }
```

```text
hello
```
Words.
```cpp
#include <vector>
std::vector<int> v;
```
Words between, so the next block is not its output.
```text
not this
```
```sh
make
```
"""


def script(*args):
    return subprocess.run([sys.executable, SCRIPT, *args], capture_output=True, text=True)


class CheckSnippets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.extract(DOCUMENT)

    def extract(self, text):
        (self.root / "README.md").write_text(text)
        result = script("extract", self.root / "README.md", self.root / "out")
        self.assertEqual(result.returncode, 0, result.stderr)

    def files(self):
        return sorted(p.name for p in (self.root / "out").glob("readme_*"))

    def run_printing(self, text, status=0):
        program = self.root / "out" / "bin" / "readme_1"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\necho '{text}'\nexit {status}\n")
        program.chmod(0o755)
        return script("run", self.root / "out").returncode

    def test_cpp_blocks_and_their_outputs_are_extracted(self):
        self.assertEqual(self.files(), ["readme_1.cpp", "readme_1.txt", "readme_2.cpp"])
        self.assertEqual((self.root / "out/readme_1.txt").read_text(), "hello\n")

    def test_a_fragment_becomes_the_body_of_main_below_its_includes(self):
        code = (self.root / "out/readme_2.cpp").read_text()
        self.assertLess(code.index("#include <vector>"), code.index("int main() {"))
        self.assertLess(code.index("int main() {"), code.index("std::vector<int> v;"))

    def test_a_block_that_is_gone_leaves_no_source(self):
        self.extract("nothing\n")
        self.assertEqual(self.files(), [])

    def test_the_output_must_be_what_the_document_says(self):
        self.assertEqual(self.run_printing("hello"), 0)
        self.assertEqual(self.run_printing("bye"), 1)
        self.assertEqual(self.run_printing("hello", status=3), 1)


if __name__ == "__main__":
    unittest.main()
