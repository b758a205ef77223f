"""Steps of a program: each call with the subject's own operands, as they are when it is made, and its outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.tensor_ops import GRADIENT, is_constant
from oracle.case.vocabulary import MAKERS_OF_GENERATORS
from oracle.reference.outcome import Outcome, destinations
from oracle.reference.polynomials import OLDER, SERIES, spell

DATA = (np.ndarray, np.generic, np.dtype, bool, int, float, complex, str, bytes, type(None), slice, type)


class NotData(TypeError):
    """Raised for an operand that no case can have as an argument."""


class StepRecorder:
    """Makes the calls of a program, and records them. `fetch` converts the subject's results to NumPy.

    `steps` is empty if an operand is not data.
    """

    def __init__(self, fetch: Callable[[Any], Any]) -> None:
        self.fetch = fetch
        self.steps: tuple[tuple[Case, Outcome], ...] = ()
        self._is_recording = True

    def __call__(self, case: Case, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Make a call, which `evaluate` asks for."""
        if not self._is_recording or case.name in MAKERS_OF_GENERATORS:
            return function(*args, **kwargs)
        originals: dict[int, Any] = {}
        posed = self._attempt(lambda: pose_call(case, args, kwargs, self._copy, originals))
        try:
            result = function(*args, **kwargs)
        except Exception as exception:
            outcome = Outcome.raised(exception)
            self._add(posed, lambda: outcome)
            raise
        self._add(posed, lambda: Outcome(self._copy(result), after=self._copy_targets(posed, originals)))
        return result

    def _attempt(self, read: Callable[[], Any]) -> Any:
        """Return what `read` returns; None if it raises, and then nothing is recorded any longer."""
        try:
            return read()
        except Exception:  # noqa: BLE001 - what a subject returns may raise whatever it is asked
            self.steps, self._is_recording = (), False
            return None

    def _add(self, posed: Case, make: Callable[[], Outcome]) -> None:
        outcome = self._attempt(make) if self._is_recording else None
        if outcome is not None:
            self.steps += ((posed, outcome),)

    def _copy_targets(self, posed: Case, originals: dict[int, Any]) -> tuple[Any, ...]:
        return tuple([self._copy(originals[id(target)]) for target in destinations(posed)])

    def _copy(self, value: Any) -> Any:
        return copy_arrays(self.fetch(spell(value)))


def pose_call(
    case: Case,
    args: list[Any],
    kwargs: dict[str, Any],
    read: Callable[[Any], Any],
    originals: dict[int, Any] | None = None,
) -> Case:
    """Return a call of a program on its operands, read as data. Raises NotData.

    An operand that occurs twice is read once; `originals` gets the operands by the ids of what they are read as. A call
    that makes a random generator remains.
    """
    by_id: dict[int, Any] = {}

    def pose(argument: Any, operand: Any) -> Any:
        kind = type(argument)
        if kind in (list, tuple):
            return kind([pose(*pair) for pair in zip(argument, operand, strict=True)])
        if kind is dict:
            return {key: pose(argument[key], operand[key]) for key in argument}
        is_made = kind is Case and argument.name not in MAKERS_OF_GENERATORS
        if (kind is not np.ndarray and not is_made) or (kind is np.ndarray and is_constant(case, argument)):
            return argument
        if id(operand) not in by_id:
            by_id[id(operand)] = make_argument(read(operand))
            if originals is not None:
                originals[id(by_id[id(operand)])] = operand
        return by_id[id(operand)]

    named = {key: pose(argument, kwargs[key]) for key, argument in case.kwargs.items()}
    return Case(case.name, tuple(map(pose, case.args, args)), named)


def copy_arrays(value: Any) -> Any:
    """Return a result with copies of its arrays."""
    if isinstance(value, np.ndarray):
        return np.array(value)
    if isinstance(value, (list, tuple)):
        items = [copy_arrays(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return {key: copy_arrays(item) for key, item in value.items()} if isinstance(value, dict) else value


def make_argument(value: Any) -> Any:
    """Return a fetched result as an argument of a case: a series as the call that makes it. Raises NotData."""
    if isinstance(value, (list, tuple)):
        return (tuple if isinstance(value, tuple) else list)([make_argument(item) for item in value])
    if isinstance(value, dict) and value.keys() == {"class", *SERIES}:
        name, default = f"polynomial.{value['class']}", getattr(np.polynomial, value["class"])
        parts = {part: value[part] for part in SERIES}
        named = {key: part for key, part in parts.items() if key != "coef" and (part != getattr(default, key)).any()}
        return Case(name, (value["coef"],), named)
    if isinstance(value, dict) and value.keys() == {"class", *OLDER}:
        return Case("poly1d", (value["coeffs"],), {"variable": value["variable"]})
    if not isinstance(value, DATA) or (isinstance(value, np.ndarray) and value.dtype.kind == "O"):
        raise NotData(type(value).__name__)
    return value


def is_recordable(case: Case) -> bool:
    """Return whether a case is a program of steps: no generator serves two of its calls, whose draws would depend on
    the calls before.
    """
    if not case.is_nested() or case.name == GRADIENT or len(case.steps()) < 2:
        return False
    arguments = [item for call in case.calls() for item in _list_items((*call.args, *call.kwargs.values()))]
    uses = Counter(id(item) for item in arguments if type(item) is Case and item.name in MAKERS_OF_GENERATORS)
    return max(uses.values(), default=0) < 2


def _list_items(values: Any) -> list[Any]:
    """Return the arguments, those in lists, tuples and dicts included."""
    items: list[Any] = []
    for value in values:
        nested = value.values() if type(value) is dict else value if type(value) in (list, tuple) else None
        items += [value] if nested is None else _list_items(nested)
    return items


def make_recorder(case: Case, fetch: Callable[[Any], Any]) -> StepRecorder | None:
    """Return a recorder of the case's steps; None for a single call, and for programs whose steps depend on more than
    their operands.
    """
    return StepRecorder(fetch) if is_recordable(case) else None


def list_steps(recorder: StepRecorder | None) -> tuple[tuple[Case, Outcome], ...]:
    """Return the steps that a recorder has; none without one."""
    return () if recorder is None else recorder.steps
