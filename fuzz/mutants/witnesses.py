"""Search for a witness of a generated fault: a drawn call that the judge reports for NumPy with the fault in it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from fuzz.engine.tasks import WorkerContext
from fuzz.generate.calls import draw_call
from fuzz.generate.choices import SeedChoices
from fuzz.generate.signatures import parameters_of
from fuzz.mutants.generated import SEPARATOR, find_fault
from fuzz.mutants.rates import Sampling, is_same, run
from fuzz.mutants.subjects import name_of
from oracle import Case, Mode, load_subject
from oracle.harness import judge_siblings, step

ARRAYS = "numpy"
EAGER = Mode("eager")
MOST_ACCEPTED = 20  # calls whose answer the fault changes, and the judge accepts, after which no more are drawn


@dataclass(frozen=True)
class Search:
    """The result of a search: of `drawn` calls the fault changes the answer to `changed`. The `witness` is the first
    that the judge reports; without one, `accepted` is the first that it accepts.
    """

    drawn: int
    changed: int
    witness: Case | None = None
    accepted: Case | None = None

    def data(self) -> dict[str, Any]:
        """Return the search as JSON-serializable data."""
        cases = {"witness": self.witness, "accepted": self.accepted}
        return {"drawn": self.drawn, "changed": self.changed} | {
            name: None if case is None else str(case) for name, case in cases.items()
        }


def search(_: WorkerContext, task: Sampling) -> Search:
    """Draw calls that give the fault's parameter, and judge those whose answer in NumPy the fault changes."""
    entry = find_fault(task.fault)
    assert entry is not None
    right, wrong = load_subject(ARRAYS), load_subject(name_of(entry.name, ARRAYS))
    parameter = entry.name.split(SEPARATOR)[1]
    is_left_out = entry.operator == "default-changed" or parameter not in parameters_of(entry.target)
    required = frozenset[str]() if is_left_out else frozenset((parameter,))
    drawn = changed = 0
    accepted: Case | None = None
    begun = time.process_time()
    while drawn < task.draws and changed < MOST_ACCEPTED and time.process_time() - begun < task.seconds:
        step("drawing")
        case = draw_call(SeedChoices(drawn), entry.target, required).case
        drawn += 1
        expected = run(case, right, EAGER)
        if is_same(expected, run(case, wrong, EAGER)) or not is_same(expected, run(case, right, EAGER)):
            continue  # in the latter case a generator without a seed
        changed += 1
        if judge_siblings([case], ["eager"], wrong)[0].deviations:
            return Search(drawn, changed, case)
        accepted = accepted or case
    return Search(drawn, changed, None, accepted)
