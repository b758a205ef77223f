"""Severity of findings: what a finding costs a user.

A finding has the class of its minimal case: ordinary, edge or invalid; see `fuzz.generate.edge_properties`. A wrong
answer to an ordinary call is the worst, then one to an edge call; then come errors for valid calls, then errors that
differ. A wrong sign of a zero counts as an answer to an edge call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fuzz.differences import SIGNATURE
from fuzz.generate.call_classes import EDGE, INVALID, ORDINARY
from fuzz.generate.edge_properties import classify_call
from oracle import Case

Row = Mapping[str, Any]

CLASSES = (ORDINARY, EDGE, INVALID)
"""The classes of calls, the one that matters most to a user first."""

NEVER_ANSWERED = "never answered"
VALID_CALLS = frozenset({"spurious error", NEVER_ANSWERED, SIGNATURE, "not vectorized", "retrace"})
"""The kinds of a valid call that raises, or is answered rightly but far too slowly."""

ERRORS = frozenset({"missing error", "different error"})
"""The kinds of a call that NumPy rejects."""

OF_FUNCTIONS = frozenset({NEVER_ANSWERED, SIGNATURE})
"""The kinds that are about a function, whichever call shows it: ordinary calls meet them."""

FAIL_ON = {ORDINARY: (ORDINARY,), EDGE: (ORDINARY, EDGE), "any": CLASSES}
"""For each value of --fail-on, the classes of calls whose findings fail a run."""


SIGNS = frozenset({"sign of zero"})
"""The symptoms that cost a user no more than those of edge calls, whichever call shows them."""


def classify_finding(kind: str, minimal: Case, symptom: str = "") -> str:
    """Return the class of the call that a finding of this kind is about, given its minimal case. Where results differ
    in the signs of zeros only, an ordinary call counts as an edge call.
    """
    if kind in OF_FUNCTIONS:
        return ORDINARY
    call_class = classify_call(minimal, kind in ERRORS)
    return EDGE if call_class == ORDINARY and symptom in SIGNS else call_class


def find_class(row: Row) -> str:
    """Return the class of a line of findings.jsonl. A line of an older run, which has none, counts as ordinary unless
    NumPy rejects the call.
    """
    return row.get("call_class") or (INVALID if row["kind"] in ERRORS else ORDINARY)


def rank_severity(row: Row) -> tuple[int, int]:
    """Return how severe a finding is, as a sort key: (0, 0) is the worst.

    The first number is 0 for a wrong answer to an ordinary call, 1 for one to an edge call, 2 for an error, 3 for
    errors; the second one orders them by the class of call.
    """
    position = CLASSES.index(find_class(row))
    if row["kind"] in ERRORS:
        return 3, position
    if row["kind"] in VALID_CALLS:
        return 2, position
    return min(position, 1), position


NEW, KNOWN, OLDER, NOT_REPRODUCED = STATUSES = ("new", "known", "older", "not reproduced")
"""What a finding is in a run: only a new one fails it."""


def find_status(row: Row) -> str:
    """Return the status of a finding: accepted by a baseline, older than the change that is judged, not shown by its
    script, or new.
    """
    if row.get("known") or row.get("older"):
        return KNOWN if row.get("known") else OLDER
    return NOT_REPRODUCED if row.get("reproduced") is False and row["kind"] not in OF_FUNCTIONS else NEW


def is_new(row: Row) -> bool:
    """Return whether a finding is new, and was not tried by a script in vain."""
    return find_status(row) == NEW


def fails_run(row: Row, fail_on: str) -> bool:
    """Return whether a finding fails a run with this --fail-on: it is new, and of one of the classes."""
    return is_new(row) and find_class(row) in FAIL_ON[fail_on]


def count_classes(rows: Iterable[Row]) -> dict[str, int]:
    """Return how many findings there are of each class that occurs, the most severe class first."""
    found = [find_class(row) for row in rows]
    return {name: found.count(name) for name in CLASSES if name in found}
