"""The ways TensorFlow can run a case: eager, as a graph, compiled by XLA; on each of its devices. The only door to it.

A mode prepares a case once and then runs its siblings: cases that differ in the values of their arrays alone. Compiled
modes trace when prepared and serve every sibling with that one trace, so that a value baked in at trace time shows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from oracle.case import Case
from oracle.outcome import Outcome, destinations, evaluate, find_in_numpy, is_flat, may_overwrite
from oracle.subject import Subject
from oracle.tensors import Fetcher, NoTensor, tensor_of


class Runner(Protocol):
    """A prepared case: call it with a sibling. `traces` counts how often a compiled function was traced."""

    traces: int

    def __call__(self, case: Case) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class Mode:
    """A way of running, on a device: `str(Mode("graph")) == "graph@CPU:0"`."""

    name: str
    device: str = "CPU:0"

    def __post_init__(self) -> None:
        if self.name not in RUNNERS:
            raise ValueError(f"no mode {self.name!r}; there are {', '.join(RUNNERS)}")

    def __str__(self) -> str:
        return f"{self.name}@{self.device}"

    @classmethod
    def parse(cls, text: str) -> Mode:
        """The mode that `str` wrote; the device may be left out."""
        name, _, device = text.partition("@")
        return cls(name, device or "CPU:0")

    def prepare(self, case: Case, subject: Subject) -> Runner:
        """A runner for the case and its siblings."""
        if not subject.takes_tensors:
            return OnArrays(subject) if self.name == "eager" else Unsupported()
        if self.name != "eager" and is_numpys_class(case.name, subject):
            return Unsupported()
        return RUNNERS[self.name](case, subject, self.device)

    def run(self, case: Case, subject: Subject) -> Outcome:
        """Prepare and run one case."""
        return self.prepare(case, subject)(case)


class Unsupported:
    """The mode has no meaning for the subject."""

    traces = 0

    def __call__(self, case: Case) -> Outcome:
        return Outcome(kind="unsupported")


class OnArrays:
    """Eager, for a subject that takes NumPy's own arrays: no TensorFlow."""

    traces = 0

    def __init__(self, subject: Subject) -> None:
        self.find = subject.find

    def __call__(self, case: Case) -> Outcome:
        fresh = case.fresh()
        with np.errstate(all="ignore"):
            try:
                value = evaluate(fresh, self.find, lambda array: array)
            except Exception as exception:  # noqa: BLE001 - whatever it raises is the answer
                return Outcome.raised(exception)
        written = destinations(fresh)
        pairs = enumerate(zip(fresh.arrays(), case.arrays(), strict=True))
        inputs = [pair for pair in pairs if not any(pair[1][0] is target for target in written)]
        changed = tuple(i for i, (new, old) in inputs if new.tobytes() != old.tobytes())
        if changed and may_overwrite(case):
            changed = ()
        return Outcome(value, after=tuple(written), changed=changed)


class Eager:
    """Op by op."""

    traces = 0

    def __init__(self, case: Case, subject: Subject, device: str) -> None:
        self.subject, self.scope = subject, scope_of(device)
        self.lending = lending_for(case, subject)

    def __call__(self, case: Case) -> Outcome:
        written = destinations(case)
        tensors: dict[int, tuple[np.ndarray, Any]] = {}

        def convert(array: np.ndarray) -> Any:
            found = tensors.get(id(array))
            if found is None:
                is_written = bool(written) and any(array is target for target in written)
                tensor = variable_of(array) if is_written else tensor_of(array)
                found = tensors[id(array)] = (array, tensor)
            return found[1]

        try:
            with self.scope(), self.lending():
                value = FETCHER.fetch(evaluate(case, self.subject.find, convert))
        except NoTensor:
            return Outcome(kind="unsupported")
        except Exception as exception:  # noqa: BLE001 - whatever it raises is the answer
            return Outcome.raised(exception)
        after = tuple([FETCHER.fetch(tensors[id(target)][1]) for target in written if id(target) in tensors])
        targets = [id(target) for target in written]
        inputs = [pair for pair in tensors.values() if id(pair[0]) not in targets]
        return Outcome(value, after=after, changed=changed_inputs(inputs))


class Compiled:
    """One `tf.function`, traced for the prepared case."""

    jit_compile = False

    def __init__(self, case: Case, subject: Subject, device: str) -> None:
        import tensorflow as tf

        tf.get_logger().setLevel("ERROR")  # it warns of functions made in a loop, which is the business here
        self.case, self.subject, self.scope = case, subject, scope_of(device)
        self.lending = lending_for(case, subject)
        self.arrays = case.arrays()
        written = destinations(case)
        self.written = [i for i, array in enumerate(self.arrays) if any(array is target for target in written)]
        self.traces = 0
        self.failure: Outcome | None = None
        self.variables: dict[int, Any] = {}
        self.result: Any = None
        self.function = tf.function(
            self.body, autograph=False, reduce_retracing=False, jit_compile=self.jit_compile or None
        )

    def body(self, tensors: Sequence[Any]) -> list[Any]:
        """What is traced: takes the case's inputs, gives the tensors of its result, keeps the rest of the result."""
        self.traces += 1
        self.result = None
        inputs = iter(tensors)
        given = {id(a): self.variables[i] if i in self.variables else next(inputs) for i, a in enumerate(self.arrays)}
        self.result, flat = FETCHER.dismantle(evaluate(self.case, self.subject.find, lambda array: given[id(array)]))
        return flat

    def __call__(self, case: Case) -> Outcome:
        if self.failure is not None:
            return self.failure
        arrays = case.arrays()
        if len(arrays) != len(self.arrays):
            raise ValueError("not a sibling: another number of arrays")
        try:
            with self.scope(), self.lending():
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
        for i in self.written:
            if i in self.variables:
                self.variables[i].assign(tensor_of(arrays[i]))
            else:
                self.variables[i] = variable_of(arrays[i])
        pairs = [(array, tensor_of(array)) for i, array in enumerate(arrays) if i not in self.variables]
        flat = self.function([tensor for _, tensor in pairs])
        value = FETCHER.assemble(self.result, flat)
        after = tuple([FETCHER.fetch(self.variables[i]) for i in self.written])
        return Outcome(value, after=after, changed=changed_inputs(pairs))


class Graph(Compiled):
    """A graph with the shapes it was traced with."""


class Xla(Compiled):
    """Compiled by XLA."""

    jit_compile = True


RUNNERS: dict[str, Callable[[Case, Subject, str], Runner]] = {"eager": Eager, "graph": Graph, "xla": Xla}
MODE_NAMES = tuple(RUNNERS)
FETCHER = Fetcher()


def list_devices() -> list[str]:
    """The devices TensorFlow reports, as modes name them. Starts its runtime."""
    import tensorflow as tf

    names = [device.name.removeprefix("/device:") for device in tf.config.list_logical_devices()]
    return [name for name in names if name.startswith(("CPU:", "GPU:", "TPU:"))]


def configure_devices(devices: Sequence[str]) -> None:
    """Arrange for these devices before TensorFlow's runtime starts: as many logical CPUs as named, GPUs that grow, one
    thread each for a process that is one of several.
    """
    import tensorflow as tf

    cpus = max([int(device[4:]) + 1 for device in devices if device.startswith("CPU:")], default=1)
    if cpus > 1:
        one = tf.config.LogicalDeviceConfiguration()
        tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [one] * cpus)
    gpus = tf.config.list_physical_devices("GPU")
    if any(device.startswith("GPU:") for device in devices):
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
    elif gpus:
        tf.config.set_visible_devices([], "GPU")
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)


def is_numpys_class(name: str, subject: Subject) -> bool:
    """Whether the subject offers NumPy's own class, such as `float32`: it makes scalars on the host, in no graph."""
    found = subject.find(name) if subject.has(name) else None
    return isinstance(found, type) and found is find_in_numpy(name)


@lru_cache(maxsize=64)
def scope_of(device: str) -> Callable[[], AbstractContextManager[Any]]:
    """How to run on the device: no scope at all where it is the default."""
    import tensorflow as tf

    if device == "CPU:0" and not tf.config.get_visible_devices("GPU"):
        return nullcontext
    return lambda: tf.device(device)


def lending_for(case: Case, subject: Subject) -> Callable[[], AbstractContextManager[Any]]:
    """The scope a case needs: the subject's arrays have NumPy's methods only while a case asks for one."""
    for call in (case,) if is_flat(case) and not case.kwargs else case.calls():
        if call.name.startswith("ndarray."):
            return subject.lending
    return nullcontext


def variable_of(array: np.ndarray) -> Any:
    """A variable that holds the array's elements."""
    return sys.modules["tensorflow"].Variable(tensor_of(array))


def changed_inputs(pairs: Iterable[tuple[np.ndarray, Any]]) -> tuple[int, ...]:
    """The positions of the tensors that no longer hold their array's elements. Texts have no place to be changed in."""
    found = []
    for i, (array, tensor) in enumerate(pairs):
        if array.dtype.kind not in "US" and FETCHER.array(tensor).tobytes() != native_bytes(array):
            found.append(i)
    return tuple(found)


def native_bytes(array: np.ndarray) -> bytes:
    """The elements in C order and the machine's byte order."""
    return array.tobytes() if array.dtype.isnative else array.astype(array.dtype.newbyteorder("=")).tobytes()
