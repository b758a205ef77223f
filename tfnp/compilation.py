"""Compilation by XLA, with calls that cost little more than the compiled program.

A `tf.function` binds its arguments, finds their types and packs its results in Python, for some 100 us a call. Here a
call that recurs, with arguments of the same structure, dtypes and shapes, runs the compiled function as one op, by
its name.
"""

from __future__ import annotations

import functools
import operator
import weakref
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Final, Generic, ParamSpec, TypeVar, overload

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, ops, traces
from tfnp._core.array_subclasses import check_subclass
from tfnp._core.eager_tensors import EagerTensor, enum_of, shape_of
from tfnp._core.tensorflow_internals import record

__all__ = ["jit"]

P = ParamSpec("P")
R = TypeVar("R")

_MAX_PROGRAMS: Final = 1024
"""Signatures of one function whose programs are kept ready."""

_SCALARS: Final = frozenset((bool, int, float, complex))
_EXACT: Final = frozenset((bool, int, str, bytes, type(None), type(...)))
_call = ops.stateful_partitioned_call


@overload
def jit(function: Callable[P, R], *, autograph: bool = True) -> Compiled[P, R]: ...


@overload
def jit(function: None = None, *, autograph: bool = True) -> Callable[[Callable[P, R]], Compiled[P, R]]: ...


def jit(function: Callable[..., Any] | None = None, *, autograph: bool = True) -> Any:
    """Compile a function by XLA: `tf.function(function, jit_compile=True)`, with calls that cost less.

    Use it as a decorator, with or without parentheses, of functions and methods.

    Tensors and arrays, also in tuples, lists and dictionaries, are inputs of the program, which is compiled once for
    each signature: their dtypes and shapes, and the values of all other arguments. Python numbers are among these, so
    pass what changes from call to call as a tensor. The function may use variables, and returns tensors, or a structure
    of them.

    A call runs as any call of a `tf.function` where its signature is new, where a gradient is recorded, inside another
    function that is being traced, in a distribution strategy, and where an argument is a variable or an
    object of another class.

    Parameters
    ----------
    function
        What to compile.
    autograph
        Whether AutoGraph turns `if`, `while` and `for` over tensors into operations.
    """
    if function is None:
        return functools.partial(jit, autograph=autograph)
    return Compiled(function, autograph)


class Compiled(Generic[P, R]):
    """A function that XLA compiles, see `jit`."""

    def __init__(self, function: Callable[P, R], autograph: bool) -> None:
        functools.update_wrapper(self, function)
        self._python_function, self._autograph = function, autograph
        self._functions: dict[Hashable, Any] = {}
        self._programs: dict[Hashable, _Program | None] = {}
        self._bound: weakref.WeakKeyDictionary[Any, Compiled[..., R]] = weakref.WeakKeyDictionary()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function, compiling it for a signature that is new."""
        if not _runs_directly():
            return self._find_function(args, kwargs)(*args, **kwargs)
        key: list[Hashable] = [dtypes.promotion]
        tensors: list[tf.Tensor] = []
        if not _describe_items(args, key, tensors) or (kwargs and not _describe(kwargs, dict, key, tensors)):
            return self._find_function(args, kwargs)(*args, **kwargs)
        signature = tuple(key)
        program = self._programs.get(signature)
        if program is not None:
            return program.run(tensors)
        result = self._find_function(args, kwargs)(*args, **kwargs)
        if signature not in self._programs:
            if len(self._programs) >= _MAX_PROGRAMS:
                self._programs.clear()
            self._programs[signature] = self._make_program(args, kwargs, tensors, result)
        return result

    def _find_function(self, args: Any, kwargs: Any) -> Any:
        """Return the `tf.function` for the Python numbers among the arguments: for one, 2 and 2.0 were the same."""
        leaves = tf.nest.flatten((args, kwargs))
        for leaf in leaves:
            if isinstance(leaf, np.ndarray) and type(leaf) is not np.ndarray:
                check_subclass(leaf)
        key = tuple((index, type(leaf), repr(leaf)) for index, leaf in enumerate(leaves) if type(leaf) in _SCALARS)
        function = self._functions.get(key)
        if function is None:
            if len(self._functions) >= _MAX_PROGRAMS:
                self._functions.clear()
            function = tf.function(self._python_function, autograph=self._autograph, jit_compile=True)
            self._functions[key] = function
        return function

    def _make_program(self, args: Any, kwargs: Any, tensors: list[tf.Tensor], result: Any) -> _Program | None:
        """Return a function of these tensors as an op; None where the result is not made of tensors only."""
        count = len(results := tf.nest.flatten(result))
        if not count or any(type(item) is not EagerTensor for item in results):
            return None

        function = self._find_function(args, kwargs)
        if not kwargs and _is_flat(args) and _is_flat([result]):
            concrete = function.get_concrete_function(*args)
            if _takes(concrete, tensors) and len(concrete.outputs) == count:
                return _Program(concrete, _find_builder(result))

        def call_flat(*inputs: tf.Tensor) -> list[tf.Tensor]:
            remaining = iter(inputs)
            leaves = [
                next(remaining) if type(leaf) in (EagerTensor, np.ndarray) else leaf
                for leaf in tf.nest.flatten((args, kwargs))
            ]
            packed_args, packed_kwargs = tf.nest.pack_sequence_as((args, kwargs), leaves)
            return tf.nest.flatten(function(*packed_args, **packed_kwargs))

        concrete = tf.function(call_flat, autograph=False).get_concrete_function(*tensors)
        captures = concrete.captured_inputs
        if len(concrete.outputs) != count or any(type(capture) is not EagerTensor for capture in captures):
            return None
        return _NestedProgram(concrete, _find_builder(result))

    def __get__(self, instance: Any, owner: Any = None) -> Compiled[..., R]:
        """Return the method of an instance, which has programs of its own."""
        if instance is None:
            return self
        bound = self._bound.get(instance)
        if bound is None:
            method = functools.partial(_call_method, weakref.ref(instance), self._python_function)
            functools.update_wrapper(method, self._python_function)
            del method.__wrapped__  # type: ignore[attr-defined] # its parameters include the instance
            bound = self._bound[instance] = Compiled(method, self._autograph)
        return bound


def _call_method(instance: Callable[[], Any], function: Callable[..., R], *args: Any, **kwargs: Any) -> R:
    """Call a function as the method of an instance that is still alive."""
    return function(instance(), *args, **kwargs)


def _runs_directly() -> bool:
    """Return whether a program may be called as an op here: no gradient or trace has to know what is in it."""
    return (
        tf.executing_eagerly()
        and not record.could_possibly_record()
        and not tf.config.functions_run_eagerly()
        and not tf.distribute.has_strategy()
        and not dtypes.promotion.weakens
    )


def _describe_items(values: Any, key: list[Hashable], tensors: list[tf.Tensor]) -> bool:
    """Add what a program depends on to the key, and its inputs to the tensors; return whether all values have both."""
    for value in values:
        cls: Any = type(value)
        if cls is EagerTensor:
            tensors.append(value)
            key.append(enum_of(value))
            key.append(shape_of(value))
        elif cls in _EXACT:
            key.append(cls)
            key.append(value)
        elif not _describe(value, cls, key, tensors):
            return False
    return True


def _describe(value: Any, cls: type, key: list[Hashable], tensors: list[tf.Tensor]) -> bool:
    """Describe a float, an array or a structure, as `_describe_items` does."""
    if cls is float or cls is complex:
        key.append((cls, repr(value)))  # tells 0.0 from -0.0, and nan is equal to itself
        return True
    if cls is np.ndarray and dtypes.to_tf_dtype(value.dtype) is not None:
        return _describe_items((convert.from_numpy(value),), key, tensors)
    if cls is tuple or cls is list or (isinstance(value, tuple) and hasattr(cls, "_fields")):
        key.append((cls, len(value)))
        return _describe_items(value, key, tensors)
    if cls is dict and all(type(name) is str for name in value):
        names = sorted(value)  # the order of `tf.nest`
        key.append((cls, *names))
        return _describe_items([value[name] for name in names], key, tensors)
    return False


def _is_flat(values: Any) -> bool:
    """Return whether the tensors among values have the order of the values: none is an array, or in a dictionary."""
    for value in values:
        cls: Any = type(value)
        if cls is tuple or cls is list:
            if not _is_flat(value):
                return False
        elif cls is not EagerTensor and cls not in _EXACT and cls not in _SCALARS:
            return False
    return True


def _takes(concrete: Any, tensors: list[tf.Tensor]) -> bool:
    """Return whether the inputs of a concrete function are these tensors, then what it captures."""
    captures = concrete.captured_inputs
    if len(concrete.inputs) != len(tensors) + len(captures):
        return False
    symbols = [symbol for symbol in concrete.inputs[: len(tensors)] if symbol.shape.rank is not None]
    expected = [(symbol.dtype, tuple(symbol.shape)) for symbol in symbols]
    is_eager = all(type(capture) is EagerTensor for capture in captures)
    return is_eager and expected == [(tensor.dtype, shape_of(tensor)) for tensor in tensors]


class _Program(traces.GraphOp):
    """A compiled function that is called as an op, by its name."""

    def __init__(self, concrete: Any, fill: Callable[[list[tf.Tensor]], Any]) -> None:
        super().__init__(concrete)
        self._dtypes = [output.dtype for output in concrete.outputs]
        self._fill = fill

    def run(self, tensors: list[tf.Tensor]) -> Any:
        return self._fill(self.execute(tensors))


class _NestedProgram(_Program):
    """A function that calls a compiled one with its arguments in their structure. It is run by another op."""

    def run(self, tensors: list[tf.Tensor]) -> Any:
        return self._fill(_call(tensors + self._captured, self._dtypes, self._name))


def _find_builder(result: Any) -> Callable[[list[tf.Tensor]], Any]:
    """Return a function that makes the structure of a result from its tensors."""
    if type(result) is EagerTensor:
        return operator.itemgetter(0)
    if type(result) in (tuple, list) and all(type(item) is EagerTensor for item in result):
        return type(result)
    structure = tf.nest.map_structure(lambda _: None, result)
    if _is_builtin(structure):
        return lambda tensors: _fill(structure, iter(tensors))
    return functools.partial(tf.nest.pack_sequence_as, structure)


def _is_builtin(structure: Any) -> bool:
    """Return whether a structure is made of tuples, lists and dictionaries by names only."""
    if type(structure) is dict:
        return all(type(name) is str for name in structure) and all(map(_is_builtin, structure.values()))
    return structure is None or (type(structure) in (tuple, list) and all(map(_is_builtin, structure)))


def _fill(structure: Any, tensors: Iterator[tf.Tensor]) -> Any:
    """Return a structure with tensors, in the order of `tf.nest`, in the place of each None."""
    if structure is None:
        return next(tensors)
    if type(structure) is dict:
        items = {name: _fill(structure[name], tensors) for name in sorted(structure)}
        return {name: items[name] for name in structure}
    return type(structure)([_fill(item, tensors) for item in structure])
