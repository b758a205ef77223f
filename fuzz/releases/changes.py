"""Changes between two releases of a library: what the same calls answer in both, reduced to the smallest."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fuzz.generate.calls import draw_call, generated_names
from fuzz.generate.choices import SeedChoices
from fuzz.releases.answerer import Answerer, ReleaseAnswer
from fuzz.shrink.shrinker import reduce_case
from fuzz.triage.root_cause import strip_noise
from fuzz.triage.severity import classify_finding, rank_severity
from fuzz.triage.symptom import find_symptom
from oracle import Case, Mode, Outcome, compare_outcomes, run_numpy
from oracle.harness import format_value

EAGER = Mode("eager")
WARNING, STRUCTURE = "warning", "structure"
NUMPY = "numpy"
BUDGET, BUDGETS = 80, {"crash": 8, "hang": 2}  # candidates of a reduction; after a crash a process starts anew
REDUCED = 3  # names of which a change is reduced


class VersionDifference(NamedTuple):
    """A way in which two answers to a case differ."""

    kind: str
    symptom: str = ""


@dataclass
class ReleaseChange:
    """A difference between two releases: a minimal call, its answers, and how many calls showed it.

    `numpy` says with which release NumPy agrees: "old", "new", "both", "neither"; empty where the library is NumPy.
    """

    kind: str
    symptom: str
    case: Case
    old: str
    new: str
    call_class: str
    numpy: str = ""
    count: int = 1

    @property
    def name(self) -> str:
        return self.case.name

    def data(self) -> dict[str, Any]:
        """Return it as JSON-serializable data."""
        return vars(self) | {"name": self.name, "call": str(self.case), "case": self.case.json()}


@dataclass
class Changes:
    """All changes between two releases, the calls that were made, and the names that only one of them has."""

    found: list[ReleaseChange] = field(default_factory=list)
    calls: int = 0
    names: int = 0
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def group(self) -> list[tuple[ReleaseChange, list[str]]]:
        """Return an example of each change with the names that show it, the most severe first.

        Wrong values are of one name each; what says nothing of values, such as a warning, may be of many.
        """
        groups: dict[tuple[str, str, str], list[ReleaseChange]] = {}
        for change in self.found:
            own = change.name if change.kind == "value" or not change.symptom else ""
            groups.setdefault((change.kind, change.symptom, own), []).append(change)
        examples = [(min(alike, key=_rank), sorted({one.name for one in alike})) for alike in groups.values()]
        return sorted(examples, key=lambda pair: (_rank(pair[0])[0], -len(pair[1]), pair[0].name))


def _rank(change: ReleaseChange) -> tuple[Any, ...]:
    row = {"kind": change.kind, "call_class": change.call_class}
    return ((change.kind == WARNING, *rank_severity(row)), len(str(change.case)))


def find_changes(
    old: Answerer,
    new: Answerer,
    names: Sequence[str],
    seconds: float,
    *,
    seed: int = 0,
    most: int | None = None,
    observe: Callable[[ReleaseChange], None] = lambda change: None,
) -> Changes:
    """Make the same calls in both releases, and return what differs.

    Only what both have is called. Calls are made until the time is over, or `most` of them; reductions are part of the
    time.
    """
    begun = time.monotonic()
    both = [name for name in names if name in old.names and name in new.names and name in generated_names()]
    was, now = {*old.public}, {*new.public}
    changes = Changes(names=len(both), added=sorted(now - was), removed=sorted(was - now))
    known: dict[tuple[str, str, str], ReleaseChange] = {}
    while both and time.monotonic() - begun < seconds and (most is None or changes.calls < most):
        turn, position = divmod(changes.calls, len(both))
        name = both[position]
        case = draw_call(SeedChoices(seed + (turn << 64)), name, turn=turn).case
        changes.calls += 1
        before, after = old.ask(case), new.ask(case)
        for difference in find_differences(case, before, after):
            key = (name, difference.kind, difference.symptom)
            if key in known:
                known[key].count += 1
                continue
            alike = sum(other[1:] == key[1:] for other in known) if difference.symptom else 0
            budget = BUDGETS.get(difference.kind, BUDGET) if alike < REDUCED else 0
            change = _reduce(case, difference, old, new, budget)
            if change is not None:
                known[key] = change
                if alike == 0:
                    observe(change)
    changes.found = [*known.values()]
    return changes


def find_differences(case: Case, old: ReleaseAnswer, new: ReleaseAnswer) -> list[VersionDifference]:
    """Return in which ways two answers differ by more than rounding, and than what NumPy leaves open."""
    if "unsupported" in (old.outcome.kind, new.outcome.kind):
        return []
    if old.outcome.kind != new.outcome.kind and {old.outcome.kind, new.outcome.kind} & {"crash", "hang"}:
        return [VersionDifference(new.outcome.kind if new.outcome.kind in ("crash", "hang") else old.outcome.kind)]
    comparison = compare_outcomes(case, old.outcome, new.outcome, EAGER, on_tensors=False, exact_errors=True)
    is_alike = format_value(old.outcome.value) == format_value(new.outcome.value)  # as two dtypes of the library are
    found = [
        VersionDifference(one.kind, find_symptom(one.kind, one.detail, old.outcome, new.outcome, case.name))
        for one in comparison.deviations
        if one.kind != STRUCTURE or not is_alike
    ]
    if old.outcome.ok and new.outcome.ok:
        told = {(category, strip_noise(text)) for category, text in new.warnings}
        known = {(category, strip_noise(text)) for category, text in old.warnings}
        found += [VersionDifference(WARNING, f"{category}: {text}") for category, text in sorted(told - known)]
    return found


def _reduce(
    case: Case, difference: VersionDifference, old: Answerer, new: Answerer, budget: int
) -> ReleaseChange | None:
    """Return the change with the smallest call that shows the difference, as far as so many candidates show; None if it
    does not show again.
    """

    def still_differs(candidate: Case) -> bool:
        return difference in find_differences(candidate, old.ask(candidate), new.ask(candidate))

    if not still_differs(case):
        return None
    minimal = reduce_case(case, still_differs, budget)
    before, after = old.ask(minimal), new.ask(minimal)
    if difference not in find_differences(minimal, before, after):  # the last of a few crashes, say
        return None
    shown = show(before, difference), show(after, difference)
    numpy = "" if old.subject == NUMPY else _compare_with_numpy(minimal, before.outcome, after.outcome)
    return ReleaseChange(
        *difference, minimal, *shown, classify_finding(difference.kind, minimal, difference.symptom), numpy
    )


def show(answer: ReleaseAnswer, difference: VersionDifference) -> str:
    """Return an answer as one line of text; of a warning, what is told."""
    if difference.kind == WARNING:
        own = [f"{category}: {text}" for category, text in answer.warnings]
        return "; ".join(own) or "no warning"
    outcome = answer.outcome
    if outcome.kind in ("crash", "hang"):
        return outcome.kind
    if outcome.error is not None:
        return str(outcome.error)
    value = format_value(outcome.value)
    if difference.kind == "dtype":
        dtype = getattr(outcome.value, "dtype", None)
        return f"{value} of {dtype}" if dtype is not None else value
    return value


def _compare_with_numpy(case: Case, old: Outcome, new: Outcome) -> str:
    """Return with which answer this process's NumPy agrees."""
    expected = run_numpy(case)
    agrees = [
        not compare_outcomes(case, expected, outcome, EAGER, on_tensors=False, exact_errors=True).deviations
        for outcome in (old, new)
    ]
    return "both" if all(agrees) else "neither" if not any(agrees) else "old" if agrees[0] else "new"
