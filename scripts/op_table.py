#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/ops.md, the table of all ops, from what the headers in ops/ say of each.

  op_table.py ROOT           writes ROOT/docs/ops.md
  op_table.py --check ROOT   fails where it is not what the headers say, or a header lacks a part

An op's header declares `NAME_op`, or is an alias: its first function has the header's name, and is
not one that ops share, which would take the name of an op first. The header of a family declares
several, each after the function of its name. The doc of an op's first function has the formula (the first text in backticks with ` = ` in it) and, at the beginning of a line each,
`Group:`, `Cost:`, `Gradient:` and `NumPy: ... torch: ... ONNX: ...`. Each runs to the next one, or
to the end of the paragraph. Every function of an op is [[nodiscard]].
"""

import argparse
import re
import sys
from pathlib import Path

GROUPS = {
    "shape": "The same elements, in other axes.",
    "pick": "Some of the elements.",
    "grow": "More elements than before.",
    "write": "A copy with a part of it replaced.",
    "rearrange": "The same elements, elsewhere.",
    "compute": "Elements computed from elements.",
    "reduce": "Each element made of many.",
    "product": "Sums of products of two tensors.",
    "gradient": "What a change of operands changes in a result.",
    "other": "Elements made zero, and a value kept on the way.",
}
COLUMNS = ["op", "formula", "cost", "gradient", "NumPy", "torch", "ONNX"]
INTRO = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
# Ops

Made by `scripts/op_table.py` from the headers in `ops/`, which tell the whole story; methods leave out `x` (or `data`).
A formula without `...` holds on each axis that the op works on, of extent `n` in `x`; quotients are rounded down.
"""

FUNCTION = re.compile(r"^(\[\[nodiscard\]\] )?(?:inline )?(?:Tensor|Results) "
                      r"(\w+)\((.*?)\)\s*[;{]", re.M | re.S)
LABEL = re.compile(r"^(Group|Cost|Gradient|NumPy|torch|ONNX): |(?<=\. )(torch|ONNX): ", re.M)


class Lacks(Exception):
    """What a header should say and does not."""


def split_list(text):
    """The parts between the commas of a list, but for commas in brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "({[<") - (character in ")}]>")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def short(parameters):
    """"const Tensor& x, const Ints& axes = none" as ["x", "axes = none"]."""
    declared = re.compile(r"^[^=]*?(\w+)( = .*)?$")
    return [declared.sub(r"\1\2", parameter) for parameter in split_list(parameters)]


def functions_of(path, text):
    """The first function of each op of a header; none where the header is no op's."""
    found = [*FUNCTION.finditer(text)]
    ops = re.findall(r"^extern const Op (\w+)_op;", text, re.M)
    if ops == [path.stem]:
        if not found:
            raise Lacks("declares an op, but no function")
        return found[:1]
    if not ops:
        is_alias = found and found[0][2] == path.stem and not found[0][3].startswith("std::string_view op")
        return found[:1] if is_alias else []
    named = {}
    for each in found:
        named.setdefault(each[2], each)
    for op in ops:
        if op not in named:
            raise Lacks(f"declares {op}_op, but no function {op}")
    return [named[op] for op in ops]


def signatures(name, text):
    """One for each overload that names its parameters otherwise, but for compositions."""
    seen = {}
    for found in FUNCTION.finditer(text):
        if found[2] == name and not doc_of(found, text).startswith("A composition: "):
            parameters = short(" ".join(found[3].split()))
            names = tuple(parameter.partition(" = ")[0] for parameter in parameters)
            seen.setdefault(names, f"`{name}({', '.join(parameters)})`")
    return list(seen.values())


def doc_of(function, text):
    """The comment over a function."""
    found = re.search(r"((?:^///.*\n)*)(?:template .*\n)?\Z", text[:function.start()], re.M)
    return re.sub(r"^/// ?", "", found[1], flags=re.M)


def parts_of(doc):
    """{"formula": ..., "cost": ..., ...} of a doc comment."""
    spans = [" ".join(span.split()) for span in re.findall(r"`[^`]*`", doc)]
    parts = {"formula": next((span for span in spans if " = " in span), "")}
    labels = [*LABEL.finditer(doc)]
    for label, after in zip(labels, [*labels[1:], None]):
        said = doc[label.end():after.start() if after else None].partition("\n\n")[0]
        name = label[1] or label[2]
        column = name if name in COLUMNS else name.lower()
        if column in parts:
            raise Lacks(f'says "{name}:" twice')
        parts[column] = " ".join(said.split()).removesuffix(".")
    lacking = [column for column in [*COLUMNS[1:], "group"] if not parts.get(column)]
    if lacking:
        raise Lacks(f"does not say its {', '.join(lacking)}")
    if re.match("none(?!: .)", parts["gradient"]):
        raise Lacks('has no gradient and does not say why: "Gradient: none: ..."')
    if parts["group"] not in GROUPS:
        raise Lacks(f'is of group "{parts["group"]}", expected one of {", ".join(GROUPS)}')
    return parts


def row(path, name, text, parts):
    link = "<br>".join(f"[{signature}](../ops/{path.parent.name}/{path.name})" for signature in signatures(name, text))
    cells = [link, *(parts[column] for column in COLUMNS[1:])]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(root):
    """The document, how many ops it has, and what is wrong with the headers."""
    rows, wrongs = {group: [] for group in GROUPS}, []
    for path in sorted((root / "ops").rglob("*.h"), key=lambda path: path.name):
        text = path.read_text(encoding="utf-8")
        try:
            functions = functions_of(path, text)
            for each in FUNCTION.finditer(text) if functions else []:
                if not each[1]:
                    raise Lacks(f"lets go of what {each[2]} makes: it is not [[nodiscard]]")
            for function in functions:
                parts = parts_of(doc_of(function, text))
                rows[parts["group"]].append(row(path, function[2], text, parts))
        except Lacks as lack:
            wrongs.append(f"ops/{path.parent.name}/{path.name} {lack}")
    document = INTRO
    for group, lines in rows.items():
        if lines:
            head = ["| " + " | ".join(COLUMNS) + " |", "| --- " * len(COLUMNS) + "|"]
            document += "\n".join(["", f"## {group.title()}", "", GROUPS[group], "", *head, *lines, ""])
    return document, sum(map(len, rows.values())), wrongs


def main():
    arguments = argparse.ArgumentParser(description="Makes docs/ops.md from the headers in ops/.")
    arguments.add_argument("--check", action="store_true", help="compare, and write nothing")
    arguments.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[1])
    given = arguments.parse_args()
    document, count, wrongs = table(given.root)
    path = given.root / "docs" / "ops.md"
    if given.check:
        have = path.read_text(encoding="utf-8") if path.is_file() else ""
        if have != document and not wrongs:
            wrongs.append("docs/ops.md is not what the headers say: run scripts/op_table.py")
    elif not wrongs:
        path.parent.mkdir(exist_ok=True)
        path.write_text(document, encoding="utf-8")
    print(*wrongs, f"{count} ops, {len(wrongs)} wrong", sep="\n")
    return 1 if wrongs or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
