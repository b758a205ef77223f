"""Registry of accepted differences: a row for each, whatever accepts it.

There are four sorts: what NumPy leaves open and allowances, for calls of NumPy's API; results of TensorFlow's ops that
are not compared; and what the adapter of a library declares as its design. All are counted by their ids, and held to
the share that they may take.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from oracle.accepted_differences.model import Allowance, Reason, matches_mode, matches_name
from oracle.accepted_differences.registry import ACCEPTING
from oracle.adapter import Adapter
from oracle.modes import MODES, Mode
from oracle.ops.tolerances import DECLARED

EVERY = ("*",)
BY_DESIGN, NOT_COMPARED = "BY_DESIGN", "NOT_COMPARED"
FEWEST_ANSWERS = 2000
"""Of fewer, a share of a whole run says nothing."""

TITLES = {reason.name: reason.value for reason in Reason} | {
    BY_DESIGN: "its adapter declares it as its design",
    NOT_COMPARED: "results of the op are not compared",
}
"""The reasons, in words."""


@dataclass(frozen=True)
class Accepted:
    """A difference that is accepted.

    `reason` is a key of `TITLES`. `names` and `modes` are patterns, `kinds` those of the difference. `most` is the
    share that it may take: of the answers of a name in a mode, or, with `of_run`, of all answers of a run. `details`
    are the rows of its own table, if it has one.
    """

    id: str
    reason: str
    why: str
    names: tuple[str, ...] = EVERY
    modes: tuple[str, ...] = EVERY
    kinds: tuple[str, ...] = ("value",)
    most: float = 1.0
    of_run: bool = False
    link: str = ""
    until: str = ""
    details: tuple[Accepted, ...] = ()

    def is_for_name(self, name: str) -> bool:
        """Return whether the row is about the name."""
        return matches_name(self.names, name)

    def takes_too_much(self, taken: int, answers: int) -> bool:
        """Return whether so many of so many answers are more than its share, by more than chance explains."""
        expected = self.most * answers
        return taken > expected + 3 * expected**0.5 + 3


def list_allowances(
    entries: Iterable[Allowance] = ACCEPTING, on_tensors: bool = True, modes: Sequence[str] = tuple(MODES)
) -> tuple[Accepted, ...]:
    """Return what NumPy leaves open, and allowances, that apply in some of these modes. Those for faults of
    TensorFlow's are for subjects that take tensors.
    """
    return tuple(
        Accepted(
            *(entry.id, entry.reason.name, entry.why, entry.names, entry.modes, entry.kinds, entry.most),
            link=entry.link,
            until=entry.until,
            details=tuple(
                Accepted(entry.id, entry.reason.name, row.why, row.names, row.modes, row.kinds or entry.kinds)
                for row in entry.details
                if _fits_any(row.modes, modes)
            ),
        )
        for entry in entries
        if (on_tensors or entry.reason is not Reason.TENSORFLOW_FAULT) and _fits_any(entry.modes, modes)
    )


def _fits_any(patterns: tuple[str, ...], modes: Sequence[str]) -> bool:
    return any(matches_mode(patterns, Mode(mode)) for mode in modes)


def list_not_compared() -> tuple[Accepted, ...]:
    """Return why results of TensorFlow's ops are not compared."""
    return tuple(Accepted(id, NOT_COMPARED, row.why, most=row.most, of_run=True) for id, row in DECLARED.items())


def list_by_design(adapter: Adapter) -> tuple[Accepted, ...]:
    """Return what a library's adapter declares."""
    rows = {adapter.name_declared(entry.id): entry for entry in adapter.declared}
    return tuple(
        Accepted(id, BY_DESIGN, why, rows[id].names, rows[id].modes or EVERY, rows[id].kinds)
        if id in rows
        else Accepted(id, BY_DESIGN, why, kinds=("dtype", "value"))
        for id, why in adapter.reasons.items()
    )


def find_excessive(
    rows: Sequence[Accepted],
    taken: Mapping[str, Mapping[str, Mapping[str, int]]],
    answered: Mapping[str, Mapping[str, int]],
) -> list[str]:
    """Return a line for each row that took more than its share. `taken` counts answers by id, name and mode, `answered`
    all answers by name and mode.
    """
    excessive = []
    answers_of_run = sum(sum(modes.values()) for modes in answered.values())
    for row in rows:
        names = taken.get(row.id, {})
        counts = [
            (count, answered.get(name, {}).get(mode, 0), f" of {name} in {mode}")
            for name, modes in names.items()
            for mode, count in modes.items()
        ]
        if row.of_run:
            total = sum(count for count, _, _ in counts)
            counts = [(total, answers_of_run, "")] if answers_of_run >= FEWEST_ANSWERS else []
        excessive += [
            f"{row.id} took {count} of {answers} answers{of}, where {row.most:.1%} are its limit: {row.why}"
            for count, answers, of in counts
            if row.takes_too_much(count, answers)
        ]
    return excessive
