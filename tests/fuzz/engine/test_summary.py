"""What a campaign amounts to, and what it holds against the allowances."""

from __future__ import annotations

import re
import subprocess
from collections import Counter

import numpy as np

from fuzz.engine.item_results import ItemResult
from fuzz.engine.provenance import find_versions
from fuzz.engine.run_options import Options
from fuzz.engine.summary import Counts, Summary
from oracle.harness import UNDECIDED

ENTRY = "order.unspecified"


def summary(taken: int, subject: str = "tfnp") -> Summary:
    counts = Counts(
        allowed={ENTRY: {"sin": Counter({"xla": taken})}},
        runs=Counter({"xla": 100, "eager": 900}),
        runs_of={"sin": Counter({"xla": 100, "eager": 900})},
    )
    return Summary(Options(subject=subject), 1, 1.0, counts, (), [], False, ("gone from xla: another",))


def test_an_allowance_past_its_share_is_a_complaint():
    gone, excessive = summary(90).data()["stale"]
    assert gone == "gone from xla: another"
    assert excessive.startswith(f"{ENTRY} took 90 of 100 answers of sin in xla")


def test_shares_are_those_of_our_own_library():
    assert summary(90, "tensorflow.experimental.numpy").complaints == ["gone from xla: another"]


def test_what_allowances_took_is_told_by_name_and_mode():
    data = summary(10).data()["allowed"][ENTRY]
    assert data["reason"] == "NUMPY_OPEN"
    assert (data["count"], data["share"]) == (10, 0.01)
    assert data["names"] == {"sin": {"xla": 10}}


def test_a_name_agrees_only_where_a_valid_call_was_answered():
    counts = Counts(valid=Counter({"sin": 4, "cos": 4}))
    counts.asked = {"sin": Counter({"eager": 4}), "cos": Counter({"eager": 4})}
    counts.answered = {"sin": Counter({"eager": 1}), "cos": Counter()}
    assert Summary(Options(), 1, 1.0, counts, (), []).agreeing == ["sin"]


def test_what_gave_no_answer_is_not_judged():
    counts = Counts(valid=Counter({"sin": 4, "cos": 4, "tan": 4}), runs=Counter({"eager": 12, "graph@CPU:0": 3}))
    counts.asked = {"sin": Counter({"eager": 4, "graph": 0}), "cos": Counter(), "tan": Counter({"eager": 4})}
    counts.answered = {"sin": Counter({"eager": 1}), "cos": Counter()}
    counts.undecided = {UNDECIDED: {"tan": Counter({"eager": 4})}}
    summary = Summary(Options(), 1, 1.0, counts, (), [])
    assert (summary.judged, summary.agreeing) == (["sin"], ["sin"])
    assert (summary.modes_not_judged, summary.faulted) == (["graph"], ["tan"])
    assert summary.data()["not_judged"] == {"names": ["cos", "tan"], "modes": ["graph"], "faulted": ["tan"]}


def test_state_does_not_depend_on_the_order_of_sets():
    """Which is another in each process: it depends on the seed of strings' hashes."""
    words = [f"word {number:02}" for number in range(40)]
    counts = Counts()
    counts.add(ItemResult(0, "sin", 1, given=frozenset(words), depth={"x": frozenset(words)}))
    data = counts.data()
    assert list(data["given"]["sin"]) == words
    assert list(data["depth"]["sin"][2]["x"]) == words


def test_a_module_that_is_not_installed_has_the_commit_of_its_sources(tmp_path, monkeypatch):
    (tmp_path / "fresh_library.py").write_text("")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "first"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert re.fullmatch(r"commit [0-9a-f]{10}", find_versions("fresh_library.part")["fresh_library"])
    assert find_versions("numpy")["numpy"] == np.__version__
    assert "tensorflow" not in find_versions("numpy")
    assert "tensorflow" in find_versions("tfnp.numpy")
    assert "no_such_library" not in find_versions("no_such_library")
