#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures, figures, completions and the manual of the command: texts_test.py WEFT"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np

WEFT = str(Path(sys.argv[1]).resolve())
CHAIN = "flip([1]) | transpose([2, 0, 1]) | astype(f32) | divide(255) | add(_, roll(_, [1], [2])) | softmax"


def weft(*words, cwd=None, status=0):
    ran = subprocess.run([WEFT, *words], cwd=cwd, capture_output=True, text=True, timeout=60)
    assert ran.returncode == status, (words, ran.returncode, ran.stderr)
    return ran.stderr if status else ran.stdout


def check_pictures(folder):
    weft("draw", CHAIN, "x.npy", "-o", "plan.svg", cwd=folder)
    picture = xml.parse(folder / "plan.svg").getroot()
    name = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in picture.iter(name + "text")]
    for op in ["flip(axes=[1])", "transpose(order=[2, 0, 1])", "divide", "roll(shift=[1], axes=[2])", "exp", "graph", "plan", "u8 [20, 30, 3]"]:
        assert op in texts, (op, texts)
    boxes = [[float(box.get(k)) for k in ("x", "y", "width", "height")] for box in picture.iter(name + "rect") if box.get("x")]
    ranks = [group for group in picture.iter(name + "g")]
    assert len(ranks) == 2 and len(texts) == 2 + 2 * len(boxes)
    width = float(picture.get("width"))
    assert all(0 <= x and x + w <= width for x, _, w, _ in boxes), (width, boxes)
    dot = weft("draw", CHAIN, "x.npy", cwd=folder)
    assert len(re.findall(r"b\d+_\d+ \[label", dot)) == len(boxes)
    if shutil.which("dot"): subprocess.run(["dot", "-Tsvg"], input=dot, text=True, capture_output=True, check=True)
    long = " | ".join(["roll([1], [0])"] * 60)
    assert "61 boxes" in weft("draw", long, "x.npy", "-o", "long.svg", cwd=folder, status=1)
    assert not (folder / "long.svg").exists()
    assert weft("draw", long, "x.npy", cwd=folder).count("roll(") == 60


def check_figures(folder):
    told = json.loads(weft("bench", CHAIN, "x.npy", "--rounds", "3", "--json", cwd=folder))
    assert [row["name"] for row in told["rows"]] == ["fused", "step by step", "copy"] and told["rounds"] == 3
    assert all(row["median_ms"] > 0 for row in told["rows"])
    # What comes first, and inputs in later steps.
    table = weft("bench", "y | add(_, _) | concat(_, y, axis=0)", "--in", "y=x.npy", "--rounds", "1", cwd=folder)
    assert "u8 [40, 30, 3]" in table and "step by step" in table, table
    assert "rol" in weft("bench", "flip | rol(1)", "x.npy", cwd=folder, status=1)


def check_manual(folder):
    ops = [line.split("(")[0] for line in weft("ops").splitlines()]
    assert len(ops) > 140
    page = weft("man")
    commands = re.findall(r"^\.SS weft (\S+)$", page, re.M)
    assert {"run", "explain", "draw", "bench", "info", "ops", "convert", "completion", "man"} == set(commands)
    plain = page.replace("\\-", "-")
    for op in ops: assert f"\n{op}(" in plain, op
    bash, zsh = weft("completion", "bash"), weft("completion", "zsh")
    for command in commands:
        for option in re.findall(r"--[a-z0-9-]+", weft(command, "--help")):
            assert option in plain and option in bash and option in zsh, (command, option)
    (folder / "weft.1").write_text(page)
    if shutil.which("groff"):
        told = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", "weft.1"], cwd=folder, capture_output=True, text=True, check=True)
        assert not told.stderr, told.stderr
    (folder / "weft.bash").write_text(bash)
    (folder / "_weft").write_text(zsh)
    for words, begun, wanted in [("weft r", "r", "run"), ("weft ops slice_s", "slice_s", "slice_scatter"), ("weft run --mem", "--mem", "--memory")]:
        script = f"source ./weft.bash; COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; _weft; echo ${{COMPREPLY[@]}}"
        made = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=True).stdout.split()
        assert wanted in made and all(word.startswith(begun) for word in made), (words, made)
    if shutil.which("zsh"): subprocess.run(["zsh", "-n", "_weft"], cwd=folder, check=True)


def check_commands(folder):
    assert "there is no command rum; there are run, explain" in weft("rum", status=1)
    assert "a command is missing" in weft(status=1)
    assert "there is no command nosuch" in weft("--color", "always", "nosuch", status=1)
    assert "there is no option --bogus" in weft("--bogus", status=1)
    assert re.fullmatch(r"weft \d+\.\d+\.\d+\n", weft("--version"))
    assert "\033[" in weft("--color", "always", "run", status=1) and "\033[" not in weft("--color", "never", "run", status=1)
    assert "cannot read missing.json" in weft("run", "missing.json", status=1)
    for word in ("draw", "bench"):
        assert "p.json is a saved program" in weft(word, "p.json", status=1)
        assert "saved program" not in weft(word, "--help")
    for name, is_svg in [("p.SVG", True), ("p.DOT", False)]:
        weft("draw", "flip", "x.npy", "-o", name, cwd=folder)
        assert (folder / name).read_text().startswith("<svg") == is_svg
    assert "p.txt" in weft("draw", "flip", "x.npy", "-o", "p.txt", cwd=folder, status=1)
    assert "--memory" in weft("run", "flip", "x.npy", "--memory", "18446744073709551615", cwd=folder, status=1)
    assert "bench" in weft("bench", "tile([100, 1, 1])", "x.npy", "--memory", "100K", cwd=folder, status=1)
    assert len(weft("run", "x" * 90000, "x.npy", cwd=folder, status=1)) < 400


def check_caret(folder):
    """It is under the place, whatever comes before it."""
    for before in ("", "flip | ", "flip\t| "):
        _, text, caret = weft("run", before + "rol(1)", "x.npy", cwd=folder, status=1).splitlines()
        assert caret == " " * text.index("rol") + "^", (text, caret)
    for before in ("ä ö", "中 文", "\t"):
        _, text, caret = weft("run", f"rearrange('{before}' rol)", "x.npy", cwd=folder, status=1).splitlines()
        wide = sum(1 + (c > "\u2e80") for c in text[:text.index("rol")])
        assert caret == " " * wide + "^", (text, caret)


def main():
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root)
        np.save(folder / "x.npy", np.arange(1800, dtype=np.uint8).reshape(20, 30, 3))
        check_pictures(folder)
        check_figures(folder)
        check_manual(folder)
        check_commands(folder)
        check_caret(folder)


if __name__ == "__main__":
    main()
