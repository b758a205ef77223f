"""Subjects in the environment of another interpreter."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.releases import interpreters
from fuzz.releases.environments import Unavailable, find_uv
from fuzz.releases.interpreters import find_interpreter
from tests.fuzz.releases.libraries import OLD, make_release


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    return str(make_release(tmp_path_factory.mktemp("other"), OLD))


def test_a_library_is_judged_where_it_is_installed(python, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["--subject", "changing_library", "--python", python]
    assert main(["run", "roll", *words, "--cases", "300", "--seed", "1", "--jobs", "1", "--out", "run"]) == 1
    printed = capsys.readouterr().out
    assert re.search(r"roll`?: .+ where NumPy gives ", printed)
    assert f"Script: {python} run/repros/" in printed
    summary = json.loads(Path("run/summary.json").read_text())
    assert summary["interpreter"] == python
    assert summary["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))
    row = next(row for row in summary["findings"] if row["kind"] == "value")
    assert main(["replay", f"run/{row['case']}", *words]) == 1
    assert main(["replay", f"run/{row['case']}", "--subject", "changing_library"]) == 2
    assert "no module 'changing_library'" in capsys.readouterr().err
    assert subprocess.run([python, f"run/{row['repro']}"], capture_output=True, check=False).returncode == 1
    assert main(["replay", "run", *words, "--json"]) == 1
    assert {one["status"] for one in json.loads(capsys.readouterr().out)} == {"still"}
    assert main(["replay", "--reduce", f"run/{row['case']}", *words, "--budget", "2"]) == 1


@pytest.mark.full
def test_its_coverage_is_shown(python, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["--subject", "changing_library", "--python", python, "--jobs", "1", "--json", "coverage.json"]
    assert main(["coverage", "roll", *words]) == 0
    found = json.loads(Path("coverage.json").read_text())
    assert found["subject"] == "changing_library"
    assert found["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))


@pytest.mark.full
def test_pytest_tests_it_where_it_is_installed(python, tmp_path):
    words = ["--numpy-subject", "changing_library", "--numpy-subject-names", "roll", "--numpy-subject-python", python]
    printed = run_pytest(tmp_path, words)
    assert "1 failed" in printed
    assert f"pytest {' '.join(words)}" in printed
    assert "no interpreter 'no-such-python'" in run_pytest(tmp_path, [*words[:-1], "no-such-python"])


def run_pytest(folder, words):
    command = [sys.executable, "-m", "pytest", "-p", "fuzz.pytest_plugin", "--rootdir", str(folder), *words]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3]), "COLUMNS": "200"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [("no-such-python", r"no interpreter 'no-such-python'"), ("false", r"is no Python that runs")],
)
def test_what_is_no_python_is_told(text, message):
    with pytest.raises(Unavailable, match=message):
        find_interpreter(text)


def test_a_program_that_never_answers_is_told(tmp_path, monkeypatch):
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nsleep 100\n")
    program.chmod(0o700)
    monkeypatch.setattr(interpreters, "SECONDS", 0.2)
    begun = time.monotonic()
    with pytest.raises(Unavailable, match=r"is no Python that runs: .*timed out after 0\.2 seconds"):
        find_interpreter(str(program))
    assert time.monotonic() - begun < 50


def test_what_the_other_environment_lacks_is_told(tmp_path):
    subprocess.run([find_uv(), "venv", "--quiet", "--python", sys.executable, str(tmp_path / "bare")], check=True)
    python = str(tmp_path / "bare" / "bin" / "python")
    with pytest.raises(Unavailable, match=r"lacks what the harness needs: .* -m pip install numpy ml_dtypes$"):
        find_interpreter(python)


@pytest.mark.parametrize(
    ("version", "lacking"), [(sys.version_info[:3], ""), ((3, 99, 0), "hypothesis"), ((3, 99, 0), "mpmath")]
)
def test_what_is_compiled_for_another_minor_version_is_needed(version, lacking, monkeypatch, tmp_path):
    asked = {"python": list(version), "missing": [lacking or "hypothesis"], "versions": {}}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(interpreters, "_ask", lambda python: asked)
    monkeypatch.setattr(interpreters, "_is_compiled", lambda package: package == "hypothesis")
    if lacking == "hypothesis":
        with pytest.raises(Unavailable, match=r"-m pip install hypothesis$"):
            find_interpreter(sys.executable)
    else:
        assert find_interpreter(sys.executable).python == sys.executable


def test_each_checkout_of_the_harness_has_links_of_its_own(tmp_path, monkeypatch):
    """A run of one goes on while one of another begins in the same directory."""
    first = interpreters.link_packages(tmp_path)
    monkeypatch.setattr(interpreters, "HOME", tmp_path / "elsewhere")
    second = interpreters.link_packages(tmp_path)
    assert first != second
    assert (first / "oracle").resolve() == Path(interpreters.__file__).parents[2] / "oracle"
    assert (second / "oracle").readlink() == tmp_path / "elsewhere" / "oracle"
    assert interpreters.link_packages(tmp_path) == second
