"""Class gufunc: a ufunc with core dimensions, the last axes of its operands; the other axes broadcast."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, outputs, shapes
from tfnp._core.eager_tensors import EagerTensor, enum_of
from tfnp._core.edge import array_function
from tfnp._core.errors import TENSORFLOW_ERRORS, as_numpy_error
from tfnp._core.ufunc.dispatch import Kernel, ufunc
from tfnp._core.ufunc.operand_keys import WEAK, current_key, key_of, narrow, type_of
from tfnp._core.ufunc.options import requested_loop

Core = tuple[str, ...]
_SUPPORTED: Final = frozenset(map(dtypes.as_numpy, dtypes.SUPPORTED))


def _quick_key(value: Any) -> Any:
    """Return the key of an eager tensor, or of an array of a supported dtype and byte order; None for others."""
    if type(value) is EagerTensor:
        return enum_of(value)
    return value.dtype if type(value) is np.ndarray and value.dtype in _SUPPORTED else None


class gufunc(ufunc):  # noqa: N801 - named as its parent
    """A generalized ufunc, with the core dimensions of NumPy's signature, and `axes`, `axis` and `keepdims`.

    The core axes of the kernel's operands are last; those that are optional in the signature may be absent.
    """

    def __init__(self, numpy_ufunc: np.ufunc, kernel: Kernel, /) -> None:
        super().__init__(numpy_ufunc, kernel)
        inputs, outputs = str(self.signature).split("->")
        self._inputs, self._outputs = _parse_cores(inputs), _parse_cores(outputs)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if not kwargs and len(args) == 2:
            x, y = args
            if type(x) is EagerTensor and type(y) is EagerTensor:
                plan = self._plans.get((enum_of(x), enum_of(y), dtypes.promotion))
            else:
                plan = self._plans.get((_quick_key(x), _quick_key(y), dtypes.promotion))
            if plan is None:
                plan = self._make_quick_plan(x, y)
            try:
                if plan is not None:
                    return plan(x, y)
            except (*TENSORFLOW_ERRORS, ValueError):
                pass  # `_call_fully` raises NumPy's error for shapes that do not match
        return self._call_fully(args, kwargs)

    def _make_quick_plan(self, x: Any, y: Any) -> Kernel | None:
        """Make the plan for two operands, of which one is an eager tensor and the other one or an array."""
        keys, promotion = (_quick_key(x), _quick_key(y)), dtypes.promotion
        if None in keys or promotion.weakens or not (type(x) is EagerTensor or type(y) is EagerTensor):
            return None
        plan = self._plans[*keys, promotion] = self._make_plan(keys, promotion)
        return plan

    @array_function(unknown_rank="each")
    def _call_fully(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call with keywords, with operands of any type, or with shapes that do not match."""
        inputs, options = self._parse(args, kwargs)
        outs = outputs.as_outputs(options.get("out"), self.nout)
        casting = options.get("casting", "same_kind")
        out_dtypes = tuple(None if out is None else dtypes.as_numpy(out.dtype) for out in outs)
        requested = {"outs": out_dtypes, "signature": requested_loop(self._numpy_ufunc, options), "casting": casting}
        tensors = self._convert_to_tensors(inputs, requested)
        plan, operands = (
            self._make_plan(tuple(map(current_key, tensors)), dtypes.current_promotion(), **requested),
            tensors,
        )
        cores = self._find_cores(tensors)
        axes = self._resolve_axes(options, cores, tensors)
        tensors = [_move_core_last(tensor, core) for tensor, core in zip(tensors, axes, strict=False)]
        self._check_shapes(tensors, cores)
        try:
            result = plan(*tensors)
        except TENSORFLOW_ERRORS as error:
            raise as_numpy_error(error) from None
        result = self._move_core_axes(result, axes, len(cores[0]) if options.get("keepdims") else 0)
        if outs[0] is not None:
            ndim = len(self._find_output_core(cores))
            result = self._check_out(result, outs[0], axes[-1] if len(axes) > self.nin else tuple(range(-ndim, 0)))
        return self._weaken_like_inputs(
            operands, requested, outputs.write_output(result, outs[0], None, casting=casting)
        )

    def _convert_to_tensors(self, inputs: tuple[Any, ...], requested: dict[str, Any]) -> list[tf.Tensor]:
        """Convert the operands to tensors. Like NumPy, report wrong dtypes before scalars without core dimensions."""
        operands = tuple(self._convert_operand(index, arg) for index, arg in enumerate(inputs))
        self._make_checked_plan(operands, requested)
        loop = dtypes.resolve(
            self._numpy_ufunc,
            tuple(type_of(current_key(arg)) for arg in operands),
            dtypes.current_promotion(),
            **requested,
        )
        for arg, dtype in zip(operands, loop, strict=False):
            if type(arg) is int and dtype.kind in "iu":
                np.array(arg, dtype)
        for index, (arg, core) in enumerate(zip(operands, self._inputs, strict=True)):
            required = sum(not name.endswith("?") for name in core)
            if type(arg) in WEAK and required:
                raise self._missing_core_error(index, 0, required)
        return [convert.to_tensor(arg) for arg in operands]

    def _convert_operand(self, index: int, arg: Any) -> Any:
        if dtypes.promotion.weakens and type(arg) not in WEAK:
            arg = narrow(arg)
        try:
            return arg if key_of(arg) is not None else convert.to_operand(arg)
        except TypeError:
            if np.ndim(arg) == 0 and np.asarray(arg).dtype == object:
                raise self._missing_core_error(index, 0, len(self._inputs[index])) from None
            raise

    def _missing_core_error(self, index: int, ndim: int, required: int) -> ValueError:
        return ValueError(
            f"{self.__name__}: Input operand {index} does not have enough dimensions (has {ndim}, gufunc core with "
            f"signature {self.signature} requires {required})"
        )

    def _find_cores(self, tensors: list[tf.Tensor]) -> list[Core]:
        """Return the core of each operand, without the optional dimensions that are absent."""
        cores = []
        for index, (core, tensor) in enumerate(zip(self._inputs, tensors, strict=True)):
            required = tuple(name for name in core if not name.endswith("?"))
            ndim = shapes.rank(tensor)
            if ndim < len(required):
                raise self._missing_core_error(index, ndim, len(required))
            cores.append(core if ndim >= len(core) else required)
        return cores

    def _resolve_axes(
        self, options: dict[str, Any], cores: list[Core], tensors: list[tf.Tensor]
    ) -> list[tuple[int, ...]]:
        """Return the core axes of each input, then of the output if they are specified."""
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
            defaults = [tuple(range(-len(core), 0)) for core in cores]
            return [*defaults, defaults[0]] if keepdims else defaults
        return self._check_axes(axes, cores, tensors, keepdims=keepdims)

    def _check_axes(
        self, axes: Any, cores: list[Core], tensors: list[tf.Tensor], *, keepdims: bool
    ) -> list[tuple[int, ...]]:
        if not isinstance(axes, list):
            raise TypeError("axes should be a list.")
        output = self._find_output_core(cores)
        counts = [len(core) for core in cores] + [1 if keepdims else len(output)]
        optional = counts[-1] == 0 or keepdims
        if len(axes) != len(counts) and not (optional and len(axes) == len(cores)):
            raise ValueError("axes should be a list with an entry for all inputs and outputs")
        result = []
        for operand, (entry_value, count) in enumerate(zip(axes, counts, strict=False)):
            entry = entry_value if isinstance(entry_value, tuple) else (entry_value,)
            if len(entry) != count:
                raise np.exceptions.AxisError(
                    f"{self.__name__}: operand {operand} has {count} core dimensions, but {len(entry)} dimensions are "
                    "specified by axes tuple."
                )
            entry_axes = tuple(shapes.as_int_not_bool(item) for item in entry)
            if operand < len(tensors):
                entry_axes = tuple(shapes.normalize_axis(item, shapes.rank(tensors[operand])) for item in entry_axes)
                if len(set(entry_axes)) != len(entry_axes):
                    raise ValueError(f"axes tuple for operand {operand} has repeated axes")
            result.append(entry_axes)
        if keepdims and len(result) == len(cores):
            result.append((-1,))  # as in NumPy, which moves the kept dimension only where `axes` names it
        return result

    def _find_output_core(self, cores: list[Core]) -> Core:
        present = {name for core in cores for name in core}
        return tuple(name for name in self._outputs[0] if name in present)

    def _check_shapes(self, tensors: list[tf.Tensor], cores: list[Core]) -> None:
        """Raise NumPy's errors for core dimensions that differ, and for others that do not broadcast."""
        seen: dict[str, int] = {}
        loops = []
        for operand, (tensor, core) in enumerate(zip(tensors, cores, strict=True)):
            shape = tuple(tensor.shape)
            loops.append(tuple(-1 if dim is None else dim for dim in shape[: len(shape) - len(core)]))
            for index, (name, dim) in enumerate(zip(core, shape[len(shape) - len(core) :], strict=True)):
                if dim is not None and seen.setdefault(name, dim) != dim:
                    raise ValueError(
                        f"{self.__name__}: Input operand {operand} has a mismatch in its core dimension {index}, with "
                        f"gufunc signature {self.signature} (size {dim} is different from {seen[name]})"
                    )
        if not any(-1 in loop for loop in loops):
            shapes.broadcast_shapes(*loops)

    def _check_out(self, result: tf.Tensor, out: tf.Variable, axes: tuple[int, ...]) -> tf.Tensor:
        """Check that the core dimensions of the result are those of `out`: they do not broadcast. Return the result."""
        ndim, out_ndim = shapes.rank(result), shapes.rank(out)
        expected: list[int | None] = [None] * ndim
        for index, axis in enumerate(axes):
            from_end = axis % ndim - ndim
            dim, out_dim = result.shape[from_end], out.shape[from_end] if from_end >= -out_ndim else None
            if None not in (dim, out_dim) and dim != out_dim:
                raise ValueError(
                    f"{self.__name__}: Output operand 0 has a mismatch in its core dimension {index}, with gufunc "
                    f"signature {self.signature} (size {out_dim} is different from {dim})"
                )
            expected[from_end] = out_dim
        return result if result.shape.is_fully_defined() else tf.ensure_shape(result, expected)

    def _move_core_axes(self, result: tf.Tensor, axes: list[tuple[int, ...]], added: int) -> tf.Tensor:
        """Move the core axes of the result to where `axes` specifies them, after `added` axes of length 1."""
        for _ in range(added):
            result = tf.expand_dims(result, -1)
        if len(axes) <= self.nin or not axes[-1]:
            return result
        ndim = shapes.rank(result)
        target = [shapes.normalize_axis(axis, ndim) for axis in axes[-1]]
        if len(set(target)) != len(target):
            raise ValueError("axes tuple for the output has repeated axes")
        order = list(range(ndim - len(target)))
        for axis, source in sorted(zip(target, range(ndim - len(target), ndim), strict=True)):
            order.insert(axis, source)
        return result if order == list(range(ndim)) else tf.transpose(result, order)


def _parse_cores(text: str) -> list[Core]:
    """Return the names of the core dimensions of each operand in one half of a signature."""
    return [tuple(filter(None, part.split(","))) for part in text.strip("()").split("),(")]


def _move_core_last(tensor: tf.Tensor, axes: tuple[int, ...]) -> tf.Tensor:
    """Move axes last, in their order."""
    ndim = shapes.rank(tensor)
    core = [axis % ndim for axis in axes]
    order = [axis for axis in range(ndim) if axis not in core] + core
    return tensor if order == list(range(ndim)) else tf.transpose(tensor, order)
