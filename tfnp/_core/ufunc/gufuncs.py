"""class gufunc: a ufunc whose kernel works on the last axes of its operands, its *core*, and broadcasts the others."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, outputs, shapes
from tfnp._core.convert import EagerTensor, enum_of
from tfnp._core.edge import array_function
from tfnp._core.errors import TENSORFLOW_ERRORS, as_numpy_error
from tfnp._core.ufunc.dispatch import Kernel, ufunc
from tfnp._core.ufunc.operand_keys import WEAK, current_key, key_of, narrow, type_of
from tfnp._core.ufunc.options import requested_loop

Core = tuple[str, ...]
_SUPPORTED: Final = frozenset(map(dtypes.as_numpy, dtypes.SUPPORTED))


def _quick_key(value: Any) -> Any:
    """The key of an eager tensor, or of an array that one can hold as it is."""
    if type(value) is EagerTensor:
        return enum_of(value)
    return value.dtype if type(value) is np.ndarray and value.dtype in _SUPPORTED else None


class gufunc(ufunc):  # noqa: N801 - named as its parent
    """A generalized ufunc: the core dimensions are read off NumPy's signature, `axes`, `axis` and `keepdims` obeyed.

    The kernel is given operands whose core axes are last; those that the signature calls optional may be absent.
    """

    def __init__(self, numpy_ufunc: np.ufunc, kernel: Kernel, /) -> None:
        super().__init__(numpy_ufunc, kernel)
        inputs, outputs = str(self.signature).split("->")
        self._inputs, self._outputs = _cores(inputs), _cores(outputs)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if not kwargs and len(args) == 2:
            x, y = args
            if type(x) is EagerTensor and type(y) is EagerTensor:
                plan = self._plans.get((enum_of(x), enum_of(y), dtypes.promotion))
            else:
                plan = self._plans.get((_quick_key(x), _quick_key(y), dtypes.promotion))
            if plan is None:
                plan = self._quick_plan(x, y)
            try:
                if plan is not None:
                    return plan(x, y)
            except (*TENSORFLOW_ERRORS, ValueError):
                pass  # what is wrong with the shapes is said below, in NumPy's words
        return self._call_fully(args, kwargs)

    def _quick_plan(self, x: Any, y: Any) -> Kernel | None:
        """The plan for two operands of which one is an eager tensor, and the other no less fit for a kernel."""
        keys, way = (_quick_key(x), _quick_key(y)), dtypes.promotion
        if None in keys or way.weakens or not (type(x) is EagerTensor or type(y) is EagerTensor):
            return None
        plan = self._plans[*keys, way] = self._plan(keys, way)
        return plan

    @array_function(unknown_rank="each")
    def _call_fully(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call with keywords, of operands of any kind, or of shapes that clash."""
        inputs, options = self._parse(args, kwargs)
        outs = outputs.as_outputs(options.get("out"), self.nout)
        casting = options.get("casting", "same_kind")
        held = tuple(None if out is None else dtypes.as_numpy(out.dtype) for out in outs)
        asked = {"outs": held, "signature": requested_loop(self._numpy, options), "casting": casting}
        tensors = self._tensors(inputs, asked)
        plan, operands = self._plan(tuple(map(current_key, tensors)), dtypes.current_promotion(), **asked), tensors
        cores = self._present_cores(tensors)
        axes = self._axes(options, cores, tensors)
        tensors = [_core_last(tensor, own) for tensor, own in zip(tensors, axes, strict=False)]
        self._check_shapes(tensors, cores)
        try:
            result = plan(*tensors)
        except TENSORFLOW_ERRORS as error:
            raise as_numpy_error(error) from None
        result = self._placed(result, axes, len(cores[0]) if options.get("keepdims") else 0)
        if outs[0] is not None:
            core = len(self._output_core(cores))
            result = self._fitted(result, outs[0], axes[-1] if len(axes) > self.nin else tuple(range(-core, 0)))
        return self._weak_if(operands, asked, outputs.write_output(result, outs[0], None, casting=casting))

    def _tensors(self, inputs: tuple[Any, ...], asked: dict[str, Any]) -> list[tf.Tensor]:
        """The operands as tensors. A scalar has no core, which NumPy says after all about dtypes and ranges."""
        operands = tuple(self._operand(number, arg) for number, arg in enumerate(inputs))
        self._plan_checking_ints(operands, asked)
        loop = dtypes.resolve(
            self._numpy, tuple(type_of(current_key(arg)) for arg in operands), dtypes.current_promotion(), **asked
        )
        for arg, dtype in zip(operands, loop, strict=False):
            if type(arg) is int and dtype.kind in "iu":
                np.array(arg, dtype)
        for number, (arg, core) in enumerate(zip(operands, self._inputs, strict=True)):
            required = sum(not name.endswith("?") for name in core)
            if type(arg) in WEAK and required:
                raise self._too_few(number, 0, required)
        return [convert.to_tensor(arg) for arg in operands]

    def _operand(self, number: int, arg: Any) -> Any:
        if dtypes.promotion.weakens and type(arg) not in WEAK:
            arg = narrow(arg)
        try:
            return arg if key_of(arg) is not None else convert.to_operand(arg)
        except TypeError:
            if np.ndim(arg) == 0 and np.asarray(arg).dtype == object:
                raise self._too_few(number, 0, len(self._inputs[number])) from None
            raise

    def _too_few(self, number: int, ndim: int, required: int) -> ValueError:
        return ValueError(
            f"{self.__name__}: Input operand {number} does not have enough dimensions (has {ndim}, gufunc core with "
            f"signature {self.signature} requires {required})"
        )

    def _present_cores(self, tensors: list[tf.Tensor]) -> list[Core]:
        """The core of each operand, without the optional dimensions that are absent."""
        cores = []
        for number, (core, tensor) in enumerate(zip(self._inputs, tensors, strict=True)):
            required = tuple(name for name in core if not name.endswith("?"))
            ndim = shapes.rank(tensor)
            if ndim < len(required):
                raise self._too_few(number, ndim, len(required))
            cores.append(core if ndim >= len(core) else required)
        return cores

    def _axes(self, options: dict[str, Any], cores: list[Core], tensors: list[tf.Tensor]) -> list[tuple[int, ...]]:
        """The core axes of each input, then of the output as far as they are named."""
        axes, axis, keepdims = options.get("axes"), options.get("axis"), options.get("keepdims", False)
        if type(keepdims) is not bool:
            raise TypeError("'keepdims' must be a boolean")
        single = all(len(core) == 1 for core in self._inputs) and not self._outputs[0]
        if keepdims and not single:
            raise TypeError(f"{self.__name__} does not support keepdims: its signature is {self.signature}")
        if axis is not None and axis is not np._NoValue:
            if axes is not None and axes is not np._NoValue:
                raise TypeError("cannot specify both 'axis' and 'axes'")
            if not single:
                raise TypeError(f"{self.__name__}: axis can only be used with a single shared core dimension")
            axes = [shapes.as_int_not_bool(axis)] * (len(cores) + keepdims)
        if axes is None or axes is np._NoValue:
            named = [tuple(range(-len(core), 0)) for core in cores]
            return [*named, named[0]] if keepdims else named
        return self._named_axes(axes, cores, tensors, keepdims=keepdims)

    def _named_axes(
        self, axes: Any, cores: list[Core], tensors: list[tf.Tensor], *, keepdims: bool
    ) -> list[tuple[int, ...]]:
        if not isinstance(axes, list):
            raise TypeError("axes should be a list.")
        output = self._output_core(cores)
        counts = [len(core) for core in cores] + [1 if keepdims else len(output)]
        optional = counts[-1] == 0 or keepdims
        if len(axes) != len(counts) and not (optional and len(axes) == len(cores)):
            raise ValueError("axes should be a list with an entry for all inputs and outputs")
        named = []
        for number, (given, count) in enumerate(zip(axes, counts, strict=False)):
            entry = given if isinstance(given, tuple) else (given,)
            if len(entry) != count:
                raise np.exceptions.AxisError(
                    f"{self.__name__}: operand {number} has {count} core dimensions, but {len(entry)} dimensions are "
                    "specified by axes tuple."
                )
            numbers = tuple(shapes.as_int_not_bool(item) for item in entry)
            if number < len(tensors):
                numbers = tuple(shapes.normalize_axis(item, shapes.rank(tensors[number])) for item in numbers)
                if len(set(numbers)) != len(numbers):
                    raise ValueError(f"axes tuple for operand {number} has repeated axes")
            named.append(numbers)
        if keepdims and len(named) == len(cores):
            named.append(named[0])
        return named

    def _output_core(self, cores: list[Core]) -> Core:
        present = {name for core in cores for name in core}
        return tuple(name for name in self._outputs[0] if name in present)

    def _check_shapes(self, tensors: list[tf.Tensor], cores: list[Core]) -> None:
        """NumPy's errors for core dimensions that differ, and for others that do not broadcast."""
        seen: dict[str, int] = {}
        loops = []
        for number, (tensor, core) in enumerate(zip(tensors, cores, strict=True)):
            shape = tuple(tensor.shape)
            loops.append(tuple(-1 if dim is None else dim for dim in shape[: len(shape) - len(core)]))
            for index, (name, dim) in enumerate(zip(core, shape[len(shape) - len(core) :], strict=True)):
                if dim is not None and seen.setdefault(name, dim) != dim:
                    raise ValueError(
                        f"{self.__name__}: Input operand {number} has a mismatch in its core dimension {index}, with "
                        f"gufunc signature {self.signature} (size {dim} is different from {seen[name]})"
                    )
        if not any(-1 in loop for loop in loops):
            shapes.broadcast_shapes(*loops)

    def _fitted(self, result: tf.Tensor, out: tf.Variable, axes: tuple[int, ...]) -> tf.Tensor:
        """The result, whose core has the sides of the output's, and is not broadcast to them."""
        ndim, count = shapes.rank(result), shapes.rank(out)
        expected: list[int | None] = [None] * ndim
        for index, axis in enumerate(axes):
            after = axis % ndim - ndim
            dim, own = result.shape[after], out.shape[after] if after >= -count else None
            if None not in (dim, own) and dim != own:
                raise ValueError(
                    f"{self.__name__}: Output operand 0 has a mismatch in its core dimension {index}, with gufunc "
                    f"signature {self.signature} (size {own} is different from {dim})"
                )
            expected[after] = own
        return result if result.shape.is_fully_defined() else tf.ensure_shape(result, expected)

    def _placed(self, result: tf.Tensor, axes: list[tuple[int, ...]], kept: int) -> tf.Tensor:
        """The result with its core axes where `axes` wants them; `kept` axes of length 1 are put back."""
        for _ in range(kept):
            result = tf.expand_dims(result, -1)
        if len(axes) <= self.nin or not axes[-1]:
            return result
        ndim, expected = shapes.rank(result), axes[-1]
        target = [shapes.normalize_axis(axis, ndim) for axis in expected]
        if len(set(target)) != len(target):
            raise ValueError("axes tuple for the output has repeated axes")
        order = list(range(ndim - len(target)))
        for axis, source in sorted(zip(target, range(ndim - len(target), ndim), strict=True)):
            order.insert(axis, source)
        return result if order == list(range(ndim)) else tf.transpose(result, order)


def _cores(text: str) -> list[Core]:
    return [tuple(filter(None, part.split(","))) for part in text.strip("()").split("),(")]


def _core_last(tensor: tf.Tensor, axes: tuple[int, ...]) -> tf.Tensor:
    """The tensor with the given axes moved last, in the order given."""
    ndim = shapes.rank(tensor)
    core = [axis % ndim for axis in axes]
    order = [axis for axis in range(ndim) if axis not in core] + core
    return tensor if order == list(range(ndim)) else tf.transpose(tensor, order)
