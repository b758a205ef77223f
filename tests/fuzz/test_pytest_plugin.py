"""The pytest plugin, as a stranger uses it: in a directory of their own, with a module that has bugs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis.database import DirectoryBasedExampleDatabase, choices_to_bytes

from fuzz import pytest_plugin
from fuzz.testing.expected_failures import UnfitExpectations, find_stale, read_expectations
from fuzz.testing.failing_calls import FailingCalls
from fuzz.testing.subject_tests import SubjectCollector, read_modes

ROOT = Path(__file__).parent.parent.parent

# What a stranger might have: thirty lines, right but for `roll`, which rolls the wrong way if `shift` is negative.
STRANGERS = '''
"""Some of NumPy's functions, written anew."""

import numpy as np
from numpy import ndarray


def roll(a, shift, axis=None):
    if isinstance(shift, int):
        shift = abs(shift)
    return np.roll(a, shift, axis)


def flip(m, axis=None):
    if not hasattr(m, "ndim"):
        m = np.asarray(m)
    if axis is None:
        return m[(slice(None, None, -1),) * m.ndim]
    return np.flip(m, axis)


def negative(x, /, *args, **kwargs):
    return np.negative(x, *args, **kwargs)


def ptp(a, axis=None, out=None, keepdims=np._NoValue):
    return np.ptp(a, axis, out, keepdims)
'''


MANY = "--numpy-subject-examples=250"  # of which one in twelve shows the bug: chance finds it
STORING = "--hypothesis-profile=default"  # the profile that Hypothesis loads in CI has no database


def run(directory, *arguments, program=("pytest", "-p", "fuzz.pytest_plugin"), **environment):
    paths = os.pathsep.join([str(ROOT), str(directory)])
    found = subprocess.run(
        [sys.executable, "-m", *program, *arguments],
        check=False,
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "PYTHONPATH": paths, "COLUMNS": "120", "NO_COLOR": "1", **environment},
    )
    return found.returncode, found.stdout + found.stderr


@pytest.fixture
def directory(tmp_path):
    (tmp_path / "mine.py").write_text(STRANGERS)
    return tmp_path


@pytest.mark.full
def test_a_planted_bug_is_found_shrunk_and_replayed(directory):
    assert len(STRANGERS.strip().splitlines()) <= 31
    status, text = run(directory, "--numpy-subject", "mine", MANY, STORING)
    assert status == 1, text
    assert re.search(r"FAILED mine::roll", text)
    assert "1 failed, 3 passed" in text
    assert re.search(r"call +np\.roll\(.*-1", text), text
    assert re.search(r"^ +NumPy +\[.*\] \w+$\n^ +mine +\[.*\] \w+$", text, re.MULTILINE)
    for title in ("this call", "alone"):
        command = re.search(rf"{title} +(PYTHONPATH=.*)", text)[1].replace(" python ", f" {sys.executable} ")
        assert subprocess.run(command, shell=True, check=False, cwd=directory).returncode == 1, command
    again = re.search(r"again +(.*)", text)[1]
    stored = FailingCalls(
        DirectoryBasedExampleDatabase(directory / ".hypothesis" / "examples"), "mine", "roll", ["eager"]
    )
    assert stored.count() > 0
    for mended in range(3):  # calls that came first, and agree by now, do not keep the others from being replayed
        stored.save(b"", choices_to_bytes([mended]))
    status, text = run(directory, *shlex.split(again)[1:], STORING, "--numpy-subject-examples=1")
    assert (status, "1 failed" in text) == (1, True), text


CONFIGURED = """
[tool.fuzz]
subject = "mine"
names = ["roll", "flip"]
values-only = true

[[tool.fuzz.by-design]]
name = "roll"
why = "rolls to the right alone"
"""


@pytest.mark.full
def test_a_project_is_judged_as_it_says(directory):
    (directory / "pyproject.toml").write_text(CONFIGURED)
    status, text = run(directory, "--numpy-subject-configured", "--numpy-subject-examples=40")
    assert (status, "2 passed" in text) == (0, True), text
    status, text = run(
        directory, "--numpy-subject", "mine", "--numpy-subject-names", "roll", "--numpy-subject-examples=40"
    )
    assert (status, "1 passed" in text) == (0, True), text
    (directory / "pyproject.toml").write_text("")
    status, text = run(directory, "--numpy-subject-configured")
    assert (status, "needs a subject in [tool.fuzz]" in text) == (4, True), text


def test_options_are_taken_from_the_table(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(CONFIGURED)
    option = SimpleNamespace(numpy_subject=None, numpy_subject_configured=True, numpy_subject_values_only=False)
    option.numpy_subject_names = option.numpy_subject_modes = None
    pytest_plugin._take_configured(option)
    assert (option.numpy_subject, option.numpy_subject_names, option.numpy_subject_modes) == (
        "mine",
        "roll,flip",
        "eager",
    )
    assert option.numpy_subject_values_only
    other = SimpleNamespace(numpy_subject="other", numpy_subject_configured=False, numpy_subject_values_only=False)
    other.numpy_subject_names = other.numpy_subject_modes = None
    pytest_plugin._take_configured(other)
    assert (other.numpy_subject_names, other.numpy_subject_modes, other.numpy_subject_values_only) == (
        "*",
        "eager",
        False,
    )
    Path("pyproject.toml").write_text("[tool.fuzz]\nsubjekt = 1")
    with pytest.raises(pytest.UsageError, match="no key 'subjekt'; did you mean subject"):
        pytest_plugin._take_configured(other)


CRASHING = """
import os
from numpy import ndarray
import numpy as np


def negative(x, /, *args, **kwargs):
    os.abort()


def positive(x, /, *args, **kwargs):
    while np.size(x) != -1:
        pass


def absolute(x, /, *args, **kwargs):
    return np.absolute(x, *args, **kwargs) + (np.size(x) == 3)
"""


@pytest.mark.full
def test_an_abort_is_a_failure(tmp_path):
    (tmp_path / "crashing.py").write_text(CRASHING)
    status, text = run(
        tmp_path, "--numpy-subject", "crashing", "--numpy-subject-names", "negative", "--numpy-subject-examples=3"
    )
    assert (status, "1 failed" in text) == (1, True), text
    assert "crashing.negative kills the process, unlike NumPy (eager)" in text


@pytest.mark.full
def test_a_hang_is_a_failure(tmp_path):
    (tmp_path / "crashing.py").write_text(CRASHING)
    status, text = run(
        tmp_path, "--numpy-subject", "crashing", "--numpy-subject-names", "positive", "--numpy-subject-examples=3"
    )
    assert (status, "1 failed" in text) == (1, True), text
    assert "crashing.positive does not return within" in text


@pytest.mark.full
def test_skips_and_xfails_go_stale_beside_tests_that_are_named(directory):
    (directory / "skips").write_text("# what is not tested\nptp  slow\nsinus  no such name\n")
    (directory / "xfails").write_text("roll  wrong way\nnega*  was wrong\nlinalg.*  none\n")
    (directory / "test_own.py").write_text("def test_own(): pass\n")
    files = ("test_own.py", "--numpy-subject-skips=skips", "--numpy-subject-xfails=xfails")
    status, text = run(directory, "--numpy-subject", "mine", *files, MANY, "-rsx")
    assert status == 1, text
    assert "3 failed, 2 passed, 1 skipped, 1 xfailed" in text, text
    assert "skips:3: sinus matches no name of the subject; remove the line" in text
    assert "xfails:3: linalg.* matches no name" in text
    assert re.search(r"skips:2: slow", text)
    assert re.search(r"xfails:1: wrong way", text)
    assert re.search(r"\[XPASS\(strict\)\] xfails:2: was wrong", text)


@pytest.mark.parametrize(
    ("lines", "message"),
    [("add", "add has no reason"), ("add one\nadd two", "add is listed in"), (None, "cannot be read")],
)
def test_expectations_are_checked(tmp_path, lines, message):
    path = tmp_path / "file"
    if lines is not None:
        path.write_text(lines)
    with pytest.raises(UnfitExpectations, match=message):
        read_expectations(path)


def test_expectations_are_names_and_globs(tmp_path):
    (tmp_path / "file").write_text("\n# a comment\nlinalg.*  all of it\nroll   one\n")
    found = read_expectations(tmp_path / "file")
    assert [(one.pattern, one.reason) for one in found] == [("linalg.*", "all of it"), ("roll", "one")]
    assert [one.pattern for one in find_stale(found, ["linalg.norm", "add"])] == ["roll"]
    assert read_expectations(None) == []


@pytest.mark.full
def test_mistakes_are_told(tmp_path):
    status, text = run(tmp_path, "--numpy-subject", "absent_module")
    assert status not in (0, 1), text
    assert "no module 'absent_module'" in text
    with pytest.raises(SubjectCollector.CollectError, match="no mode Eager!; there are eager"):
        read_modes("eager,Eager!")
    assert read_modes("graph, eager,graph") == ("graph", "eager")


@pytest.mark.full
def test_those_who_do_not_use_it_pay_nothing(tmp_path):
    program = (
        "import sys; import pytest; before = set(sys.modules); import fuzz.pytest_plugin; "
        "print(sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    found = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "['fuzz']"


@pytest.mark.full
def test_a_project_may_have_such_options_itself(directory):
    own = ("--subject", "--subject-names", "--modes", "--database", "--python", "--values-only")
    added = "".join(f"    parser.addoption({option!r})\n" for option in own)
    (directory / "conftest.py").write_text(f"def pytest_addoption(parser):\n{added}")
    (directory / "test_it.py").write_text(
        "def test_it(request):\n"
        "    option = request.config.option\n"
        "    assert (option.subject, option.subject_names, option.modes) == ('theirs', 'one', 'theirs')\n"
    )
    given = ("--subject=theirs", "--subject-names=one", "--modes", "theirs", "test_it.py")
    status, text = run(directory, *given)
    assert (status, "1 passed" in text) == (0, True), text
    ours = ("--numpy-subject", "mine", "--numpy-subject-names", "flip", "--numpy-subject-examples=3")
    status, text = run(directory, *given, *ours)
    assert (status, "2 passed" in text) == (0, True), text
