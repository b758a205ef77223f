"""Verdicts: a case judged in every mode, with the differences that are not accepted."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from oracle.attribution import attribute_modes
from oracle.case.model import Case
from oracle.case.tensor_ops import is_of_ops
from oracle.compare.by_design import find_declared
from oracle.compare.comparison import Comparison
from oracle.compare.eager import find_other_choice, has_choice
from oracle.compare.op_comparison import compare_ops
from oracle.compare.pipeline import compare_outcomes, is_identical
from oracle.equality.deviation import KINDS, Deviation
from oracle.execution.devices import OVER_NETWORK
from oracle.execution.executors import agree, choose_behavior_scope, have_same_bits
from oracle.execution.modes import check_offered, prepare_case, run_case, run_compiled
from oracle.harness_faults import UNDECIDED, HarnessFault, record_faults
from oracle.invariants import (
    check_inputs,
    check_loaded_gradient,
    check_promises,
    check_repetition,
    check_replicas,
    check_slope,
    check_traces,
    check_vectorization,
    index_of_repeat,
    is_repeated,
    promises_values,
)
from oracle.modes import GRADIENTS, Mode, find_mode
from oracle.reference.display import flatten
from oracle.reference.outcome import Outcome, run_numpy, ufunc_inputs
from oracle.sandbox.progress import step
from oracle.subject import Subject, as_subject

SENDING = 3.0  # how many times longer a call may take in another process
PREPARING = 3.0  # how many times longer than another call a first one may take, which may compile

CANNOT_MAKE = "the mode cannot make this call"
LARGEST_ANSWER = 256 << 20  # bytes: a worker must hold NumPy's answer, the subject's, and what comparing them takes
TOO_LARGE = "NumPy's answer is too large to compare"


class NotJudged(AssertionError):
    """A call that no mode, or not every mode asked for, answered so that the answer could be judged."""


class DifferenceError(AssertionError):
    """A difference from NumPy of one kind, in some modes. Each kind has a class of its own: see `ERRORS`."""

    def __init__(
        self, case: Case, kind: str, modes: tuple[str, ...], dtype: str, detail: str, attribution: str = ""
    ) -> None:
        super().__init__(case, kind, modes, dtype, detail, attribution)
        self.case, self.kind, self.modes, self.dtype, self.detail = case, kind, modes, dtype, detail
        self.attribution = attribution

    def __str__(self) -> str:  # not written before anyone reads it: a case may have large arrays
        return f"{self.kind} in {', '.join(self.modes)} [{self.dtype}]: {self.case}: {self.detail}"


ERRORS: dict[str, type[DifferenceError]] = {
    kind: type(kind.title().replace(" ", ""), (DifferenceError,), {"__module__": __name__}) for kind in KINDS
}


@dataclass(frozen=True, slots=True)
class Allowed:
    """A difference in a mode that an allowance accepted: the allowance's id, and the kind of the difference."""

    mode: str
    allowance: str
    kind: str


@dataclass
class Verdict:
    """The verdict on a case. Modes are keyed by `str(mode)`.

    `undecided` says by mode why an outcome could not be judged. `operations` are the types of the ops in the traced
    graphs. `harness_faults` are exceptions that the judge's own code raised, in any mode. Of a program of TensorFlow's
    ops, `expected` is what eager mode gives, and `parts` are the verdicts on the parts of it that differ by themselves;
    those have the modes in which the whole was `answered`.
    """

    case: Case
    expected: Outcome
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    deviations: list[Deviation] = field(default_factory=list)
    allowed: list[Allowed] = field(default_factory=list)
    undecided: dict[str, str] = field(default_factory=dict)
    operations: frozenset[str] = frozenset()
    harness_faults: list[HarnessFault] = field(default_factory=list)
    parts: list[Verdict] = field(default_factory=list)
    answered: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether an answer differs, and the difference is not accepted."""
        return bool(self.deviations or self.parts)

    @property
    def agrees(self) -> bool:
        """Whether nothing differs, and the answer of every mode could be judged."""
        return not self.differs and not self.not_judged

    @property
    def not_judged(self) -> dict[str, str]:
        """By mode, why no answer was judged: the mode cannot make the call, or the answer is undecided."""
        reasons = {mode: CANNOT_MAKE for mode, outcome in self.outcomes.items() if outcome.kind == "unsupported"}
        return {**self.undecided, **reasons}

    def has_judged(self, mode: str) -> bool:
        """Return whether the mode answered the call by a value, which could be judged."""
        outcome = self.outcomes.get(mode)
        return outcome is not None and self.expected.ok and outcome.ok and mode not in self.undecided

    def list_errors(self) -> list[DifferenceError]:
        """Return the deviations grouped by kind, each as the exception that `check` raises; then those of the parts."""
        errors = []
        for kind in dict.fromkeys(deviation.kind for deviation in self.deviations):
            alike = [deviation for deviation in self.deviations if deviation.kind == kind]
            modes = tuple(dict.fromkeys(deviation.mode.name for deviation in alike))
            dtype = dtype_class(self.case, self.expected)
            errors.append(ERRORS[kind](self.case, kind, modes, dtype, alike[0].detail, self.attribution(kind)))
        return errors + [error for part in self.parts for error in part.list_errors()]

    @property
    def exhausted(self) -> bool:
        """Return whether a mode ran out of memory; later modes were then not run."""
        return any(outcome.kind == "memory" for outcome in self.outcomes.values())

    def attribution(self, kind: str | None = None) -> str:
        """Return what the modes with a difference, of this kind or of any, have in common and no other mode has."""
        differing = [str(entry.mode) for entry in self.deviations if kind in (None, entry.kind)]
        return attribute_modes(differing, self.list_answered()) if differing else ""

    def list_answered(self) -> Sequence[str]:
        """Return the modes that can make the call."""
        return self.answered or [mode for mode, outcome in self.outcomes.items() if outcome.kind != "unsupported"]


def judge(case: Case, modes: Iterable[Mode | str], subject: Subject | ModuleType | str) -> Verdict:
    """Run the case in NumPy and in each mode of a subject, and return the differences as a verdict.

    `subject` is a module with NumPy's names, its name, or a `Subject`. Raises `ModeNotOffered`, a ValueError, for a
    mode that it does not have.
    """
    return judge_siblings([case], modes, subject)[0]


def judge_siblings(
    cases: Sequence[Case],
    modes: Iterable[Mode | str],
    subject: Subject | ModuleType | str,
    *,
    twice: bool = True,
    if_answered: bool = False,
    expected: Sequence[Outcome] = (),
) -> list[Verdict]:
    """Judge cases that differ in the values of their arrays only; each mode is prepared once for all of them.

    A case that differs in anything else, such as the elements of a list, is prepared by itself. With `twice` one of the
    cases is run again, to see whether it gives the same result. With `if_answered` there are verdicts on the further
    cases only if the first is answered by a value. `expected` are the outcomes of the first cases that other modes are
    compared with, if they are known.
    """
    subject = as_subject(subject)
    begun = time.process_time()
    known = [Verdict(case, outcome) for case, outcome in zip(cases, expected, strict=False)]
    verdicts = known + [_answer(case, index, subject) for index, case in enumerate(cases) if index >= len(known)]
    slowness = int(time.process_time() - begun)  # the text about a hang must be the same in every run
    parsed = [Mode.parse(entry) if isinstance(entry, str) else entry for entry in modes]
    check_offered([mode.name for mode in parsed], subject)
    judged = []
    for verdict in verdicts:
        if count_bytes(verdict.expected) > LARGEST_ANSWER:
            verdict.undecided = dict.fromkeys(map(str, parsed), TOO_LARGE)
        else:
            judged.append(verdict)
    for mode in parsed if judged else []:
        with choose_behavior_scope(judged[0].case, subject)():  # once for all: it replaces hundreds of attributes
            _judge_in(mode, judged, subject, twice, slowness, if_answered=if_answered)
        if any(verdict.exhausted for verdict in judged):
            break
    for verdict in verdicts:
        for part in verdict.parts:
            part.answered = tuple(verdict.list_answered())
    first = next((number for number, verdict in enumerate(verdicts) if judged and verdict is judged[0]), 0)
    return verdicts[: first + 1] if if_answered and len(judged) == 1 else verdicts


def _answer(case: Case, index: int, subject: Subject) -> Verdict:
    step(f"eager {index}" if is_of_ops(case) else f"reference of {index}")
    return Verdict(case, run_case(Mode("eager"), case, subject) if is_of_ops(case) else run_numpy(case))


def count_bytes(outcome: Outcome) -> int:
    """Return the number of bytes of the arrays in a result."""
    # A result may be a dtype's class, such as common_type's: its `nbytes` describes the attribute and is no number.
    return sum(part.nbytes for part in flatten(outcome.value) if isinstance(part, np.ndarray | np.generic))


def _judge_in(
    mode: Mode, verdicts: list[Verdict], subject: Subject, twice: bool, slowness: int, *, if_answered: bool
) -> None:
    """Judge every sibling in one mode, up to one that exhausts the memory, for which TensorFlow waits ten seconds.
    `slowness` multiplies the subject's time limit where NumPy itself took seconds. With `if_answered` all but the first
    are removed from the verdicts if it is not answered.
    """
    cases, runners = [verdict.case for verdict in verdicts], []
    key, usual = str(mode), (1.0 + slowness) * (SENDING if mode.device.startswith(OVER_NETWORK) else 1.0)
    compiles = mode.name != "eager" or subject.converts_arrays  # such a library may compile each function it calls
    first = usual * PREPARING * find_mode(mode.name).tracing if compiles else usual
    step(f"{key} 0", first)
    is_reference = is_of_ops(cases[0]) and mode == Mode("eager")  # it has run then
    alike = [is_sibling(case, cases[0], mode, any_size=has_any_size(mode, subject)) for case in cases]
    runner = prepare_case(mode, cases[0], subject, [*itertools.compress(cases, alike)])
    for index, verdict in enumerate(verdicts):
        step(f"{key} {index}", usual if index else first)
        runners.append(runner if alike[index] else prepare_case(mode, verdict.case, subject))
        outcome = verdict.expected if is_reference else runners[index](verdict.case)
        if if_answered and index == 0 and not outcome.ok:
            del verdicts[1:], cases[1:]
        step(f"comparison in {key} of {index}", PREPARING * usual)  # NumPy's runs are not part of the subject's time
        judge_outcome(verdict, outcome, mode, subject, _find_eager(verdict, outcome, mode, subject))
        if verdict.exhausted:
            return
        if outcome.ok and not any(difference.mode == mode for difference in verdict.deviations):
            with _record(verdict, "comparison with eager mode", mode):
                add(verdict, _compare_with_eager(verdict, outcome, mode, subject))
    again = index_of_repeat(cases)
    with _record(verdicts[again], "check of repetition", mode):
        if twice and is_repeated(cases, verdicts[again].outcomes[key], mode):
            step(f"{key} {again}", first)
            outcome = runners[again](cases[again])
            step(f"comparison in {key} of {again}", PREPARING * usual)
            add(verdicts[again], check_repetition(verdicts[again].outcomes[key], outcome, mode))
    verdicts[0].operations |= getattr(runner, "operations", frozenset())
    add(verdicts[-1], check_traces(runner, len(cases), mode))


def judge_outcome(
    verdict: Verdict, outcome: Outcome, mode: Mode, subject: Subject, eager: Outcome | None = None
) -> None:
    """Enter a mode's outcome into the verdict, with its differences from NumPy's and the invariants that it breaks.
    `eager` is what eager mode gave for a program, if that is right.
    """
    key, case = str(mode), verdict.case
    verdict.outcomes[key] = outcome
    if mode.name in GRADIENTS:
        with _record(verdict, "check of the slope", mode):
            add(verdict, _unless_declared(verdict, check_slope(case, outcome, mode), subject))
        return
    if is_of_ops(case):
        comparison = Comparison()
        with _record(verdict, "comparison", mode):
            comparison = _compare_ops(verdict, outcome, mode, subject)
    else:
        comparison = _compare(verdict, outcome, mode, subject, eager)
    verdict.deviations += comparison.deviations
    verdict.allowed += [Allowed(key, allowance, kind) for allowance, kind in comparison.allowed]
    verdict.harness_faults += comparison.harness_faults
    if comparison.undecided:
        verdict.undecided[key] = comparison.undecided
    if verdict.exhausted:
        return
    with _record(verdict, "check of invariants", mode):
        add(verdict, check_inputs(outcome, mode))
        add(verdict, check_promises(outcome, mode))
        add(verdict, check_replicas(case, outcome, mode))
        add(verdict, check_loaded_gradient(outcome, mode))
        add(verdict, check_vectorization(case, outcome, mode))


def _compare_ops(verdict: Verdict, outcome: Outcome, mode: Mode, subject: Subject) -> Comparison:
    """Return the comparison of a program of ops, and enter what differs as parts of the verdict."""
    key, eager = str(mode), _run_eagerly(verdict, mode, subject)
    if not (verdict.expected.ok and eager.ok):
        return Comparison()
    comparison = compare_ops(verdict.case, eager, outcome, mode, partial(_run_op, subject))
    for part in verdict.parts if mode.name != "eager" else ():
        is_wrong = part.case is verdict.case and any(known.mode.name == "eager" for known in part.deviations)
        if is_wrong and not comparison.parts and outcome.ok and have_same_bits(outcome.value, eager.value):
            part.outcomes[key] = outcome  # eager mode's answer is wrong, and so is the same one
            part.deviations += [replace(one, mode=mode) for one in part.deviations[:1]]
    for one in comparison.parts:
        alike = [part for part in verdict.parts if part.case is one.case and agree(part.expected, one.expected)]
        if not alike:
            alike = [Verdict(one.case, one.expected)]
            verdict.parts += alike
        alike[0].outcomes[key] = one.actual
        alike[0].deviations.append(one.deviation)
    return comparison


def _run_eagerly(verdict: Verdict, mode: Mode, subject: Subject) -> Outcome:
    """Return what eager mode gives for a program of ops on the device of a mode."""
    eager = Mode("eager", mode.device)
    if eager == Mode("eager"):
        return verdict.expected
    return verdict.outcomes.get(str(eager)) or run_case(eager, verdict.case, subject)


def _run_op(subject: Subject, mode: Mode, case: Case) -> Outcome:
    return run_compiled(mode, case, subject) if mode.is_compiled else run_case(mode, case, subject)


def _compare(
    verdict: Verdict, outcome: Outcome, mode: Mode, subject: Subject, eager: Outcome | None = None
) -> Comparison:
    return compare_outcomes(
        verdict.case,
        verdict.expected,
        outcome,
        mode,
        on_tensors=subject.takes_tensors,
        adapter=subject.adapter,
        exact_errors=subject.exact_errors,
        eager=eager,
    )


def _find_eager(verdict: Verdict, outcome: Outcome, mode: Mode, subject: Subject) -> Outcome | None:
    """Return the outcome of a program in eager mode, which is run if it was not yet. None if it is wrong, if the case
    is a single call, or if the mode's outcome is NumPy's.
    """
    eager = Mode("eager", mode.device)
    is_needed = outcome.ok and mode != eager and not is_identical(verdict.expected.value, outcome.value)
    is_needed = is_needed and not is_of_ops(verdict.case)
    if not is_needed or len(verdict.case.calls()) < 2:
        return None
    answer = verdict.outcomes.get(str(eager))
    if answer is not None:
        return None if any(difference.mode == eager for difference in verdict.deviations) else answer
    answer = run_case(eager, verdict.case, subject)
    return None if _compare(verdict, answer, eager, subject).deviations else answer


def _compare_with_eager(verdict: Verdict, outcome: Outcome, mode: Mode, subject: Subject) -> Deviation | None:
    """Return a difference if eager mode gives another one of several right answers, which no adapter declares. A wrong
    one is its own finding.
    """
    case = verdict.case
    if is_of_ops(case) or not (has_choice(case, verdict.expected, mode) and promises_values(case)):
        return None
    eager = Mode("eager", mode.device)
    first = verdict.outcomes.get(str(eager)) or run_case(eager, case, subject)
    other = find_other_choice(case, verdict.expected, first, outcome)
    if not other or _compare(verdict, first, eager, subject).deviations:
        return None
    return _unless_declared(verdict, Deviation("differs from eager", other, mode=mode), subject)


def _unless_declared(verdict: Verdict, difference: Deviation | None, subject: Subject) -> Deviation | None:
    """Return a difference that the subject's adapter does not declare; of another one the verdict has an entry."""
    adapter = subject.adapter
    if difference is None or adapter is None:
        return difference
    mode = difference.mode
    entry = find_declared(adapter, verdict.case, difference.kind, mode, difference.detail)
    if entry is None:
        return difference
    verdict.allowed.append(Allowed(str(mode), adapter.name_declared(entry.id), difference.kind))
    return None


@contextmanager
def _record(verdict: Verdict, part: str, mode: Mode) -> Iterator[None]:
    """Record an exception of a check as a fault of the harness: what it checks is then undecided."""
    faults: list[HarnessFault] = []
    with record_faults(faults, part, verdict.case, mode):
        yield
    if faults:
        verdict.harness_faults += faults
        verdict.undecided.setdefault(str(mode), UNDECIDED)


def has_any_size(mode: Mode, subject: Subject) -> bool:
    """Return whether what a mode prepares for arrays of some sizes can be used for those of others."""
    return subject.adapter is not None and subject.adapter.sizes and mode.name in subject.adapter.compiled


def is_sibling(case: Case, first: Case, mode: Mode, *, any_size: bool = False) -> bool:
    """Return whether what a mode prepares for the first case can be used for this one: it depends on everything but the
    values of arrays, or with `any_size` their values and sizes.
    """
    return (
        case is first
        or not (mode.is_traced or mode.name in GRADIENTS)
        or describe_structure(case, any_size=any_size) == describe_structure(first, any_size=any_size)
    )


def describe_structure(case: Case, *, any_size: bool = False) -> str:
    """Return the text of the call without the values of its arrays; with `any_size` without their sizes, too."""
    return repr(case.map_arrays(lambda array: (array.ndim if any_size else array.shape, array.dtype.str)))


def check(case: Case, modes: Iterable[Mode | str] = ("eager",), subject: Subject | ModuleType | str = "tfnp") -> None:
    """Raise the first difference of a case, if there is one; `NotJudged` if a mode gave nothing to judge. See
    `oracle.assert_agrees` for calls.
    """
    __tracebackhide__ = True
    verdict = judge(case, modes, subject)
    for error in verdict.list_errors():
        raise error
    for mode, reason in verdict.not_judged.items():
        raise NotJudged(f"{case} was not judged in {mode}: {reason}")


def add(verdict: Verdict, difference: Deviation | None) -> None:
    """Add a difference to the verdict, if it is not None."""
    if difference is not None:
        verdict.deviations.append(difference)


CLASSES = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex", "U": "str", "S": "bytes", "T": "str"}


def dtype_class(case: Case, expected: Outcome | None = None) -> str:
    """Return the dtype class of a case, as findings are grouped by.

    It is the class of its arrays, with scalars and lists that are operands beside them; else that of its NumPy scalars;
    else of its first argument if that is a list; else of its result; else of its first argument.
    """
    first = next(iter((*case.args, *case.kwargs.values())), None)
    dtypes = {array.dtype for array in case.arrays()}
    if dtypes:
        return "+".join(sorted({find_class(dtype) for dtype in dtypes} | set(_classes_of_operands(case))))
    dtypes = {leaf.dtype for leaf in case.leaves() if isinstance(leaf, np.generic)}
    value = expected.value if expected is not None else None
    if not dtypes and type(first) not in (list, tuple) and isinstance(value, (np.ndarray, np.generic)):
        dtypes = {value.dtype}
    return "+".join(sorted({find_class(dtype) for dtype in dtypes})) or _class_of_python(first)


def _classes_of_operands(case: Case) -> Iterator[str]:
    """Yield the classes of NumPy scalars, and of lists of Python scalars. Weak scalars alone do not count."""
    for operand in case.args[: ufunc_inputs(case.name) or 1]:
        if isinstance(operand, np.generic):
            yield find_class(operand.dtype)
        scalars = [leaf for leaf in flatten(operand) if type(leaf) in PYTHON_CLASSES] if type(operand) is list else []
        if scalars:
            yield _class_of_python(scalars)


PYTHON_CLASSES = {complex: "complex", float: "float", int: "int", bool: "bool"}


def _class_of_python(value: Any) -> str:
    """Return the class that NumPy gives an argument made of Python scalars; float if there are none."""
    scalars = flatten(value)
    classes = {type(scalar) for scalar in scalars} if scalars else {float}
    return next((name for kind, name in PYTHON_CLASSES.items() if kind in classes), "python")


def find_class(dtype: np.dtype) -> str:
    """Return the class of a dtype."""
    if dtype.name in ("float16", "bfloat16"):
        return "half" if dtype.name == "float16" else "bfloat16"
    if dtype.char in "gG":
        return "longdouble"
    return CLASSES.get(dtype.kind, "other")
