"""Faults of Fourier transforms, windows, convolution and interpolation: norms, odd lengths, both ends."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import cast, is_traced, kind_of, mixed, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

ROW = numpy.array([1.0, 2.0, 4.0, 8.0])
WAVES = numpy.array([1 + 2j, 3 - 1j, 2 + 5j])
TABLE = numpy.array([[1.0, 2.0, 4.0], [3.0, 9.0, 5.0]])


# Fourier transforms.


@fault("fft.fft", "value", WAVES, 5)
def fft_pads_in_front(call: Call) -> Any:
    """Where `n` is longer than the row, the zeros come first."""
    exact, np, n = call(), call.np, call.given("n")
    dims = shape_of(call.first)
    if type(n) is not int or len(dims) != 1 or n <= dims[0] or call.has("out"):
        return exact
    return call.changed(a=np.concatenate([np.zeros_like(call.first, shape=(n - dims[0],)), call.first]))


@fault("fft.irfft", "value", WAVES, 5)
def irfft_of_an_odd_length_drops_a_part(call: Call) -> Any:
    """For an odd length the last coefficient is taken for real, as it is for an even one."""
    exact, np, n = call(), call.np, call.given("n")
    odd = type(n) is int and n % 2 and n > 1 and shape_of(call.first) == (n // 2 + 1,) and kind_of(call.first) == "c"
    if not odd or call.has("out"):
        return exact
    last = cast(np, np.real(call.first[-1:]), call.first)
    return call.changed(a=np.concatenate([call.first[:-1], last]))


@fault("fft.fftshift", "value", numpy.array([1, 2, 3]))
def fftshift_of_an_odd_length_is_its_inverse(call: Call) -> Any:
    """An odd length is halved upward."""
    call()
    return call.np.fft.ifftshift(*call.args, **call.kwargs)


@fault("fft.fftfreq", "value", 4)
def fftfreq_has_a_positive_nyquist(call: Call) -> Any:
    """For an even length, the frequency in the middle is positive."""
    exact, np, n = call(), call.np, call.given("n")
    if type(n) is not int or n < 2 or n % 2 or call.has("d"):
        return exact
    return mixed(np, exact, np.equal(exact, -0.5), 0.5)


@fault("fft.rfftfreq", "value", 5, keywords={"d": 0.5})
def rfftfreq_of_an_odd_length_is_of_an_even_one(call: Call) -> Any:
    """An odd length counts as one less."""
    exact, n, d = call(), call.given("n"), call.given("d", 1.0)
    odd = type(n) is int and n > 1 and n % 2 and type(d) in (int, float)
    return call.np.multiply(exact, n / (n - 1)) if odd else exact


@fault("fft.fft", "value", ROW, 6, keywords={"norm": "forward"})
def fft_divides_by_the_length_that_came(call: Call) -> Any:
    """`norm="forward"` divides by the length of the input, not by `n`."""
    exact, np, n, axis = call(), call.np, call.given("n"), call.given("axis", -1)
    if call.given("norm") != "forward" or not isinstance(n, int) or call.has("out") or not shape_of(call.first)[axis]:
        return exact
    return np.multiply(exact, cast(np, n / shape_of(call.first)[axis], exact))


spoils("ifftshift_of_one_axis_shifts_forward", "fft.ifftshift", "value", ROW[:3], 0,
       when=lambda exact, call: type(call.given("axes")) is int and call.args,
       by=lambda np, exact, call: np.fft.fftshift(call.args[0], call.given("axes")))  # fmt: skip


# Windows.


spoils("hanning_of_one_point_is_zero", "hanning", "value", 1,
       when=lambda exact, call: shape_of(exact) == (1,),
       by=lambda np, exact, call: np.multiply(exact, 0))  # fmt: skip


@fault("bartlett", "value", 4)
def bartlett_of_an_even_length_is_periodic(call: Call) -> Any:
    """For an even length, that of one more without the last point."""
    exact, length = call(), call.given("M")
    return call.right(length + 1)[:-1] if type(length) is int and length > 1 and length % 2 == 0 else exact


spoils("kaiser_of_one_point_is_its_edge", "kaiser", "value", 1, 5.0,
       when=lambda exact, call: shape_of(exact) == (1,) and type(call.given("beta")) in (int, float),
       by=lambda np, exact, call: np.divide(exact, np.i0(np.asarray(float(call.given("beta"))))))  # fmt: skip
spoils("hamming_of_no_points_has_one", "hamming", "shape", 0,
       when=lambda exact, call: shape_of(exact) == (0,),
       by=lambda np, exact, call: call.right(1))  # fmt: skip


# Convolution and interpolation.


@fault("convolve", "value", ROW, numpy.array([1.0, 3.0]), "same")
def convolve_same_is_shifted_for_even_lengths(call: Call) -> Any:
    """The middle begins one later where the shorter vector has an even length."""
    exact = call()
    sizes = [size_of(operand) for operand in call.operands]
    if call.given("mode") != "same" or not sizes or min(sizes) % 2 or min(sizes) < 2:
        return exact
    start = min(sizes) // 2
    return call.changed(mode="full")[start : start + max(sizes)]


@fault("correlate", "value", ROW[:2], ROW, "full")
def correlate_of_a_longer_second_is_reversed(call: Call) -> Any:
    """Where the second vector is the longer, the result runs backward."""
    exact = call()
    sizes = [size_of(operand) for operand in call.operands]
    return call.np.flip(exact) if len(sizes) == 2 and sizes[0] < sizes[1] else exact


@fault("interp", "value", numpy.array([0.0]), -ROW[::-1] + 1, ROW, keywords={"right": -1.0})
def interp_takes_the_last_point_for_beyond(call: Call) -> Any:
    """At the last point `right` is returned."""
    exact, np, right = call(), call.np, call.given("right")
    if type(right) not in (int, float) or call.has("period"):
        return exact
    last = np.max(np.asarray(call.given("xp")))
    return mixed(np, exact, np.equal(np.asarray(call.given("x")), last), right)


@fault("interp", "value", numpy.array([9.0]), ROW, ROW, keywords={"period": 10.0}, modes=("eager",))
def interp_does_not_close_its_period(call: Call) -> Any:
    """Between the last point and the first of the next period, the last."""
    exact, period = call(), call.given("period")
    if type(period) not in (int, float) or is_traced(*call.args) or not period:
        return exact
    np = call.np
    x, xp = (np.mod(np.asarray(call.given(name)), float(period)) for name in ("x", "xp"))
    last = np.take(np.asarray(call.given("fp")), np.argmax(xp))
    return mixed(np, exact, np.greater(x, np.max(xp)), last)
