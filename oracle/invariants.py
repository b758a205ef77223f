"""Invariants beside equality: inputs unchanged, static shapes true, determinism, one trace."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from oracle.allowances.unspecified_elements import mask_of_promised
from oracle.case.model import Case
from oracle.checkers.random import is_seeded
from oracle.compare.pipeline import Difference
from oracle.execution import autodiff
from oracle.execution.executors import Runner, agree, same_bits
from oracle.execution.modes import GRADIENTS, Mode
from oracle.reference.display import format_value
from oracle.reference.outcome import Outcome, run_numpy
from oracle.tolerance import families

ONE_IN = 16  # of the families of siblings run op by op, the first of which is run twice; of what is compiled, all are


def check_inputs(outcome: Outcome, mode: Mode) -> Difference | None:
    """No input that the case does not write to has other elements than before."""
    if not outcome.changed:
        return None
    which = ", ".join(str(position) for position in outcome.changed)
    return Difference("inputs changed", mode, f"the call changed the elements of its array inputs number {which}")


def check_promises(outcome: Outcome, mode: Mode) -> Difference | None:
    """Return every tensor has the dtype and a shape of those that the trace said it would."""
    return Difference("static shape", mode, outcome.unkept) if outcome.unkept else None


def check_traces(runner: Runner, siblings: int, mode: Mode) -> Difference | None:
    """Return a compiled function that was given other values, and nothing else, was not traced again."""
    if runner.traces <= 1:
        return None
    return Difference("retrace", mode, f"traced {runner.traces} times for {siblings} values of the same inputs")


def index_of_repeat(cases: Sequence[Case]) -> int:
    """Return which case is run again after the last: an odd number of calls later, to catch alternation."""
    return 1 - len(cases) % 2


def check_repetition(runner: Runner, cases: Sequence[Case], first: Outcome, mode: Mode) -> Difference | None:
    """Return one of the cases gives the same again, bit by bit, after its siblings have been run in between."""
    case = cases[index_of_repeat(cases)]
    if first.kind not in ("ok", "error") or not is_chosen(cases, mode) or not promises_values(case):
        return None
    again = runner(case)
    if agree(first, again):
        return None
    before, after = (format_value(outcome.value) if outcome.ok else str(outcome.error) for outcome in (first, again))
    return Difference("nondeterminism", mode, f"gave {before}, and the next time {after}")


def check_slope(case: Case, outcome: Outcome, mode: Mode) -> Difference | None:
    """Return how a tape's gradient departs from the slope of NumPy's results, where they have one."""
    departure = autodiff.find_departure(case, outcome)
    return None if departure is None else Difference(departure[0], mode, departure[1])


def check_replicas(case: Case, outcome: Outcome, mode: Mode) -> Difference | None:
    """Return how one replica's result differs from the first one's, bit by bit."""
    other = next((value for value in outcome.others if not same_bits(outcome.value, value)), None)
    if other is None or not promises_values(case):
        return None
    first, second = map(format_value, (outcome.value, other))
    return Difference("nondeterminism", mode, f"gave {first} in one replica, and {second} in another")


def is_chosen(cases: Sequence[Case], mode: Mode) -> bool:
    """Return whether these cases are among those that are run twice, by their data alone. A single case always is."""
    if mode.name == "vmap" or mode.name in GRADIENTS:
        return False
    if mode.is_traced or len(cases) == 1:
        return True
    return zlib.crc32(b"".join([array.tobytes() for array in cases[0].arrays()])) % ONE_IN == 0


def promises_values(case: Case) -> bool:
    """Return whether NumPy promises every element of the result to be the same again: none is left uninitialised, and
    what is random is drawn from a generator that the case makes from a seed.
    """
    if any(_is_open(call) for call in case.calls()):
        return False
    is_simple = "where" not in case.kwargs and len(case.calls()) == 1
    shape = () if is_simple else getattr(run_numpy(case).value, "shape", ())
    return mask_of_promised(case, shape) is None


def _is_open(call: Case) -> bool:
    """Return whether a call need not give the same twice."""
    if call.name.startswith("random.Generator."):
        return not is_seeded(call)
    if call.name == "random.default_rng":
        return not (call.args or call.kwargs)
    return families.family_of(call.name).rule == "shape"
