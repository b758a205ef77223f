"""Changes since an earlier coverage, as far as judging the cases again confirms them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fuzz.coverage.name_coverage import Coverage
from oracle.harness import Lease, Sandbox

EARLIER = {"subject": str, "totals": {str: int}, "names": [{"name": str, "present": bool, "agrees": bool}]}
"""What an earlier coverage must have."""

AGREEING, DIFFERING = "now agreeing", "no longer agreeing"

Example = tuple[str, str, str]
"""A difference: its kind, its case as JSON, and the mode."""


@dataclass(frozen=True)
class Change:
    """The difference to an earlier coverage: its date and totals, and the names by what changed. `unconfirmed` are
    names of which judging the cases again does not show what changed.
    """

    date: str
    totals: Mapping[str, int]
    names: Mapping[str, tuple[str, ...]]
    unconfirmed: tuple[str, ...] = ()


def compare_with(coverage: Coverage, earlier: Mapping[str, Any]) -> Change:
    """Return the difference to the data of an earlier coverage, of the form EARLIER."""
    now = {row.name: (row.present, row.agrees) for row in coverage.rows}
    then = {row["name"]: (row["present"], row["agrees"]) for row in earlier["names"]}
    both = sorted(now.keys() & then.keys())

    def names(index: int, gained: bool) -> tuple[str, ...]:
        return tuple(name for name in both if now[name][index] is gained and then[name][index] is not gained)

    changes = {"new": names(0, True), "gone": names(0, False), AGREEING: names(1, True), DIFFERING: names(1, False)}
    return Change(earlier.get("date", ""), earlier["totals"], changes)


def is_comparable(coverage: Coverage, earlier: Mapping[str, Any]) -> bool:
    """Return whether both were made of the same calls: of the same seed, depth and modes."""
    own = (coverage.origin.seed, coverage.origin.depth, list(coverage.modes))
    return own == (earlier.get("seed"), earlier.get("depth"), earlier.get("modes"))


def confirm_changes(change: Change, coverage: Coverage, earlier: Mapping[str, Any], shown: Iterable[Example]) -> Change:
    """Return the change without what judging the cases again does not confirm; `shown` are the examples that still
    differ.

    A name agrees now if no example of the earlier coverage differs any more. It agrees no longer if an example of this
    coverage still differs, and both are made of the same calls. With the same calls a name without an example has
    changed, too: a mode answers it, or answers it no longer.
    """
    shown = set(shown)
    before, after = dict(_list_examples(earlier)), dict(_list_examples(coverage.data()))
    is_same = is_comparable(coverage, earlier)

    def agrees(name: str) -> bool:
        return shown.isdisjoint(before[name]) and bool(is_same or before[name])

    def differs(name: str) -> bool:
        return is_same and not (after[name] and shown.isdisjoint(after[name]))

    names = dict(change.names)
    names[AGREEING] = tuple(filter(agrees, change.names[AGREEING]))
    names[DIFFERING] = tuple(filter(differs, change.names[DIFFERING]))
    left = {*change.names[AGREEING], *change.names[DIFFERING]}.difference(names[AGREEING], names[DIFFERING])
    return replace(change, names=names, unconfirmed=tuple(sorted(left)))


def find_cases(change: Change, coverage: Coverage, earlier: Mapping[str, Any]) -> list[Example]:
    """Return the examples of the names that agree now, or no longer."""
    names = {*change.names[AGREEING], *change.names[DIFFERING]}
    found = [*_list_examples(earlier), *_list_examples(coverage.data())]
    return sorted({one for name, examples in found if name in names for one in examples})


def _list_examples(data: Mapping[str, Any]) -> Iterator[tuple[str, frozenset[Example]]]:
    for row in data["names"]:
        examples = row.get("examples", {}).items()
        yield row["name"], frozenset((one["kind"], one["case"], mode) for mode, one in examples)


def judge_again(sandbox: Sandbox, examples: Iterable[Example]) -> Iterator[Example]:
    """Yield the examples that still differ."""
    listed = list(examples)
    leases = (
        Lease(index, "fuzz.engine.tasks:judge_case", [(case, (mode,))], risky=True, fresh=True)
        for index, (_, case, mode) in enumerate(listed)
    )
    for reply in sandbox.run(leases):
        if not isinstance(reply.results[0], list) or reply.results[0]:
            yield listed[reply.index]
