"""One case judged in every mode: NumPy's outcome, each mode's, and the differences that are not accepted."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from oracle.attribution import attribute_modes
from oracle.case.model import Case
from oracle.compare.pipeline import KINDS, Difference, compare_outcomes
from oracle.execution.devices import OVER_NETWORK
from oracle.execution.modes import GRADIENTS, Mode
from oracle.invariants import (
    inputs_unharmed,
    place_of_repeat,
    promises_kept,
    repeated,
    replicas_agree,
    slope_agrees,
    traced_once,
)
from oracle.reference.display import flatten
from oracle.reference.outcome import Outcome, run_numpy, ufunc_inputs
from oracle.sandbox.progress import step
from oracle.subject import Subject, load_subject

SENDING = 3.0  # how many times longer a call may take in another process
PREPARING = 3.0  # how many times longer than another call a first one may take, which may compile


class Disagreement(Exception):
    """Modes that differ from NumPy in the same kind of way. Each kind is a class of its own: see `DISAGREEMENTS`."""

    def __init__(
        self, case: Case, kind: str, modes: tuple[str, ...], dtype: str, detail: str, attribution: str = ""
    ) -> None:
        super().__init__(f"{kind} in {', '.join(modes)} [{dtype}]: {case}: {detail}")
        self.case, self.kind, self.modes, self.dtype, self.detail = case, kind, modes, dtype, detail
        self.attribution = attribution


DISAGREEMENTS: dict[str, type[Disagreement]] = {
    kind: type(kind.title().replace(" ", ""), (Disagreement,), {"__module__": __name__}) for kind in KINDS
}


@dataclass(frozen=True, slots=True)
class Allowed:
    """A difference in a mode that an allowance accepted: its id, and the kind of the difference."""

    mode: str
    allowance: str
    kind: str


@dataclass
class Verdict:
    """What was found. Modes are keyed by `str(mode)`. `undecided` says by mode why an outcome could not be judged.

    `operations` are the kinds of ops that the subject was traced to, where a mode traces.
    """

    case: Case
    expected: Outcome
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    allowed: list[Allowed] = field(default_factory=list)
    undecided: dict[str, str] = field(default_factory=dict)
    operations: frozenset[str] = frozenset()

    @property
    def agrees(self) -> bool:
        return not self.differences

    def disagreements(self) -> list[Disagreement]:
        """The differences by kind."""
        found = []
        for kind in dict.fromkeys(difference.kind for difference in self.differences):
            alike = [difference for difference in self.differences if difference.kind == kind]
            modes = tuple(dict.fromkeys(difference.mode.name for difference in alike))
            dtype = dtype_class(self.case, self.expected)
            alone = self.attribution(kind)
            found.append(DISAGREEMENTS[kind](self.case, kind, modes, dtype, alike[0].detail, alone))
        return found

    @property
    def exhausted(self) -> bool:
        """Whether no memory was left in one of the modes; the others after it were not asked."""
        return any(outcome.kind == "memory" for outcome in self.outcomes.values())

    def attribution(self, kind: str | None = None) -> str:
        """Who is alone with a difference, of this kind or of any: of the ways that had an answer."""
        differing = [str(entry.mode) for entry in self.differences if kind in (None, entry.kind)]
        asked = [mode for mode, outcome in self.outcomes.items() if outcome.kind != "unsupported"]
        return attribute_modes(differing, asked) if differing else ""


def judge(case: Case, modes: Iterable[Mode | str], subject: Subject | str) -> Verdict:
    """Run the case in NumPy and in each mode, and say how they differ."""
    return judge_siblings([case], modes, subject)[0]


def judge_siblings(
    cases: Sequence[Case], modes: Iterable[Mode | str], subject: Subject | str, *, twice: bool = True
) -> list[Verdict]:
    """Judge cases that differ in the values of their arrays alone; each mode prepares once for all of them.

    `twice` has one of them run again, to see whether it answers the same.
    """
    subject = load_subject(subject) if isinstance(subject, str) else subject
    step("reference")
    begun = time.process_time()
    verdicts = [Verdict(case, run_numpy(case)) for case in cases]
    slowness = int(time.process_time() - begun)  # what is said of a hang must not differ from run to run
    for entry in modes:
        _judge_in(Mode.parse(entry) if isinstance(entry, str) else entry, verdicts, subject, twice, slowness)
        if any(verdict.exhausted for verdict in verdicts):
            break
    return verdicts


def _judge_in(mode: Mode, verdicts: Sequence[Verdict], subject: Subject, twice: bool, slowness: int) -> None:
    """Judge every sibling in one mode, up to one that exhausts the memory: TensorFlow waits ten seconds for it. Where
    NumPy took seconds, as its decompositions now and then do, the subject is given more of them.
    """
    cases = [verdict.case for verdict in verdicts]
    key, usual = str(mode), (1.0 + slowness) * (SENDING if mode.device.startswith(OVER_NETWORK) else 1.0)
    first = usual if mode.name == "eager" else usual * PREPARING
    step(f"{key} 0", first)
    runner = mode.prepare(cases[0], subject, cases)
    for index, verdict in enumerate(verdicts):
        step(f"{key} {index}", usual if index else first)
        outcome = runner(verdict.case)
        verdict.outcomes[key] = outcome
        step("comparison", PREPARING * usual)  # NumPy is asked about numbers nearby: that is not the subject's time
        if mode.name in GRADIENTS:
            add(verdict, slope_agrees(verdict.case, outcome, mode))
            continue
        comparison = compare_outcomes(
            verdict.case,
            verdict.expected,
            outcome,
            mode,
            on_tensors=subject.takes_tensors,
            adapter=subject.adapter,
        )
        verdict.differences += comparison.differences
        verdict.allowed += [Allowed(key, allowance, kind) for allowance, kind in comparison.allowed]
        if comparison.undecided:
            verdict.undecided[key] = comparison.undecided
        if verdict.exhausted:
            return
        add(verdict, inputs_unharmed(outcome, mode))
        add(verdict, promises_kept(outcome, mode))
        add(verdict, replicas_agree(verdict.case, outcome, mode))
    again = place_of_repeat(cases)
    step(f"{key} {again}", first)
    if twice:
        add(verdicts[again], repeated(runner, cases, verdicts[again].outcomes[key], mode))
    verdicts[0].operations |= getattr(runner, "operations", frozenset())
    add(verdicts[-1], traced_once(runner, len(cases), mode))


def check(case: Case, modes: Iterable[Mode | str] = ("eager",), subject: Subject | str = "tfnp") -> None:
    """Raise the first disagreement of a case, if there is one. See `oracle.assert_agrees` for a call."""
    for disagreement in judge(case, modes, subject).disagreements():
        raise disagreement


def add(verdict: Verdict, difference: Difference | None) -> None:
    """Enter a difference, if there is one."""
    if difference is not None:
        verdict.differences.append(difference)


CLASSES = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex", "U": "str", "S": "bytes", "T": "str"}


def dtype_class(case: Case, expected: Outcome) -> str:
    """What kinds of numbers a case is about: those of its arrays, and of scalars and lists that are operands beside
    them; else of its NumPy scalars, else of its first argument if that is a list, else of its result, else of its
    first argument.
    """
    first = next(iter((*case.args, *case.kwargs.values())), None)
    dtypes = {array.dtype for array in case.arrays()}
    if dtypes:
        return "+".join(sorted({class_of(dtype) for dtype in dtypes} | set(_classes_of_operands(case))))
    dtypes = {leaf.dtype for leaf in case.leaves() if isinstance(leaf, np.generic)}
    if not dtypes and type(first) not in (list, tuple) and isinstance(expected.value, (np.ndarray, np.generic)):
        dtypes = {expected.value.dtype}
    return "+".join(sorted({class_of(dtype) for dtype in dtypes})) or _class_of_python(first)


def _classes_of_operands(case: Case) -> Iterator[str]:
    """Of NumPy scalars, and of Python's numbers in lists: what is more than the weak numbers that stand alone."""
    for operand in case.args[: ufunc_inputs(case.name) or 1]:
        if isinstance(operand, np.generic):
            yield class_of(operand.dtype)
        numbers = [leaf for leaf in flatten(operand) if type(leaf) in PYTHON_CLASSES] if type(operand) is list else []
        if numbers:
            yield _class_of_python(numbers)


PYTHON_CLASSES = {complex: "complex", float: "float", int: "int", bool: "bool"}


def _class_of_python(value: Any) -> str:
    """What NumPy would make of Python's numbers in an argument: of none at all, floats."""
    numbers = flatten(value)
    kinds = {type(number) for number in numbers} if numbers else {float}
    return next((name for kind, name in PYTHON_CLASSES.items() if kind in kinds), "python")


def class_of(dtype: np.dtype) -> str:
    """One dtype's class."""
    if dtype.name in ("float16", "bfloat16"):
        return "half" if dtype.name == "float16" else "bfloat16"
    if dtype.char in "gG":
        return "longdouble"
    return CLASSES.get(dtype.kind, "other")
