"""What must hold beside equality, whatever NumPy says: inputs unharmed, promises kept, the same again, one trace."""

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


def inputs_unharmed(outcome: Outcome, mode: Mode) -> Difference | None:
    """No input that the case does not write to has other elements than before."""
    if not outcome.changed:
        return None
    which = ", ".join(str(position) for position in outcome.changed)
    return Difference("inputs changed", mode, f"the call changed the elements of its array inputs number {which}")


def promises_kept(outcome: Outcome, mode: Mode) -> Difference | None:
    """Every tensor has the dtype and a shape of those that the trace said it would."""
    return Difference("static shape", mode, outcome.unkept) if outcome.unkept else None


def traced_once(runner: Runner, siblings: int, mode: Mode) -> Difference | None:
    """A compiled function that was given other values, and nothing else, was not traced again."""
    if runner.traces <= 1:
        return None
    return Difference("retrace", mode, f"traced {runner.traces} times for {siblings} values of the same inputs")


def place_of_repeat(cases: Sequence[Case]) -> int:
    """Which of the cases is run again after the last: an odd number of calls lies between, so that what takes turns
    is out of step.
    """
    return 1 - len(cases) % 2


def repeated(runner: Runner, cases: Sequence[Case], first: Outcome, mode: Mode) -> Difference | None:
    """One of the cases gives the same again, bit by bit, after its siblings have been run in between."""
    case = cases[place_of_repeat(cases)]
    if first.kind not in ("ok", "error") or not is_chosen(cases, mode) or not promises_values(case):
        return None
    again = runner(case)
    if agree(first, again):
        return None
    before, after = (format_value(outcome.value) if outcome.ok else str(outcome.error) for outcome in (first, again))
    return Difference("nondeterminism", mode, f"gave {before}, and the next time {after}")


def replicas_agree(case: Case, outcome: Outcome, mode: Mode) -> Difference | None:
    """Every replica gives the same, bit by bit."""
    other = next((value for value in outcome.others if not same_bits(outcome.value, value)), None)
    if other is None or not promises_values(case):
        return None
    first, second = map(format_value, (outcome.value, other))
    return Difference("nondeterminism", mode, f"gave {first} in one replica, and {second} in another")


def slope_agrees(case: Case, outcome: Outcome, mode: Mode) -> Difference | None:
    """A tape's gradient is the slope of NumPy's results, where they have one."""
    found = autodiff.departure(case, outcome)
    return None if found is None else Difference(found[0], mode, found[1])


def is_chosen(cases: Sequence[Case], mode: Mode) -> bool:
    """Whether these cases are among those that are run twice: it hangs on them alone. A case by itself always is."""
    if mode.name == "vmap" or mode.name in GRADIENTS:
        return False
    if mode.is_traced or len(cases) == 1:
        return True
    return zlib.crc32(b"".join([array.tobytes() for array in cases[0].arrays()])) % ONE_IN == 0


def promises_values(case: Case) -> bool:
    """Whether NumPy promises every element of the result to be the same again: none is left uninitialised, and what is
    random is drawn from a generator that the case makes from a seed.
    """
    if any(_is_open(call) for call in case.calls()):
        return False
    is_simple = "where" not in case.kwargs and len(case.calls()) == 1
    shape = () if is_simple else getattr(run_numpy(case).value, "shape", ())
    return mask_of_promised(case, shape) is None


def _is_open(call: Case) -> bool:
    """Whether a call need not give the same twice."""
    if call.name.startswith("random.Generator."):
        return not is_seeded(call)
    if call.name == "random.default_rng":
        return not (call.args or call.kwargs)
    return families.family_of(call.name).rule == "shape"
