# SPDX-License-Identifier: Apache-2.0
"""Examples in docstrings give what they say; every function has one."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

import weft

MODULES = [module.name for module in pkgutil.iter_modules(weft.__path__, "weft.")
           if module.name != "weft._core"]


@pytest.mark.parametrize("name", ["weft", *MODULES])
def test_examples(name):
    module = importlib.import_module(name)
    found = doctest.DocTestFinder(exclude_empty=True).find(
        module, extraglobs={"np": np, "weft": weft})
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in found:
        runner.run(test)
    assert runner.failures == 0
    if name in ("weft._shape", "weft._elementwise"):
        assert runner.tries > 10


@pytest.mark.parametrize("name", [
    name for name, thing in vars(weft).items()
    if callable(thing) and not name.startswith("_") and not isinstance(thing, type)
    and hasattr(thing, "__module__")])
def test_every_function_has_an_example(name):
    function = getattr(weft, name)
    assert ">>>" in (function.__doc__ or ""), name


ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/from-numpy.md"])
def test_pages(page):
    text = (ROOT / page).read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    test = doctest.DocTestParser().get_doctest("".join(blocks), {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.failures == 0 and runner.tries > 3
