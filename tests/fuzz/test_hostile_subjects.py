"""Subjects whose texts, deaths and processes are not what they seem."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.engine import campaign
from oracle.harness import ALLOW_ROOT, Limits
from oracle.sandbox import confinement, pool

ROOT = Path(__file__).parents[2]
TEXTS = """
import os
import numpy as np
from numpy import ndarray

def exp2(x):  # line 2 of a script was its encoding: UTF-7 turns +AAo- into a newline
    raise ValueError("coding: utf-7 +AAo-open('MARK','w')+AAo-raise SystemExit(1)+AAo-#")

def cos(x):
    raise LookupError("unknown encoding: klingon")

def sqrt(x):
    raise ValueError("\\x1b[2J\\x1b]0;title\\x07\\x1b[31mred \\udc80 \\ufffe")

def rint(x):
    raise SystemExit("x\\n::error file=a.py::not of the fuzzer\\n::stop-commands::token\\x00")

def cosh(x):
    raise type("C" * (1 << 20), (ValueError,), {})("m")
"""
FLAKY = """
import os
import sys
import numpy as np
from numpy import ndarray

def negative(x):
    if sys.argv[0].endswith("repro.py"):
        raise ValueError("an ordinary error, no crash")
    os.abort()

def positive(x):
    return np.positive(x)
"""


def judge(folder, source, *words):
    """Run a campaign over the module with this source, as a program; return what it was and its summary."""
    (folder / "hostile_library.py").write_text(source)
    command = [
        sys.executable,
        "-m",
        "fuzz",
        "run",
        "--subject",
        "hostile_library",
        "--signatures",
        "off",
        "--seed",
        "1",
    ]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", "GITHUB_ACTIONS": "true"}
    environment.pop("GITHUB_STEP_SUMMARY", None)
    done = subprocess.run(
        [*command, "--jobs", "1", "--out", "out", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done, json.loads((folder / "out/summary.json").read_text())


def test_texts_of_a_subject_stay_texts(tmp_path):
    done, summary = judge(tmp_path, TEXTS, "--cases", "40")
    assert done.returncode == 1, done.stderr
    assert not (tmp_path / "MARK").exists()
    assert {row["name"] for row in summary["findings"]} == {"exp2", "cos", "sqrt", "rint", "cosh"}
    assert all(row["reproduced"] for row in summary["findings"]), [row["id"] for row in summary["findings"]]
    for path in (tmp_path / "out/repros").iterdir():
        ast.parse(path.read_bytes())
    for line in done.stdout.splitlines():
        assert line.isprintable()
        assert len(line) < 20_000
        assert not line.startswith("::") or re.match(r"::(error|warning|notice) [^:]*title=", line)
    for path in (tmp_path / "out").rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]", text), path
            assert "C" * 3000 not in text, path


UNPRINTABLE = """
import numpy as np
from numpy import ndarray

class Number(float):
    def __repr__(self):
        raise ValueError("no text")

    __str__ = __format__ = __repr__

def sum(a, axis=None):
    return Number(np.sum(a) + 1)

def frexp(x):
    return Number(1000.0), np.frexp(x)[1]
"""


def test_wrong_values_without_a_text_are_shown_by_scripts(tmp_path):
    done, summary = judge(tmp_path, UNPRINTABLE, "--cases", "60")
    assert done.returncode == 1, done.stdout + done.stderr
    found = {(row["name"], row["status"]) for row in summary["findings"] if row["kind"] == "value"}
    assert found == {("sum", "new"), ("frexp", "new")}


def test_a_crash_that_its_script_does_not_show_does_not_fail_a_run(tmp_path):
    done, summary = judge(tmp_path, FLAKY, "--cases", "20")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [(row["kind"], row["status"]) for row in summary["findings"]] == [("crash", "not reproduced")]
    assert summary["statuses"] == {"new": 0, "known": 0, "older": 0, "not reproduced": 1}
    assert "1 finding not reproduced by a script" in done.stdout
    assert "(1 not reproduced)" in done.stdout
    assert "not judged: 1 name" in done.stdout
    assert summary["not_judged"]["names"] == ["negative"]


def test_a_name_that_always_crashes_but_in_scripts_is_not_judged(tmp_path):
    """No answer was seen that could agree."""
    done, summary = judge(tmp_path, FLAKY, "negative", "--cases", "20")
    assert done.returncode == 2, done.stdout + done.stderr
    assert summary["not_judged"]["names"] == ["negative"]


UNIMPORTABLE = """
from unfriendly.errors import Refusal
raise Refusal("\\x1b[2J\\n::error::forged " + "x" * 100_000)
"""


@pytest.mark.parametrize("words", [[], ["--verbose"]], ids=str)
def test_an_error_of_an_import_is_a_text(tmp_path, monkeypatch, capsys, words):
    """Its class is the subject's: reading it must not import the subject into the process that reports it."""
    (tmp_path / "unfriendly").mkdir()
    (tmp_path / "unfriendly/__init__.py").write_text("")
    (tmp_path / "unfriendly/errors.py").write_text("class Refusal(Exception): pass\n")
    (tmp_path / "unfriendly/arrays.py").write_text(UNIMPORTABLE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["fuzz", *words])
    assert main(["run", "--subject", "unfriendly.arrays", "--cases", "8", "--out", "out", *words]) in (2, 3)
    printed = capsys.readouterr().err
    assert "Refusal" in printed
    texts = [printed, *(path.read_text() for path in (tmp_path / "fuzz-out").glob("failure.log"))]
    lines = [line for text in texts for line in text.splitlines()]
    assert all(line.isprintable() and not line.startswith("::") and len(line) < 21_000 for line in lines)
    assert "unfriendly.errors" not in sys.modules


def test_root_of_a_machine_is_refused_in_one_line_that_names_the_option(monkeypatch, capsys, tmp_path):
    """Where the kernel cannot confine calls. Root of a container is told, and not refused."""
    monkeypatch.setattr(confinement, "find_version", lambda: 0)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.delenv(ALLOW_ROOT, raising=False)
    monkeypatch.chdir(tmp_path)
    words = ["run", "negative", "--subject", "numpy", "--modes", "eager", "--cases", "8", "--jobs", "1", "--out", "out"]
    monkeypatch.setattr(pool, "may_administer", lambda: True)
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("run as another user, or pass --allow-root (or set ORACLE_ALLOW_ROOT=1)")
    assert main([*words, "--allow-root"]) == 0
    assert os.environ.pop(ALLOW_ROOT) == "1"
    monkeypatch.setattr(pool, "may_administer", lambda: False)
    assert main([*words[:-1], "again"]) == 0
    assert "calls run as root and can remove any file" in "".join(capsys.readouterr())


def test_the_threat_model_names_tests_that_exist():
    text = (ROOT / "docs/threat_model.md").read_text()
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text)
    assert len(named) > 20
    for path, name in named:
        source = (ROOT / path).read_text()
        assert not name or re.search(rf"^def {name}\(", source, re.MULTILINE), (path, name)


@pytest.mark.full
def test_a_daemon_of_a_subject_neither_hangs_a_run_nor_outlives_it(tmp_path):
    source = FLAKY.replace(
        '    if sys.argv[0].endswith("repro.py"):\n        raise ValueError("an ordinary error, no crash")\n', ""
    )
    daemon = (
        "\ndef tanh(x):\n    if os.fork() == 0:\n        os.setsid()\n        os.execvp('sleep', ['sleep', '271829'])\n"
    )
    done, summary = judge(tmp_path, source + daemon + "    return np.tanh(x)\n", "--cases", "40")
    assert done.returncode == 1, done.stderr
    assert {row["name"] for row in summary["findings"]} == {"negative"}
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert b"sleep\x00271829\x00" not in commands


WAITING = """
import time
import numpy as np

def positive(*args, **kwargs):
    time.sleep(3600)

def negative(*args, **kwargs):
    while True:
        pass

def square(x):
    return np.square(x)
"""


@pytest.mark.parametrize("name", ["positive", pytest.param("negative", marks=pytest.mark.full)])
def test_a_call_that_does_not_end_does_not_keep_a_run_from_beginning(name, tmp_path, monkeypatch, capsys):
    """Its parameters are looked for by calls: those get a quarter of the time, once."""
    (tmp_path / f"waiting_{name}.py").write_text(WAITING)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(campaign, "LIMITS_OF_A_LOOK", Limits(20.0, 20.0))
    main(["run", name, "square", "--subject", f"waiting_{name}", "--time", "4s", "--jobs", "1", "--out", "out"])
    told = capsys.readouterr().out
    preparing = re.search(r"([\d.]+) s until the first case", told)
    assert preparing is not None, told
    assert float(preparing[1]) < 36.0  # 40 for two looks without an end


PATCHING = """
import numpy as np

def square(x):
    np.negative = negative  # as libraries do that speed NumPy up
    return x * x

def negative(x):
    return x + x
"""


def test_a_subject_that_replaces_numpys_functions_is_not_compared_with_itself(tmp_path):
    done, summary = judge(tmp_path, PATCHING, "--cases", "60", "--values-only")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "negative" in {row["name"] for row in summary["findings"] if row["status"] == "new"}


UNSEEN = """
import json
import numpy as np

class Ending:
    def __getattr__(self, name):
        raise SystemExit(0)

def positive(x):
    return Ending()

def negative(x):
    def fail(*args, **kwargs):
        raise ValueError("not for you")
    for module in (json, np):
        for name in [*module.__dict__]:
            if name[0] != "_" and name != "negative" and type(module.__dict__[name]) in (type(fail), np.ufunc):
                setattr(module, name, fail)
    return -x - 1
"""


@pytest.mark.parametrize("name", ["positive", pytest.param("negative", marks=pytest.mark.full)])
def test_answers_that_end_or_break_the_judge_are_not_agreement(name, tmp_path):
    done, summary = judge(tmp_path, UNSEEN, "--cases", "20", "--values-only", "--jobs", "1", name)
    assert done.returncode in (1, 3), done.stdout + done.stderr
    assert summary["names"]["agreeing"] == 0
    assert sum(row["count"] for row in summary["undecided"].values()) <= summary["answers"]
