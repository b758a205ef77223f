"""What must hold beside equality, whatever NumPy says: inputs unharmed, one trace for all siblings."""

from __future__ import annotations

from oracle.comparison import Difference
from oracle.modes import Mode, Runner
from oracle.outcome import Outcome


def inputs_unharmed(outcome: Outcome, mode: Mode) -> Difference | None:
    """No input that the case does not write to has other elements than before."""
    if not outcome.changed:
        return None
    which = ", ".join(str(position) for position in outcome.changed)
    return Difference("inputs changed", mode, f"the call changed the elements of its array inputs number {which}")


def traced_once(runner: Runner, siblings: int, mode: Mode) -> Difference | None:
    """A compiled function that was given other values, and nothing else, was not traced again."""
    if runner.traces <= 1:
        return None
    return Difference("retrace", mode, f"traced {runner.traces} times for {siblings} values of the same inputs")
