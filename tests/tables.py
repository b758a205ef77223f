"""Tables of cases: a test checks many in a loop, and fails once with every case that fails.

An id costs milliseconds in each process of the suite, and many checks take less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from oracle import topic_of


def check_each(cases: Iterable[Any], check: Callable[[Any], None]) -> None:
    """Call the check with each case. Raises all exceptions as one group; each has a note that shows its case."""
    count, failures = 0, []
    for case in cases:
        count += 1
        try:
            check(case)
        except Exception as error:  # noqa: BLE001 - every case is checked, whatever is wrong with another
            error.add_note(f"case: {case!r}")
            failures.append(error)
    assert count, "no cases"
    if failures:
        raise ExceptionGroup(f"{len(failures)} of {count} cases fail", failures)


def spread(cases: Sequence[Any], count: int) -> list[Any]:
    """Return so many of the cases, spread evenly."""
    return [cases[len(cases) * number // count] for number in range(min(count, len(cases)))]


def each_topic(names: Sequence[str], count: int) -> pytest.MarkDecorator:
    """Parametrize a test by `names`: first so many, spread evenly; then, in the full tier, all of each topic."""
    topics: dict[str, list[str]] = {}
    for name in names:
        topics.setdefault(topic_of(name), []).append(name)
    everything = [pytest.param(found, id=topic, marks=pytest.mark.full) for topic, found in topics.items()]
    return pytest.mark.parametrize("names", [pytest.param(spread(names, count), id="sample"), *everything])
