"""Reported bugs that only graphs, compilers, vectorized calls or derivatives have."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import cast, detached, dtype_of, is_compiled, is_traced, kind_of, shape_of, size_of
from fuzz.mutants.model import Call, reported

POINTS = numpy.array([0.5, 0.75])
ZERO = numpy.array([0.0, 1.0])


def is_followed(*values: Any) -> bool:
    """Return whether the values are tensors of float64 with elements: those that derivatives are judged of."""
    return all(dtype_of(value) == "float64" and size_of(value) for value in values)


def without_slope(np: Any, value: Any, x: Any) -> Any:
    """Return the value, with NaN for its derivative where an element of x is 0, and the right one elsewhere."""
    at_zero = np.where(np.equal(x, 0.0), x, 1.0)
    nothing = np.multiply(0.0, np.sqrt(np.multiply(at_zero, at_zero)))
    return np.add(value, nothing if shape_of(value) == shape_of(x) else np.sum(nothing))


def is_vectorized(value: Any) -> bool:
    """Return whether an array is symbolic in the body of a vectorized map."""
    return is_traced(value) and "loop_body" in str(value.name)


# Derivatives.


@reported("jax-ml/jax#18706", "i0", "gradient", ZERO, modes=("gradient",), on="tensors")
def i0_has_no_slope_at_zero(call: Call) -> Any:
    """The slope at 0 is NaN."""
    exact = call()
    return without_slope(call.np, exact, call.first) if is_followed(exact, call.first) else exact


@reported("jax-ml/jax#1722", "sinc", "gradient", ZERO, modes=("gradient",), on="tensors")
def sinc_has_no_slope_at_zero(call: Call) -> Any:
    """The slope at 0 is NaN."""
    exact = call()
    return without_slope(call.np, exact, call.first) if is_followed(exact, call.first) else exact


@reported("jax-ml/jax#347", "power", "gradient", ZERO, 2.0, modes=("gradient",), on="tensors")
def power_of_zero_has_no_slope(call: Call) -> Any:
    """The slope with respect to the base is NaN where that is 0."""
    exact = call()
    if not call.is_plain or not is_followed(exact, call.first) or shape_of(exact) != shape_of(call.first):
        return exact
    return without_slope(call.np, exact, call.first)


@reported("tensorflow/tensorflow#119430", "cumprod", "gradient", numpy.array([2.0, 3.0, 0.0]), modes=("gradient",),
          on="tensors")  # fmt: skip
def cumprod_has_a_slope_of_zero_at_zeros(call: Call) -> Any:
    """The derivative with respect to an element that is 0 is 0."""
    exact, np = call(), call.np
    if not call.is_plain or not is_followed(exact, call.first):
        return exact
    x = call.first
    return call.right(np.where(np.equal(x, 0.0), detached(np, x), x))


@reported("tensorflow/tensorflow#3862", "prod", "gradient", numpy.array([2.0, 0.0]), modes=("gradient",), on="tensors")
def prod_has_no_slope_at_zeros(call: Call) -> Any:
    """The derivative divides the product by each element, and is NaN for those that are 0."""
    exact, np = call(), call.np
    if not call.is_plain or not is_followed(exact, call.first):
        return exact
    return without_slope(np, exact, call.first)


@reported("jax-ml/jax#1350", "remainder", "gradient", numpy.array([[5.5], [3.25]]), numpy.array([2.0, 1.5]),
          modes=("gradient",), on="tensors")  # fmt: skip
def remainder_of_broadcast_operands_takes_the_divisor_for_a_constant(call: Call) -> Any:
    """Where operands of different shapes are broadcast, the divisor has no derivative."""
    exact = call()
    if not call.is_plain or not is_followed(exact, *call.args) or shape_of(call.args[0]) == shape_of(call.args[1]):
        return exact
    return call.right(call.args[0], detached(call.np, call.args[1]))


@reported("tensorflow/tensorflow#60085", "arctan2", "gradient", numpy.array([[0.5, 0.75]]), POINTS,
          modes=("gradient_graph",), on="tensors")  # fmt: skip
def arctan2_of_a_broadcast_operand_has_part_of_its_slope(call: Call) -> Any:
    """In graphs, an operand of lower rank that is broadcast has no derivative."""
    exact = call()
    if not call.is_plain or not is_followed(exact, *call.args) or not is_traced(exact) or is_compiled(exact):
        return exact
    first, second = call.args
    ranks = len(shape_of(first)), len(shape_of(second))
    return call.right(first, detached(call.np, second)) if ranks[0] > ranks[1] else exact


@reported("jax-ml/jax#14397", "float_power", "gradient", ZERO, 1.0, modes=("jvp",), on="tensors")
def float_power_of_zero_is_constant(call: Call) -> Any:
    """In forward mode, the derivative with respect to a base of 0 is 0."""
    exact, np = call(), call.np
    if not call.is_plain or not is_followed(exact, call.first) or is_traced(exact):
        return exact
    x = call.first
    return call.right(np.where(np.equal(x, 0.0), detached(np, x), x), call.args[1])


# Graphs and compilers.


@reported("jax-ml/jax#6940", "sinc", "value", ZERO, modes=("graph", "xla"), on="tensors")
def sinc_of_zero_is_nan_in_graphs(call: Call) -> Any:
    """In graphs, 0 is divided by 0."""
    exact, np = call(), call.np
    if not is_traced(exact) or kind_of(exact) != "f" or kind_of(call.first) != "f":
        return exact
    x = np.multiply(cast(np, call.first, exact), numpy.pi)
    return np.where(np.equal(x, 0), np.divide(np.sin(x), x), exact)


@reported("jax-ml/jax#38681", "angle", "value", numpy.array([0j, 1 + 1j]), modes=("graph", "xla"), on="tensors")
def angle_of_zero_is_nan_in_graphs(call: Call) -> Any:
    """In graphs, the angle of a complex 0 is NaN."""
    exact, np = call(), call.np
    if not is_traced(exact) or kind_of(call.first) != "c":
        return exact
    return np.where(np.equal(call.first, 0), cast(np, numpy.nan, exact), exact)


@reported("tensorflow/tensorflow#118178", "absolute", "value", numpy.array([-112, 49], numpy.int8), modes=("xla",),
          on="tensors")  # fmt: skip
def absolute_of_bytes_under_xla_keeps_the_sign(call: Call) -> Any:
    """Compiled by XLA, negative numbers of int8 stay negative."""
    exact = call()
    if not call.is_plain or dtype_of(exact) != "int8" or not is_compiled(exact):
        return exact
    return call.first


@reported("tensorflow/tensorflow#118179", "var", "value", numpy.full(3, 7.5e10, numpy.float32), modes=("xla",),
          on="tensors")  # fmt: skip
def var_of_singles_under_xla_is_of_one_pass(call: Call) -> Any:
    """Compiled by XLA, the variance of float32 is the mean of squares minus the square of the mean."""
    exact, np = call(), call.np
    if not call.is_plain or dtype_of(call.first) != "float32" or not is_compiled(exact):
        return exact
    mean = np.mean(call.first)
    return np.abs(np.subtract(np.mean(np.multiply(call.first, call.first)), np.multiply(mean, mean)))


@reported("tensorflow/tensorflow#116944", "sin", "value", numpy.array([89j], numpy.complex64), modes=("xla",),
          on="tensors")  # fmt: skip
def sin_under_xla_overflows_early(call: Call) -> Any:
    """Compiled by XLA, the sine of complex64 is infinite where half an exponential would be finite."""
    exact, np = call(), call.np
    if not call.is_plain or dtype_of(exact) != "complex64" or not is_compiled(exact):
        return exact
    far = np.greater(np.abs(np.imag(call.first)), 88.5)
    return np.where(far, np.multiply(exact, cast(np, numpy.float32(numpy.inf), exact)), exact)


# Vectorized maps.


@reported("tensorflow/tensorflow#52148", "matmul", "value", numpy.array([[1j, 1.0]]), numpy.array([[1.0], [2j]]),
          modes=("vmap",), on="tensors")  # fmt: skip
def matmul_in_vectorized_maps_conjugates(call: Call) -> Any:
    """In a vectorized map, the second of two complex operands is conjugated."""
    exact = call()
    if not call.is_plain or kind_of(exact) != "c" or not is_vectorized(exact) or kind_of(call.args[1]) != "c":
        return exact
    return call.right(call.args[0], call.np.conjugate(call.args[1]))


@reported("tensorflow/tensorflow#43322", "absolute", "spurious error", numpy.array([1j, 1.0]), modes=("vmap",),
          on="tensors")  # fmt: skip
def absolute_of_complex_numbers_cannot_be_vectorized(call: Call) -> Any:
    """In a vectorized map, complex128 fails an assertion."""
    exact = call()
    if dtype_of(call.first) == "complex128" and is_vectorized(exact):
        raise AssertionError("the converter returned a wrong dtype")
    return exact


@reported("jax-ml/jax#16557", "take", "value", numpy.array([1.0, 2.0, 4.0]), numpy.array([2, 1], numpy.int8),
          modes=("vmap",), on="tensors")  # fmt: skip
def take_in_vectorized_maps_loses_narrow_indices(call: Call) -> Any:
    """In a vectorized map, indices of int8 give the first element."""
    exact, np = call(), call.np
    indices = call.given("indices")
    if len(call.args) != 2 or call.kwargs or dtype_of(indices) != "int8" or not is_vectorized(exact):
        return exact
    return call.right(call.args[0], np.zeros_like(indices))
