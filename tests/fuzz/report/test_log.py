"""The log of a campaign."""

from __future__ import annotations

import logging
import re
import sys
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.report.log import LOGGER, log_event, print_log
from fuzz.triage.events import Died, Failed, Preparing, Troubled
from oracle.harness import Death, Failure
from oracle.reference.display import LONGEST_LINE, MOST_LINES
from tests.fuzz.inline import run_inline

DEATH = Death("crash", None, "SIGSEGV: somewhere", "eager 1")


@pytest.fixture(autouse=True)
def handlers():
    handlers, level = list(LOGGER.handlers), LOGGER.level
    yield
    LOGGER.handlers[:] = handlers
    LOGGER.setLevel(level)


HOSTILE = "\x1b[2J\n::stop-commands::token\n2026-01-01T00:00:00Z ERROR fuzz: forged\n\u202e" + "x" * 100_000


@pytest.mark.parametrize(
    "event",
    [
        Died(Death("crash", None, HOSTILE, HOSTILE, HOSTILE), confirmed=True),
        Failed(Failure(None, f"Traceback\n{HOSTILE}").trace),
        Troubled(HOSTILE),
    ],
    ids=lambda event: type(event).__name__,
)
def test_no_text_of_a_subject_is_a_line_of_the_log(event, capsys):
    print_log("debug")
    log_event(event)
    first, *others = capsys.readouterr().err.splitlines()
    assert re.match(r"[\d-]+T[\d:]+Z (WARNING|ERROR) fuzz: ", first)
    assert all(line.startswith("    ") and not line.lstrip().startswith("::") for line in others)
    assert all(line.isprintable() for line in (first, *others))


def test_texts_of_a_worker_are_printable_and_short():
    death, failure = Death("crash", None, HOSTILE, HOSTILE, HOSTILE * 50), Failure(None, HOSTILE * 50)
    for text in (death.detail, death.step):
        assert text.isprintable()
        assert len(text) <= LONGEST_LINE
    for text in (death.tail, failure.trace):
        assert text.replace("\n", "").isprintable()
        assert len(text) <= MOST_LINES * (LONGEST_LINE + 1)


@pytest.mark.parametrize(
    ("event", "level", "text"),
    [
        (Preparing("waiting for workers"), logging.INFO, "waiting for workers"),
        (Troubled("worker w1 was lost"), logging.WARNING, "worker w1 was lost"),
        (Died(DEATH, confirmed=True), logging.WARNING, "a worker ended: crash in eager 1: SIGSEGV: somewhere"),
        (Failed("Traceback\nKeyError: 1\n"), logging.ERROR, "the harness failed: Traceback\nKeyError: 1"),
    ],
)
def test_an_event_is_logged_by_what_it_means(event, level, text, caplog):
    caplog.set_level(logging.DEBUG, "fuzz")
    log_event(event)
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [(level, text)]


def test_a_run_is_logged_on_request(monkeypatch, tmp_path, capsys):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    run_inline(monkeypatch)
    Path("logged.py").write_text(
        "import numpy as np\nfrom numpy import ndarray\ndef floor(x): return np.floor(x) + 1\n"
    )
    words = ["run", "--subject", "logged", "--cases", "40", "--seed", "3", "--jobs", "1"]
    assert main([*words, "--out", "one"]) == 1
    assert "INFO" not in capsys.readouterr().err
    assert main([*words, "--out", "two", "--log-level", "info"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ INFO fuzz: ", line) for line in lines if "INFO" in line)
    text = "\n".join(lines)
    assert "INFO fuzz: began: 1 names of logged, seed 3" in text
    assert re.search(r"INFO fuzz: found f-\w+: value of floor in eager: np\.floor\(", text)
    assert re.search(r"INFO fuzz: ended after \d+ cases with \d+ findings", text)
    assert main([*words, "--log-level", "loud"]) == 2
    sys.modules.pop("logged", None)
