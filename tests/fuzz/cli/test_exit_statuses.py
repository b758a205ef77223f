"""Whose fault it is: a broken subject is a mistake on the command line or a finding, never the harness failing."""

from __future__ import annotations

import json
import re
import sys

import pytest

from fuzz.__main__ import main
from fuzz.engine.cluster import ClusterLost
from fuzz.engine.tasks import UnknownSetup, find_setup, prepare
from oracle.harness import UnknownSubject
from tests.fuzz.inline import InlineExecutor

ESCAPING = """
import sys
import numpy as np
from numpy import ndarray

def add(x1, x2, /, *args, **kwargs):
    sys.exit(7)

def subtract(x1, x2, /, *args, **kwargs):
    raise KeyboardInterrupt

def multiply(x1, x2, /, *args, **kwargs):
    raise BaseException("of all things")
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("import sys; sys.exit(0)", "unfit cannot be imported: SystemExit: 0"),
        ("raise RuntimeError('licence server')", "unfit cannot be imported: RuntimeError: licence server"),
        ("def f(:", "unfit cannot be imported: SyntaxError: invalid syntax (unfit.py, line 1)"),
        ("import nonesuch", "unfit cannot be imported: ModuleNotFoundError: No module named 'nonesuch'"),
        (
            "def __getattr__(name):\n    raise ZeroDivisionError(name)\n",
            "unfit cannot be imported: ZeroDivisionError: ndarray",
        ),
        (
            "from numpy import ndarray\ndef __getattr__(name):\n    raise ZeroDivisionError('not that')\n",
            "unfit cannot be inspected: ZeroDivisionError: not that",
        ),
    ],
    ids=["exits", "raises", "syntax", "lacks", "no attributes", "no names"],
)
def test_a_subject_that_cannot_be_imported_is_said_to_be_so(folder, monkeypatch, source, complaint):
    """As the fork server prepares it, but here: what it raises there is raised again by the command."""
    monkeypatch.delitem(sys.modules, "unfit", raising=False)
    (folder / "unfit.py").write_text(source)
    with pytest.raises(UnknownSubject) as refusal:
        prepare("unfit", ("CPU:0",), ("add",))
    assert str(refusal.value).startswith(complaint)


@pytest.mark.full
@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("import sys; sys.exit(0)", "unfit cannot be imported: SystemExit: 0"),
        ("import os; os._exit(0)", "the process that imports unfit exited with status 0"),
        ("import os; os.abort()", "the process that imports unfit was killed by SIGABRT"),
    ],
    ids=["exits", "_exits", "aborts"],
)
def test_a_subject_that_cannot_be_imported_is_a_mistake(folder, capsys, source, complaint):
    (folder / "unfit.py").write_text(source)
    assert main(["run", "add", "--subject", "unfit", "--time", "1s", "--jobs", "1", "--out", "run"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"fuzz: {complaint}"), error
    assert not (folder / "run").exists()


@pytest.mark.full
def test_what_escapes_from_a_call_is_a_finding_with_class_message_and_status(folder, capsys):
    (folder / "escaping.py").write_text(ESCAPING)
    options = ["--subject", "escaping", "--modes", "eager", "--jobs", "1", "--cases", "30", "--out", "run"]
    options += ["--seed", "5"]  # with which NumPy answers a call of each function
    assert main(["run", "add", "subtract", "multiply", *options]) == 1
    output = capsys.readouterr().out
    for text in (
        "raised SystemExit: 7 in add (escaping.py:7)",
        "raised KeyboardInterrupt in subtract (escaping.py:10)",
        "raised BaseException: of all things in multiply (escaping.py:13)",
    ):
        assert text in output
    assert "not reproduced" not in output


def test_a_run_whose_cluster_is_gone_ends_with_its_report_and_the_command_that_resumes_it(folder, monkeypatch, capsys):
    """The exit status is that of a harness that failed; what was found is there."""
    source = (
        "from numpy import *\nfrom numpy import ndarray\nimport numpy\ndef negative(x): return numpy.negative(x) + 1\n"
    )
    (folder / "wrong.py").write_text(source)
    monkeypatch.setattr("fuzz.engine.summary.load_bugs", lambda library: [])
    replies = []

    class Breaking(InlineExecutor):
        def wait(self, seconds):
            replies.append(None)
            if len(replies) > 30:
                raise ClusterLost("the scheduler at tcp://here:1 does not answer any more")
            return super().wait(seconds)

    monkeypatch.setattr("fuzz.engine.campaign.make_executor", lambda text, jobs, setup, *more: Breaking(setup))
    options = ["--subject", "wrong", "--modes", "eager", "--seed", "5", "--executor", "dask:tcp://here:1"]
    assert main(["run", "negative", *options, "--cases", "4000", "--out", "run"]) == 3
    output = capsys.readouterr()
    assert "The run ended early: the scheduler at tcp://here:1 does not answer any more" in output.out
    resume = "python -m fuzz run --resume run --subject wrong --executor dask:tcp://here:1\n"
    assert resume in output.out
    assert not output.err
    summary = json.loads((folder / "run/summary.json").read_text())
    assert summary["broken"]
    assert summary["interrupted"]
    assert summary["findings"]
    assert "does not answer any more" in (folder / "run/report.html").read_text()


REFUSING = """
import numpy as np
from numpy import ndarray

def negative(x, /, *args, **kwargs):
    raise NotImplementedError("later")

def positive(x, /, *args, **kwargs):
    return np.positive(x, *args, **kwargs)
"""


@pytest.fixture
def inline(folder, monkeypatch):
    """A run in this process, of a module that answers no call of `negative`."""
    (folder / "refusing.py").write_text(REFUSING)
    monkeypatch.delitem(sys.modules, "refusing", raising=False)
    monkeypatch.setattr("fuzz.engine.summary.load_bugs", lambda library: [])
    monkeypatch.setattr("fuzz.engine.campaign.make_executor", lambda text, jobs, setup, *more: InlineExecutor(setup))
    options = ["--subject", "refusing", "--cases", "60", "--seed", "5", "--out", "run", "--values-only"]

    def run(*words):
        status = main(["run", *words, *options])
        summary = folder / "run/summary.json"
        return status, json.loads(summary.read_text()) if summary.exists() else {}

    return run


def test_a_mode_that_the_subject_does_not_have_is_a_mistake(inline, capsys):
    assert inline("positive", "--modes", "eager,graph") == (2, {})
    assert capsys.readouterr().err == "fuzz: refusing has no mode 'graph'; it has eager\n"


def test_a_name_without_an_answer_is_not_judged(inline, folder, capsys):
    status, summary = inline("negative", "positive", "--modes", "eager")
    assert status == 0
    assert summary["not_judged"] == {"names": ["negative"], "modes": [], "faulted": []}
    assert {key: summary["names"][key] for key in ("exercised", "judged", "agreeing")} == {
        "exercised": 2,
        "judged": 1,
        "agreeing": 1,
    }
    output = capsys.readouterr().out
    assert "refusing: no difference in 1 of 1269 names; not judged: 1 name\n" in output
    assert "Not judged, for want of an answer: negative\n" in output
    (case,) = re.findall(r'<testcase name="negative".*?</testcase>', (folder / "run/junit.xml").read_text(), re.DOTALL)
    assert '<skipped message="not judged: no valid call was answered' in case


def test_a_run_without_an_answer_is_not_green(inline, capsys):
    status, summary = inline("negative", "--modes", "eager")
    assert (status, summary["names"]["judged"], summary["names"]["agreeing"]) == (2, 0, 0)
    output = capsys.readouterr().out
    assert "refusing: nothing was judged" in output
    assert "no difference" not in output


def test_a_cluster_that_is_not_there_is_a_mistake(folder, monkeypatch, capsys):
    monkeypatch.setattr("fuzz.engine.dask_client.CONNECTING", 0.2)
    assert main(["run", "add", "--subject", "numpy", "--executor", "dask:tcp://127.0.0.1:1", "--out", "run"]) == 2
    assert "fuzz: no scheduler of Dask answers at tcp://127.0.0.1:1: " in capsys.readouterr().err
    assert not (folder / "run").exists()


@pytest.mark.parametrize("out", ["/proc/nope", "/sys/x", "file/below"])
def test_a_directory_that_cannot_be_made_is_a_mistake(folder, capsys, out):
    (folder / "file").write_text("")
    assert main(["run", "add", "--out", out]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"fuzz: {out} cannot be made: "), error


@pytest.mark.parametrize(
    ("setup", "complaint"),
    [
        ("prelude:nonesuch", "no --setup prelude:nonesuch: AttributeError"),
        ("prelude:NUMBER", "no --setup prelude:NUMBER: it is a int, not a function"),
        ("nonesuch:f", "no --setup nonesuch:f: ModuleNotFoundError"),
    ],
)
def test_a_setup_that_there_is_not_is_said_to_be_so(folder, monkeypatch, setup, complaint):
    monkeypatch.delitem(sys.modules, "prelude", raising=False)
    (folder / "prelude.py").write_text("NUMBER = 5\n")
    with pytest.raises(UnknownSetup) as refusal:
        find_setup(setup)
    assert str(refusal.value).startswith(complaint)


@pytest.mark.full
@pytest.mark.parametrize(
    ("setup", "complaint"),
    [
        ("nonesuch:f", "fuzz: no --setup nonesuch:f: ModuleNotFoundError"),
        ("prelude:fail", "fuzz: --setup prelude:fail: OSError: no licence"),
        ("prelude", "'prelude' is not a function; write MODULE:FUNCTION"),
        ("prelude:f;g", "is not a function; write MODULE:FUNCTION"),
    ],
)
def test_a_setup_that_there_is_not_is_a_mistake(folder, capsys, setup, complaint):
    (folder / "prelude.py").write_text("def fail():\n    raise OSError('no licence')\n")
    assert main(["run", "add", "--subject", "numpy", "--setup", setup, "--modes", "eager", "--out", "run"]) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.full
def test_a_subject_is_set_up_before_it_is_judged_and_in_scripts(folder, capsys):
    (folder / "prelude.py").write_text("import negating\ndef prepare():\n    negating.SIGN = -1\n")
    source = "import numpy as np\nfrom numpy import ndarray\nSIGN = 1\n"
    source += "def add(x1, x2, /, *args, **kwargs):\n    return np.multiply(SIGN, np.add(x1, x2, *args, **kwargs))\n"
    (folder / "negating.py").write_text(source)
    options = ["--subject", "negating", "--modes", "eager", "--jobs", "1", "--cases", "40", "--seed", "1"]
    assert main(["run", "add", *options, "--setup", "prelude:prepare", "--out", "run"]) == 1
    scripts = list((folder / "run/repros").iterdir())
    assert scripts
    assert all("from prelude import prepare\n\nprepare()\n" in path.read_text() for path in scripts)
    (case, *_) = [path for path in (folder / "run/cases").iterdir() if (folder / f"run/repros/{path.stem}.py").exists()]
    capsys.readouterr()
    assert main(["replay", str(case), "--subject", "negating", "--modes", "eager"]) == 2
    assert "called only if you pass --setup prelude:prepare" in capsys.readouterr().err
    named = ["--subject", "negating", "--setup", "prelude:prepare", "--modes", "eager"]
    assert main(["replay", str(case), *named]) == 1
