#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes weft/_methods.py: the functions whose first argument is a tensor, as methods for type checkers.

Usage: python_methods.py [OUT], with weft on the path. A test holds that the file is what this writes.
"""

import inspect
import sys
from pathlib import Path

import weft
from weft import _elementwise, _grow, _pick, _product, _rearrange, _reduce, _shape, _write

#: Written by hand in weft/_tensor.py, or of several tensors.
OTHERS = {"broadcast_arrays", "broadcast_shapes", "concat", "stack", "einsum", "where", "result_type",
          "reshape", "transpose", "permute_dims"}
ROOMS = [_shape, _pick, _grow, _write, _rearrange, _elementwise, _reduce, _product]
HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""Methods of tensors: each is the function of its name. Made by scripts/python_methods.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    from ._pick import Indices
    from ._tensor import Tensor
    from ._typing import Array, DTypeLike, Ints, Operand


class Methods(_core.Tensor):
    """What type checkers know of them; the package puts the functions in."""

    __slots__ = ()

    if TYPE_CHECKING:
'''


def spelled(function):
    """The parameters after the first, and the result, as a method has them."""
    signature = inspect.signature(function)
    parameters = [p.replace(kind=p.POSITIONAL_OR_KEYWORD if p.kind == p.POSITIONAL_ONLY else p.kind)
                  for p in list(signature.parameters.values())[1:]]
    texts, star = [], False
    for p in parameters:
        if p.kind == p.KEYWORD_ONLY and not star:
            texts.append("*")
            star = True
        text = "**" * (p.kind == p.VAR_KEYWORD) + p.name
        hint = p.annotation if p.annotation is not p.empty else "Any"
        text += f": {'Operand' if p.name in ('x2', 'x3') else hint}"
        if p.default is not p.empty:
            text += f" = {p.default!r}"
        texts.append(text)
    result = str(signature.return_annotation).replace("X", "Tensor")
    if result == "Any" or signature.return_annotation is signature.empty:
        result = "Tensor"
    return ", ".join(["self", *texts]), result


def main():
    text, names = HEAD, []
    for room in ROOMS:
        for name in room.__all__:
            if name in OTHERS:
                continue
            parameters, result = spelled(getattr(room, name))
            text += f"        def {name}({parameters}) -> {result}: ...\n"
            names.append(name)
    text += "\n\nNAMES = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "python/weft/_methods.py"
    out.write_text(text)


if __name__ == "__main__":
    main()
