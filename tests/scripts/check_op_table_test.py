#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""op_table.py makes a row of each op's header, and finds what a header lacks and a table that is old."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "op_table.py"

FLIP = """\
// flip: reverses axes.
/// Reverses the order along `axes`, in
/// place of nothing: `out[i] =
/// x[n - 1 - i]`, or `a = b`.
///
/// Throws AxisError. Not the Cost: this is within a line.
///
/// Group: rearrange.
/// Cost: free; never
/// adds a box.
/// Gradient: flip.
/// NumPy: `numpy.flip`. torch: `torch.flip`, with dims.
/// ONNX: none.
///
/// Words after a paragraph are no part of it.
[[nodiscard]] Tensor flip(const Tensor& x, const Ints& axes = {0, 1},
            const std::string& mode = "a|b");

/// The same of a tensor that is given up.
[[nodiscard]] Tensor flip(Tensor&& x, const Ints& axes = {0, 1}, const std::string& mode = "a|b");
/// Another.
[[nodiscard]] Tensor flip(const Tensor& x, const Scalar& value);

extern const Op flip_op;
"""
ROW = (
    r'| [`flip(x, axes = {0, 1}, mode = "a\|b")`](../ops/rearrange/flip.h)<br>[`flip(x, value)`](../ops/rearrange/flip.h) '
    "| `out[i] = x[n - 1 - i]` | free; never adds a box | flip | `numpy.flip` "
    "| `torch.flip`, with dims | none |\n"
)
DOC = """\
/// Does: `out = x`.
/// Group: {group}.
/// Cost: free.
/// Gradient: itself.
/// NumPy: none. torch: none. ONNX: none.
"""
FAMILY = "".join(
    DOC.format(group="compute").replace("out = x", f"out = {formula}")
    + f"[[nodiscard]] Tensor {op}(const Tensor& x);\nextern const Op {op}_op;\n"
    for op, formula in [("sin", "sine"), ("cos", "cosine")]
)
RIGHT = {
    "ops/axes/angles.h": FAMILY,
    "ops/rearrange/flip.h": FLIP,
    "ops/axes/alias.h": DOC.format(group="shape")
    + "[[nodiscard]] inline Tensor alias(const Tensor& x) { return x; }\n",
    "ops/create/full.h": DOC.format(group="shape")
    + "template <Element T>\n[[nodiscard]] Tensor full(const T& value) {\n",
    "ops/axes/parts.h": DOC.format(group="pick")
    + "[[nodiscard]] Results parts(const Tensor& x, const Ints& axis = 0);\n",
    "ops/axes/flip_pattern.h": DOC.format(group="grow")
    + "[[nodiscard]] Tensor flip(const Tensor& x, const std::string& pattern);\n"
    + "extern const Op flip_pattern_op;\n",
    "ops/axes/shared.h": "Tensor shared(std::string_view op, const Tensor& x);\n",
    "ops/axes/helper.h": "Tensor to_tensor(const Ints& x);\n",
}

# what to replace in flip.h, by what, what the complaint says
WRONG = [
    ("`out[i] =\n/// x[n - 1 - i]`, or `a = b`", "reversed", "ops/rearrange/flip.h does not say its formula"),
    ("/// Cost: free", "/// Price: free", "ops/rearrange/flip.h does not say its cost"),
    ("/// Gradient: flip.\n", "", "ops/rearrange/flip.h does not say its gradient"),
    ("/// Gradient: flip.", "/// Gradient: .", "ops/rearrange/flip.h does not say its gradient"),
    ("/// NumPy: `numpy.flip`. t", "/// As numpy.flip. t", "ops/rearrange/flip.h does not say its NumPy"),
    ("torch: `torch.flip`", "`torch.flip`", "ops/rearrange/flip.h does not say its torch"),
    ("/// ONNX: none.\n", "", "ops/rearrange/flip.h does not say its ONNX"),
    ("/// Group: rearrange.\n", "", "ops/rearrange/flip.h does not say its group"),
    ("rearrange", "turn", 'ops/rearrange/flip.h is of group "turn", expected one of shape, pick, grow, write,'),
    ("/// Cost: ", "/// Cost: free.\n/// Cost: ", 'ops/rearrange/flip.h says "Cost:" twice'),
    ("[[nodiscard]] Tensor flip(Tensor&&", "Tensor flip(Tensor&&",
     "ops/rearrange/flip.h lets go of what flip makes: it is not [[nodiscard]]"),
    ("Tensor flip(", "Box flip(", "ops/rearrange/flip.h declares an op, but no function"),
]


class OpTable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.table = self.root / "docs" / "ops.md"

    def write(self, tree):
        for name, text in tree.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run_script(self, *options):
        return subprocess.run([sys.executable, SCRIPT, *options, self.root], capture_output=True,
                              text=True)

    def test_each_op_has_a_row_under_its_group(self):
        self.write(RIGHT)
        result = self.run_script()
        self.assertEqual((result.returncode, result.stdout), (0, "7 ops, 0 wrong\n"), result.stderr)
        text = self.table.read_text()
        self.assertIn(ROW, text)
        order = ["## Shape", "`alias(x)`", "`full(value)`", "## Pick", "`parts(x, axis = 0)`", "## Grow",
                 "`flip(x, pattern)`", "## Rearrange", "`flip(x, axes"]
        places = [text.index(part) for part in order]
        self.assertEqual(places, sorted(places))
        self.assertNotIn("## Write", text)

    def test_a_family_has_a_row_an_op(self):
        self.write(RIGHT)
        self.run_script()
        text = self.table.read_text()
        for op, formula in [("sin", "sine"), ("cos", "cosine")]:
            self.assertIn(f"| [`{op}(x)`](../ops/axes/angles.h) | `out = {formula}` |", text)

    def test_each_op_of_a_family_needs_its_function_and_its_doc(self):
        for old, new, complaint in [
            ("Tensor cos(", "Tensor cosine(", "ops/axes/angles.h declares cos_op, but no function cos"),
            ("`out = cosine`.\n/// Group: compute.\n", "`out = cosine`.\n",
             "ops/axes/angles.h does not say its group"),
        ]:
            with self.subTest(old=old):
                self.assertIn(old, FAMILY)
                self.write({**RIGHT, "ops/axes/angles.h": FAMILY.replace(old, new)})
                result = self.run_script()
                self.assertEqual(result.returncode, 1)
                self.assertIn(complaint, result.stdout)

    def test_a_table_as_it_was_made_passes(self):
        self.write(RIGHT)
        self.run_script()
        result = self.run_script("--check")
        self.assertEqual((result.returncode, result.stdout), (0, "7 ops, 0 wrong\n"))

    def test_a_table_that_is_old_or_absent_fails_and_is_left_alone(self):
        self.write(RIGHT)
        self.assertEqual(self.run_script("--check").returncode, 1)
        self.assertFalse(self.table.exists())
        self.run_script()
        self.write({"ops/rearrange/flip.h": FLIP.replace("never\n", "ever\n")})
        before = self.table.read_text()
        result = self.run_script("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("docs/ops.md is not what the headers say: run scripts/op_table.py", result.stdout)
        self.assertEqual(self.table.read_text(), before)

    def test_each_part_that_lacks_fails_and_is_named(self):
        for old, new, complaint in WRONG:
            with self.subTest(old=old, new=new):
                self.assertIn(old, FLIP)
                self.write({**RIGHT, "ops/rearrange/flip.h": FLIP.replace(old, new)})
                for options in [(), ("--check",)]:
                    result = self.run_script(*options)
                    self.assertEqual(result.returncode, 1)
                    self.assertIn(complaint, result.stdout)
                    self.assertFalse(self.table.exists())

    def test_an_empty_tree_fails(self):
        self.assertEqual(self.run_script().returncode, 1)


if __name__ == "__main__":
    unittest.main()
