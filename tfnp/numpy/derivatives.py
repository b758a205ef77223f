"""Gradients of NumPy programs: functions that take a program and return that which calculates its gradient."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes
from tfnp._core.autograph import convert_user_function, leave_unconverted
from tfnp._core.xla import is_for_xla
from tfnp.numpy import arrays
from tfnp.numpy.arrays import Array, Public
from tfnp.numpy.loop_gradients import without_second_gradients

__all__ = ["grad", "value_and_grad"]


def grad(function: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """Return a function that calculates the gradient of a NumPy program, which returns one number.

    The result has the structure of the argument, with an array of the same shape and dtype for each array in it, and
    NumPy's scalar for each number: see `value_and_grad`, which says more, and what is raised. Where the result has no
    array argument of which it depends, the gradient is zero. `np.grad(np.grad(f))` is the second derivative of a
    function of a number; of arrays, `np.grad(lambda x: (np.grad(f)(x) * v).sum())` is the product of the second
    derivatives with `v`.
    """
    return Gradient(function, argnums, has_aux=False, has_value=False)


def value_and_grad(
    function: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Return a function that calculates the value of a NumPy program and its gradient.

    The gradient is that with respect to the values of the arguments at the call. The program gets copies of the arrays
    that are differentiated, so that it may write to them, and the caller's do not change; its writes, also through
    views, are differentiated. All other arguments are passed as they are: what it writes to them, it writes. Inside
    `np.jit` and `tf.function`, gradients are part of what is compiled: `np.jit(np.grad(f))` compiles loops with their
    gradients by XLA. In eager mode a gradient keeps all intermediate results, and a write to an array copies it.

    Parameters
    ----------
    function
        A program that returns one number: a scalar, or an array of shape (), real and of a floating dtype.
    argnums
        The position of the argument to differentiate, or several, of which the gradients are a tuple. A negative one
        counts from the last positional argument.
    has_aux
        Whether the program returns a pair of the number and of anything else, such as arrays that it has written to,
        which has no gradient.

    Returns
    -------
    A function with the arguments of the program, which returns `(value, gradient)`, or `((value, aux), gradient)`.
    Arguments that are differentiated are arrays, scalars or Python numbers, of floating or complex dtype, or tuples,
    lists and dictionaries of them; tensors and variables arrive in the program as arrays. Of the same structure is the
    gradient.

    Raises
    ------
    TypeError
        If an argument that is differentiated, which the message names, has an integer or another dtype; if the program
        returns no number, or a complex one.
    ValueError
        If the program returns an array of another shape than (), or `argnums` is out of range.

    The gradient of a complex argument is TensorFlow's, the conjugate of JAX's: subtracting it is the steepest descent.
    Other differences from JAX: programs may write to arrays; keyword arguments are never differentiated, but Python
    numbers are, and they keep their weak dtype; `int` has no gradient; where `float(x)` and `math.sqrt(x)` lose the
    gradient in eager mode, a warning says so.
    """
    return Gradient(function, argnums, has_aux=has_aux, has_value=True)


class Gradient:
    """A program's gradient, see `grad` and `value_and_grad`."""

    def __init__(
        self, function: Callable[..., Any], argnums: int | Sequence[int], *, has_aux: bool, has_value: bool
    ) -> None:
        if not callable(function):
            raise TypeError(f"grad takes a function, not {type(function).__name__}")
        functools.update_wrapper(self, function, updated=())
        self._function, self._has_aux, self._has_value = function, has_aux, has_value
        self._is_single = not isinstance(argnums, Sequence)
        several = argnums if isinstance(argnums, Sequence) else [argnums]
        self._argnums = [operator.index(number) for number in several]
        self._name = getattr(function, "__name__", repr(function))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        positions = self._find_positions(len(args))
        sources: list[tf.Tensor] = []
        with tf.GradientTape() as tape:
            passed = list(args)
            for position in positions:
                passed[position] = self._watch(args[position], position, tape, sources)
            result = convert_user_function(self._function)(*passed, **kwargs)
            value, aux = self._split(result)
            target = self._find_target(value)
        with without_second_gradients() if is_for_xla() else nullcontext():
            slopes = iter(tape.gradient(target, sources, unconnected_gradients=tf.UnconnectedGradients.ZERO))
        gradients = tuple(
            tf.nest.map_structure(lambda leaf: _lift_slope(leaf, next(slopes)), args[p]) for p in positions
        )
        gradient = gradients[0] if self._is_single else gradients
        if not self._has_value:
            return gradient
        value = settle(value)
        return ((value, tf.nest.map_structure(settle, aux)) if self._has_aux else value), gradient

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def _find_positions(self, count: int) -> list[int]:
        for number in self._argnums:
            if not -count <= number < count:
                raise ValueError(f"argnums={number} is out of range: {self._name} got {count} positional arguments")
        positions = [number % count for number in self._argnums]
        if len(set(positions)) < len(positions):
            raise ValueError(f"argnums has an argument twice: {tuple(self._argnums)}")
        return positions

    def _watch(self, argument: Any, position: int, tape: tf.GradientTape, sources: list[tf.Tensor]) -> Any:
        """Return an argument with copies in place of its arrays, whose tensors are watched and added to `sources`."""

        def watch(leaf: Any) -> Any:
            tensor = _find_tensor(leaf)
            if tensor is None or not (tensor.dtype.is_floating or tensor.dtype.is_complex):
                kind = type(leaf).__name__ if type(leaf) is int else getattr(leaf, "dtype", type(leaf).__name__)
                name = describe_argument(self._function, position)
                raise TypeError(
                    f"{name} cannot be differentiated, since it is or contains {kind}: pass floating or complex "
                    "numbers, as by x.astype(float), or another argnums"
                )
            source = tf.identity(tensor)
            tape.watch(source)
            sources.append(source)
            return _make_leaf(leaf, source)

        return tf.nest.map_structure(watch, argument)

    def _split(self, result: Any) -> tuple[Any, Any]:
        if not self._has_aux:
            return result, None
        if not isinstance(result, tuple) or len(result) != 2:
            raise TypeError(f"with has_aux=True, {self._name} has to return a pair (value, aux), not {_name(result)}")
        return result

    def _find_target(self, value: Any) -> tf.Tensor:
        tensor = _find_tensor(value)
        if tensor is None:
            raise TypeError(f"{self._name} has to return a number to be differentiated, not {_name(value)}")
        if not tensor.dtype.is_floating:
            dtype = dtypes.as_numpy(tensor.dtype)
            raise TypeError(f"{self._name} has to return a real floating number to be differentiated, not {dtype}")
        if tensor.shape.rank not in (0, None):
            raise ValueError(
                f"{self._name} has to return one number to be differentiated, not an array of shape "
                f"{tuple(tensor.shape)}"
            )
        return tf.ensure_shape(tensor, ())


def describe_argument(function: Callable[..., Any], position: int) -> str:
    """Return what messages call an argument of a function: "argument 0 'x' of f"."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # a function written in C may have no signature
        names = []
    name = f" {names[position]!r}" if position < len(names) else ""
    return f"argument {position}{name} of {getattr(function, '__name__', repr(function))}"


def _name(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"


def _find_tensor(leaf: Any) -> tf.Tensor | None:
    """Return an array, tensor, variable or number as a tensor; None for anything else."""
    if isinstance(leaf, Array):
        return leaf.tensor()
    if isinstance(leaf, tf.Tensor | tf.Variable):
        return tf.convert_to_tensor(leaf)
    is_scalar = isinstance(leaf, bool | int | float | complex | np.generic | np.ndarray)
    dtype = dtypes.to_tf_dtype(np.asarray(leaf).dtype) if is_scalar else None
    return None if dtype is None else tf.constant(leaf, dtype)


def _make_leaf(leaf: Any, source: tf.Tensor) -> Any:
    """Return an array like one of the arguments, of the tensor that is watched."""
    if isinstance(leaf, Array) and not leaf._is_scalar:
        return leaf._finalize(arrays.of_tensor(Public.ndarray, source))
    if isinstance(leaf, np.ndarray | tf.Tensor | tf.Variable):
        return arrays.of_tensor(Public.ndarray, source)
    weak = leaf._weak if isinstance(leaf, Array) else type(leaf) if type(leaf) in (float, complex) else None
    scalar = arrays.of_scalar(source)
    return scalar if weak is None else arrays.weaken(scalar, weak)


def _lift_slope(leaf: Any, slope: Any) -> Any:
    tensor = tf.convert_to_tensor(slope)  # of a selection of rows, TensorFlow's gradient has those rows only
    is_array = isinstance(leaf, np.ndarray | tf.Tensor | tf.Variable) and not getattr(leaf, "_is_scalar", False)
    return arrays.of_tensor(Public.ndarray, tensor) if is_array else arrays.of_scalar(tensor)


def settle(value: Any) -> Any:
    """Return a scalar whose gradient has been taken as NumPy's, and other values as they are."""
    if not isinstance(value, Array) or not value._is_scalar:
        return value
    scalar, weak = arrays.of_scalar(value.tensor()), value._weak
    if weak is None:
        return scalar
    return arrays.weaken(scalar, weak) if isinstance(scalar, Array) else weak(scalar)


leave_unconverted([Gradient])
