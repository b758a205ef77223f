"""Operators of arrays: those of tensors on lowered operands, and in-place ones that write to the left operand."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tfnp import ndim
from tfnp._core.eager_tensors import executing_eagerly
from tfnp._methods import EVERYWHERE
from tfnp.numpy import arrays, counters, in_memory
from tfnp.numpy.arrays import Array, Public
from tfnp.numpy.floating_errors import Settings, report_errors
from tfnp.numpy.lifting import lift, lift_array, lower
from tfnp.numpy.numpy_calls import apply_numpy_operator, is_unsupported, says_unsupported
from tfnp.numpy.policy import Policy
from tfnp.numpy.products import multiply_full
from tfnp.numpy.selections import SelectedStorage, calculate, find_selection
from tfnp.numpy.subclasses import Subclasses, find_prototype, wrap_result
from tfnp.numpy.ufuncs import defer, find_override, ufunc

Operator = Callable[..., Any]
_MATRICES: Final = frozenset(("__matmul__", "__rmatmul__", "__imatmul__"))
_MATRIX_RANK: Final = 2
_UFUNCS: Final[dict[str, Any]] = {
    "abs": np.absolute,
    "add": np.add,
    "and": np.bitwise_and,
    "divmod": np.divmod,
    "eq": np.equal,
    "floordiv": np.floor_divide,
    "ge": np.greater_equal,
    "gt": np.greater,
    "invert": np.invert,
    "le": np.less_equal,
    "lshift": np.left_shift,
    "lt": np.less,
    "matmul": np.matmul,
    "mod": np.remainder,
    "mul": np.multiply,
    "ne": np.not_equal,
    "neg": np.negative,
    "or": np.bitwise_or,
    "pos": np.positive,
    "pow": np.power,
    "rshift": np.right_shift,
    "sub": np.subtract,
    "truediv": np.divide,
    "xor": np.bitwise_xor,
}
"""NumPy's ufuncs by the names of operators."""
_ARITHMETIC: Final = frozenset((int, float, complex, bool, np.ndarray))


def unary(name: str) -> Operator:
    """Return an operator of one operand."""
    operate, numpy_operator = EVERYWHERE[name], getattr(np.ndarray, name)

    def apply(self: Array, /) -> Any:
        known = in_memory.calculate(numpy_operator, (self,))
        if known is not arrays.UNKNOWN:
            return known
        if SelectedStorage.are_used:
            selected = calculate(operate, (self,))
            if selected is not None:
                return self._finalize(arrays.of_storage(Public.ndarray, selected))
        if Subclasses.are_used and find_prototype((self,)) is not None:
            return _call_of_subclasses(operate, name, (self,))
        result = lift(operate(self.tensor()))
        if self._weak is None or not isinstance(result, Array) or self._weak is bool:
            return result
        return counters.mark(arrays.weaken(result, self._weak), counters.combine_one(name, self))

    return _set_name(apply, name)


def binary(name: str) -> Operator:
    """Return an operator of two operands, of which the array is the left one, or the right one if it is reflected."""
    operate, numpy_operator = EVERYWHERE[name], getattr(np.ndarray, name)

    def apply(self: Array, other: Any, /) -> Any:
        known = in_memory.calculate(numpy_operator, (self, other))
        if known is not arrays.UNKNOWN:
            return known
        if name == "__matmul__" and not executing_eagerly():
            product = multiply_full(self, other)
            if product is not None:
                return product
        if SelectedStorage.are_used and name not in _MATRICES:
            selected = calculate(operate, (self, other))
            if selected is not None:
                return self._finalize(arrays.of_storage(Public.ndarray, selected))
        if Subclasses.are_used and find_prototype((self, other)) is not None:
            return _call_of_subclasses(operate, name, (self, other))
        if arrays.Weak.are_used:
            is_weak = arrays.is_weak(self) and arrays.is_weak(other)
            if is_weak or arrays.is_weak(self) or isinstance(other, Array):
                return counters.mark(
                    _call_of_weak(apply_to_tensors, is_weak, self, other), counters.combine(name, self, other)
                )
        return apply_to_tensors(self, other)

    def apply_to_tensors(self: Array, other: Any, /) -> Any:
        if type(other) not in _ARITHMETIC:
            if isinstance(other, Array):
                other = other.tensor()
            elif find_override((other,)) is not None:
                return NotImplemented
            else:
                if executing_eagerly() and is_unsupported(other):
                    return apply_numpy_operator(name, self, other)
                other = lower(other)
        if Settings.is_changed:
            report_errors(getattr(np.ndarray, name), (self, other))
        try:
            result = operate(self.tensor(), other)
        except TypeError as error:
            if not executing_eagerly() or not says_unsupported(error):
                raise
            return apply_numpy_operator(name, self, other)
        return result if result is NotImplemented else lift(result)

    return _set_name(apply, name)


def _call_of_weak(operate: Operator, is_weak: bool, x: Array, y: Any) -> Any:
    """Apply an operator to arrays of which one may stand for a Python number; so does the result if both do."""
    result = operate(*arrays.cast_weak((x, y)))
    if is_weak and isinstance(result, Array) and result.dtype.kind in "if":
        return arrays.weaken(result, int if result.dtype.kind == "i" else float)
    return result


def _call_of_subclasses(operate: Operator, name: str, operands: tuple[Any, ...]) -> Any:
    """Apply an operator to operands of which one is of a subclass: it may override the ufunc, and wraps the result."""
    numpy_ufunc, is_reflected = _find_ufunc(name)
    override = find_override(operands)
    if override is not None:
        if getattr(type(override), "__array_ufunc__", None) is None or not isinstance(override, Array):
            return NotImplemented
        return defer(numpy_ufunc, "__call__", override, operands[:: -1 if is_reflected else 1], {})
    result = operate(*map(lower, operands))
    context = (numpy_ufunc, operands[:: -1 if is_reflected else 1], 0)
    if result is NotImplemented:
        return result
    return wrap_result(lift_array(result), find_prototype(operands), context, may_be_scalar=True)


def _find_ufunc(name: str) -> tuple[Any, bool]:
    """Return NumPy's ufunc of an operator, and whether the operator is reflected."""
    operation = name.strip("_")
    is_reflected = operation not in _UFUNCS
    return _UFUNCS[operation[1:] if is_reflected else operation], is_reflected


def comparison(name: str, of_none: bool) -> Operator:
    """Return `==` or `!=`. None is compared with each element, as in NumPy."""
    compare = binary(name)

    def apply(self: Array, other: Any, /) -> Any:
        if other is None:
            result = np.full(self.shape, of_none)
            return self._finalize(arrays.of_memory(Public.ndarray, result)) if result.ndim else result[()]
        return compare(self, other)

    return _set_name(apply, name)


def power(name: str) -> Operator:
    """Return the operator `**`, without a third operand, the modulus."""
    raised = binary(name)

    def apply(self: Array, other: Any, mod: Any = None, /) -> Any:
        return raised(self, other) if mod is None else NotImplemented

    return _set_name(apply, name)


def product(name: str) -> Operator:
    """Return `*`. An array that stands for an integer scalar repeats lists, tuples and text, as NumPy's scalars do."""
    multiply = binary(name)

    def apply(self: Array, other: Any, /) -> Any:
        if self._is_scalar and isinstance(other, list | tuple | str | bytes) and self.dtype.kind in "iu":
            return other * operator.index(self)
        return multiply(self, other)

    return _set_name(apply, name)


def in_place(name: str, function: ufunc) -> Operator:
    """Return an operator that writes to the array, with NumPy's casting by the rule "same_kind".

    Where both operands are known and have no gradient, NumPy's own operator writes to the memory.
    """
    update = getattr(np.ndarray, name)

    def apply(self: Array, other: Any, /) -> Any:
        if self._is_scalar or (type(other) not in _ARITHMETIC and not isinstance(other, Array) and _defers(other)):
            return NotImplemented
        if not self._writeable:
            raise ValueError("output array is read-only")
        if Subclasses.are_used and isinstance(find_override((self, other)), Array):
            return defer(
                function._numpy_ufunc, "__call__", find_override((self, other)), (self, other), {"out": (self,)}
            )
        known = _read_operand(self, other)
        if known is not arrays.UNKNOWN:
            if Policy.counts is not None:
                in_memory.count_call(update, [self.memory(), known])
            update(self.memory_for_write(), known)
            return self
        if SelectedStorage.are_used and name not in _MATRICES:
            selected = calculate(function._function, (self, other))
            before = find_selection(self)
            if selected is not None and before is not None and selected.full.dtype == before.full.dtype:
                before.replace_elements(selected.full)
                return self
        if name in _MATRICES:
            _check_rank_of_product(self, other)
        if Settings.is_changed:
            report_errors(function._numpy_ufunc, (self, other))
        result = function._function(self.tensor(), lower(other))
        if _fits(result, self.tensor()):
            self.assign(result)
            return self
        return function(self, other, out=(self,))

    return _set_name(apply, name)


def _check_rank_of_product(array: Array, other: Any) -> None:
    """Raise NumPy's ValueError if `array @= other` changes the number of dimensions."""
    rank = ndim(lower(other))
    if array.ndim < 1 or (isinstance(rank, int) and rank < _MATRIX_RANK):
        raise ValueError(
            "inplace matrix multiplication requires the first operand to have at least one and the second at least two "
            "dimensions."
        )


def _read_operand(array: Array, other: Any) -> Any:
    """Return the other operand without tensors, if NumPy can update the array with it; UNKNOWN otherwise."""
    if not Policy.uses_numpy or not in_memory.promotes_as_numpy() or not executing_eagerly():
        return arrays.UNKNOWN
    if array.known_memory() is None and not (array.is_on_host() and array._storage.is_on_processor()):
        return arrays.UNKNOWN
    known = other if type(other) in _ARITHMETIC else arrays.to_host(other)
    return known if type(known) in _ARITHMETIC or isinstance(known, np.generic | list | tuple) else arrays.UNKNOWN


def _fits(result: Any, tensor: Any) -> bool:
    """Return whether a result has the dtype of a tensor, and, as far as a graph knows, its shape."""
    return bool(result.dtype == tensor.dtype and result.shape.is_compatible_with(tensor.shape))


def _defers(other: Any) -> bool:
    return getattr(type(other), "__array_ufunc__", ()) is None or find_override((other,)) is not None


def update_power(name: str, function: ufunc) -> Operator:
    """Return the operator `**=`."""
    raise_to = in_place(name, function)

    def apply(self: Array, other: Any, mod: Any = None, /) -> Any:
        return raise_to(self, other) if mod is None else NotImplemented

    return _set_name(apply, name)


def _set_name(operate: Operator, name: str) -> Operator:
    operate.__name__ = operate.__qualname__ = name
    return operate
