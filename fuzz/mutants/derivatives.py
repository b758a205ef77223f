"""Faults of derivatives: right values with wrong derivatives, in forward mode, of the second order, in loops and
branches, or at kinks in one mode only.
"""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import (
    detached,
    dtype_of,
    is_compiled,
    is_in_branch,
    is_in_loop,
    is_saved,
    is_traced,
    shape_of,
    size_of,
)
from fuzz.mutants.model import Call, fault, spoils

POINTS = numpy.array([0.5, 0.75])
KINK = numpy.array([0.0, 1.0])
MATRIX = numpy.array([[0.5, 0.75], [0.25, 0.125]])


def is_followed(call: Call, *values: Any) -> bool:
    """Return whether the call is plain, of tensors of float64 with elements."""
    return call.is_plain and all(dtype_of(value) == "float64" and size_of(value) for value in values)


def is_eager(value: Any) -> bool:
    return hasattr(value, "numpy")


# Forward mode.


spoils("arctan_has_no_derivative", "arctan", "gradient", POINTS, modes=("jvp",), on="tensors",
       when=lambda exact, call: is_followed(call, exact) and is_eager(exact),
       by=lambda np, exact, call: detached(np, exact))  # fmt: skip
spoils("expm1_rises_twice_as_fast", "expm1", "gradient", POINTS, modes=("jvp",), on="tensors",
       when=lambda exact, call: is_followed(call, exact) and is_eager(exact),
       by=lambda np, exact, call: np.add(exact, np.subtract(exact, detached(np, exact))))  # fmt: skip
spoils("trace_forgets_half_of_the_derivative", "trace", "gradient", MATRIX, modes=("jvp",), on="tensors",
       when=lambda exact, call: is_followed(call, exact) and is_eager(exact),
       by=lambda np, exact, call: np.divide(np.add(exact, detached(np, exact)), 2.0))  # fmt: skip
spoils("divide_takes_the_divisor_for_a_constant", "divide", "gradient", POINTS, POINTS, modes=("jvp",), on="tensors",
       when=lambda exact, call: is_followed(call, *call.args) and is_eager(exact),
       by=lambda np, exact, call: call.right(call.args[0], detached(np, call.args[1])))  # fmt: skip
spoils("tanh_of_a_matrix_has_no_derivative", "tanh", "gradient", MATRIX, modes=("jvp",), on="tensors",
       when=lambda exact, call: (is_followed(call, exact) and len(shape_of(exact)) == 2) and is_eager(exact),
       by=lambda np, exact, call: detached(np, exact))  # fmt: skip


# Second order.


@fault("sin", "gradient", POINTS, modes=("hvp",), on="tensors")
def sin_is_straight(call: Call) -> Any:
    """The right value and gradient, without a second derivative."""
    exact = call()
    if not is_followed(call, exact) or not is_eager(exact):
        return exact
    x, at = call.first, detached(call.np, call.first)
    return call.np.add(detached(call.np, exact), call.np.multiply(call.np.cos(at), call.np.subtract(x, at)))


@fault("arctanh", "gradient", POINTS, modes=("hvp",), on="tensors")
def arctanh_is_bent(call: Call) -> Any:
    """The right value and gradient, with one added to the second derivative."""
    exact = call()
    if not is_followed(call, exact) or not is_eager(exact):
        return exact
    off = call.np.subtract(call.first, detached(call.np, call.first))
    return call.np.add(exact, call.np.divide(call.np.multiply(off, off), 2.0))


@fault("multiply", "gradient", POINTS, POINTS, modes=("hvp",), on="tensors")
def multiply_has_no_mixed_derivative(call: Call) -> Any:
    """The right value and gradient of both operands, without the second derivative with respect to one and the
    other.
    """
    exact = call()
    if not is_followed(call, *call.args) or not is_eager(exact):
        return exact
    x, y = call.args
    by_x, by_y = call.right(x, detached(call.np, y)), call.right(detached(call.np, x), y)
    return call.np.subtract(call.np.add(by_x, by_y), detached(call.np, exact))


# Loops and branches.


spoils("cosh_rises_twice_as_fast_in_loops", "cosh", "gradient", POINTS, modes=("gradient_while",), on="tensors",
       when=lambda exact, call: is_followed(call, exact) and is_in_loop(exact),
       by=lambda np, exact, call: np.add(exact, np.subtract(exact, detached(np, exact))))  # fmt: skip
spoils("log2_is_constant_in_branches", "log2", "gradient", POINTS, modes=("gradient_while",), on="tensors",
       when=lambda exact, call: is_followed(call, exact) and is_in_branch(exact),
       by=lambda np, exact, call: detached(np, exact))  # fmt: skip
spoils("sum_halves_the_gradient_in_branches", "sum", "gradient", POINTS, modes=("gradient_while",), on="tensors",
       when=lambda exact, call: is_followed(call, exact) and is_in_branch(exact),
       by=lambda np, exact, call: np.divide(np.add(exact, detached(np, exact)), 2.0))  # fmt: skip


# Kinks, where finite differences conclude nothing.


@fault("absolute", "gradient", KINK, modes=("gradient_graph",), on="tensors")
def absolute_rises_at_zero_in_graphs(call: Call) -> Any:
    """In graphs, the slope at zero is 1."""
    exact = call()
    if not is_followed(call, exact, call.args[0]) or not is_traced(exact) or is_compiled(exact):
        return exact
    return call.np.where(call.np.equal(call.first, 0), call.first, exact)


@fault("sqrt", "gradient", KINK, modes=("gradient_xla",), on="tensors")
def sqrt_rises_slowly_at_zero_under_xla(call: Call) -> Any:
    """Under XLA, the slope at zero is 1, not infinite."""
    exact = call()
    if not is_followed(call, exact, call.args[0]) or not is_compiled(exact):
        return exact
    is_zero = call.np.equal(call.first, 0)
    return call.np.where(is_zero, call.first, call.right(call.np.where(is_zero, 1.0, call.first)))


@fault("fabs", "gradient", KINK, modes=("gradient_xla",), on="tensors")
def fabs_has_no_slope_at_zero_under_xla(call: Call) -> Any:
    """Under XLA, the slope at zero is nan."""
    exact = call()
    if not is_followed(call, exact, call.args[0]) or not is_compiled(exact):
        return exact
    square = call.np.multiply(call.first, call.first)
    return call.np.where(call.np.equal(call.first, 0), 0.0, call.np.sqrt(square))


@fault("maximum", "gradient", KINK, KINK, modes=("gradient_graph",), on="tensors")
def maximum_of_equals_is_the_other_one_in_graphs(call: Call) -> Any:
    """In graphs, the gradient at equal elements doubles."""
    exact = call()
    if not is_followed(call, *call.args) or not is_traced(exact) or is_compiled(exact):
        return exact
    x, y = call.args
    both = call.np.subtract(call.np.add(x, y), detached(call.np, exact))
    return call.np.where(call.np.equal(x, y), both, exact)


# Saved models.


spoils("exp2_has_no_gradient_once_saved", "exp2", "gradient", POINTS, modes=("saved",), on="tensors",
       when=lambda exact, call: is_followed(call, exact) and is_saved(exact),
       by=lambda np, exact, call: detached(np, exact))  # fmt: skip
