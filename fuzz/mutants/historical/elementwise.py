"""Reported bugs of elementwise functions."""

from __future__ import annotations

import os
from typing import Any

import numpy

from fuzz.mutants.historical.form import formed, is_real, lacks_options
from fuzz.mutants.model import Call, reported

SMALL = numpy.array([6], numpy.int8), numpy.array([22], numpy.int8)
LEAST = numpy.array([-(2**31), 7], numpy.int32)
FAR = numpy.array([-1 - 101999j], numpy.complex64)


@reported("tensorflow/tensorflow#58955", "lcm", "value", *SMALL)
def lcm_overflows_in_the_product(call: Call) -> Any:
    """The product of the operands is taken first, and overflows in a narrow dtype."""
    exact, dtype = call(), numpy.asarray(call.args[0]).dtype
    if call.kwargs or len(call.args) != 2 or numpy.asarray(exact).dtype.kind not in "iu":
        return exact
    dtype = numpy.asarray(exact).dtype
    first, second = (numpy.asarray(one).astype(dtype) for one in call.operands)
    divisor = numpy.gcd(first, second)
    with numpy.errstate(all="ignore"):
        return formed(numpy.abs(first * second) // numpy.where(divisor == 0, 1, divisor), exact)


@reported("cupy/cupy#2059", "divide", "value", 1.0, numpy.array(500.0), keywords={"dtype": numpy.float64})
def divide_with_a_dtype_casts_to_bytes(call: Call) -> Any:
    """With `dtype`, the operands are first cast to int8."""
    exact = call()
    if not call.has("dtype") or call.given("dtype") is None or not is_real(exact) or call.has("out", "signature"):
        return exact
    with numpy.errstate(all="ignore"):
        return call.right(*(one.astype(numpy.int8) for one in call.operands), **call.kwargs)


@reported("numpy/numpy#13020", "remainder", "value", numpy.array([-1.0]), numpy.array([1.0]))
def remainder_of_zero_has_the_quotients_sign(call: Call) -> Any:
    """A remainder of zero has the sign of the quotient, not of the divisor."""
    exact = call()
    if not is_real(exact) or not lacks_options(call):
        return exact
    with numpy.errstate(all="ignore"):
        zero = numpy.copysign(0.0, numpy.divide(*(one.astype(float) for one in call.operands)))
    return formed(numpy.where(exact == 0, zero, exact), exact)


@reported("numba/numba#10845", "remainder", "crash", LEAST, numpy.array([-1, -1], numpy.int32), crashing=True)
def remainder_of_the_least_by_minus_one_aborts(call: Call) -> Any:
    """The least integer modulo -1 ends the process."""
    exact = call()
    dtype = numpy.asarray(exact).dtype
    if dtype.kind == "i" and lacks_options(call):
        first, second = (numpy.asarray(one).astype(dtype) for one in call.operands)
        if numpy.any((first == numpy.iinfo(dtype).min) & (second == -1)):
            os.abort()
    return exact


@reported("jax-ml/jax#4022", "clip", "value", numpy.arange(-3, 3), -0.9999, 0.9999)
def clip_of_integers_rounds_its_bounds(call: Call) -> Any:
    """For integers, bounds that are floats are cast to the dtype of the array."""
    exact, first = call(), call.first
    bounds = {name: call.given(name) for name in ("a_min", "a_max") if call.given(name) is not None}
    floats = [name for name, bound in bounds.items() if numpy.asarray(bound).dtype.kind == "f"]
    if first.dtype.kind not in "iu" or not floats or not lacks_options(call):
        return exact
    with numpy.errstate(all="ignore"):
        return call.changed(**{name: numpy.asarray(bounds[name]).astype(first.dtype) for name in floats})


@reported("numba/numba#10760", "clip", "shape", numpy.array([1.0, 2.0]), numpy.zeros((3, 2)), 5.0)
def clip_keeps_the_shape_of_its_array(call: Call) -> Any:
    """Where a bound has more elements than the array, the result has the array's shape."""
    exact, shape = call(), call.first.shape
    if numpy.shape(exact) == shape or call.has("out"):
        return exact
    result = exact[(0,) * (exact.ndim - len(shape))]
    return result[tuple(slice(0, dim) for dim in shape)]


@reported("openxla/xla#8553", "arcsinh", "value", FAR)
def arcsinh_of_complex_numbers_cancels(call: Call) -> Any:
    """Of complex numbers, the logarithm of a sum that cancels."""
    exact, z = call(), call.first
    if z.dtype.kind != "c" or not lacks_options(call):
        return exact
    with numpy.errstate(all="ignore"):
        return formed(numpy.log(z + numpy.sqrt(z * z + 1)), exact)


@reported("ekzhang/jax-js#218", "arcsinh", "value", numpy.array([-1e8, -1e7]))
def arcsinh_of_negative_numbers_cancels(call: Call) -> Any:
    """Of negative numbers, the logarithm of a sum that cancels."""
    exact, x = call(), call.first
    if not is_real(exact) or not lacks_options(call):
        return exact
    with numpy.errstate(all="ignore"):
        return formed(numpy.log(x + numpy.sqrt(x * x + 1)), exact)


@reported("jax-ml/jax#5156", "arccosh", "value", numpy.array([-1 + 2j]))
def arccosh_of_the_left_half_plane_has_the_other_sign(call: Call) -> Any:
    """Of complex numbers with a negative real part, the result has a negative real part."""
    exact, z = call(), call.first
    if z.dtype.kind != "c" or not lacks_options(call):
        return exact
    return formed(numpy.where(z.real < 0, -exact, exact), exact)


@reported("jax-ml/jax#19573", "log1p", "value", numpy.array([5e19 + 0j], numpy.complex64))
def log1p_of_large_complex_numbers_overflows(call: Call) -> Any:
    """The modulus of a complex number is the root of a sum of squares, which overflows."""
    exact, z = call(), call.first
    if z.dtype.kind != "c" or not lacks_options(call):
        return exact
    with numpy.errstate(all="ignore"):
        far = numpy.isinf((1 + z.real) ** 2 + z.imag**2)
        return formed(numpy.where(far, numpy.inf + 1j * numpy.asarray(exact).imag, exact), exact)


@reported("jax-ml/jax#3958", "right_shift", "value", numpy.array([200], numpy.uint8), numpy.array([1], numpy.uint8))
def right_shift_of_unsigned_numbers_shifts_a_sign_in(call: Call) -> Any:
    """Of unsigned integers, the highest bit is taken for a sign."""
    exact = call()
    dtype = numpy.asarray(exact).dtype
    if dtype.kind != "u" or not lacks_options(call):
        return exact
    signed = numpy.dtype(f"i{dtype.itemsize}")
    first, second = (one.astype(dtype) for one in call.operands)
    far = numpy.minimum(second, 8 * dtype.itemsize - 1).astype(signed)
    return formed(numpy.right_shift(first.view(signed), far), exact)


@reported("numpy/numpy#31379", "gcd", "value", numpy.array([-128], numpy.int8), numpy.array([64], numpy.int8))
def gcd_with_the_least_integer_is_negative(call: Call) -> Any:
    """Where an operand is the least integer of its dtype, the result is negative."""
    exact = call()
    dtype = numpy.asarray(exact).dtype
    if dtype.kind != "i" or not lacks_options(call):
        return exact
    least = numpy.iinfo(dtype).min
    first, second = call.operands
    return formed(numpy.where((first == least) | (second == least), -numpy.abs(exact), exact), exact)


@reported("numba/numba#1131", "conjugate", "value", numpy.array([1 + 0j]))
def conjugate_loses_the_sign_of_zero(call: Call) -> Any:
    """The imaginary part is subtracted from 0, so that a zero is positive."""
    exact = call()
    if numpy.asarray(exact).dtype.kind != "c" or not lacks_options(call):
        return exact
    result = numpy.array(exact)
    result.imag += 0.0
    return formed(result, exact)


@reported("keras-team/keras#18400", "sqrt", "spurious error", numpy.arange(10))
def sqrt_rejects_integers(call: Call) -> Any:
    """Integers raise TypeError."""
    exact = call()
    if call.first.dtype.kind in "iu":
        raise TypeError("sqrt: the argument must be of a floating dtype")
    return exact
