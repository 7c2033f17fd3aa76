#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_layers.py lets a right tree pass, and finds each kind of wrong include."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_layers.py"

RIGHT = {
    "graph/value/shape.h": "#include <vector>\n#include <fmt/core.h>\n",
    "ops/rearrange/roll.cpp": "#include <weft/graph/value/shape.h>\n#include <weft/ops/rearrange/roll.h>\n",
    "ops/rearrange/roll.h": "#pragma once\n",
    "engine/memory/buffer.cpp": "#include <sys/mman.h>\n",
    "engine/run/workers.cpp": "#include <tbb/parallel_for.h>\n#include <weft/graph/value/shape.h>\n",
    "io/program_json.cpp": "#include <nlohmann/json.hpp>\n#include <weft/ops/rearrange/roll.h>\n",
    "graph/map/box.h": "#include <weft/graph/value/shape.h>\n",
    "graph/plan/plan.h": "#include <weft/graph/map/box.h>\n",
    "engine/run/workers.h": "#include <weft/graph/plan/plan.h>\n",
    "weft.h": "#include <weft/graph/value/shape.h>\n#include <weft/ops.h>\n",
    "eigen.h": "#include <unsupported/Eigen/CXX11/Tensor>\n#include <weft/weft.h>\n",
}

# file, the line to add to it, what the complaint says
WRONG = [
    ("graph/value/shape.h", "#include <weft/ops/rearrange/roll.h>", "graph/value may not include <weft/ops/rearrange/roll.h>"),
    ("graph/value/shape.h", "  #  include <weft/weft.h>", "graph/value may not include <weft/weft.h>"),
    ("graph/value/shape.h", "#include <Eigen/Core>", "graph/value may not include <Eigen/Core>"),
    ("ops/rearrange/roll.cpp", "#include <Eigen/Core>", "ops may not include <Eigen/Core>"),
    ("engine/memory/buffer.cpp", "#include <Eigen/Core>", "engine/memory may not include <Eigen/Core>"),
    ("graph/value/shape.h", "#include <sys/mman.h>", "graph/value may not include <sys/mman.h>"),
    ("graph/value/shape.h", "#include <boost/any.hpp>", "graph/value may not include <boost/any.hpp>"),
    ("ops/rearrange/roll.cpp", "#include <weft/engine/run/eval.h>", "ops may not include <weft/engine/run/eval.h>"),
    ("ops/rearrange/roll.cpp", "#include <tbb/tbb.h>", "ops may not include <tbb/tbb.h>"),
    ("engine/memory/buffer.cpp", "#include <weft/ops/rearrange/roll.h>", "engine/memory may not include"),
    ("engine/memory/buffer.cpp", "#include <oneapi/tbb.h>", "engine/memory may not include <oneapi/tbb.h>"),
    ("engine/memory/buffer.cpp", "#include <weft/io/program_json.h>", "engine/memory may not include <weft/io/"),
    ("engine/memory/buffer.cpp", "#include <nlohmann/json.hpp>", "engine/memory may not include <nlohmann/"),
    ("io/program_json.cpp", "#include <tbb/tbb.h>", "io may not include <tbb/tbb.h>"),
    ("graph/value/shape.h", "#include <weft/graph/map/box.h>", "graph/value may not include <weft/graph/map/box.h>"),
    ("engine/memory/buffer.cpp", "#include <weft/engine/run/workers.h>", "engine/memory may not include"),
    ("ops/rearrange/roll.cpp", "#include <weft/graph/plan/plan.h>", "ops may not include <weft/graph/plan/plan.h>"),
    ("weft.h", "#include <weft/eigen.h>", "weft.h may not include <weft/eigen.h>"),
    ("ops/rearrange/roll.cpp", '#include "roll.h"', 'spell "roll.h" as <weft/...>'),
    ("ops/rearrange/roll.cpp", "#include <weft/graph/gone.h>", "there is no <weft/graph/gone.h>"),
    ("ops/rearrange/roll.h", "#include <unsupported/Eigen/CXX11/Tensor>", "weft.h reaches"),
]


def check(tree):
    with tempfile.TemporaryDirectory() as root:
        for name, text in tree.items():
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)


class CheckLayers(unittest.TestCase):
    def test_a_right_tree_passes(self):
        result = check(RIGHT)
        self.assertEqual((result.returncode, result.stdout), (0, "11 files, 0 wrong includes\n"))

    def test_an_empty_tree_fails(self):
        self.assertEqual(check({}).returncode, 1)

    def test_each_wrong_include_fails_and_is_named(self):
        for name, line, complaint in WRONG:
            with self.subTest(name=name, line=line):
                result = check({**RIGHT, name: RIGHT[name] + line + "\n"})
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"{name}:{RIGHT[name].count(chr(10)) + 1}: ", result.stdout)
                self.assertIn(complaint, result.stdout)


if __name__ == "__main__":
    unittest.main()
