"""Programs and packages whose numpy is replaced: by `python -m tfnp`, and by `tfnp.install`."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tfnp
from tfnp.__main__ import main
from tfnp.imports import compile_source

PROGRAM = """
import sys
import numpy as np, numpy.linalg
from numpy.random import default_rng
import helper

x = np.zeros(3)
x[1] = 2.0
print(type(x).__module__, numpy.linalg.norm(x), helper.total(x), __name__, sys.argv[1:], np.memmap.__name__)
"""
HELPER = """
import numpy
import numpy.char as char

def total(x):
    return type(numpy.ones(1)).__module__, float(numpy.sum(x)), char.__name__
"""
TESTS = """
import numpy as np

def test_items():
    x = np.ones(2)
    x[0] = 4.0
    assert type(x).__module__.startswith("tfnp") and x.sum() == 5.0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, source in {"program": PROGRAM, "helper": HELPER, "test_program": TESTS}.items():
        (tmp_path / f"{name}.py").write_text(source)
    return tmp_path


def run(folder, *arguments, **variables):
    environment = {**os.environ, "PYTHONPATH": str(Path(tfnp.__file__).parents[1]), "TF_CPP_MIN_LOG_LEVEL": "3"}
    environment = {name: text for name, text in (environment | variables).items() if text is not None}
    command = [sys.executable, "-m", "tfnp", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_program_runs_with_its_numpy_replaced(folder):
    result = run(folder, "--report", "program.py", "1", "--flag")
    assert result.returncode == 0, result.stderr
    assert result.stdout.split(maxsplit=1)[0] == "tfnp.numpy.multiarray"
    assert "2.0 ('tfnp.numpy.multiarray', 2.0, 'numpy.char') __main__ ['1', '--flag'] memmap" in result.stdout
    assert "  numpy.char: 1 (TensorFlow or tfnp lacks it)\n" in result.stderr
    assert "  numpy.memmap: 1 (TensorFlow or tfnp lacks it)\n" in result.stderr
    assert "  numpy.sum: 1 (small arrays)\n" in result.stderr


@pytest.mark.full
def test_code_is_run_without_log_lines(folder):
    code = "import sys, numpy as np; print(type(np.ones(1)).__module__, sys.argv, __name__)"
    result = run(folder, "-c", code, "1", TF_CPP_MIN_LOG_LEVEL=None)
    assert result.stdout == "tfnp.numpy.multiarray ['-c', '1'] __main__\n", result.stderr
    assert result.stderr == ""


def test_a_file_that_is_not_there_is_one_line(capsys):
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["no_such_file.py"])
    assert capsys.readouterr().err == "python -m tfnp: can't open file 'no_such_file.py': No such file or directory\n"


@pytest.mark.full
def test_a_suite_runs_with_its_numpy_replaced(folder):
    result = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert "1 passed" in result.stdout, result.stdout + result.stderr


def test_a_package_is_installed_before_it_is_imported(folder, monkeypatch):
    (folder / "package_of_numpy").mkdir()
    (folder / "package_of_numpy" / "__init__.py").write_text("from package_of_numpy.part import make")
    (folder / "package_of_numpy" / "part.py").write_text("import numpy as np\n\ndef make():\n    return np.ones(1)")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    tfnp.install("package_of_numpy")
    made = importlib.import_module("package_of_numpy").make()
    assert isinstance(made, importlib.import_module("tfnp.numpy").ndarray)
    assert type(made).__module__ == "tfnp.numpy.multiarray"
    with pytest.raises(RuntimeError, match="imported already"):
        tfnp.install("package_of_numpy")


def test_what_is_no_package_cannot_be_installed():
    with pytest.raises(ModuleNotFoundError):
        tfnp.install("no_such_package")


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("import numpy", "numpy"),
        ("import numpy as n", "n"),
        ("import numpy.fft", "numpy"),
        ("import os, numpy", "numpy"),
    ],
)
def test_an_import_binds_the_same_name(statement, name):
    namespace: dict = {}
    exec(compile_source(statement, "program.py"), namespace)
    assert namespace[name].__name__ == "tfnp.numpy"


@pytest.mark.parametrize("statement", ["import numpy._core as core", "from numpy._core import umath as core"])
def test_private_modules_stay_numpys(statement):
    namespace: dict = {}
    exec(compile_source(statement, "program.py"), namespace)
    assert namespace["core"].__name__.startswith("numpy._core")


@pytest.mark.parametrize(
    "arguments", [("failing.py",), ("-m", "failing"), ("-c", "import numpy as np\nnp.zeros(3).reshape(2, 2)")]
)
def test_a_traceback_begins_in_the_program(folder, arguments):
    (folder / "failing.py").write_text("import numpy as np\nnp.zeros(3).reshape(2, 2)\n")
    result = run(folder, *arguments)
    first, second, *_, last = result.stderr.splitlines()
    path = '"<string>"' if "-c" in arguments else f'"{folder / "failing.py"}"'
    assert (first, second) == ("Traceback (most recent call last):", f"  File {path}, line 2, in <module>")
    assert last == "ValueError: cannot reshape array of size 3 into shape (2,2)"
    assert "During handling" not in result.stderr
    assert result.returncode == 1
