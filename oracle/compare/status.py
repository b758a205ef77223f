"""Status comparison: result or error, and the class of the error."""

from __future__ import annotations

from oracle.equality.deviation import Deviation
from oracle.modes import Mode
from oracle.reference.display import format_value
from oracle.reference.error_classes import BROKEN, classify_error
from oracle.reference.outcome import Outcome, Raised


def compare_status(expected: Outcome, actual: Outcome, mode: Mode, *, exact_errors: bool = False) -> Deviation | None:
    """Return the deviation of the outcome's status from NumPy's.

    Where NumPy raises, any error agrees that says that an argument is wrong, or something not supported: which of them
    comes first is open, and in a graph it may come when the graph runs. Where NumPy's own code breaks, as when it takes
    a list for an array, a value is as good. With `exact_errors` the same public classes must catch both errors, in
    modes that are not traced.
    """
    if actual.kind in ("crash", "hang"):
        return Deviation(actual.kind, str(actual.error or ""))
    if expected.kind not in ("ok", "error") or actual.kind == "unsupported":
        return None
    if actual.kind == "memory":
        return Deviation("memory", f"{actual.error}; NumPy gives {format_value(expected.value)}")
    if expected.error is None:
        if actual.error is None:
            return None
        return Deviation("spurious error", f"{actual.error}; NumPy gives {format_value(expected.value)}")
    if actual.error is None and classify_error(expected.error) == BROKEN:
        return None
    if actual.error is None:
        return Deviation("missing error", f"NumPy raises {expected.error}; got {format_value(actual.value)}")
    if agree(expected.error, actual.error, exact=exact_errors and not mode.is_traced):
        return None
    return Deviation("different error", f"NumPy raises {expected.error}; got {actual.error}")


def agree(expected: Raised, actual: Raised, *, exact: bool) -> bool:
    """Return whether the same public classes catch both errors; unless `exact`, or where NumPy's own code breaks, also
    whether the second one is of a class that is right for any invalid call.
    """
    is_class_open = not exact or classify_error(expected) == BROKEN
    return actual.bases == expected.bases or (is_class_open and classify_error(actual) != BROKEN)
