"""Executors: cases prepared for TensorFlow, run op by op, or traced once for a case and its siblings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from oracle.case.layout import copy_array
from oracle.case.model import Case
from oracle.execution.convert import SCALAR_CACHE, Fetcher, NoTensor, assign_variable, to_tensor
from oracle.execution.devices import OVER_NETWORK, make_scope
from oracle.execution.steps import list_steps, make_recorder
from oracle.execution.tensor_ops import evaluate_case, list_passed
from oracle.reference import bfloat16
from oracle.reference.display import format_object
from oracle.reference.memory_safety import is_memory_unsafe
from oracle.reference.outcome import (
    Apply,
    Outcome,
    adapt_to_bfloat16,
    copy_for_numpy,
    depends_on_layout,
    destinations,
    evaluate,
    find_in_numpy,
    make_converter,
    may_overwrite,
    owners,
    run_numpy,
)
from oracle.subject import Subject

FETCHER = Fetcher()


class Runner(Protocol):
    """A prepared case: call it with a sibling. `traces` counts the traces of a compiled function."""

    traces: int

    def __call__(self, case: Case) -> Outcome: ...


class Unsupported:
    """Raised if the mode makes no sense for the case or the subject."""

    traces = 0

    def __call__(self, case: Case) -> Outcome:
        return Outcome(kind="unsupported")


class OnArrays:
    """Runs a subject that takes NumPy's own arrays, without TensorFlow.

    A call in which NumPy reads or writes outside its arrays is not made: many such subjects hand their arguments to it.
    """

    traces = 0

    def __init__(self, subject: Subject) -> None:
        self.find = subject.find

    def __call__(self, case: Case) -> Outcome:
        if is_memory_unsafe(case):
            return Outcome(kind="unsupported")
        fresh = copy_for_numpy(case)
        find: Callable[[str], Any] = self.find
        if bfloat16.concerns(fresh):
            find = adapt_to_bfloat16(find)  # as for the reference
        recorder = make_recorder(fresh, lambda value: value)
        with np.errstate(all="ignore"):
            try:
                value = evaluate(fresh, find, None, make_converter(case.name), apply=recorder)
            except Exception as exception:  # noqa: BLE001 - whatever it raises is the answer
                return replace(Outcome.raised(exception), steps=list_steps(recorder))
        changed = find_changed(case, fresh)
        if changed and (may_overwrite(case) or changed == find_changed(case, run_on_copy(case))):
            changed = ()
        fetched = FETCHER.fetch_from_arrays(value)
        return Outcome(fetched, after=tuple(destinations(fresh)), changed=changed, steps=list_steps(recorder))


def find_changed(case: Case, answered: Case) -> tuple[int, ...]:
    """Return the indices of the arrays in a copy of the case that differ from the case's, except for outputs."""
    before = copy_for_numpy(case) if depends_on_layout(case) else case
    differ = [
        (i, new)
        for i, (new, old) in enumerate(zip(answered.arrays(), before.arrays(), strict=True))
        if new.tobytes() != old.tobytes()
    ]
    outputs = destinations(answered) if differ else []
    return tuple([i for i, new in differ if not any(new is target for target in outputs)])


def run_on_copy(case: Case) -> Case:
    """Return a copy of the case after NumPy's call, which may change inputs: `nanmin(None, initial=x)` makes x nan."""
    fresh = copy_for_numpy(case)
    with np.errstate(all="ignore"), suppress(Exception):
        evaluate(fresh, find_in_numpy, None)
    return fresh


class Eager:
    """Runs a case op by op. `of_input` converts arrays that the case only reads."""

    traces = 0

    def __init__(
        self, case: Case, subject: Subject, device: str, of_input: Callable[[np.ndarray], Any] = to_tensor
    ) -> None:
        self.subject, self.scope, self.of_input = subject, make_scope(device), of_input
        self.numpy_behavior = choose_behavior_scope(case, subject)
        self.device = device

    def __call__(self, case: Case) -> Outcome:
        outputs = destinations(case)
        tensors: dict[int, tuple[np.ndarray, Any]] = {}

        def convert(array: np.ndarray) -> Any:
            entry = tensors.get(id(array))
            if entry is None:
                is_output = bool(outputs) and any(array is target for target in outputs)
                tensor = SHELF.lend(self.device, array) if is_output else self.input_of(case, array)
                entry = tensors[id(array)] = (array, tensor)
            return entry[1]

        recorder = make_recorder(case, FETCHER.fetch)
        try:
            with self.scope(), self.numpy_behavior():
                SCALAR_CACHE.put_zeros()
                value = FETCHER.fetch(self.answer(case, convert, recorder))
        except NoTensor:
            return Outcome(kind="unsupported")
        except Exception as exception:  # noqa: BLE001 - whatever it raises is the answer
            return replace(Outcome.raised(exception), steps=list_steps(recorder))
        steps = list_steps(recorder)
        if not outputs:
            return Outcome(value, changed=find_changed_inputs(tensors.values()), steps=steps)
        variables = [tensors.pop(id(target))[1] for target in outputs if id(target) in tensors]
        after = tuple([FETCHER.fetch(variable) for variable in variables])
        SHELF.take_back(self.device, variables)
        return Outcome(value, after=after, changed=find_changed_inputs(tensors.values()), steps=steps)

    def answer(self, case: Case, convert: Callable[[np.ndarray], Any], apply: Apply | None) -> Any:
        """Return the subject's result. `apply` makes the calls, if it is there."""
        return evaluate_case(case, self.subject.find, convert, apply)

    def input_of(self, case: Case, array: np.ndarray) -> Any:
        """Return what is passed for an array of the case."""
        return self.of_input(array)


REPEATS = 70
"""How often a call recurs in the mode `repeated`: libraries compile what recurs some dozen times."""


class Repeated(Eager):
    """Runs a case eagerly many times; the last result counts. Subjects may cache or compile calls that recur."""

    def __call__(self, case: Case) -> Outcome:
        if destinations(case):
            return Outcome(kind="unsupported")  # a second call would read what the first has written
        return super().__call__(case)

    def answer(self, case: Case, convert: Callable[[np.ndarray], Any], apply: Apply | None) -> Any:
        for _ in range(REPEATS - 1):
            super().answer(case, convert, None)
        return super().answer(case, convert, apply)


class OnNumpysArrays(Eager):
    """Runs a case eagerly on NumPy arrays in place of tensors, with their memory layout.

    An array whose attribute or method is called is a tensor: an array's own would be NumPy's.
    """

    def input_of(self, case: Case, array: np.ndarray) -> Any:
        if any(array is owner for owner in owners(case)):
            return to_tensor(array)
        to_tensor(array[:0] if array.ndim else array)  # a case that fits no tensor is unsupported
        return copy_array(array)


class OnLists:
    """Runs a case eagerly on nested lists, and Python scalars for 0-d arrays, if NumPy gives the same result for
    them.
    """

    traces = 0

    def __init__(self, case: Case, subject: Subject, device: str) -> None:
        self.eager = Eager(case, subject, device)
        self.alike = not destinations(case) and bool(case.arrays())

    def __call__(self, case: Case) -> Outcome:
        if not self.alike:
            return Outcome(kind="unsupported")
        listed = case.map_arrays(lambda array: array.tolist())
        if not agree(run_numpy(listed), run_numpy(case)):
            return Outcome(kind="unsupported")
        return self.eager(listed)


def agree(first: Outcome, second: Outcome) -> bool:
    """Return whether both are the same error, or bitwise equal results."""
    if first.error is not None and second.error is not None:
        return first.error.bases == second.error.bases
    return first.kind == second.kind and have_same_bits((first.value, first.after), (second.value, second.after))


def have_same_bits(first: Any, second: Any) -> bool:
    """Return whether two results have the same structure, dtypes, shapes and bytes."""
    if isinstance(first, (np.ndarray, np.generic)) and isinstance(second, (np.ndarray, np.generic)):
        first, second = np.asarray(first), np.asarray(second)
        if first.dtype != second.dtype or first.shape != second.shape:
            return False
        if first.dtype.kind in "OT":
            return have_same_bits(first.tolist(), second.tolist())
        if first.dtype.char in "gG":  # ten bytes of each sixteen are the number, the others are anything
            return np.array_equal(first, second, equal_nan=True) and repr(first) == repr(second)
        return first.tobytes() == second.tobytes()
    if type(first) is not type(second):
        return False
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(have_same_bits, first, second))
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(have_same_bits(first[key], second[key]) for key in first)
    if hasattr(first, "bit_generator"):  # the text of a random generator has its address
        return have_same_bits(first.bit_generator.state, second.bit_generator.state)
    return first is second or format_object(first) == format_object(second)


class Compiled:
    """Runs a case in a `tf.function`, traced once for the prepared case."""

    jit_compile = False

    def __init__(self, case: Case, subject: Subject, device: str) -> None:
        import tensorflow as tf

        tf.get_logger().setLevel("ERROR")  # TensorFlow warns about functions made in a loop, which is intended here
        self.case, self.subject, self.device, self.scope = case, subject, device, make_scope(device)
        self.numpy_behavior = choose_behavior_scope(case, subject)
        self.arrays = list_passed(case)
        indices = {id(array): i for i, array in enumerate(self.arrays)}
        self.output_indices = [indices[id(target)] for target in destinations(case)]
        self.traces = 0
        self.failure: Outcome | None = None
        self.variables: dict[int, Any] = {}
        self.result: Any = None
        self.promised: list[tuple[Any, Any]] = []
        self.operations: frozenset[str] = frozenset()
        self.function: Any = None

    def signature(self, tensors: Sequence[Any]) -> Any:
        """Return the input signature of the `tf.function`; None for static shapes."""
        return None

    def make(self, tensors: Sequence[Any]) -> Callable[[Sequence[Any]], Any]:
        """Return the function to call, given the inputs of the first call."""
        return make_function(self.body, self.device, self.jit_compile, self.signature(tensors))

    def body(self, tensors: Sequence[Any]) -> list[Any]:
        """Return the tensors of the result, and store the rest of the result. This is what is traced."""
        self.traces += 1
        self.result = None
        inputs = iter(tensors)
        tensor_of_array = {
            id(a): self.variables[i] if i in self.variables else next(inputs) for i, a in enumerate(self.arrays)
        }
        make_constant = sys.modules["tensorflow"].constant
        self.result, flat = FETCHER.dismantle(
            evaluate_case(
                self.case,
                self.subject.find,
                lambda array: tensor_of_array[id(array)] if id(array) in tensor_of_array else make_constant(array),
            )
        )
        self.promised = [(tensor.shape, tensor.dtype) for tensor in flat]
        graph = sys.modules["tensorflow"].compat.v1.get_default_graph()
        self.operations = frozenset(operation.type for operation in graph.get_operations())
        return flat

    def __call__(self, case: Case) -> Outcome:
        if self.failure is not None:
            return self.failure
        arrays = list_passed(case)
        if len(arrays) != len(self.arrays):
            raise ValueError("not a sibling: another number of arrays")
        try:
            with self.scope(), self.numpy_behavior():
                return self.run(arrays)
        except NoTensor:
            return Outcome(kind="unsupported")
        except Exception as exception:  # noqa: BLE001 - whatever it raises is the answer
            outcome = Outcome.raised(exception, "run" if self.result is not None else "trace")
            if outcome.phase == "trace":
                self.failure = outcome
            return outcome

    def run(self, arrays: list[np.ndarray]) -> Outcome:
        """Feed the arrays, call, fetch."""
        for i in self.output_indices:
            if i in self.variables:
                self.variables[i].assign(to_tensor(arrays[i]))
            else:
                self.variables[i] = make_variable(arrays[i])
        pairs = [(array, to_tensor(array)) for i, array in enumerate(arrays) if i not in self.variables]
        tensors = [tensor for _, tensor in pairs]
        if self.function is None:
            self.function = self.make(tensors)
        flat = self.function(tensors)
        value = FETCHER.assemble(self.result, flat)
        after = tuple([FETCHER.fetch(self.variables[i]) for i in self.output_indices])
        return Outcome(value, after=after, changed=find_changed_inputs(pairs), unkept=find_unkept(self.promised, flat))

    def trace(self) -> tuple[Any, list[Any]] | None:
        """Return the graph of the case and its input tensors; None if an input fits no tensor.

        Raises what the subject raises.
        """
        try:
            with self.scope(), self.numpy_behavior():
                self.variables |= {i: make_variable(self.arrays[i]) for i in self.output_indices}
                tensors = [to_tensor(array) for i, array in enumerate(self.arrays) if i not in self.variables]
                concrete = make_function(self.body, self.device, False).get_concrete_function(tensors)
        except NoTensor:
            return None
        return concrete.graph, [*tensors, *concrete.captured_inputs]


class Xla(Compiled):
    """Runs a case compiled by XLA."""

    jit_compile = True


class UnknownDimensions(Compiled):
    """Runs a case in a graph in which the rank of inputs is static, and no dimension is."""

    def signature(self, tensors: Sequence[Any]) -> Any:
        tensor_spec = sys.modules["tensorflow"].TensorSpec
        return ([tensor_spec([None] * tensor.shape.rank, tensor.dtype) for tensor in tensors],)


class XlaOfUnknownDimensions(UnknownDimensions):
    """Runs a case compiled by XLA, as a function of inputs of which only the rank is static.

    XLA compiles it for the shapes that it is called with, but it is traced without them.
    """

    jit_compile = True


class UnknownRank(Compiled):
    """Runs a case in a graph in which only the dtypes of inputs are static."""

    def signature(self, tensors: Sequence[Any]) -> Any:
        tensor_spec = sys.modules["tensorflow"].TensorSpec
        return ([tensor_spec(None, tensor.dtype) for tensor in tensors],)


def make_function(body: Callable[..., Any], device: str, jit_compile: bool, signature: Any = None) -> Any:
    """Return a `tf.function` for the device, compiled by XLA or not.

    TensorFlow sends no function with `jit_compile=True` to a device of another process, unless it is called by one
    without.
    """
    make = partial(sys.modules["tensorflow"].function, autograph=False, reduce_retracing=False)
    function = make(body, jit_compile=jit_compile or None, input_signature=signature)
    if jit_compile and device.startswith(OVER_NETWORK):
        return make(function)
    return function


def choose_behavior_scope(case: Case, subject: Subject) -> Callable[[], AbstractContextManager[Any]]:
    """Return the scope that a case needs: the subject's arrays have NumPy's methods only if the case calls one."""
    for call in case.calls():
        if call.name.startswith("ndarray."):
            return subject.numpy_behavior
    return nullcontext


def make_variable(array: np.ndarray) -> Any:
    """Return a variable with the array's elements."""
    return sys.modules["tensorflow"].Variable(to_tensor(array))


class Shelf:
    """Pool of variables that cases share in turn: creating one takes 350 us, longer than most cases."""

    MOST = 4096

    def __init__(self) -> None:
        self._variables: dict[tuple[str, str, tuple[int, ...]], list[Any]] = {}
        self._count = 0

    def lend(self, device: str, array: np.ndarray) -> Any:
        """Return a variable that is not in use, with the array's elements."""
        variables = self._variables.get((device, array.dtype.name, array.shape))
        if not variables or array.dtype.kind in "US":
            return make_variable(array)
        self._count -= 1
        variable = variables.pop()
        assign_variable(variable, to_tensor(array))
        return variable

    def take_back(self, device: str, variables: Iterable[Any]) -> None:
        """Return variables to the pool."""
        for variable in variables:
            if self._count < self.MOST:
                self._count += 1
                key = (device, variable.dtype.name, tuple(variable.shape))
                self._variables.setdefault(key, []).append(variable)


SHELF = Shelf()


def find_changed_inputs(pairs: Iterable[tuple[np.ndarray, Any]]) -> tuple[int, ...]:
    """Return the indices of the tensors that no longer equal their arrays; text cannot change."""
    positions = []
    for i, (array, tensor) in enumerate(pairs):
        if type(tensor) is np.ndarray:
            if tensor.tobytes() != array.tobytes():
                positions.append(i)
        elif array.dtype.kind not in "US" and FETCHER.array(tensor).tobytes() != to_native_bytes(array):
            positions.append(i)
    return tuple(positions)


def find_unkept(promised: Sequence[tuple[Any, Any]], flat: Sequence[Any]) -> str:
    """Return a text about the first result that lacks its static shape or dtype, or an empty string."""
    for i, ((shape, dtype), tensor) in enumerate(zip(promised, flat, strict=True)):
        if not shape.is_compatible_with(tensor.shape):
            return f"tensor {i} of the result was traced with shape {shape}, and came out with {tensor.shape}"
        if dtype != tensor.dtype:
            return f"tensor {i} of the result was traced as {dtype.name}, and came out as {tensor.dtype.name}"
    return ""


def to_native_bytes(array: np.ndarray) -> bytes:
    """Return the elements' bytes in C order and native byte order."""
    return array.tobytes() if array.dtype.isnative else array.astype(array.dtype.newbyteorder("=")).tobytes()
