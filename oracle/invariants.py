"""Invariants beside equality with NumPy: unchanged inputs, correct static shapes, determinism, a single trace."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from oracle.accepted_differences.uninitialised import mask_of_promised
from oracle.case.model import Case
from oracle.equality import finite_differences, table
from oracle.equality.deviation import Deviation
from oracle.equality.random import is_seeded
from oracle.execution.executors import Runner, agree, have_same_bits
from oracle.execution.vmap import may_run_in_loop
from oracle.modes import GRADIENTS, Mode
from oracle.reference.display import format_value
from oracle.reference.outcome import Outcome, run_numpy

ONE_IN = 16  # one eager group of siblings in so many is run twice; compiled ones all are


def check_inputs(outcome: Outcome, mode: Mode) -> Deviation | None:
    """Return a deviation if an input that the case does not write to has changed."""
    if not outcome.changed:
        return None
    which = ", ".join(str(position) for position in outcome.changed)
    return Deviation("inputs changed", f"the call changed the elements of its array inputs number {which}", mode=mode)


def check_promises(outcome: Outcome, mode: Mode) -> Deviation | None:
    """Return a deviation if a tensor lacks the dtype or static shape that it had at trace time."""
    return Deviation("static shape", outcome.unkept, mode=mode) if outcome.unkept else None


def check_traces(runner: Runner, siblings: int, mode: Mode) -> Deviation | None:
    """Return a deviation if a compiled function was traced again for siblings, which differ in values only."""
    if runner.traces <= 1:
        return None
    return Deviation("retrace", f"traced {runner.traces} times for {siblings} values of the same inputs", mode=mode)


def index_of_repeat(cases: Sequence[Case]) -> int:
    """Return the index of the case to run again after the last: an odd number of calls later, to catch alternation."""
    return 1 - len(cases) % 2


def is_repeated(cases: Sequence[Case], first: Outcome, mode: Mode) -> bool:
    """Return whether one of the cases is run again after its siblings, because its result must be the same."""
    is_fit = first.kind in ("ok", "error") and is_chosen(cases, mode)
    return is_fit and promises_values(cases[index_of_repeat(cases)])


def check_repetition(first: Outcome, again: Outcome, mode: Mode) -> Deviation | None:
    """Return a deviation if a case that was run again does not give the same bits."""
    if agree(first, again):
        return None
    before, after = (format_value(outcome.value) if outcome.ok else str(outcome.error) for outcome in (first, again))
    return Deviation("nondeterminism", f"gave {before}, and the next time {after}", mode=mode)


def check_slope(case: Case, outcome: Outcome, mode: Mode) -> Deviation | None:
    """Return the difference between a subject's derivative and finite differences, where they agree on a slope."""
    deviation = finite_differences.find_deviation(case, outcome, order=int(mode.name == "hvp"))
    return None if deviation is None else Deviation(deviation[0], deviation[1], mode=mode)


def check_loaded_gradient(outcome: Outcome, mode: Mode) -> Deviation | None:
    """Return a deviation if the gradient of a call changes when it is saved and loaded."""
    return Deviation("gradient", outcome.unlike, mode=mode) if outcome.unlike else None


def check_vectorization(case: Case, outcome: Outcome, mode: Mode) -> Deviation | None:
    """Return a deviation if a call was mapped row by row that is not among those that may be."""
    if not outcome.looped or may_run_in_loop(case, outcome.looped):
        return None
    return Deviation("not vectorized", f"the op {outcome.looped} runs row by row: it cannot be vectorized", mode=mode)


def check_replicas(case: Case, outcome: Outcome, mode: Mode) -> Deviation | None:
    """Return a deviation if a replica's result is not bitwise equal to the first replica's."""
    other = next((value for value in outcome.others if not have_same_bits(outcome.value, value)), None)
    if other is None or not promises_values(case):
        return None
    first, second = map(format_value, (outcome.value, other))
    return Deviation("nondeterminism", f"gave {first} in one replica, and {second} in another", mode=mode)


def is_chosen(cases: Sequence[Case], mode: Mode) -> bool:
    """Return whether these cases are run twice: a sample that depends on their data only. A single case always is."""
    if mode.name in ("vmap", "saved") or mode.name in GRADIENTS:
        return False
    if mode.is_traced or len(cases) == 1:
        return True
    return zlib.crc32(b"".join([array.tobytes() for array in cases[0].arrays()])) % ONE_IN == 0


def promises_values(case: Case) -> bool:
    """Return whether NumPy promises the same elements at every call.

    It does if none is uninitialised, and random numbers come from a generator that the case seeds.
    """
    if any(_is_open(call) for call in case.calls()):
        return False
    is_simple = "where" not in case.kwargs and len(case.calls()) == 1
    shape = () if is_simple else getattr(run_numpy(case).value, "shape", ())
    return mask_of_promised(case, shape) is None


def _is_open(call: Case) -> bool:
    """Return whether a call may give different results each time."""
    if call.name.startswith("random.Generator."):
        return not is_seeded(call)
    if call.name == "random.default_rng":
        return not (call.args or call.kwargs)
    return table.relation_of(call.name).rule == "shape"
