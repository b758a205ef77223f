"""Commands in reports work as they are printed, from the directory in which the run was started."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.triage.commands import find_python_path, format_replay, format_script, join_words, set_python_path, show_path

MINE = "from numpy import ndarray\n\ndef negative(x, /):\n    return x + 1\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current directory, with a module that is importable for this process only."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "here_only.py").write_text(MINE)
    (tmp_path / "lib" / "elsewhere_only.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "lib")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return tmp_path


def test_an_installed_module_needs_no_path(folder):
    assert find_python_path("numpy.linalg", script=True) == ""
    assert find_python_path("sys", script=True) == find_python_path("no_such_module", script=True) == ""
    assert format_script(Path("repros/f.py"), "numpy") == "python repros/f.py"


def test_a_script_does_not_find_what_is_in_the_current_directory(folder):
    assert find_python_path("here_only") == ""
    assert format_script(Path("fuzz-out/001/repros/f.py"), "here_only") == (
        "PYTHONPATH=. python fuzz-out/001/repros/f.py"
    )


def test_what_comes_from_pythonpath_needs_it(folder, monkeypatch):
    paths = os.pathsep.join(["/nowhere", "lib"])
    monkeypatch.setenv("PYTHONPATH", paths)
    assert find_python_path("elsewhere_only") == paths
    assert find_python_path("numpy") == ""
    monkeypatch.setenv("PYTHONPATH", "a b:lib")
    assert set_python_path("python -m fuzz", "elsewhere_only.array") == "PYTHONPATH='a b:lib' python -m fuzz"


def test_a_script_runs_as_its_command_is_printed(folder):
    (folder / "repros").mkdir()
    (folder / "repros/f.py").write_text("import here_only\nprint(here_only.negative(1))\n")
    command = format_script(Path("repros/f.py"), "here_only").replace("python ", f"{sys.executable} ")
    done = subprocess.run(command, shell=True, check=True, capture_output=True, text=True)
    assert done.stdout == "2\n"


@pytest.mark.parametrize(
    ("summary", "modes", "command"),
    [
        ({"subject": "numpy"}, (), "python -m fuzz replay f --subject numpy"),
        ({"subject": "numpy"}, ("eager", "xla"), "python -m fuzz replay f --subject numpy --modes eager,xla"),
        (
            {"subject": "numpy", "setup": "here_only:start"},
            ("eager@CPU:1", "graph"),
            "python -m fuzz replay f --subject numpy --setup here_only:start --modes eager,graph --devices CPU:1,CPU:0",
        ),
    ],
)
def test_a_finding_is_replayed_as_the_run_judged_it(folder, summary, modes, command):
    assert format_replay("f", summary, modes) == command


def test_paths_are_relative_to_the_current_directory(folder):
    assert show_path(folder / "fuzz-out/001") == Path("fuzz-out/001")
    assert show_path(Path("fuzz-out/001")) == Path("fuzz-out/001")
    assert show_path(folder.parent / "other") == folder.parent / "other"


@pytest.mark.parametrize(
    "word", ["a b", "$(touch x);`x`", "a'b", "two\nlines::error::", "\x1b[31m\\n'é", "half\udcff\t", "$'"], ids=ascii
)
def test_any_word_of_a_command_is_on_one_line_and_is_read_as_it_was(word):
    command = join_words(["printf", "%s", word])
    assert command.isprintable()
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert done.stdout == os.fsencode(word)


def test_a_folder_on_the_path_is_no_line_of_a_command(folder, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", f"{folder / 'lib'}:\n::error::forged")
    assert "\n" not in set_python_path("python x.py", "elsewhere_only")
