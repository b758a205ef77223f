"""Status comparison: result or error, and the same class of error."""

from __future__ import annotations

from oracle.checkers.departure import Departure
from oracle.reference.display import format_value
from oracle.reference.outcome import Outcome


def compare_status(expected: Outcome, actual: Outcome) -> Departure | None:
    """Return the departure of the outcome's status from NumPy's. Errors agree if the same public classes catch both."""
    if actual.kind in ("crash", "hang"):
        return Departure(actual.kind, str(actual.error or ""))
    if expected.kind not in ("ok", "error") or actual.kind == "unsupported":
        return None
    if actual.kind == "memory":
        return Departure("memory", f"{actual.error}; NumPy gives {format_value(expected.value)}")
    if expected.error is None:
        if actual.error is None:
            return None
        return Departure("spurious error", f"{actual.error}; NumPy gives {format_value(expected.value)}")
    if actual.error is None:
        return Departure("missing error", f"NumPy raises {expected.error}; got {format_value(actual.value)}")
    if actual.error.bases == expected.error.bases:
        return None
    return Departure("different error", f"NumPy raises {expected.error}; got {actual.error}")
