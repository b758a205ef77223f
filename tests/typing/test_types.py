"""What type checkers make of users' programs. Run by `tox -e types`: the checkers are no part of the other suites."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CHECKERS = {
    "mypy": [sys.executable, "-m", "mypy", "--hide-error-context", "--no-error-summary"],
    "pyright": ["pyright", "--pythonpath", sys.executable],
}


@pytest.fixture(params=CHECKERS)
def checker(request):
    """A checker's command; pyright comes from npm, so it is used only where it is installed."""
    name = request.param
    if find_spec(name) is None if name == "mypy" else shutil.which(name) is None:
        pytest.skip(f"{name} is not installed: run `tox -e types`")
    return CHECKERS[name]


def errors(command, file):
    """The numbers of the lines of a file that a checker reports."""
    run = subprocess.run([*command, str(HERE / file)], cwd=ROOT, capture_output=True, text=True, check=False)
    found = {int(line) for line in re.findall(rf"{file}:(\d+)(?::\d+)?[ :-]+error", run.stdout)}
    assert found or run.returncode == 0, run.stdout + run.stderr
    return found


@pytest.mark.parametrize("file", ["accepted.py", "accepted_arrays.py"])
def test_a_users_program_is_accepted(checker, file):
    assert errors(checker, file) == set()


@pytest.mark.parametrize("file", ["rejected.py", "rejected_arrays.py"])
def test_every_wrong_call_is_reported(checker, file):
    calls = ast.parse((HERE / file).read_text()).body[3:]
    assert errors(checker, file) == {call.lineno for call in calls}
