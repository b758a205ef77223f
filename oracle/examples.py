"""Examples of allowances: answers that each accepts and must accept, and wrong answers close by.

They are data, in `accepted_differences/examples.jsonl`, a line for each: the allowance's id, the role, and a
case, a mode and an outcome as records of the verdict corpus have them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from oracle.case.model import Case
from oracle.corpus.outcome_encoding import decode_outcome
from oracle.corpus.records import RecordedOutcome
from oracle.modes import Mode
from oracle.reference.outcome import Outcome

WITNESS, COUNTER = "witness", "counter"


@dataclass(frozen=True)
class Example:
    """A case, a mode, and the outcome of a subject.

    A witness would be reported without its allowance; a counter-example must be reported in spite of it.
    """

    id: str
    role: str
    record: RecordedOutcome

    @cached_property
    def case(self) -> Case:
        """The case."""
        return self.record.case()

    @property
    def mode(self) -> Mode:
        """The mode."""
        return Mode.parse(self.record.mode)

    def outcome(self) -> Outcome:
        """Return the subject's outcome."""
        return decode_outcome(self.record.data["outcome"])


@dataclass(frozen=True)
class Examples:
    """The examples of one allowance: at least one of each role."""

    witnesses: tuple[Example, ...]
    counter: tuple[Example, ...]

    @property
    def witness(self) -> Example:
        """The first witness."""
        return self.witnesses[0]


@cache
def read_examples() -> Mapping[str, Examples]:
    """Return the examples of every allowance by its id. Raises ValueError for one without a witness or without a
    counter-example.
    """
    groups: dict[str, list[Example]] = {}
    for line in (
        files("oracle.accepted_differences").joinpath("examples.jsonl").read_text(encoding="utf-8").splitlines()
    ):
        row = json.loads(line)
        identity, role = row.pop("id"), row.pop("role")
        groups.setdefault(identity, []).append(Example(identity, role, RecordedOutcome(json.dumps(row))))
    return {identity: _group(identity, examples) for identity, examples in groups.items()}


def _group(identity: str, examples: list[Example]) -> Examples:
    witnesses = tuple(example for example in examples if example.role == WITNESS)
    counter = tuple(example for example in examples if example.role == COUNTER)
    if not witnesses or not counter or len(counter) + len(witnesses) != len(examples):
        raise ValueError(f"{identity} needs at least one witness and one counter-example")
    return Examples(witnesses, counter)


def find_examples(identity: str) -> Examples:
    """Return the examples of the allowance with this id."""
    return read_examples()[identity]
