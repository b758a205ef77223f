"""Records of the verdict corpus: a case, a mode, what a subject answered, and the judge's verdict on that."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from oracle.case.decoding import Undecodable, parse_json
from oracle.case.model import Case
from oracle.corpus.outcome_encoding import LIMITS, decode_outcome, encode_outcome
from oracle.modes import Mode
from oracle.reference.outcome import Outcome, run_numpy
from oracle.subject import Subject
from oracle.verdict import Verdict, judge_outcome

Judgement = dict[str, Any]
"""What is recorded of a verdict: the kinds of its differences, the allowances used with the kinds that they accepted,
why it is undecided, and faults of the judge. Agreement is an empty one.

Details of differences are left out: they hold numbers that depend on the processor, and wording is no verdict.
"""

SEED = 1  # of NumPy's global state, on which a verdict may depend
ON_TENSORS, ON_ARRAYS = Subject("tensors", np), Subject("arrays", np)
ON_TENSORS.takes_tensors, ON_ARRAYS.takes_tensors = True, False


@dataclass(frozen=True)
class RecordedOutcome:
    """A recorded outcome, as the line of its file. `on_tensors` says whether the subject takes tensors."""

    line: str

    @classmethod
    def of(cls, case: Case, mode: Mode, on_tensors: bool, outcome: Outcome) -> RecordedOutcome:
        """Return the record of an outcome. Raises TypeError or ValueError if no file can hold it."""
        if outcome.error is not None:  # of which the judge reads the first line
            outcome = replace(outcome, error=replace(outcome.error, full_message=""))
        data = {"case": json.loads(case.json()), "mode": str(mode), "outcome": encode_outcome(outcome)}
        data |= {} if on_tensors else {"on_tensors": False}
        return cls(json.dumps(data, sort_keys=True, separators=(",", ":")))

    @cached_property
    def id(self) -> str:
        """A short identifier of case, mode and outcome."""
        return hashlib.sha256(self.line.encode()).hexdigest()[:10]

    @cached_property
    def data(self) -> dict[str, Any]:
        """The record as plain data."""
        data = parse_json(self.line, floats=False, limits=LIMITS)
        if not (type(data) is dict and {"case", "mode", "outcome"} <= data.keys() and type(data["mode"]) is str):
            raise Undecodable("a record has a case, a mode and an outcome")
        return data

    @property
    def name(self) -> str:
        """The name that the case calls."""
        return self.data["case"]["case"]

    @property
    def mode(self) -> str:
        return self.data["mode"]

    @property
    def key(self) -> tuple[str, str, str]:
        """The order of records in a file."""
        return (self.name, self.mode, self.id)

    def case(self) -> Case:
        """Return the case. Raises Undecodable."""
        return Case.from_json(json.dumps(self.data["case"]))

    def judge(self) -> Verdict:
        """Return the verdict on the recorded outcome. NumPy is run again, the subject is not."""
        subject = ON_TENSORS if self.data.get("on_tensors", True) else ON_ARRAYS
        return judge_alone(self.case(), Mode.parse(self.mode), subject, decode_outcome(self.data["outcome"]))


def judge_alone(case: Case, mode: Mode, subject: Subject, outcome: Outcome) -> Verdict:
    """Return the verdict on an outcome in one mode. What NumPy draws from its global state is the same each time."""
    np.random.seed(SEED)
    verdict = Verdict(case, run_numpy(case))
    judge_outcome(verdict, outcome, mode, subject)
    return verdict


def summarize(verdict: Verdict) -> Judgement:
    """Return what is recorded of a verdict."""
    faults = [
        f"{fault.part}: {fault.error.name} in {fault.location.partition(' in ')[2]}" for fault in verdict.harness_faults
    ]
    parts = {
        "differences": sorted({difference.kind for difference in verdict.deviations}),
        "allowed": sorted({f"{entry.allowance}: {entry.kind}" for entry in verdict.allowed}),
        "undecided": "; ".join(sorted(set(verdict.undecided.values()))),
        "faults": sorted(set(faults)),
    }
    return {key: value for key, value in parts.items() if value}
