"""Every recorded case once showed a fault of tfnp's, and was reduced by the fuzzer. None may ever show it again.

There is a file for each topic of NumPy's manual, with one case on each line; docs/harness/recorded_cases.md describes
the format. A case is judged in the cheapest mode that its line names; in the full tier, in all modes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.differences import rank_cost
from fuzz.engine.case_judge import CaseJudge
from fuzz.triage.recorded_cases import read_recorded, render_recorded
from oracle.harness import GRADIENTS, NAMES, Limits, topic_of

FILES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.jsonl"))}
RECORDED = {topic: read_recorded(path) for topic, path in FILES.items()}
MODES = ("eager", "graph", "graph_dims", "graph_rank", "xla")

CASES = 15  # in one test, so that none takes long


def split_evenly(recorded):
    """The fewest batches of at most so many cases, by number."""
    count = -(-len(recorded) // CASES)
    return {number + 1: recorded[number::count] for number in range(count)}


BATCHES = {f"{topic}-{number}": batch for topic in FILES for number, batch in split_evenly(RECORDED[topic]).items()}


def all_modes(recorded):
    """Every mode in which the case may show what it showed, the cheapest first."""
    return sorted({*MODES, *recorded.modes, *(GRADIENTS if recorded.kind == "gradient" else ())}, key=rank_cost)


def some_modes(recorded):
    """The cheapest mode of its line: others take seconds."""
    return sorted(recorded.modes, key=rank_cost)[:1]


@pytest.fixture(scope="module")
def case_judge():
    limits = Limits(seconds=2 * Limits().seconds)  # what takes 2 s on one processor takes 4 s on another
    modes = {mode for batch in BATCHES.values() for recorded in batch for mode in all_modes(recorded)}
    with CaseJudge("tfnp", sorted(modes), limits=limits) as opened:
        yield opened


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("modes", ["own", pytest.param("all", marks=pytest.mark.full)])
def test_no_fault_is_back(batch, modes, case_judge):
    changes = []
    for recorded in BATCHES[batch]:
        judged = all_modes(recorded) if modes == "all" else some_modes(recorded)
        changes += case_judge.rejudge(recorded, judged).list_changes()
    assert not changes, "\n".join(changes)


def name_topic(name):
    """The topic of a function, or of its neighbours in the same class or module, as the name of a file."""
    known = name if name in NAMES else next(one for one in NAMES if one.rpartition(".")[0] == name.rpartition(".")[0])
    return "_".join(topic_of(known).replace(",", "").lower().split())


@pytest.mark.parametrize("topic", FILES)
def test_a_file_is_as_the_harness_writes_it(topic):
    assert {name_topic(recorded.case.name) for recorded in RECORDED[topic]} == {topic}
    text = FILES[topic].read_text()
    assert text == render_recorded(RECORDED[topic]), "`python -m fuzz replay --prune FILE` sorts the lines"
