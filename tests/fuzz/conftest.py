"""What many tests share: a sandbox for each process, since pytest itself never imports TensorFlow; and a stored run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.engine.case_judge import CaseJudge
from tests.fuzz.inline import run_inline


@pytest.fixture(scope="session")
def case_judge():
    """Return a judge of tfnp."""
    with CaseJudge("tfnp", ("eager", "graph", "xla")) as judge:
        yield judge


@pytest.fixture(scope="session")
def stored_run(tmp_path_factory):
    """Return the directory of a run with findings that have scripts, which is not to be changed."""
    folder = tmp_path_factory.mktemp("stored") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent)
        run_inline(patch)
        words = ["run", "negative", "positive", "--subject", "planted_many", "--cases", "64", "--seed", "5"]
        assert main([*words, "--signatures", "on", "--jobs", "1", "--out", str(folder)]) == 1
    assert list((folder / "repros").iterdir())
    return folder


@pytest.fixture
def run(stored_run, tmp_path):
    """Return the directory of a copy of the stored run."""
    shutil.copytree(stored_run, tmp_path / "run")
    return tmp_path / "run"
