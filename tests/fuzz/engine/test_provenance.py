"""What a run says of itself stays as it was when the run started, wherever and whenever its directory is read."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.engine.provenance import join_versions
from fuzz.history.database import Database
from tests.fuzz.inline import run_inline

ROOT = Path(__file__).parents[3]
SUBJECT = """import numpy as np
from numpy import ndarray
def negative(x): return np.positive(x)
"""
PART = ["run", "negative", "--subject", "moved_library", "--cases", "64", "--jobs", "1", "--seed", "3"]


def commit(folder):
    for words in (["add", "."], ["-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=folder, check=True)


@pytest.fixture(scope="module")
def moved(tmp_path_factory):
    """Two shards in a folder without the subject, on another day, beside a repository that has gone on."""
    home, away = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("away")
    subprocess.run(["git", "init", "-q"], cwd=home, check=True)
    (home / "moved_library.py").write_text(SUBJECT)
    (home / ".gitignore").write_text("[12]\n.fuzz\n__pycache__\n")
    commit(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(home))
        patch.chdir(home)
        run_inline(patch)
        for shard in "12":
            assert main([*PART, "--shard", f"{shard}/2", "--out", shard]) == 1
    (home / "moved_library.py").write_text(SUBJECT + "\n")
    commit(home)
    for shard in "12":
        shutil.move(home / shard, away / shard)
        for path in (away / shard).rglob("*"):
            os.utime(path, (0, 0))
    return away


def run_elsewhere(folder, *words):
    """Run a command that finds no subject, on a machine of another name."""
    code = "import platform, sys; platform.node = lambda: 'elsewhere'; from fuzz.__main__ import main; sys.exit(main())"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def read(path):
    return json.loads(path.read_text())


def test_moved_shards_are_merged_with_their_own_provenance(moved, tmp_path):
    done = run_elsewhere(moved, "merge", "1", "2", "--out", str(tmp_path / "both"), "--history", str(tmp_path / "h"))
    assert done.returncode == 1, done.stderr
    runs, merged = [read(moved / shard / "run.json") for shard in "12"], read(tmp_path / "both/summary.json")
    assert re.fullmatch("[0-9a-f]{40}", runs[0]["revision"])
    assert runs[0]["versions"]["moved_library"] == f"commit {runs[0]['revision'][:10]}"
    kept = ("versions", "revision", "machine", "started", "command", "seed", "shard")
    assert merged["provenance"] == [{key: run[key] for key in merged["provenance"][0]} for run in runs]
    assert set(merged["provenance"][0]) == set(kept)
    assert merged["versions"] == runs[0]["versions"]
    recorded = [json.loads(line) for line in (tmp_path / "both/cases.jsonl").read_text().splitlines()]
    assert {row["since"] for row in recorded} == {runs[0]["started"][:10]}
    with Database(tmp_path / "h") as database:
        found = database.list_runs()
    assert [run.at.isoformat() for run in found] == [run["started"] for run in runs]
    assert {(run.revision, run.machine) for run in found} == {(runs[0]["revision"], runs[0]["machine"])}


def read_reports(folder):
    """The files of a run's directory, without links to the sources of the subject, which are those of the checkout."""
    names = ("summary.json", "cases.jsonl", "report.html", "report.md", "junit.xml")
    return {name: re.sub('<p class="where">.*?</p>', "", (folder / name).read_text()) for name in names}


def test_a_report_elsewhere_is_the_one_of_the_run(moved, tmp_path):
    shutil.copytree(moved / "1", tmp_path / "1")
    before = read_reports(tmp_path / "1")
    assert run_elsewhere(tmp_path, "merge", "1").returncode == 1
    assert read_reports(tmp_path / "1") == before


def test_versions_that_differ_are_all_named():
    rows = [{"versions": {"numpy": "2.3.0", "python": "3.11"}}, {"versions": {"numpy": "2.4.0", "python": "3.11"}}]
    assert join_versions(rows) == {"numpy": "2.3.0, 2.4.0", "python": "3.11"}


@pytest.mark.sample(1)
@pytest.mark.parametrize("words", [["merge"], ["history"], ["diff", "1"], ["baseline", "--write", "b.json"]])
def test_an_interpreter_that_only_a_file_names_is_not_started(moved, tmp_path, words):
    shutil.copytree(moved / "1", tmp_path / "1")
    program = tmp_path / "1/program"
    program.write_text(f'#!/bin/sh\ntouch "{tmp_path}/started"\nexec "{sys.executable}" "$@"\n')
    program.chmod(0o755)
    run = read(tmp_path / "1/run.json") | {"interpreter": "1/program"}
    (tmp_path / "1/run.json").write_text(json.dumps(run))
    assert run_elsewhere(tmp_path, *words, "1").returncode in (0, 1)
    assert not (tmp_path / "started").exists()


def test_a_run_of_another_interpreter_goes_on_only_if_it_is_named(moved, tmp_path, monkeypatch, capsys):
    shutil.copytree(moved / "1", tmp_path / "1")
    run = read(tmp_path / "1/run.json") | {"interpreter": "1/program", "subject": "numpy"}
    (tmp_path / "1/run.json").write_text(json.dumps(run))
    monkeypatch.chdir(tmp_path)
    assert main(["run", "--resume", "1", "--cases", "64"]) == 2
    assert "only if you pass --python 1/program" in capsys.readouterr().err
    assert main(["run", "--resume", "1", "--cases", "64", "--python", "another"]) == 2
    assert "--python 1/program" in capsys.readouterr().err
