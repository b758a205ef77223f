"""An allowance: a declared, counted and tested exception from equality with NumPy.

A comparison collects every deviation of an outcome. Allowances then accept deviations, or elements of them, one by one.
`applies` sees the case and NumPy's outcome only, never the subject's; `holds` says what must still be true of what the
subject answered. Each allowance has a witness, which would be reported without it, and counter-examples: wrong
outcomes close by, which must be reported in spite of it; see `oracle.examples`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

import numpy as np

from oracle import modes
from oracle.case.model import Case
from oracle.equality.deviation import Deviation
from oracle.equality.evidence import at
from oracle.equality.forms import is_comparable, is_numeric_array
from oracle.equality.numeric import NumericComparison
from oracle.modes import Mode
from oracle.reference.outcome import Outcome, bind_arguments
from oracle.subject import parameters_of


class Reason(StrEnum):
    """Reasons to accept a difference."""

    NUMPY_OPEN = "NumPy leaves it open"
    TENSORFLOW_FAULT = "a fault of TensorFlow's or XLA's"
    DECISION = "a decision of the design"


@dataclass
class Query:
    """A deviation that an allowance is asked about, and the evidence around it.

    `compare` compares the subject's outcome, or a part of it, with NumPy's answer to another case, or in another
    context; `on_tensors` says whether the subject takes tensors, so that faults of TensorFlow's can be to blame.
    """

    case: Case
    expected: Outcome
    actual: Outcome
    mode: Mode
    deviation: Deviation
    evidence: NumericComparison
    compare: Callable[..., list[Deviation]]
    on_tensors: bool = True

    @cached_property
    def expected_part(self) -> Any:
        """NumPy's result at the deviation's path, an array as it was compared."""
        compared = self.deviation.expected
        return at(self.expected, self.deviation.path) if compared is None else compared

    @cached_property
    def actual_part(self) -> Any:
        """The subject's result at the deviation's path, an array as it was compared."""
        compared = self.deviation.actual
        return at(self.actual, self.deviation.path) if compared is None else compared

    @cached_property
    def is_comparable(self) -> bool:
        """Whether the subject's whole result has NumPy's structure and shapes, and numbers where NumPy's has them."""
        return is_comparable(self.expected.value, self.actual.value)

    @cached_property
    def numeric_result(self) -> np.ndarray | None:
        """The subject's result if that is an array, or a scalar of NumPy's, of numbers; else None."""
        return np.asarray(self.actual.value) if self.actual.ok and is_numeric_array(self.actual.value) else None

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """The arguments by parameter, defaults filled in; none of a program, nor where NumPy does not tell."""
        return bind_arguments(self.case)


def first_argument(case: Case) -> tuple[Any, ...]:
    """Return the first argument, by position or by the name of NumPy's first parameter, as a tuple; empty without."""
    by_name = [case.kwargs[name] for name in parameters_of(case.name)[:1] if name in case.kwargs]
    return (*case.args, *by_name)[:1]


def is_provided(value: Any) -> bool:
    """Return whether an argument is more than a default that stands for none."""
    return value is not None and value is not np._NoValue


def by_answer_to(change: Callable[[Case], Case | None]) -> dict[str, Any]:
    """Return `applies` and `holds` of an allowance by which NumPy's answer to a changed call is right, too.

    `change` returns None where it changes nothing: there the allowance does not apply.
    """

    def applies(case: Case, expected: Outcome) -> bool:
        return change(case) is not None

    def holds(query: Query) -> bool:
        other = change(query.case)
        return other is not None and not query.compare(other)

    return {"applies": applies, "holds": holds}


def always(case: Case, expected: Outcome) -> bool:
    """Apply to every case of the allowance's names."""
    return True


EVERY_MODE = ("*",)
TRACED = ("graph", "xla")
"""Modes in which a subject sees no values: with those that run the same kernels."""

SHAPELESS = tuple(sorted(modes.SHAPELESS))
SHAPELESS_UNDER_XLA = tuple(sorted(modes.SHAPELESS_UNDER_XLA))
"""Modes in which it does not even see shapes; of these, those of XLA."""


def matches_name(patterns: tuple[str, ...], name: str) -> bool:
    """Return whether the name matches a pattern."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def matches_mode(patterns: tuple[str, ...], mode: Mode) -> bool:
    """Return whether the mode matches a pattern, or a mode that runs the same kernels is one."""
    return any(fnmatchcase(mode.name, pattern) or mode.kin == pattern for pattern in patterns)


@dataclass(frozen=True)
class Detail:
    """One of several rows by which an allowance accepts differences: `names` and `modes` are patterns; without `kinds`
    it is about all of the allowance's.
    """

    why: str
    holds: Callable[[Query], Any]
    kinds: tuple[str, ...] = ()
    names: tuple[str, ...] = ("*",)
    modes: tuple[str, ...] = EVERY_MODE

    def is_for_name(self, name: str) -> bool:
        """Return whether the row is about the name."""
        return matches_name(self.names, name)

    def fits(self, names: Collection[str], mode: Mode, kind: str) -> bool:
        """Return whether the row is about calls of these names, a mode and a kind of deviations."""
        is_of_kind = not self.kinds or kind in self.kinds
        return is_of_kind and matches_mode(self.modes, mode) and any(map(self.is_for_name, names))


def by_details(details: tuple[Detail, ...]) -> dict[str, Any]:
    """Return the fields of an allowance that accepts what one of its rows accepts."""

    def holds(query: Query) -> bool:
        names = [call.name for call in query.case.calls()]
        about = (names, query.mode, query.deviation.kind)
        return any(detail.fits(*about) and detail.holds(query) for detail in details)

    return {"holds": holds, "details": details}


@dataclass(frozen=True)
class Allowance:
    """An exception from equality.

    `names` and `modes` are patterns of names and of modes; a mode stands for those that run the same kernels, too.
    `kinds` are those of the deviations, values unless it says otherwise.
    `holds` returns whether the deviation is accepted, or a mask of the elements that are. `most` is the share of the
    answers of a name in a mode that it may take: a run in which it takes more fails. One whose `holds` compares with
    NumPy's answer to another case says so by `asks_again`. If `is_choice`, it accepts several right answers, of which a
    subject has to choose the same one in every mode: see `oracle.compare.eager`. `is_live` tells that the witness shows
    the difference whenever it is run. `link` says where the manual, an issue, or a page of this project tells of it; it
    is required where NumPy leaves something open or TensorFlow is at fault. In the latter case `until` is required,
    too: the first TensorFlow release for which it has to be argued again. `details` are the rows of one that has a
    table of its own.
    """

    id: str
    reason: Reason
    names: tuple[str, ...]
    holds: Callable[[Query], Any]
    why: str
    modes: tuple[str, ...] = EVERY_MODE
    kinds: tuple[str, ...] = ("value",)
    applies: Callable[[Case, Outcome], bool] = field(default=always)
    most: float = 0.05
    asks_again: bool = False
    is_choice: bool = False
    is_live: bool = True
    link: str = ""
    until: str = ""
    details: tuple[Detail, ...] = ()

    def __post_init__(self) -> None:
        if "*" in self.names and "*" in self.modes and self.applies is always:
            raise ValueError(f"{self.id} applies to everything")
        if self.reason in (Reason.NUMPY_OPEN, Reason.TENSORFLOW_FAULT) and not self.link:
            raise ValueError(f"{self.id} needs a link")
        if self.reason is Reason.TENSORFLOW_FAULT and not self.until:
            raise ValueError(f"{self.id} needs a release at which it expires")

    def covers(self, case: Case, expected: Outcome, mode: Mode, kind: str, on_tensors: bool = True) -> bool:
        """Return whether a deviation of this kind may be accepted; it is up to `holds` whether it is."""
        names = [call.name for call in case.calls()]
        return self.fits(names, mode, kind, on_tensors) and self.applies(case, expected)

    def fits(self, names: Collection[str], mode: Mode, kind: str, on_tensors: bool = True) -> bool:
        """Return whether the allowance is about calls of these names, a mode and a kind of deviations."""
        return (
            kind in self.kinds
            and (on_tensors or self.reason is not Reason.TENSORFLOW_FAULT)
            and self.is_for_mode(mode)
            and any(map(self.is_for_name, names))
            and (not self.details or any(detail.fits(names, mode, kind) for detail in self.details))
        )

    def is_for_name(self, name: str) -> bool:
        """Return whether the allowance is about the name."""
        return matches_name(self.names, name)

    def is_for_mode(self, mode: Mode) -> bool:
        """Return whether the allowance is about the mode."""
        return matches_mode(self.modes, mode)
