"""Tables of cases: a test checks many in a loop, and fails once with every case that fails.

An id costs milliseconds in each process of the suite, and many checks take less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from oracle.harness import topic_of
from tests.tiers import spread


def check_each(cases: Iterable[Any], check: Callable[[Any], None]) -> None:
    """Call the check with each case. Raises what they raise as one group; each has a note that shows its case."""
    count, failures = 0, list[BaseException]()
    for case in cases:
        count += 1
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - whatever is wrong with another
            error.add_note(f"case: {case!r}")
            failures.append(error)
    assert count, "no cases"
    if failures:
        raise BaseExceptionGroup(f"{len(failures)} of {count} cases fail", failures)


def each_group(argument: str, groups: Mapping[str, Sequence[Any]], count: int) -> pytest.MarkDecorator:
    """Parametrize a test by a list of cases: so many of all, spread evenly; in the full tier all of each group, too."""
    everything = [case for cases in groups.values() for case in cases]
    whole = [pytest.param(cases, id=name, marks=pytest.mark.full) for name, cases in groups.items()]
    return pytest.mark.parametrize(argument, [pytest.param(spread(everything, count), id="sample"), *whole])


def each_topic(names: Iterable[str], count: int, most: int | None = None) -> pytest.MarkDecorator:
    """Parametrize a test by `names`, a sample and groups by topic of NumPy's manual; none of more than `most` names."""
    topics = group(names, topic_of)
    return each_group("names", topics if most is None else divide(topics, most), count)


def divide(groups: Mapping[str, Sequence[Any]], most: int) -> dict[str, Sequence[Any]]:
    """Return the groups; larger ones in parts of at most `most` cases, numbered from 1."""
    parts: dict[str, Sequence[Any]] = {}
    for name, cases in groups.items():
        for number, start in enumerate(range(0, len(cases), most), 1):
            parts[name if len(cases) <= most else f"{name} {number}"] = cases[start : start + most]
    return parts


def group(cases: Iterable[Any], key: Callable[[Any], str]) -> dict[str, list[Any]]:
    """Return the cases by key, keys in order of appearance."""
    groups: dict[str, list[Any]] = {}
    for case in cases:
        groups.setdefault(key(case), []).append(case)
    return groups
