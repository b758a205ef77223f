"""Prepared calls for timing: arguments converted once, functions traced once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.vocabulary import LAST
from oracle.execution.convert import to_tensor
from oracle.execution.devices import make_scope
from oracle.execution.executors import FETCHER, Compiled, Xla, choose_behavior_scope, make_function, make_variable
from oracle.modes import Mode
from oracle.reference.outcome import copy_for_numpy, destinations, evaluate, find_in_numpy
from oracle.subject import Subject

COMPILED = {"graph": Compiled, "xla": Xla}


def repeat_in_numpy(case: Case) -> Callable[[], Any]:
    """Return a function that makes NumPy's call. Arrays it writes to keep what the last call wrote."""
    return _repeat_on_arrays(case, find_in_numpy)


def repeat(case: Case, mode: Mode, subject: Subject, fetch: bool = True) -> Callable[[], Any]:
    """Return a function that makes the subject's call in a mode.

    With `fetch` it returns the result as arrays, once they are there; else what the subject returns.
    """
    if not subject.takes_tensors:
        return _repeat_on_arrays(case, subject.find)
    call = _repeat_eagerly(case, mode, subject) if mode.name == "eager" else _repeat_compiled(case, mode, subject)
    scope, numpy_behavior = make_scope(mode.device), choose_behavior_scope(case, subject)

    def make_call() -> Any:
        with scope(), numpy_behavior():
            result = call()
            return FETCHER.fetch(result) if fetch else result

    return make_call


def _repeat_on_arrays(case: Case, find: Callable[[str], Any]) -> Callable[[], Any]:
    fresh = copy_for_numpy(case)
    prepared = _prepare(fresh, find, lambda array: array)

    def make_call() -> Any:
        with np.errstate(all="ignore"):
            return prepared()

    return make_call


def _repeat_eagerly(case: Case, mode: Mode, subject: Subject) -> Callable[[], Any]:
    outputs = destinations(case)
    with make_scope(mode.device)():
        tensors = {
            id(array): (make_variable if any(array is one for one in outputs) else to_tensor)(array)
            for array in case.arrays()
        }
    return _prepare(case, subject.find, lambda array: tensors[id(array)])


def _prepare(case: Case, find: Callable[[str], Any], of_array: Callable[[np.ndarray], Any]) -> Callable[[], Any]:
    """Return a function that makes a call with arguments that are converted once. Inner calls are made each time."""
    if case.name == LAST or any(call is not case for call in case.calls()):
        return lambda: evaluate(case, find, of_array)
    function = find(case.name)
    if not callable(function):
        return lambda: function
    first = iter([partial(partial, function)])  # what the case looks up first is its function
    return evaluate(case, lambda path: next(first, None) or find(path), of_array)


def _repeat_compiled(case: Case, mode: Mode, subject: Subject) -> Callable[[], Any]:
    runner = COMPILED[mode.name](case, subject, mode.device)
    arrays = case.arrays()
    with runner.scope():
        runner.variables.update((i, make_variable(arrays[i])) for i in runner.output_indices)
        tensors = [to_tensor(array) for i, array in enumerate(arrays) if i not in runner.variables]
    function = make_function(runner.body, mode.device, runner.jit_compile)
    return lambda: function(tensors)
