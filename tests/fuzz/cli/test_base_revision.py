"""What the base of a change has already does not fail a run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.report.annotations import locate_function

HEAD = "import numpy as np\nfrom numpy import ndarray\n\n"
OLD = "def sort(a, axis=-1):\n    return np.sort(np.nan_to_num(a), axis)\n\n"
NEW = "def floor(x):\n    return np.append(np.floor(x), 0)\n"
RUN = ["run", "--subject", "revised", "--cases", "300", "--seed", "3", "--jobs", "1", "--values-only"]


@pytest.fixture
def repository(monkeypatch, tmp_path):
    """A repository with a library that has a bug, and in its working tree another one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    Path("revised.py").write_text(HEAD + OLD)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "revised.py"], ["commit", "-qm", "Add a library"]):
        subprocess.run([*git, *words], check=True)
    Path("revised.py").write_text(HEAD + OLD + NEW)
    yield tmp_path
    sys.modules.pop("revised", None)


@pytest.mark.full
def test_only_what_the_base_has_not_fails(repository, capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert main([*RUN, "--out", "run", "--base", "HEAD"]) == 1
    rows = json.loads(Path("run/summary.json").read_text())["findings"]
    assert {(row["name"], row["older"]) for row in rows} == {("sort", True), ("floor", False)}
    printed = capsys.readouterr().out
    assert f"::error file=revised.py,line={(HEAD + OLD).count(chr(10)) + 1},title=" in printed
    assert "older" in printed
    assert main(["merge", "run"]) == 1
    Path("revised.py").write_text(HEAD + OLD)
    assert main([*RUN, "--out", "same", "--base", "HEAD"]) == 0


@pytest.mark.parametrize("revision", ["nowhere", "--help"])
def test_a_revision_that_does_not_exist_is_a_mistake(repository, capsys, revision):
    assert main([*RUN, "--out", "run", f"--base={revision}"]) == 2
    assert "--base: no revised.py at" in capsys.readouterr().err


def test_a_function_is_found_in_its_source_without_importing_it(repository):
    assert locate_function("revised", "sort") == (Path("revised.py"), HEAD.count("\n") + 1)
    assert locate_function("revised", "linalg.floor") is not None
    assert locate_function("revised", "add") is None
    assert locate_function("nothing_of_this_name", "add") is None
