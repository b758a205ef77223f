"""Compilation of NumPy programs by XLA, with what they write to their arguments."""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar, overload

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes
from tfnp._core.autograph import convert_program, convert_user_function
from tfnp._core.eager_tensors import could_record, executing_eagerly, is_watched
from tfnp.numpy import arrays, blocks, view_steps
from tfnp.numpy.arrays import Array, Public
from tfnp.numpy.lifting import lift
from tfnp.numpy.storage import Storage

__all__ = ["NotCompiledWarning", "jit"]

P = ParamSpec("P")
R = TypeVar("R")

_MOST_PROGRAMS: Final = 1024
_EXACT: Final = frozenset((bool, int, str, bytes, type(None), type(...)))


class NotCompiledWarning(UserWarning):
    """A function runs in eager mode, since it cannot be traced or compiled."""


class UnsupportedProgramError(Exception):
    """A call cannot be compiled; the message says why."""


@overload
def jit(function: Callable[P, R], *, jit_compile: bool = True) -> Callable[P, R]: ...


@overload
def jit(function: None = None, *, jit_compile: bool = True) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def jit(function: Callable[..., Any] | None = None, *, jit_compile: bool = True) -> Any:
    """Compile a NumPy program by XLA. It returns what the program returns, and writes what the program writes.

    Use it as a decorator, with or without parentheses. Arrays among the arguments, also in tuples, lists and
    dictionaries, are inputs of the compiled program, which is made once for each signature: their shapes and dtypes,
    and the values of all other arguments. After the call, arrays that the program wrote to have their new elements, and
    their views see them; NumPy's own arrays, too. An argument that is returned is the argument itself.

    A call that cannot be traced or compiled runs in eager mode, and so do later calls of its signature; a
    `NotCompiledWarning` says why, once. Inside another function that is being traced, the function is a part of that.
    Where a tape watches an argument, a graph runs that XLA does not compile: it also differentiates loops with sizes
    that depend on the iteration. Put the tape inside of the function, and XLA compiles both.

    Parameters
    ----------
    function
        What to compile.
    jit_compile
        Whether XLA compiles the program; if not, it is a graph, which has no limits for sizes that depend on data.
    """
    if function is None:
        return functools.partial(jit, jit_compile=jit_compile)
    return Compiled(function, jit_compile)


class Compiled:
    """A NumPy program that is compiled, see `jit`."""

    __name__: str

    def __init__(self, function: Callable[..., Any], jit_compile: bool) -> None:
        functools.update_wrapper(self, function)
        self._function, self._jit_compile = function, jit_compile
        self._programs: dict[Hashable, Program | None] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not executing_eagerly() or tf.config.functions_run_eagerly():
            return convert_user_function(self._function)(*args, **kwargs)
        try:
            call = Call(args, kwargs)
        except UnsupportedProgramError as error:
            return self._run_eagerly(args, kwargs, error)
        if call.key in self._programs:
            program = self._programs[call.key]
            return self._function(*args, **kwargs) if program is None else program.run(call)
        program = Program(self._function, call, self._jit_compile and not call.is_watched)
        if len(self._programs) >= _MOST_PROGRAMS:
            self._programs.clear()
        try:
            tensors = program.trace_and_run()
        except Exception as error:  # noqa: BLE001 - an error of the program itself is raised in eager mode, too
            self._programs[call.key] = None
            return self._run_eagerly(args, kwargs, error)
        self._programs[call.key] = program
        return program.finish(call, tensors)

    def _run_eagerly(self, args: Any, kwargs: Any, error: Exception) -> Any:
        result = self._function(*args, **kwargs)
        name = getattr(self, "__name__", repr(self._function))
        warnings.warn(f"{name} runs in eager mode: {find_cause(error)}", NotCompiledWarning, stacklevel=3)
        return result

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


def find_cause(error: Exception) -> str:
    """Return the class and the message of an error, without the traceback that AutoGraph writes before it."""
    kind = type(error).__name__
    messages = re.findall(rf"^\s*{kind}: (.+)$", str(error), re.MULTILINE)
    return f"{kind}: {(messages or [str(error)])[-1][:300]}"


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array among the arguments: the position of its storage, and its view of that."""

    storage: int
    view_steps: tuple[Any, ...]
    is_scalar: bool


class Call:
    """The arguments of a call: the storages of their arrays, and a key of all else."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.structure = (args, kwargs)
        self.leaves: list[Any] = []
        self.arrays: list[Any] = []
        self.storages: list[Storage] = []
        self.hosts: list[tuple[np.ndarray, Array]] = []
        for value in tf.nest.flatten(self.structure):
            self.leaves.append(self._add(value))
        self.is_watched = could_record() and any(is_watched(storage.read_tensor()) for storage in self.storages)
        described = [(s.read_tensor().dtype, tuple(s.read_tensor().shape)) for s in self.storages]
        values = tuple(_describe(leaf) for leaf in self.leaves)
        self.key = (_describe_structure(self.structure), tuple(described), values, dtypes.promotion, self.is_watched)

    def _add(self, value: Any) -> Any:
        if isinstance(value, tf.Variable):
            raise UnsupportedProgramError("an argument is a variable")
        if isinstance(value, np.ndarray) and not isinstance(value, Array):
            if type(value) is not np.ndarray or dtypes.to_tf_dtype(value.dtype) is None:
                raise UnsupportedProgramError(f"an argument has the dtype {value.dtype}, or a class of its own")
            array = self._find_host(value)
        elif isinstance(value, Array):
            if type(value) not in (Public.ndarray, Public.scalar) or type(value._storage) is not Storage:
                raise UnsupportedProgramError("an argument is of a subclass of ndarray")
            array = value
        elif isinstance(value, tf.Tensor):
            array = lift(value) if isinstance(lift(value), Array) else arrays.of_tensor(Public.ndarray, value)
        else:
            self.arrays.append(value)
            return value
        self.arrays.append(value)
        if array._storage not in self.storages:
            self.storages.append(array._storage)
        return Leaf(self.storages.index(array._storage), array._view_steps, array._is_scalar)

    def _find_host(self, value: np.ndarray) -> Array:
        """Return an array for NumPy's own; memory that two of them have in common is not supported."""
        for other, array in self.hosts:
            if other is value:
                return array
            if np.may_share_memory(other, value):
                raise UnsupportedProgramError("two arguments of NumPy share memory")
        array = arrays.of_memory(Public.ndarray, np.array(value, order="C"))
        self.hosts.append((value, array))
        return array


def _describe(leaf: Any) -> Hashable:
    if type(leaf) in _EXACT:
        return type(leaf), leaf
    if isinstance(leaf, float | complex | np.generic):
        return type(leaf), repr(leaf)
    try:
        hash(leaf)
    except TypeError:
        raise UnsupportedProgramError(f"an argument is a {type(leaf).__name__}, which has no hash") from None
    return leaf


def _describe_structure(structure: Any) -> Hashable:
    if isinstance(structure, dict):
        return dict, tuple((key, _describe_structure(structure[key])) for key in sorted(structure))
    if isinstance(structure, tuple | list):
        return type(structure), tuple(map(_describe_structure, structure))
    return None


class Program:
    """A program that is compiled for a signature."""

    def __init__(self, function: Callable[..., Any], call: Call, jit_compile: bool) -> None:
        self._function, self._structure, self._leaves = function, call.structure, call.leaves
        self._traced = tf.function(self._run, jit_compile=jit_compile, autograph=False)
        self._inputs = [storage.read_tensor() for storage in call.storages]
        self._updated: list[int] = []
        self._result: Any = None
        self._outputs: list[Any] = []

    def _run(self, *tensors: tf.Tensor) -> list[tf.Tensor]:
        """Run the program on arrays of a graph. Return the arrays that it wrote to and those that it returns."""
        storages = [Storage(tensor) for tensor in tensors]
        leaves = [_make_array(leaf, storages) if isinstance(leaf, Leaf) else leaf for leaf in self._leaves]
        args, kwargs = tf.nest.pack_sequence_as(self._structure, leaves)
        result = convert_program(self._function)(*args, **kwargs)
        self._updated = [index for index, storage in enumerate(storages) if storage.version]
        outputs = [storages[index].read_tensor() for index in self._updated]
        self._outputs = []
        for value in tf.nest.flatten(result):
            self._outputs.append(self._describe_output(value, leaves, storages, outputs))
        self._result = result
        return outputs

    def _describe_output(self, value: Any, leaves: list[Any], storages: list[Storage], outputs: list[Any]) -> Any:
        """Return a function that makes a returned value of the arguments' arrays and of the outputs."""
        if not isinstance(value, Array | tf.Tensor):
            return lambda call, tensors: value
        position = next((index for index, array in enumerate(leaves) if array is value), None)
        if position is not None:
            return lambda call, tensors: call.arrays[position]
        is_view = isinstance(value, Array) and value._storage in storages and not value._is_scalar
        if is_view and not any(_is_dynamic(view_step) for view_step in value._view_steps):
            source, chain = storages.index(value._storage), value._view_steps
            return lambda call, tensors: _make_array(Leaf(source, chain, False), call.storages)
        outputs.append(value.tensor() if isinstance(value, Array) else value)
        index, is_scalar, weak = len(outputs) - 1, getattr(value, "_is_scalar", None), getattr(value, "_weak", None)
        if is_scalar is None:
            return lambda call, tensors: tensors[index]
        if not is_scalar:
            return lambda call, tensors: arrays.of_tensor(Public.ndarray, tensors[index])
        return lambda call, tensors: _make_scalar(tensors[index], weak)

    def trace_and_run(self) -> list[tf.Tensor]:
        """Trace and compile the program. Return its outputs; nothing has been written to arguments yet."""
        with blocks.no_blocks():
            self._concrete = self._traced.get_concrete_function(*self._inputs)
        result = list(self._concrete(*self._inputs))
        del self._inputs
        return result

    def run(self, call: Call) -> Any:
        return self.finish(call, list(self._concrete(*[storage.read_tensor() for storage in call.storages])))

    def finish(self, call: Call, tensors: list[tf.Tensor]) -> Any:
        """Write to the arguments what the program wrote to them, and return what it returned."""
        for index, tensor in zip(self._updated, tensors, strict=False):
            call.storages[index].change_tensor(tensor)
        for host, array in call.hosts:
            if call.storages.index(array._storage) in self._updated:
                host[...] = array.memory()
        return tf.nest.pack_sequence_as(self._result, [make(call, tensors) for make in self._outputs])


def _make_array(leaf: Leaf, storages: list[Storage]) -> Any:
    if leaf.is_scalar:
        return arrays.of_scalar(storages[leaf.storage].read_tensor())
    array = arrays.of_storage(Public.ndarray, storages[leaf.storage])
    base = array
    for view_step in leaf.view_steps:
        array = array.make_view(view_step)
    return array if array is not base else base


def _is_dynamic(view_step: Any) -> bool:
    """Return whether a view depends on tensors of the graph."""
    if isinstance(view_step, view_steps.Transpose | view_steps.Part | view_steps.Bits):
        return False
    key = (
        view_step.key
        if isinstance(view_step, view_steps.Index)
        else view_step.shape
        if isinstance(view_step, view_steps.Reshape)
        else None
    )
    if key is None:
        return True
    slices = [item for item in key if type(item) is slice]
    items = [item for item in key if type(item) is not slice]
    items += [bound for item in slices for bound in (item.start, item.stop, item.step)]
    return not all(item is None or item is ... or isinstance(item, int | np.integer) for item in items)


def _make_scalar(tensor: tf.Tensor, weak: type | None) -> Any:
    """Return a scalar that was returned; a Python number where the program returns one."""
    scalar = arrays.of_scalar(tensor)
    return scalar if weak is None or isinstance(scalar, Array) else weak(scalar)
