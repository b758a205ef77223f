"""class ufunc: from operands of any kind to the kernel of NumPy's loop, and back through `out=` and `where=`.

What a call costs is decided here. The decision which loop to take is made once for each combination of operand kinds,
by NumPy, and kept as a *plan*: a function that brings the operands to the dtypes of the loop and runs its kernel. Where
two eager tensors already have the loop's dtypes the plan is the kernel itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, high_rank, layout, outputs, weak_types
from tfnp._core.arguments import as_casting
from tfnp._core.errors import TENSORFLOW_ERRORS
from tfnp._core.ufunc import plans
from tfnp._core.ufunc.methods import Methods
from tfnp._core.ufunc.operand_keys import SYMBOLIC, WEAK, Key, current_key, key_of, narrow, type_of
from tfnp._core.ufunc.options import requested_loop
from tfnp._core.ufunc.reduction import ReduceKernel, ScanKernel

Kernel = Callable[..., Any]
EagerTensor, enum_of = convert.EagerTensor, convert.enum_of
KEYWORDS: Final = ("out", "where", "casting", "order", "dtype", "subok", "signature")
MAX_KEPT_SCALARS: Final = 64  # Python scalars for each plan
_UNCHECKED: Final = frozenset(("out", "where"))  # keywords that are looked at elsewhere
_cast = tf.raw_ops.Cast.__wrapped__


class ufunc(Methods):  # noqa: N801 - NumPy's name
    """One of NumPy's universal functions: its signature and loops are NumPy's, its kernels TensorFlow's.

    `kernels` are keyed by the dtype of a loop's first input, or a class of dtypes, the narrowest wins: "float16", then
    "half" (float16 and bfloat16), "signed", "unsigned", "floating" or "complexes", "bool", then "integer"; "mixed" is
    for the loops that compare int64 with uint64. What none of them covers goes to `kernel`. A kernel takes and gives
    tensors of the loop's dtypes. `masked_value` is a second operand that no kernel refuses, if there are others.
    Where order and grouping of many operands do not matter, the ufunc is `associative`; `reduce` and `accumulate` are
    kernels that join many at once, which otherwise is done two by two.
    """

    autograph_info__: Final[dict[str, Any]] = {}  # AutoGraph: there is no control flow of the user's in here

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
        **kernels: Kernel,
    ) -> None:
        self._numpy, self._masked_value, self._associative = numpy_ufunc, masked_value, associative
        self._kernels = {name: _bare(function) for name, function in kernels.items()}
        if kernel is not None:
            self._kernels["any"] = _bare(kernel)
        self._plans: dict[tuple[Any, ...], Kernel] = {}
        self._asked_plans: dict[tuple[Any, ...], Kernel] = {}
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
        self._join_with(reduce, accumulate)

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
                kind = type(y)
                key = enum_of(y) if kind is EagerTensor else kind if kind in WEAK else key_of(y)
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
        """A call whose plan is still to be made, or that has operands which are first to become tensors."""
        if dtypes.promotion.weakens:
            return self._call_weakly(args)
        args, way = self._operands(args), dtypes.promotion
        keys = tuple(map(key_of, args))
        plan = self._plans.get((*keys, way))
        if plan is None:
            plan = self._plans[*keys, way] = self._plan(keys, way)
        try:
            return plan(*args)
        except TENSORFLOW_ERRORS as error:
            return high_rank.retry_flattened(plan, args, error)

    def _call_weakly(self, args: tuple[Any, ...]) -> Any:
        """A call where tensors may be weak. For it no plans are kept where plain calls look for them."""
        args, way = self._operands(args), dtypes.current_promotion()
        keys = tuple(map(current_key, args))
        found = self._weak_plans.get((*keys, way))
        if found is None:
            plan = self._plan(keys, way)
            found = self._weak_plans[*keys, way] = plan, dtypes.is_weak_common_type(tuple(map(type_of, keys)), way)
        result = self._run(found[0], args)
        return weak_types.weaken_all(result) if found[1] else result

    def _call_fully(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call with keywords, or with outputs among its positional arguments."""
        is_plain = len(args) == self.nin and kwargs.keys() <= _UNCHECKED and kwargs.get("out") is not Ellipsis
        inputs, options = (args, kwargs) if is_plain else self._parse(args, kwargs)
        if self.nout > 1 and kwargs.get("out", ()) is None:
            raise TypeError("'out' must be a tuple of tf.Variables, one for each output")
        outs = outputs.as_outputs(options.get("out"), self.nout)
        mask = outputs.as_mask(options.get("where", True))
        casting = options.get("casting", "same_kind")
        inputs = self._operands(inputs)
        held = tuple(None if out is None else dtypes.as_numpy(out.dtype) for out in outs)
        asked = {"outs": held, "signature": requested_loop(self._numpy, options), "casting": casting}
        if self._masked_value is not None:
            inputs = self._spare(inputs, outputs.mask_of_computed(mask, outs), asked)
        results = self._run(self._plan_asked_for(inputs, asked), inputs)
        results = results if self.nout > 1 else (results,)
        delivered = outputs.write_outputs(results, outs, mask, casting=casting)
        return self._weak_if(inputs, asked, delivered if self.nout > 1 else delivered[0])

    def _weak_if(self, inputs: Any, asked: dict[str, Any], delivered: Any) -> Any:
        """The results, weak where operands are and no dtype is asked for."""
        way = dtypes.current_promotion()
        if not way.weakens or asked["signature"] is not None or any(out is not None for out in asked["outs"]):
            return delivered
        kinds = tuple(type_of(current_key(value)) for value in inputs)
        return weak_types.weaken_all(delivered) if dtypes.is_weak_common_type(kinds, way) else delivered

    def _operands(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The operands, of kinds that plans are made for. A Python scalar is weak beside another operand only."""
        if dtypes.promotion.weakens:
            args = tuple(arg if type(arg) in WEAK and len(args) > 1 else narrow(arg) for arg in args)
        if len(args) == 1 and type(args[0]) in WEAK:
            return (convert.to_operand(args[0]),)
        return tuple(arg if key_of(arg) is not None else convert.to_operand(arg) for arg in args)

    def _spare(self, inputs: tuple[Any, ...], mask: tf.Tensor | None, asked: dict[str, Any]) -> tuple[Any, ...]:
        """The operands, those that are not chosen made harmless: NumPy does not look at them."""
        if mask is None:
            return inputs
        keys: tuple[Any, ...] = tuple(map(current_key, inputs))
        dtype = dtypes.resolve(self._numpy, tuple(map(type_of, keys)), dtypes.current_promotion(), **asked)[1]
        if dtype.kind not in "iu":
            return inputs
        step = _conversion_step(keys[1], dtype)
        second = inputs[1] if step is None else step(inputs[1])
        return inputs[0], layout.select(mask, second, tf.constant(self._masked_value, second.dtype))

    def _plan_asked_for(self, inputs: tuple[Any, ...], asked: dict[str, Any]) -> Kernel:
        """The plan for a call with keywords, kept as others are."""
        if isinstance(asked["signature"], list):  # which is no key, and which NumPy refuses
            return self._plan_checking_ints(inputs, asked)
        key = (*map(current_key, inputs), dtypes.current_promotion(), *asked.values())
        plan = self._asked_plans.get(key)
        if plan is None:
            plan = self._asked_plans[key] = self._plan_checking_ints(inputs, asked)
        return plan

    def _plan_checking_ints(self, inputs: tuple[Any, ...], asked: dict[str, Any]) -> Kernel:
        """The plan; that a Python number does not fit the loop, NumPy says before that the loop may not be taken."""
        keys = tuple(map(current_key, inputs))
        if isinstance(asked["signature"], str):
            _refuse_unheld(asked["signature"])
        if asked["casting"] == "no":
            _refuse_swapped(keys)
        try:
            return self._plan(keys, dtypes.current_promotion(), **asked)
        except TypeError:
            checked = _checked(asked["signature"])
            if asked["casting"] == "unsafe" or not checked.intersection(map(type, inputs)):
                raise
            loop = dtypes.resolve(
                self._numpy, tuple(map(type_of, keys)), dtypes.current_promotion(), **{**asked, "casting": "unsafe"}
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
        """Inputs and options, checked as NumPy checks them."""
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
                outs = outs[0]  # the default in the signature, which `tf.function` passes
            if any(isinstance(out, tuple) for out in outs):
                raise TypeError("return arrays must be tf.Variables")
            kwargs = {**kwargs, "out": outs[0] if self.nout == 1 else outs + (None,) * (self.nout - len(outs))}
        elif kwargs.get("out") is Ellipsis:  # which asks for an array, as a tensor is anyhow
            kwargs = {**kwargs, "out": None}
        if "casting" in kwargs:
            kwargs = {**kwargs, "casting": as_casting(kwargs["casting"])}
        if type(kwargs.get("subok", True)) is not bool:
            raise TypeError(f"'subok' must be a boolean, not {kwargs['subok']!r}")
        order = kwargs.get("order", "K")
        letter = order.decode("latin-1") if isinstance(order, bytes) else order
        if letter is not None and (not isinstance(letter, str) or letter.upper() not in {"C", "F", "A", "K"}):
            kind = ValueError if isinstance(letter, str) else TypeError
            raise kind(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
        return inputs, kwargs

    def _plan(self, keys: tuple[Any, ...], way: dtypes.Promotion, **asked: Any) -> Kernel:
        """The plan for operands of these kinds."""
        loop = dtypes.resolve(self._numpy, tuple(map(type_of, keys)), way, **asked)
        kernel = self._kernel(loop[: self.nin])
        beside_eager = any(isinstance(key, int) and not key & SYMBOLIC for key in keys)
        options = {"keep": beside_eager, "named": dtypes.names_inputs(asked.get("signature"))}
        steps = [_conversion_step(key, dtype, **options) for key, dtype in zip(keys, loop[: self.nin], strict=True)]
        plan = self._compose(kernel, steps)
        takes_any = self._compares and not options["named"]
        if takes_any and loop[0].kind in "iu" and any(key is int for key in keys) and _are_integers(keys):
            plan = plans.exact(plan, self._numpy)
        symbolic = any(isinstance(key, int) and key & SYMBOLIC for key in keys)
        return high_rank.flatten_high_ranks(plan) if symbolic and self.signature is None else plan

    def _kernel(self, loop: tuple[np.dtype, ...]) -> Kernel:
        first = loop[0]
        names = ("mixed",) if loop[0] != loop[-1] and "mixed" in self._kernels else ()
        for name in (*names, first.name, *_CLASSES[first.name], "any"):
            if name in self._kernels:
                return self._kernels[name]
        raise TypeError(f"ufunc {self.__name__!r} has no kernel for {first.name}")

    def _compose(self, kernel: Kernel, steps: list[Kernel | None]) -> Kernel:
        if len(steps) == 1:
            return kernel if steps[0] is None else plans.unary(kernel, steps[0])
        return plans.binary(kernel, *steps)


def _bare(kernel: Kernel) -> Kernel:
    """A raw op's positional function, which costs one Python frame less than the keyword-only door to it."""
    return (
        getattr(kernel, "__wrapped__", kernel) if getattr(kernel, "__module__", "").startswith("tensorflow") else kernel
    )


def _refuse_unheld(signature: str) -> None:
    """A loop is named by letters, of which some stand for dtypes that no tensor has: then nothing else matters."""
    for code in signature:
        if code not in _SUPPORTED_CODES:
            raise dtypes.unsupported_dtype_error(np.dtype(code))


def _checked(signature: Any) -> frozenset[type]:
    """Which Python numbers NumPy tries in the dtypes asked for: ints, and where inputs are named all."""
    return WEAK if dtypes.names_inputs(signature) else frozenset((int,))


def _refuse_swapped(keys: tuple[Key | None, ...]) -> None:
    """casting="no" lets not even the order of bytes change."""
    for key in keys:
        if isinstance(key, np.dtype) and not key.isnative:
            raise TypeError(f"Cannot cast ufunc input from {key!r} to {key.newbyteorder('=')!r} with casting rule 'no'")


def _conversion_step(key: Key, dtype: np.dtype, *, keep: bool = False, named: bool = False) -> Kernel | None:
    """How an operand of this kind becomes a tensor of the loop's dtype; None where it is one.

    Beside an eager tensor, eager tensors of floats may be kept: wherever the one is used, so may be the other. Where
    the inputs' dtypes are `named`, Python scalars are read as such numbers, else cast as arrays are.
    """
    target = dtypes.as_dtype(dtype)
    if isinstance(key, int):
        source = dtypes.BY_ENUM[key % SYMBOLIC]
        if source == dtype:
            return None
        if source.kind in "bc" or (source.kind in "iu" and key >= SYMBOLIC):
            return lambda x: convert.cast(x, target)
        enum = target.as_datatype_enum  # which costs an eager op less to read than the dtype
        return lambda x: _cast(x, enum)
    if isinstance(key, np.dtype):
        return lambda x: convert.as_constant(np.array(x, dtype, order="C", copy=True, subok=False))
    if key is int and dtype == dtypes.BOOL:
        return lambda x: convert.as_constant(np.array(np.int64(x), dtype))  # OverflowError of what NumPy cannot hold
    if not named and not _holds(dtype, key):
        return partial(_force_cast, dtype)
    if keep and dtype.kind not in "iu":
        return _cached_scalar_step(dtype)
    return _scalar_step(dtype, target.as_datatype_enum, whole=key is not int)


def _holds(dtype: np.dtype, kind: type) -> bool:
    """Whether Python scalars of this class may be of the dtype: with casting="unsafe" others may be made."""
    return not ((kind is float and dtype.kind in "biu") or (kind is complex and dtype.kind in "biufV"))


def _force_cast(dtype: np.dtype, x: complex) -> tf.Tensor:
    """A Python scalar cast as an array of it is, to a dtype that may not hold it."""
    with np.errstate(invalid="ignore"):
        part = x.real if dtype.kind != "b" else x
        return convert.as_constant(np.asarray(part).astype(dtype))


def _are_integers(keys: tuple[Any, ...]) -> bool:
    return all(kind is int or (isinstance(kind, np.dtype) and kind.kind in "iu") for kind in map(type_of, keys))


def _scalar_step(dtype: np.dtype, enum: int, *, whole: bool = False) -> Kernel:
    """A Python scalar as a tensor: an int that fits goes straight to TensorFlow, all else by way of NumPy. A `whole`
    one loses its fraction.

    TensorFlow keeps the scalars that it is given, by value and for ever: 0.0 may come back as -0.0.
    """
    if dtype == dtypes.BFLOAT16:
        # ml_dtypes takes no int of more than 64 bits, https://github.com/jax-ml/ml_dtypes
        return lambda x: convert.as_constant(np.array(float(x) if type(x) is int else x, dtype))
    if dtype.kind not in "iu":
        return lambda x: convert.as_constant(np.array(x, dtype))
    if whole:
        return lambda x: convert.scalar_tensor(int(x), dtype)
    low, high = max(int(np.iinfo(dtype).min), -(2**15)), min(int(np.iinfo(dtype).max), 2**15)

    def step(x: Any) -> tf.Tensor:
        if type(x) is int and low <= x <= high and tf.executing_eagerly():
            return convert.eager_scalar(x, enum)
        return convert.scalar_tensor(x, dtype)

    return step


def _cached_scalar_step(dtype: np.dtype) -> Kernel:
    """A Python scalar as a tensor, the last few of which are kept; no zeros, which are equal though their signs differ.

    A graph may take a kept tensor too: there it is an input, as `convert.operand` has it.
    """
    kept: dict[complex, tf.Tensor] = {}

    def step(x: Any) -> tf.Tensor:
        tensor = kept.get(x)
        if tensor is not None:
            return tensor
        whole = type(x) is int and dtype == dtypes.BFLOAT16  # ml_dtypes takes no int of more than 64 bits
        tensor = convert.as_constant(np.array(float(x) if whole else x, dtype))
        if x and tf.executing_eagerly():
            if len(kept) >= MAX_KEPT_SCALARS:
                kept.clear()
            kept[x] = tensor
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
