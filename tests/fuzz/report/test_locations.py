from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.report.locations import _list_definitions, describe_location, locate_function

FILES = {
    "__init__.py": "from mylib.core import *\n",
    "_core/early.py": "def add(x, y):\n    pass\n",
    "arrays.py": "class ndarray:\n    def sum(self):\n        pass\n\n    def mean(self):\n        pass\n",
    "linalg/norms.py": "def norm(x):\n    pass\n\n\ndef add(x):\n    pass\n",
    "main.py": "x = 1\n\n\ndef sum(a):\n    pass\n\n\nadd = ufunc(sum)\n",
}


@pytest.fixture
def library(tmp_path, monkeypatch):
    for name, text in FILES.items():
        path = tmp_path / "mylib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    _list_definitions.cache_clear()
    yield
    _list_definitions.cache_clear()


@pytest.mark.parametrize(
    ("name", "location"),
    [
        ("sum", ("main.py", 4)),  # not the method
        ("ndarray.sum", ("arrays.py", 2)),  # not the function
        ("mean", None),
        ("add", ("main.py", 8)),  # neither that of linalg nor that in a private folder
        ("linalg.add", ("linalg/norms.py", 5)),
        ("linalg.norm", ("linalg/norms.py", 1)),
        ("sort", None),
    ],
)
def test_a_function_is_found_where_it_is_defined(library, name, location):
    assert locate_function("mylib", name) == (location and (Path("mylib") / location[0], location[1]))


def test_a_location_is_relative_to_the_run(library, tmp_path):
    assert describe_location("mylib", "sum", tmp_path / "fuzz-out/001") == "../../mylib/main.py:4"
    assert describe_location("mylib", "sum", tmp_path / "run") == "../mylib/main.py:4"
    assert describe_location("mylib", "sum", tmp_path / "a b") == "../mylib/main.py:4"
    assert describe_location("mylib", "sort", tmp_path) == describe_location("json", "load", tmp_path) == ""
