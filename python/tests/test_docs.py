# SPDX-License-Identifier: Apache-2.0
"""Examples in docstrings give what they say; every function has one."""

import doctest
import importlib
import importlib.util
import pkgutil
import re
import subprocess
import sys
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


def test_the_tour_is_what_it_makes(capsys):
    spec = importlib.util.spec_from_file_location("python_tour", ROOT / "scripts" / "python_tour.py")
    tour = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tour)
    assert tour.main(check=True) == 0, capsys.readouterr().out
    assert len(tour.carried_out(tour.PAGE.read_text())[1]) > 10


def test_a_tour_that_is_not_is_told(tmp_path, monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("python_tour", ROOT / "scripts" / "python_tour.py")
    tour = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tour)
    page = tmp_path / "page.md"
    page.write_text("```python\n>>> 1 + 1\n3\n>>> import numpy as np\n"
                    ">>> show('a', np.zeros((2, 2, 3), np.uint8))\n```\n![a](pictures/tour-a.png)\n")
    monkeypatch.setattr(tour, "PAGE", page)
    monkeypatch.setattr(tour, "PICTURES", tmp_path / "pictures")
    assert tour.main(check=True) == 1
    assert capsys.readouterr().out.split("\n")[:2] == ["page.md", "tour-a.png"]
    tour.main(check=False)
    assert tour.main(check=True) == 0 and ">>> 1 + 1\n2\n" in page.read_text()
    (tmp_path / "pictures" / "tour-a.png").write_bytes(tour.png(np.ones((2, 2, 3), np.uint8)))
    assert tour.main(check=True) == 1


def test_rivals_make_the_same():
    done = subprocess.run([sys.executable, str(ROOT / "bench" / "python_rivals.py"), "--seconds", "0.01", "--rows",
                           "0", "1", "3", "4", "5", "6"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("(") > 12 and "cores of" in done.stdout


def test_what_fails_of_the_array_api_is_held_to_the_page(tmp_path):
    page, report = tmp_path / "page.md", tmp_path / "report.txt"
    page.write_text("    array_api_tests/a.py::test_b[x - y]\n    array_api_tests/a.py::test_c\n")

    def told(text):
        report.write_text(text + "\n1 failed, 5 passed in 1s\n")
        return subprocess.run([sys.executable, str(ROOT / "scripts" / "array_api_list.py"), str(page), str(report)],
                              capture_output=True, text=True)

    failed = "FAILED array_api_tests/a.py::test_b[x - y] - Error: e\nERROR array_api_tests/a.py::test_c"
    assert told(failed).returncode == 0
    assert told(failed + "\nFAILED array_api_tests/a.py::test_d - e").stdout == (
        "failed, and the page does not say why: array_api_tests/a.py::test_d\n")
    fewer = told(failed.splitlines()[0])
    assert fewer.returncode == 1 and fewer.stdout == "on the page, and passed: array_api_tests/a.py::test_c\n"
