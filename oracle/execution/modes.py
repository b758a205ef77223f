"""Execution modes: eager, graph, XLA and others, each on any of TensorFlow's devices.

A mode prepares a case once and then runs its siblings: cases that differ in the values of their arrays only. Compiled
modes trace once, when prepared, and run all siblings with that trace, so that a value that was wrongly made a constant
shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.tensor_ops import is_constant, is_of_ops
from oracle.execution.autodiff import Forward, ForwardOverReverse, Taped, TapedInLoop
from oracle.execution.contexts import InLoop, prepare_in_layer, prepare_in_replicas
from oracle.execution.convert import SCALAR_CACHE
from oracle.execution.executors import (
    Compiled,
    Eager,
    OnArrays,
    OnLists,
    OnNumpysArrays,
    Repeated,
    Runner,
    UnknownDimensions,
    UnknownRank,
    Unsupported,
    Xla,
    XlaOfUnknownDimensions,
    make_variable,
)
from oracle.execution.export import prepare_saved
from oracle.execution.native import prepare_natively
from oracle.execution.vmap import Vectorized
from oracle.modes import SHAPELESS, SUBSTITUTES, Mode
from oracle.reference.outcome import Outcome, destinations, find_in_numpy, numpy_path, run_numpy
from oracle.subject import Subject, load_tensorflow

RUNNERS: dict[str, Callable[[Case, Subject, str], Runner]] = {
    "eager": Eager,
    "arrays": OnNumpysArrays,
    "lists": OnLists,
    "variables": partial(Eager, of_input=make_variable),
    "repeated": Repeated,
    "graph": Compiled,
    "graph_dims": UnknownDimensions,
    "graph_rank": UnknownRank,
    "vmap": Vectorized,
    "keras": prepare_in_layer,
    "strategy": prepare_in_replicas,
    "while": InLoop,
    "saved": prepare_saved,
    "xla": Xla,
    "xla_dims": XlaOfUnknownDimensions,
    "gradient": Taped,
    "gradient_graph": partial(Taped, compiled=False),
    "gradient_while": TapedInLoop,
    "gradient_xla": partial(Taped, compiled=True),
    "jvp": Forward,
    "hvp": ForwardOverReverse,
}


class ModeNotOffered(ValueError):
    """A subject does not have a mode."""


def list_offered(subject: Subject) -> tuple[str, ...]:
    """Return the modes that a subject has: eager alone for a library of NumPy's arrays, those of its adapter for one
    that has an adapter, all but those of other compilers for a library of tensors.
    """
    if subject.adapter is not None and subject.converts_arrays:
        return subject.adapter.modes
    return tuple(RUNNERS) if subject.takes_tensors else ("eager",)


def check_offered(modes: Iterable[str], subject: Subject) -> None:
    """Raise ModeNotOffered for the first of the modes that a subject does not have."""
    offered = list_offered(subject)
    for mode in modes:
        if mode not in offered:
            raise ModeNotOffered(f"{subject.name} has no mode {mode!r}; it has {', '.join(offered)}")


def prepare_case(mode: Mode, case: Case, subject: Subject, siblings: Sequence[Case] = ()) -> Runner:
    """Return a runner for the case and its siblings in a mode. All siblings must be named for modes that run them as
    one batch.
    """
    if lacks_argument(case, subject):
        return Unsupported()
    if subject.converts_arrays:
        is_meaningful = not is_of_no_array(case) and not (mode.is_traced and makes_scalars(case, subject))
        return prepare_natively(case, subject, mode.name, mode.device, siblings) if is_meaningful else Unsupported()
    if not subject.takes_tensors:
        return OnArrays(subject) if mode.name == "eager" else Unsupported()
    if (mode.is_traced and makes_scalars(case, subject)) or is_of_no_array(case):
        return Unsupported()
    if mode.name in SHAPELESS | SUBSTITUTES and len(case.arrays()) == len(destinations(case)):
        return Unsupported()  # no argument whose shape could be unknown, or that could be passed in another form
    if mode.name not in RUNNERS:
        return Unsupported()
    SCALAR_CACHE.put_zeros()
    if mode.name == "vmap":
        return Vectorized(case, subject, mode.device, siblings)
    return RUNNERS[mode.name](case, subject, mode.device)


def run_case(mode: Mode, case: Case, subject: Subject) -> Outcome:
    """Prepare and run one case in a mode."""
    return prepare_case(mode, case, subject)(case)


def run_compiled(mode: Mode, case: Case, subject: Subject) -> Outcome:
    """Run a program of ops in a mode that compiles it, unless one that differs from it in values alone was compiled."""
    structure = repr(case.map_arrays(partial(_describe_operand, case)))
    return _prepare_compiled(_CompiledProgram(structure, mode, case, subject))(case)


def _describe_operand(case: Case, array: np.ndarray) -> Any:
    return (array.shape, array.dtype.str, array.tobytes() if is_constant(case, array) else b"")


@dataclass(frozen=True)
class _CompiledProgram:
    """A program of ops in a mode: its text, with the values of constants only, and a case of it."""

    structure: str
    mode: Mode
    case: Case = field(compare=False)
    subject: Subject = field(compare=False)


@lru_cache(maxsize=8)
def _prepare_compiled(program: _CompiledProgram) -> Runner:
    return prepare_case(program.mode, program.case, program.subject)


def lacks_argument(case: Case, subject: Subject) -> bool:
    """Return whether an argument is a function, as in `apply_along_axis(np.sort, 0, a)`, that the subject does not
    have.
    """
    paths = [numpy_path(leaf) for leaf in case.leaves() if callable(leaf)]
    return any(path is not None and not subject.has(path) for path in paths)


def run_reference(case: Case) -> Outcome:
    """Return NumPy's outcome of a case; of a program of TensorFlow's ops, that of eager mode."""
    return run_case(Mode("eager"), case, load_tensorflow()) if is_of_ops(case) else run_numpy(case)


def is_of_no_array(case: Case) -> bool:
    """Return whether a method is called on an object that is not an array, so that it is not the subject's."""
    return case.name.startswith("ndarray.") and bool(case.args) and not isinstance(case.args[0], np.ndarray | Case)


def makes_scalars(case: Case, subject: Subject) -> bool:
    """Return whether the call, or an earlier one that takes a tensor, is a class of NumPy's, which needs values."""
    inner = [call for call in case.calls()[:-1] if call.arrays() or len(call.calls()) > 1]
    return any(is_numpys_class(call.name, subject) for call in (*inner, case))


def is_numpys_class(name: str, subject: Subject) -> bool:
    """Return whether the subject's name is NumPy's own class, such as `float32`, which makes scalars."""
    value = subject.find(name) if subject.has(name) else None
    return isinstance(value, type) and value is find_in_numpy(name)
