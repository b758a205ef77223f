"""The wrapper that makes functions of NumPy's arrays from those of `tfnp`.

Arguments are lowered: arrays become tensors, and an `out=` array a variable. Results are lifted: tensors become arrays
or NumPy's scalars, dtypes NumPy's, variables their arrays.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes
from tfnp._core.array_subclasses import NO_MASKS
from tfnp._core.eager_tensors import EagerTensor, executing_eagerly, rank_of
from tfnp._core.errors import recursive_error
from tfnp.numpy import arrays, in_memory
from tfnp.numpy.arrays import UNKNOWN, Array, Public, Weak, cast_weak
from tfnp.numpy.layouts import NEW, ORDERS, arrange, is_in_order
from tfnp.numpy.numpy_calls import ERRORS, call_numpy_instead, find_numpy_function, lift_numpy
from tfnp.numpy.output_variables import OutputVariable, make_output_variable
from tfnp.numpy.policy import SCALARS
from tfnp.numpy.selections import ELEMENTWISE, EXTREMES, REDUCTIONS, SelectedStorage, calculate, reduce
from tfnp.numpy.subclasses import BASE_RESULTS, Subclasses, finalize_result, find_method, find_prototype, wrap_result
from tfnp.numpy.subclasses import REDUCTIONS as WRAPPED_REDUCTIONS

_UNCHANGED: Final = frozenset((int, float, complex, bool, str, bytes, type(None), slice, np.dtype, type))
_BYTE_ORDER: Final = re.compile("[<>][iufc][1-9][0-9]?")
"""Text that is a dtype with a byte order."""
_new: Final = object.__new__
Function = Callable[..., Any]


def lower(value: Any) -> Any:
    """Return an argument as functions of `tfnp` take it."""
    cls = type(value)
    if cls is Public.ndarray:
        return value.tensor()
    if cls is str and _BYTE_ORDER.fullmatch(value):
        check_byte_order(np.dtype(value))
    if cls in _UNCHANGED or cls is np.ndarray:
        return value
    if cls is list or cls is tuple:
        return lower_sequence(value)
    if isinstance(value, np.dtype):
        check_byte_order(value)
    if isinstance(value, Array):
        return value.tensor()
    if isinstance(value, Lifted):
        return value._inner
    if cls is dict:
        return {key: lower(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(lower_sequence(value))
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(NO_MASKS)
    if isinstance(value, type) and issubclass(value, Lifted):
        return getattr(value, "_inner_class", value)
    if isinstance(value, np.generic | np.ndarray | tf.Tensor | tf.Variable) or not hasattr(cls, "__array__"):
        return value
    array = value.__array__()  # of a class in a NumPy program, which makes an array of this package
    return array.tensor() if isinstance(array, Array) else value


def check_byte_order(dtype: np.dtype) -> None:
    """Raise TypeError for a dtype of another byte order than the processor's: arrays of it are NumPy's own."""
    if not dtype.isnative:
        raise TypeError(f"the byte order of dtype {dtype.str!r} {dtypes.UNSUPPORTED}")


def lower_sequence(values: Any) -> Any:
    """Return a list or tuple with tensors, or where memory is more current NumPy's arrays, in place of arrays."""
    try:
        for value in values:
            cls = type(value)
            if cls not in _UNCHANGED and (cls in (list, tuple) or isinstance(value, Array | Lifted)):
                return type(values)([_lower_item(value) for value in values])
    except RecursionError:
        raise recursive_error() from None
    return values


def _lower_item(value: Any) -> Any:
    if isinstance(value, Array) and value._storage.tensor is None:
        return value.memory()
    return lower(value)


def lift(result: Any) -> Any:
    """Return a result as NumPy's functions return it: a tensor of rank 0 is a scalar."""
    if type(result) is EagerTensor:
        if rank_of(result) == 0:
            return arrays.of_scalar(result)
        array: Any = _new(Public.ndarray)
        array._storage = arrays.Storage(result)
        return array
    return _lift_other(result, lift, as_arrays=False)


def lift_array(result: Any) -> Any:
    """Return a result of a function that returns arrays of rank 0, too."""
    return (
        arrays.of_tensor(Public.ndarray, result)
        if isinstance(result, tf.Tensor)
        else _lift_other(result, lift_array, as_arrays=True)
    )


def lift_bool(result: Any) -> Any:
    """Return a result of a function that returns a Python bool."""
    value = lift(result)
    return bool(value) if isinstance(value, np.bool_) else value


def _lift_other(result: Any, lift_item: Function, *, as_arrays: bool) -> Any:
    if isinstance(result, tf.Tensor):
        is_scalar = result.shape.rank == 0 and not as_arrays
        return arrays.of_scalar(result) if is_scalar else arrays.of_tensor(Public.ndarray, result)
    if isinstance(result, OutputVariable):
        return result.target
    if isinstance(result, tuple | list):
        if hasattr(result, "_make"):
            return result._make(map(lift_item, result))
        return type(result)([lift_item(item) for item in result])
    if isinstance(result, tf.DType):
        return np.dtype(result.as_numpy_dtype)
    if isinstance(result, tf.TensorShape):
        return tuple(result)
    if isinstance(result, dict):
        return {key: lift_item(item) for key, item in result.items()}
    if isinstance(result, tf.Variable):
        return lift_item(result.read_value())
    wrapper = WRAPPERS.get(type(result))
    return result if wrapper is None else wrapper(result)


class Lifted:
    """An object of a class of `tfnp`, of which attributes and methods are lifted when they are looked up."""

    _inner: Any

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_inner":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        value = getattr(self._inner, name)
        if isinstance(value, np.ndarray) and not name.startswith("_"):
            return arrays.of_buffer(value)
        return lift_function(value) if callable(value) and not isinstance(value, type) else lift(value)


WRAPPERS: Final[dict[type, Function]] = {np.ndarray: lift_numpy}
"""By a class of `tfnp`, or NumPy's arrays: the function that lifts its objects."""


def lift_function(
    function: Function,
    *,
    keeps_rank_0: bool = False,
    is_bool: bool = False,
    is_same: bool = False,
    numpy_up_to: float | None = SCALARS,
) -> Any:
    """Return a function of `tfnp` as a function of NumPy's arrays.

    Parameters
    ----------
    keeps_rank_0
        Whether a result of rank 0 is an array, and not a scalar.
    is_bool
        Whether a result of rank 0 is a Python bool.
    is_same
        Whether the result is the argument itself where nothing changes.
    numpy_up_to
        Up to how many elements of an array NumPy calculates in eager mode by the policy "auto"; None for never.
    """
    lift_result = lift_array if keeps_rank_0 else lift_bool if is_bool else lift
    out_index = find_parameter(function, "out")
    copies = is_same and find_default(function, "copy", False)
    name = getattr(function, "__name__", "")
    calculate_in_memory = lift_in_memory(function, numpy_up_to)
    order_index = find_parameter(function, "order")
    default_order = ORDERS.get(name, find_default(function, "order", None))
    is_function = getattr(function, "__module__", "") == "tfnp"
    loses_class = name in BASE_RESULTS and is_function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if Subclasses.are_used and is_function and (method := find_method(name, args)) is not None:
            return method(*args[1:], **kwargs)
        if (kwargs and kwargs.get("out") is not None) or len(args) > out_index:
            return call_with_outputs(function, args, kwargs, range(out_index, out_index + 1), lift_result)
        if Weak.are_used and name in ELEMENTWISE:
            args = cast_weak(args)
        may_be_argument = is_same and args and isinstance(args[0], Array)
        if args and not may_be_argument:
            result = calculate_in_memory(args, kwargs)
            if result is not UNKNOWN:
                return result
        if SelectedStorage.are_used:
            result = _calculate_selected(function, args, kwargs, lift_result)
            if result is not UNKNOWN:
                return result
        try:
            lowered = [arg.tensor() if type(arg) is Public.ndarray else lower(arg) for arg in args]
            if kwargs:
                result = function(*lowered, **{name: lower(value) for name, value in kwargs.items()})
            else:
                result = function(*lowered)
        except ERRORS as error:
            return call_numpy_instead(function, args, kwargs, error)
        prototype = find_prototype(args) if Subclasses.are_used else None
        order = args[order_index] if len(args) > order_index else kwargs.get("order", default_order)
        if may_be_argument and result is lowered[0] and not kwargs.get("copy", copies) and is_in_order(args[0], order):
            return args[0] if prototype is None or not loses_class else args[0].view(Public.ndarray)
        if prototype is not None and name in WRAPPED_REDUCTIONS:
            return wrap_result(lift_array(result), prototype, may_be_scalar=True)
        lifted = lift_result(result)
        if name in NEW:
            lifted = arrange(lifted, order, args[0] if args else None)
        if prototype is None or (loses_class and not kwargs.get("subok")):
            return lifted
        return finalize_result(lifted, prototype)

    return call


def lift_in_memory(function: Function, most: float | None) -> Function:
    """Return a function of positional and keyword arguments that calls NumPy's for numbers and arrays of up to `most`
    elements.

    It returns UNKNOWN for other arguments.
    """
    numpy_function = find_numpy_function(function)
    if numpy_function is None or most is None:
        return lambda args, kwargs: UNKNOWN
    limit = most
    options_of_tfnp = in_memory.find_options_of_tfnp(function, numpy_function) | {"out"}
    out_index = find_parameter(function, "out")

    def calculate_in_memory(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if len(args) > out_index or not options_of_tfnp.isdisjoint(kwargs):
            return UNKNOWN
        return in_memory.call(numpy_function, limit, args, kwargs)

    return calculate_in_memory


def _calculate_selected(
    function: Function, args: tuple[Any, ...], kwargs: dict[str, Any], lift_result: Function
) -> Any:
    """Return the result for elements that a mask selects in a graph; UNKNOWN for other arguments."""
    if function.__name__ in ELEMENTWISE:
        selected = calculate(function, args, kwargs)
        if selected is not None:
            return arrays.of_storage(Public.ndarray, selected)
    if function.__name__ in REDUCTIONS | EXTREMES:
        reduced = reduce(function, args, kwargs)
        if reduced is not None:
            return lift_result(reduced)
    return UNKNOWN


def find_parameter(function: Function, name: str) -> int:
    """Return the position of a parameter; a large number if it has none."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return 1 << 30
    for index, parameter in enumerate(parameters):
        if parameter.name == name and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            return index
    return 1 << 30


def find_default(function: Function, name: str, otherwise: Any) -> Any:
    """Return the default of a parameter; another value if the function has no such parameter."""
    parameter = inspect.signature(function).parameters.get(name)
    return otherwise if parameter is None else parameter.default


def call_with_outputs(
    function: Function,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    outputs: range,
    lift_result: Function = lift,
) -> Any:
    """Call a function with arrays to write to: in `out=`, or among the arguments at the positions of outputs."""
    variables: list[OutputVariable] = []

    def as_target(value: Any) -> Any:
        if value is None or value is ...:
            return value
        if isinstance(value, tuple):
            return tuple(map(as_target, value))
        if isinstance(value, tf.Variable):
            return value
        variables.append(make_output_variable(value))
        return variables[-1]

    lowered = [as_target(arg) if index in outputs else lower(arg) for index, arg in enumerate(args)]
    options = {name: as_target(value) if name == "out" else lower(value) for name, value in kwargs.items()}
    result = function(*lowered, **options)
    for variable in variables:
        variable.write_back()
    return lift_result(result)


def lift_write(function: Function, numpy_function: Function | None = None) -> Any:
    """Return a function that writes to its first argument.

    Where all arguments are known and have no gradient, NumPy's own function writes to the memory, which costs what it
    writes. Elsewhere, or if there is no such function, that of `tfnp` writes to a variable.
    """
    name = next(iter(inspect.signature(function).parameters))

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not args and name in kwargs:
            args, kwargs = (kwargs[name],), {key: value for key, value in kwargs.items() if key != name}
        if not args or not isinstance(args[0], Array | np.ndarray):
            function_of_others = (
                function if numpy_function is None or (args and isinstance(args[0], tf.Variable)) else numpy_function
            )
            return function_of_others(*args, **kwargs)
        target, *others = args
        if numpy_function is not None and executing_eagerly() and (type(target) is np.ndarray or target.is_on_host()):
            known = arrays.to_host([*others, *kwargs.values()])
            if known is not UNKNOWN:
                if isinstance(target, Array):
                    target.check_writeable()
                    target = target.memory_for_write()
                return numpy_function(
                    target, *known[: len(others)], **dict(zip(kwargs, known[len(others) :], strict=True))
                )
        variable = make_output_variable(target, "assignment destination")
        function(variable, *map(lower, others), **{key: lower(value) for key, value in kwargs.items()})
        variable.write_back()
        return None

    return call
