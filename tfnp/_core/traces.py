"""Calls that recur, run as one traced graph: the one policy, the one table and the one bound of all traces.

A function of many ops costs mostly Python on small arrays: `std` of eight numbers takes 390 us, of which its ops need
40. When a call recurs it is therefore traced once, and from then on run as one op. How soon, follows from how often it
was made and how long it took: see `TRACE_AFTER`.

- `reuse_traces` and `reuse_traces_of_plan` trace public functions and ufuncs, when a call recurs with equal dtypes,
  shapes and other arguments. They are traced without Grappler's rewrites: the graph has the same kernels as the
  function in eager mode, so that its results have the same bits, save that a graph may take more subnormal numbers for
  zero. A call whose graph fails is made anew by the function, which raises NumPy's error. A call is not traced while a
  gradient is recorded, or if it has large arrays, or dtypes whose kernels differ between eager mode and graphs; neither
  is a call that cannot be traced.
- `trace_recurring` traces functions of tensors of any shape, whose graph callers that are being traced share.
- `trace` traces what is a graph from the first call: loops.
- `find_trace`, `run_recurring` and `keep_trace` are what they are made of.
"""

from __future__ import annotations

import functools
import inspect
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.eager_tensors import EagerTensor, enum_of, executing_eagerly, shape_of
from tfnp._core.errors import TENSORFLOW_ERRORS
from tfnp._core.nests import TensorSlot, extract_tensors, fill_slots, map_items
from tfnp._core.tensorflow_internals import context, execute, record

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

TRACE_AFTER: Final = 64
"""The weight of the calls of one kind after which the next is traced: one for each call, and one for each `_LONG` that
it took. To trace a call of 0.2 ms costs as much as 50 to 80 of them, one of a millisecond as much as 15 to 30."""
_LONG: Final = 250_000
_MAX_EXTRA: Final = 15
"""Nanoseconds, and how often they count in one call: what takes long is traced after four calls."""
MAX_SIZE: Final = 4096
"""The number of elements up to which Python matters more than kernels; larger arrays may also have other algorithms."""
_MAX_WEIGHTS: Final = 4096
MAX_TRACES: Final = 512
"""How many traces are kept. One takes 0.3 to 0.4 MiB where it has some 20 ops (`sort`, `std`), and 1.8 MiB where it has
a hundred (`percentile`), more than half of it in TensorFlow's own copies of the graph: all take some 200 MiB."""
_MAX_ITEMS: Final = 32
_ENUMS: Final = frozenset(
    dtype.as_datatype_enum
    for dtype in dtypes.SUPPORTED
    if dtype not in (tf.float16, tf.bfloat16) and not dtype.is_complex
)
_DEVICE: Final = "/device:CPU:0"
_HANDLES: Final = frozenset((tf.resource, tf.variant))
_EXACT: Final = frozenset((bool, int, str, type(None), type(...), type, tf.DType, type(np._NoValue)))
_REFERENCES: Final = "OT"  # dtypes whose bytes say where the elements are
_OWNERS: Final = frozenset(("self", "basis", "ufunc"))

_weights: dict[Hashable, int] = {}
_traces: dict[Hashable, Any] = {}
_lock = threading.Lock()


def find_trace(key: Hashable, make: Callable[[], T]) -> T | None:
    """Return the trace for a key, which is made once the weight of its calls suffices; None before."""
    if key in _traces:
        return _traces[key]
    return keep_trace(key, make) if _weights.get(key, 0) >= TRACE_AFTER else None


def keep_trace(key: Hashable, make: Callable[[], T]) -> T:
    """Return the trace for a key, which is made if there is none. Beyond the bound, the oldest is forgotten."""
    if key not in _traces:
        trace = make()
        with _lock:
            _weights.pop(key, None)
            if len(_traces) >= MAX_TRACES:
                _traces.pop(next(iter(_traces)))
            _traces[key] = trace
        return trace
    return _traces[key]


def run_recurring(key: Hashable, function: Callable[..., R], *args: Any, **kwargs: Any) -> R:
    """Return the result of a function without a trace, and add the weight of the call."""
    start = time.perf_counter_ns()
    result = function(*args, **kwargs)
    extra = min((time.perf_counter_ns() - start) // _LONG, _MAX_EXTRA)
    if len(_weights) > _MAX_WEIGHTS:
        _weights.clear()
    _weights[key] = _weights.get(key, 0) + 1 + extra
    return result


def forget_traces() -> None:
    """Forget all traces, and how often calls recurred."""
    with _lock:
        _weights.clear()
        _traces.clear()


def trace(
    function: Callable[..., R], *static: Hashable, specs: Iterable[tf.TensorSpec | None], **options: Hashable
) -> Callable[..., R]:
    """Return a function of some arguments, then of tensors, as a graph for the specs of the tensors."""
    specs = tuple(specs)
    key = (function, static, specs, tuple(options.items()), dtypes.current_promotion())

    def make() -> Any:
        with tf.init_scope():
            body = functools.partial(function, *static, **options)
            return tf.function(body, autograph=False).get_concrete_function(*specs)

    return keep_trace(key, make)


def trace_recurring(*signature: tf.TensorSpec, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator of functions of tensors, whose calls in eager mode run as one graph when they recur. Callers
    that are being traced share the graph.

    Without a signature there is a graph for the dtypes of the tensors. `options` are those of `tf.function`.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*tensors: tf.Tensor) -> Any:
            specs = signature or tuple([tf.TensorSpec(None, tensor.dtype) for tensor in tensors])
            key = (function, specs)

            def make() -> Any:
                return tf.function(function, input_signature=specs, autograph=False, **options)

            if not executing_eagerly():
                return keep_trace(key, make)(*tensors)
            graph = find_trace(key, make)
            if graph is None:
                return run_recurring(key, function, *tensors)
            try:
                return graph(*tensors)
            except TENSORFLOW_ERRORS:
                return function(*tensors)  # raises NumPy's error, or succeeds

        return call

    return decorate


def reuse_traces(function: Callable[P, R], arrays: tuple[str, ...]) -> Callable[P, R]:
    """Return the function, which runs calls that recur as one traced graph.

    The parameters `arrays` may be tensors or arrays, or lists of them, which are inputs of the graph. All other
    arguments are part of the key: Python values, small tensors and arrays, and a first parameter of `_OWNERS`.
    """
    parameters = list(inspect.signature(function).parameters.values())
    takes_arrays = [parameter.name in arrays for parameter in parameters if parameter.kind <= parameter.VAR_POSITIONAL]
    owners = 1 if parameters[0].name in _OWNERS else 0

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not _can_run_traces():
            return function(*args, **kwargs)
        inputs = _Inputs([], [], [])
        try:
            key = (
                function,
                dtypes.promotion,
                *args[:owners],
                *[
                    _describe(args[i], takes_arrays[min(i, len(takes_arrays) - 1)], inputs)
                    for i in range(owners, len(args))
                ],
                *[(name, _describe(arg, name in arrays, inputs)) for name, arg in kwargs.items()],
            )
        except _NotRepeatable:
            return function(*args, **kwargs)
        return _run(key, inputs, function, args, kwargs)

    return call


def reuse_traces_of_plan(plan: Callable[..., R]) -> Callable[..., R]:
    """Return a plan of a ufunc, which runs calls that recur as one traced graph. A plan has operands only."""

    def call(*operands: Any) -> R:
        if not _can_run_traces():
            return plan(*operands)
        inputs = _Inputs([], [], [])
        try:
            key = (plan, *[_describe(operand, True, inputs) for operand in operands])
        except _NotRepeatable:
            return plan(*operands)
        return _run(key, inputs, plan, operands, {})

    return call


def _can_run_traces() -> bool:
    """Return whether this is eager mode, nothing is recorded, and there are no weak tensors."""
    return executing_eagerly() and not dtypes.promotion.weakens and not record.could_possibly_record()


def _run(
    key: Hashable, inputs: _Inputs, function: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> R:
    """Return the result of a call: of its trace if there is one, else of the function."""
    if key not in _traces and _weights.get(key, 0) < TRACE_AFTER:
        return run_recurring(key, function, *args, **kwargs)
    trace = keep_trace(key, lambda: _trace_call(function, args, kwargs, inputs))
    if trace is not None:
        try:
            return trace.run(inputs.tensors)
        except TENSORFLOW_ERRORS:
            pass  # the function raises NumPy's error, or succeeds
    return function(*args, **kwargs)


def _disable_grappler() -> bytes:
    """Return the options of a graph that runs as it was traced."""
    options = tf.compat.v1.ConfigProto()
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    return options.SerializeToString()


_ATTRIBUTES: Final = ("config_proto", _disable_grappler())


class _NotRepeatable(Exception):
    """Raised for a call with an argument that cannot be part of a key."""


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The tensors and arrays among the arguments that are inputs of a trace, and the tensors that they become.

    Other arrays are constants.
    """

    sources: list[Any]
    tensors: list[tf.Tensor]
    constants: list[Any]

    def add(self, source: Any, tensor: tf.Tensor) -> Hashable:
        """Add an input; return what a trace depends on of it."""
        enum, shape = enum_of(tensor), shape_of(tensor)
        if enum not in _ENUMS or math.prod(shape) > MAX_SIZE or not tensor.device.endswith(_DEVICE):
            raise _NotRepeatable
        self.sources.append(source)
        self.tensors.append(tensor)
        return (enum, shape)

    def fix(self, value: Any) -> Hashable:
        """Add a constant, a tensor or an array; return its value as a part of the key."""
        if math.prod(value.shape) > _MAX_ITEMS or (type(value) is EagerTensor and not value.device.endswith(_DEVICE)):
            raise _NotRepeatable
        self.constants.append(value)
        array = np.asarray(value.numpy() if type(value) is EagerTensor else value)  # a scalar of bfloat16 has no array
        if array.dtype.kind in _REFERENCES:
            raise _NotRepeatable
        return (type(value), array.dtype, array.shape, array.tobytes())


def _describe(value: Any, is_array: bool, inputs: _Inputs) -> Hashable:
    """Return what a trace depends on of an argument; tensors and arrays in the parameters for arrays are inputs."""
    cls = type(value)
    if cls is EagerTensor:
        return inputs.add(value, value) if is_array else inputs.fix(value)
    elif cls in _EXACT:
        return (cls, value)
    elif cls is float or cls is complex:
        return (cls, repr(value))  # tells 0.0 from -0.0, and nan is equal to itself
    elif cls is tuple or cls is list:
        try:
            if len(value) <= _MAX_ITEMS:
                return (cls, *[_describe(item, is_array, inputs) for item in value])
        except RecursionError:
            raise _NotRepeatable from None
    elif cls is np.ndarray:
        return _describe_array(value, is_array, inputs)
    elif cls is slice:
        return (cls, *[_describe(part, False, inputs) for part in (value.start, value.stop, value.step)])
    elif isinstance(value, np.generic):
        return (cls, value.tobytes())
    elif isinstance(value, type | np.dtype):
        return (cls, value)
    raise _NotRepeatable


def _describe_array(array: np.ndarray, is_array: bool, inputs: _Inputs) -> Hashable:
    """Return the part of the key for a NumPy array, which is an input, or else a small constant."""
    if dtypes.to_tf_dtype(array.dtype) is not None:
        if not is_array:
            return inputs.fix(array)
        if array.size <= MAX_SIZE:
            return inputs.add(array, convert.from_numpy(array))
    raise _NotRepeatable


def _trace_call(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], inputs: _Inputs
) -> CallTrace | None:
    """Return the trace of a call; None if it cannot be traced, or depends on variables."""
    try:
        trace = CallTrace(function, args, kwargs, inputs)
    except Exception:  # noqa: BLE001 - the function raises it again, or needs values
        return None
    return trace if trace.is_pure else None


class GraphOp:
    """A concrete function that runs as one op, by its name.

    A `PartitionedCall` would cost more, and its kernel outlives the function.
    """

    def __init__(self, concrete: Any, attributes: tuple[Any, ...] = ("config_proto", b"")) -> None:
        self._concrete = concrete  # owns the graph and what it captures
        self._captured = list(concrete.captured_inputs)
        self._count = len(concrete.outputs)
        self._name = concrete.function_def.signature.name
        self._attributes = attributes

    def execute(self, tensors: list[tf.Tensor]) -> list[tf.Tensor]:
        """Return the results for these tensors."""
        inputs = tensors + self._captured
        return execute.quick_execute(self._name, self._count, inputs, self._attributes, context.context())


class CallTrace(GraphOp):
    """The graph of one call, for other tensors of the same dtypes and shapes."""

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], inputs: _Inputs
    ) -> None:
        if any(constant is source for constant in inputs.constants for source in inputs.sources):
            raise ValueError("one array is an input and a constant")

        def body(*symbols: tf.Tensor) -> list[tf.Tensor]:
            pairs = deque(zip(inputs.sources, symbols, strict=True))

            def replace(value: Any) -> Any:
                return pairs.popleft()[1] if pairs and pairs[0][0] is value else value

            args_and_kwargs = map_items((args, kwargs), replace)
            results, self._structure = extract_tensors(function(*args_and_kwargs[0], **args_and_kwargs[1]))
            return results

        specs = [tf.TensorSpec(tensor.shape, tensor.dtype) for tensor in inputs.tensors]
        super().__init__(tf.function(body, autograph=False).get_concrete_function(*specs), _ATTRIBUTES)

    @property
    def is_pure(self) -> bool:
        """Whether the results are tensors that depend on the inputs only, not on variables."""
        return self._count > 0 and not any(tensor.dtype in _HANDLES for tensor in self._captured)

    def run(self, tensors: list[tf.Tensor]) -> Any:
        """Return what the function returns for these tensors."""
        results = self.execute(tensors)
        return results[0] if type(self._structure) is TensorSlot else fill_slots(self._structure, results)
