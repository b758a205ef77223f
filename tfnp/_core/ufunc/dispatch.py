"""Class ufunc: dispatch of operands to the kernel of NumPy's loop, and of results to `out=`.

NumPy resolves the loop once for each combination of operand types. The result is cached as a *plan*: a function that
converts the operands to the dtypes of the loop and calls its kernel. Where the operands are eager tensors of these
dtypes, the plan is the kernel itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, high_rank, layout, ops, outputs, weak_types
from tfnp._core.arguments import as_casting
from tfnp._core.eager_tensors import EagerTensor, eager_scalar, enum_of, needs_gradient
from tfnp._core.errors import TENSORFLOW_ERRORS
from tfnp._core.traces import reuse_traces_of_plan
from tfnp._core.ufunc import plans
from tfnp._core.ufunc.methods import Methods
from tfnp._core.ufunc.operand_keys import SYMBOLIC, WEAK, Key, current_key, key_of, narrow, type_of
from tfnp._core.ufunc.options import requested_loop
from tfnp._core.ufunc.reduction import ReduceKernel, Reduction, ScanKernel
from tfnp._core.variables import is_basic

Kernel = Callable[..., Any]
KEYWORDS: Final = ("out", "where", "casting", "order", "dtype", "subok", "signature")
MAX_CACHED_SCALARS: Final = 64  # Python scalars for each plan
_TENSORS: Final = (tf.Tensor, tf.Variable)
_UNCHECKED: Final = frozenset(("out", "where"))  # keywords that `_parse` does not check
_BOOL: Final = tf.bool.as_datatype_enum
_DTYPE_CLASSES: Final = (type, np.dtype, tf.DType)
_cast = ops.cast_to_enum


class ufunc(Methods):  # noqa: N801 - NumPy's name
    """One of NumPy's universal functions: its signature and loops are NumPy's, its kernels TensorFlow's.

    Parameters
    ----------
    kernel
        The kernel for all dtypes that have none of their own. A kernel maps tensors of a loop's input dtypes to tensors
        of its output dtypes.
    masked_value
        For ufunc kernels that raise for some second operands (integer division, powers): the second operand where
        `where=` is False.
    associative
        Whether the order and grouping of many operands do not matter.
    reduce, accumulate
        Kernels for many operands. By default the kernel is applied to pairs.
    traces
        The kinds of dtypes whose kernels are several ops, so that eager calls that recur with small operands run as one
        traced graph.
    **kernels
        Kernels by the dtype of a loop's first input, or by a class of dtypes, of which the narrowest is used:
        "float16", then "half" (float16 and bfloat16), "signed", "unsigned", "floating", "complexes" or "bool", then
        "integer". "mixed" is for the loops that compare int64 with uint64, "text" for those with a string among the
        operands; these have no other.
    """

    def __init__(
        self,
        numpy_ufunc: np.ufunc,
        kernel: Kernel | None = None,
        /,
        *,
        masked_value: int | None = None,
        associative: bool = False,
        reduce: ReduceKernel | None = None,
        accumulate: ScanKernel | None = None,
        traces: str = "",
        **kernels: Kernel,
    ) -> None:
        self._numpy_ufunc, self._masked_value, self._is_associative = numpy_ufunc, masked_value, associative
        self._traced_codes = traces
        self._kernels = kernels if kernel is None else kernels | {"any": kernel}
        self._plans: dict[tuple[Any, ...], Kernel] = {}
        self._keyword_plans: dict[tuple[Any, ...], Kernel] = {}
        self._dtype_plans: dict[tuple[Any, ...], Kernel] = {}
        self._weak_plans: dict[tuple[Any, ...], tuple[Kernel, bool]] = {}
        self.nin, self.nout, self.nargs = numpy_ufunc.nin, numpy_ufunc.nout, numpy_ufunc.nargs
        self.identity, self.signature = numpy_ufunc.identity, numpy_ufunc.signature
        self.types = [types for types in numpy_ufunc.types if set(types) <= _SUPPORTED_CODES]
        self.ntypes = len(self.types)
        self._compares = "qQ->?" in numpy_ufunc.types
        self.__name__ = self.__qualname__ = numpy_ufunc.__name__
        self.__doc__ = numpy_ufunc.__doc__
        self.__module__ = "tfnp"
        self.__signature__ = inspect.signature(numpy_ufunc)
        self.reduction = Reduction(self, reduce, accumulate)

    def __repr__(self) -> str:
        return f"<ufunc {self.__name__!r}>"

    def __reduce__(self) -> str:
        return self.__name__

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != self.nin:
            return self._call_fully(args, kwargs)
        if len(args) == 2:
            x, y = args
            if type(x) is EagerTensor:
                y_type = type(y)
                key = enum_of(y) if y_type is EagerTensor else y_type if y_type in WEAK else key_of(y)
                plan = self._plans.get((enum_of(x), key, dtypes.promotion))
            else:
                plan = self._plans.get((key_of(x), key_of(y), dtypes.promotion))
            if plan is not None:
                try:
                    return plan(x, y)
                except TENSORFLOW_ERRORS as error:
                    return high_rank.retry_flattened(plan, args, error)
        elif type(args[0]) is EagerTensor:
            plan = self._plans.get((enum_of(args[0]), dtypes.promotion))
            if plan is not None:
                try:
                    return plan(args[0])
                except TENSORFLOW_ERRORS as error:
                    return high_rank.retry_flattened(plan, args, error)
        return self._call_first(args)

    def _call_first(self, args: tuple[Any, ...]) -> Any:
        """Call without keywords, where no plan is cached or operands are to be converted first."""
        if dtypes.promotion.weakens:
            return self._call_weak(args)
        args, promotion = self._convert_operands(args), dtypes.promotion
        keys = tuple(map(key_of, args))
        plan = self._plans.get((*keys, promotion))
        if plan is None:
            plan = self._plans[*keys, promotion] = self._make_plan(keys, promotion)
        try:
            return plan(*args)
        except TENSORFLOW_ERRORS as error:
            return high_rank.retry_flattened(plan, args, error)

    def _call_weak(self, args: tuple[Any, ...]) -> Any:
        """Call in a mode with weak tensors, whose plans have a cache of their own."""
        args, promotion = self._convert_operands(args), dtypes.current_promotion()
        keys = tuple(map(current_key, args))
        entry = self._weak_plans.get((*keys, promotion))
        if entry is None:
            plan = self._make_plan(keys, promotion)
            entry = self._weak_plans[*keys, promotion] = (
                plan,
                dtypes.is_weak_common_type(tuple(map(type_of, keys)), promotion),
            )
        result = self._run(entry[0], args)
        return weak_types.weaken_all(result) if entry[1] else result

    def _call_fully(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call with keywords, or with outputs among the positional arguments."""
        if "where" in kwargs and needs_gradient():
            args = (*_cut_gradients(args[: self.nin], kwargs["where"]), *args[self.nin :])
        if len(args) == self.nin and kwargs.keys() <= _UNCHECKED and self._uses_default_loop(**kwargs):
            written = outputs.write_eager(self(*args), **kwargs)
            if written is not None:
                return written
        dtype_key = self._find_dtype_key(args, kwargs)
        if dtype_key in self._dtype_plans:
            return self._run(self._dtype_plans[dtype_key], args)
        is_simple = len(args) == self.nin and kwargs.keys() <= _UNCHECKED and kwargs.get("out") is not Ellipsis
        inputs, options = (args, kwargs) if is_simple else self._parse(args, kwargs)
        if self.nout > 1 and kwargs.get("out", ()) is None:
            raise TypeError("'out' must be a tuple of tf.Variables, one for each output")
        outs = outputs.as_outputs(options.get("out"), self.nout)
        mask = outputs.as_mask(options.get("where", True))
        casting = options.get("casting", "same_kind")
        inputs = self._convert_operands(inputs)
        out_dtypes = tuple(None if out is None else dtypes.as_numpy(out.dtype) for out in outs)
        requested = {"outs": out_dtypes, "signature": requested_loop(self._numpy_ufunc, options), "casting": casting}
        if self._masked_value is not None:
            inputs = self._fill_masked_operands(inputs, outputs.mask_of_computed(mask, outs), requested)
        plan = self._find_plan(inputs, requested)
        if dtype_key is not None:
            self._dtype_plans[dtype_key] = plan
        results = self._run(plan, inputs)
        results = results if self.nout > 1 else (results,)
        written = outputs.write_outputs(results, outs, mask, casting=casting)
        return self._weaken_like_inputs(inputs, requested, written if self.nout > 1 else written[0])

    def _find_dtype_key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Hashable, ...] | None:
        """Return the key of a call of eager tensors with `dtype=` only, None for other calls."""
        if len(args) != self.nin or kwargs.keys() != {"dtype"} or dtypes.promotion.weakens:
            return None
        dtype = kwargs["dtype"]
        if not isinstance(dtype, _DTYPE_CLASSES) or any(type(arg) is not EagerTensor for arg in args):
            return None
        return (*map(enum_of, args), dtypes.promotion, dtype)

    def _uses_default_loop(self, out: Any = None, where: Any = True) -> bool:
        """Return whether the result is calculated as without keywords, in eager mode, and then masked or written."""
        if self.nout > 1 or self._masked_value is not None or dtypes.promotion.weakens or not ops.executing_eagerly():
            return False
        return (out is None or is_basic(out)) and (
            where is True or (type(where) is EagerTensor and enum_of(where) == _BOOL)
        )

    def _weaken_like_inputs(self, inputs: Any, requested: dict[str, Any], results: Any) -> Any:
        """Mark the results as weak if the operands are and no dtype is requested."""
        promotion = dtypes.current_promotion()
        if (
            not promotion.weakens
            or requested["signature"] is not None
            or any(out is not None for out in requested["outs"])
        ):
            return results
        types = tuple(type_of(current_key(value)) for value in inputs)
        return weak_types.weaken_all(results) if dtypes.is_weak_common_type(types, promotion) else results

    def _convert_operands(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Convert operands to what plans accept. A Python scalar stays one if there is another operand."""
        if dtypes.promotion.weakens:
            args = tuple(arg if type(arg) in WEAK and len(args) > 1 else narrow(arg) for arg in args)
        if len(args) == 1 and type(args[0]) in WEAK:
            return (convert.to_operand(args[0]),)
        return tuple(arg if key_of(arg) is not None else convert.to_operand(arg) for arg in args)

    def _fill_masked_operands(
        self, inputs: tuple[Any, ...], mask: tf.Tensor | None, requested: dict[str, Any]
    ) -> tuple[Any, ...]:
        """Replace second operands where the mask is False, so that kernels do not raise for them."""
        if mask is None:
            return inputs
        keys: tuple[Any, ...] = tuple(map(current_key, inputs))
        dtype = dtypes.resolve(self._numpy_ufunc, tuple(map(type_of, keys)), dtypes.current_promotion(), **requested)[1]
        if dtype.kind not in "iu":
            return inputs
        step = _make_conversion_step(keys[1], dtype)
        second = inputs[1] if step is None else step(inputs[1])
        return inputs[0], layout.select(mask, second, tf.constant(self._masked_value, second.dtype))

    def _find_plan(self, inputs: tuple[Any, ...], requested: dict[str, Any]) -> Kernel:
        """Return the plan for a call with keywords, cached."""
        if isinstance(requested["signature"], list):  # not hashable, and an error in NumPy
            return self._make_checked_plan(inputs, requested)
        key = (*map(current_key, inputs), dtypes.current_promotion(), *requested.values())
        plan = self._keyword_plans.get(key)
        if plan is None:
            plan = self._keyword_plans[key] = self._make_checked_plan(inputs, requested)
        return plan

    def _make_checked_plan(self, inputs: tuple[Any, ...], requested: dict[str, Any]) -> Kernel:
        """Make a plan. Like NumPy, report a Python int that is out of bounds before a cast that is not allowed."""
        keys = tuple(map(current_key, inputs))
        if isinstance(requested["signature"], str):
            _check_type_codes(requested["signature"])
        if requested["casting"] == "no":
            _check_byte_order(keys)
        try:
            return self._make_plan(keys, dtypes.current_promotion(), **requested)
        except TypeError:
            checked = _find_strict_scalars(requested["signature"])
            if requested["casting"] == "unsafe" or not checked.intersection(map(type, inputs)):
                raise
            loop = dtypes.resolve(
                self._numpy_ufunc,
                tuple(map(type_of, keys)),
                dtypes.current_promotion(),
                **{**requested, "casting": "unsafe"},
            )
            for value, dtype in zip(inputs, loop, strict=False):
                if type(value) in checked and dtype.kind in "iu":
                    np.array(int(value), dtype)
            raise

    def _run(self, plan: Kernel, inputs: tuple[Any, ...]) -> Any:
        try:
            return plan(*inputs)
        except TENSORFLOW_ERRORS as error:
            return high_rank.retry_flattened(plan, inputs, error)

    def _parse(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return inputs and options, checked as NumPy checks them."""
        if not self.nin <= len(args) <= self.nargs:
            takes = f"from {self.nin} to {self.nargs}"
            raise TypeError(f"{self.__name__}() takes {takes} positional arguments but {len(args)} were given")
        inputs, outs = args[: self.nin], args[self.nin :]
        if "sig" in kwargs:  # the older name
            if "signature" in kwargs:
                raise TypeError("cannot specify both 'sig' and 'signature'")
            kwargs = {"signature" if name == "sig" else name: value for name, value in kwargs.items()}
        for name in kwargs:
            if name not in self.__signature__.parameters:
                raise TypeError(f"{self.__name__}() got an unexpected keyword argument {name!r}")
        if outs:
            if kwargs.get("out") is not None:
                raise TypeError("cannot specify 'out' as both a positional and keyword argument")
            if self.nout > 1 and type(outs[0]) is tuple and all(out is None for out in outs[0]):
                outs = outs[0]  # the default in the signature, which `tf.function` passes explicitly
            if any(isinstance(out, tuple) for out in outs):
                raise TypeError("return arrays must be tf.Variables")
            kwargs = {**kwargs, "out": outs[0] if self.nout == 1 else outs + (None,) * (self.nout - len(outs))}
        elif kwargs.get("out") is Ellipsis:  # requests an array instead of a scalar: a tensor is one
            kwargs = {**kwargs, "out": None}
        if "casting" in kwargs:
            kwargs = {**kwargs, "casting": as_casting(kwargs["casting"])}
        if type(kwargs.get("subok", True)) is not bool:
            raise TypeError(f"'subok' must be a boolean, not {kwargs['subok']!r}")
        order = kwargs.get("order", "K")
        letter = order.decode("latin-1") if isinstance(order, bytes) else order
        if letter is not None and (not isinstance(letter, str) or letter.upper() not in {"C", "F", "A", "K"}):
            error = ValueError if isinstance(letter, str) else TypeError
            raise error(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
        return inputs, kwargs

    def _make_plan(self, keys: tuple[Any, ...], promotion: dtypes.Promotion, **requested: Any) -> Kernel:
        """Make the plan for operands with these keys."""
        loop = dtypes.resolve(self._numpy_ufunc, tuple(map(type_of, keys)), promotion, **requested)
        kernel = self._find_kernel(loop[: self.nin])
        has_eager = any(isinstance(key, int) and not key & SYMBOLIC for key in keys)
        options = {"cached": has_eager, "has_input_dtypes": dtypes.names_inputs(requested.get("signature"))}
        steps = [
            _make_conversion_step(key, dtype, **options) for key, dtype in zip(keys, loop[: self.nin], strict=True)
        ]
        plan = self._compose(kernel, steps)
        accepts_any_int = self._compares and not options["has_input_dtypes"]
        if accepts_any_int and loop[0].kind in "iu" and any(key is int for key in keys) and _are_integers(keys):
            plan = plans.compare_exactly(plan, self._numpy_ufunc)
        has_array = has_eager or any(isinstance(key, np.dtype) for key in keys)
        if has_array and loop[0].kind in self._traced_codes and kernel.__module__.startswith("tfnp."):  # not one op
            plan = reuse_traces_of_plan(plan)
        symbolic = any(isinstance(key, int) and key & SYMBOLIC for key in keys)
        return high_rank.flatten_high_ranks(plan) if symbolic and self.signature is None else plan

    def _find_kernel(self, loop: tuple[np.dtype, ...]) -> Kernel:
        first = loop[0]
        if dtypes.TEXT in loop:
            if "text" in self._kernels:
                return self._kernels["text"]
            raise TypeError(f"ufunc {self.__name__!r} has no kernel for text")
        names = ("mixed",) if loop[0] != loop[-1] and "mixed" in self._kernels else ()
        for name in (*names, first.name, *_CLASSES[first.name], "any"):
            if name in self._kernels:
                return self._kernels[name]
        raise TypeError(f"ufunc {self.__name__!r} has no kernel for {first.name}")

    def _compose(self, kernel: Kernel, steps: list[Kernel | None]) -> Kernel:
        if len(steps) == 1:
            return kernel if steps[0] is None else plans.plan_unary(kernel, steps[0])
        return plans.plan_binary(kernel, *steps)


def _cut_gradients(operands: tuple[Any, ...], where: Any) -> tuple[Any, ...]:
    """Return the operands with a gradient of zero where the mask is False, where it may be nan."""
    mask = outputs.as_mask(where)
    if mask is None:
        return operands
    return tuple(_cut_gradient(operand, mask) if isinstance(operand, _TENSORS) else operand for operand in operands)


def _cut_gradient(operand: tf.Tensor | tf.Variable, mask: tf.Tensor) -> tf.Tensor | tf.Variable:
    if not (operand.dtype.is_floating or operand.dtype.is_complex) or weak_types.is_weak(operand):
        return operand
    tensor = convert.to_tensor(operand)
    return layout.select(mask, tensor, tf.stop_gradient(tensor))


def _check_type_codes(signature: str) -> None:
    """Check that all type codes of a signature stand for supported dtypes."""
    for code in signature:
        if code not in _SUPPORTED_CODES:
            raise dtypes.unsupported_dtype_error(np.dtype(code))


def _find_strict_scalars(signature: Any) -> frozenset[type]:
    """Return the classes of Python scalars that NumPy converts to requested dtypes: ints, or all for input dtypes."""
    return WEAK if dtypes.names_inputs(signature) else frozenset((int,))


def _check_byte_order(keys: tuple[Key | None, ...]) -> None:
    """Check casting="no", under which not even the byte order may change."""
    for key in keys:
        if isinstance(key, np.dtype) and not key.isnative:
            raise TypeError(f"Cannot cast ufunc input from {key!r} to {key.newbyteorder('=')!r} with casting rule 'no'")


def _make_conversion_step(
    key: Key, dtype: np.dtype, *, cached: bool = False, has_input_dtypes: bool = False
) -> Kernel | None:
    """Return the function that converts an operand to the dtype of the loop; None if it has that dtype.

    `cached`: keep tensors of Python floats for further calls, which is possible beside an eager operand.
    `has_input_dtypes`: the caller has requested dtypes of inputs, so that Python scalars are converted to them, not
    cast as arrays are.
    """
    target = dtypes.as_dtype(dtype)
    if isinstance(key, int):
        source = dtypes.BY_ENUM[key % SYMBOLIC]
        if source == dtype:
            return None
        if source.kind in "bcT" or dtype.kind == "T" or (source.kind in "iu" and key >= SYMBOLIC):
            return lambda x: convert.cast(x, target)
        enum = target.as_datatype_enum  # an enum is faster for an eager op than a DType
        return lambda x: _cast(x, enum)
    if isinstance(key, np.dtype):
        return partial(_convert_array, dtype)
    if key is int and dtype == dtypes.BOOL:
        return lambda x: convert.as_constant(np.array(np.int64(x), dtype))  # raises NumPy's OverflowError
    if not has_input_dtypes and not _can_represent(dtype, key):
        return partial(_force_cast, dtype)
    if cached and dtype.kind not in "iu":
        return _make_cached_scalar_step(dtype)
    return _make_scalar_step(dtype, target.as_datatype_enum, truncates=key is not int)


def _convert_array(dtype: np.dtype, x: np.ndarray | tf.Tensor) -> tf.Tensor:
    """Convert an array, which is a tensor in the trace of a call that recurs."""
    if isinstance(x, tf.Tensor):
        return convert.cast(x, dtypes.as_dtype(dtype))
    return convert.as_constant(np.array(x, dtype, order="C", copy=True, subok=False))


def _can_represent(dtype: np.dtype, scalar_type: type) -> bool:
    """Return whether a dtype can represent Python scalars of a class. Others are cast, with casting="unsafe"."""
    return not ((scalar_type is float and dtype.kind in "biu") or (scalar_type is complex and dtype.kind in "biufV"))


def _force_cast(dtype: np.dtype, x: complex) -> tf.Tensor:
    """Cast a Python scalar as an array, to a dtype that cannot represent it."""
    with np.errstate(invalid="ignore"):
        part = x.real if dtype.kind != "b" else x
        return convert.as_constant(np.asarray(part).astype(dtype))


def _are_integers(keys: tuple[Any, ...]) -> bool:
    return all(
        operand is int or (isinstance(operand, np.dtype) and operand.kind in "iu") for operand in map(type_of, keys)
    )


# Upstream bug: tensorflow-scalar-cache-zero
def _make_scalar_step(dtype: np.dtype, enum: int, *, truncates: bool = False) -> Kernel:
    """Return the function that converts Python scalars to tensors; `truncates`: of floats, to integers.

    Small ints go straight to TensorFlow, all else by way of NumPy: TensorFlow caches Python floats by value, so that
    0.0 may come back as -0.0.
    """
    if dtype == dtypes.BFLOAT16:
        # ml_dtypes accepts no int of more than 64 bits, https://github.com/jax-ml/ml_dtypes
        return lambda x: convert.as_constant(np.array(float(x) if type(x) is int else x, dtype))
    if dtype.kind not in "iu":
        return lambda x: convert.as_constant(np.array(x, dtype))
    if truncates:
        return lambda x: convert.scalar_tensor(int(x), dtype)
    low, high = max(int(np.iinfo(dtype).min), -(2**15)), min(int(np.iinfo(dtype).max), 2**15)

    def step(x: Any) -> tf.Tensor:
        if type(x) is int and low <= x <= high and tf.executing_eagerly():
            return eager_scalar(x, enum)
        return convert.scalar_tensor(x, dtype)

    return step


def _make_cached_scalar_step(dtype: np.dtype) -> Kernel:
    """Return the function that converts Python scalars to tensors, and caches them.

    Zeros are not cached: they are equal as keys whatever their sign. In a graph a cached tensor is an input, as
    `convert.as_constant` has it.
    """
    cache: dict[complex, tf.Tensor] = {}

    def step(x: Any) -> tf.Tensor:
        tensor = cache.get(x)
        if tensor is not None:
            return tensor
        is_int = type(x) is int and dtype == dtypes.BFLOAT16  # ml_dtypes accepts no int of more than 64 bits
        tensor = convert.as_constant(np.array(float(x) if is_int else x, dtype))
        if x and tf.executing_eagerly():
            if len(cache) >= MAX_CACHED_SCALARS:
                cache.clear()
            cache[x] = tensor
        return tensor

    return step


_SUPPORTED_CODES: Final = frozenset("?bBhHiIlLqQefdFD->")
_CLASSES: Final = {
    "bool": (),
    **{f"int{bits}": ("signed", "integer") for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": ("unsigned", "integer") for bits in (8, 16, 32, 64)},
    "float16": ("half", "floating"),
    "bfloat16": ("half", "floating"),
    "float32": ("floating",),
    "float64": ("floating",),
    "complex64": ("complexes",),
    "complex128": ("complexes",),
}
