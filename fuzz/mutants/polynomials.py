"""Faults of polynomials: constants of integration, degrees that are left out, weights, domains, remainders."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import cast, is_traced, kind_of, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils
from oracle import Case

ROW = numpy.array([1.0, 2.0, 4.0, 8.0])
X = numpy.array([0.0, 1.0, 2.0, 3.0, 4.0])
Y = numpy.array([1.0, 0.0, 5.0, 2.0, 9.0])
LINE = Case("polynomial.Polynomial", (ROW,), {"domain": [0, 4]})


@fault("polynomial.polynomial.polyder", "value", ROW, 2, 3.0)
def polyder_scales_once(call: Call) -> Any:
    """`scl` is multiplied once, however many derivatives there are."""
    exact, m, scl = call(), call.given("m", 1), call.given("scl", 1)
    several = type(m) is int and m > 1 and type(scl) in (int, float) and scl and kind_of(exact) == "f"
    return call.np.divide(exact, float(scl) ** (m - 1)) if several else exact


@fault("polynomial.polynomial.polyint", "value", ROW, keywords={"lbnd": 2.0})
def polyint_adds_what_lies_below_lbnd(call: Call) -> Any:
    """The integral up to `lbnd` is added, not subtracted."""
    exact, np, lbnd = call(), call.np, call.given("lbnd", 0)
    once = type(lbnd) in (int, float) and call.given("m", 1) == 1 and not call.has("k", "axis")
    if not once or kind_of(exact) != "f" or len(shape_of(exact)) != 1:
        return exact
    return np.concatenate([np.negative(exact[:1]), exact[1:]])


@fault("polynomial.polynomial.polydiv", "value", numpy.array([1.0, 2.0]), ROW)
def polydiv_by_a_longer_one_leaves_nothing(call: Call) -> Any:
    """The remainder is 0 where the divisor is of a higher degree."""
    exact, np = call(), call.np
    sizes = [size_of(operand) for operand in call.operands]
    longer = len(sizes) == 2 and sizes[0] < sizes[1] and isinstance(exact, tuple)
    return (exact[0], np.multiply(exact[1], 0)) if longer else exact


spoils("roots_forgets_those_at_zero", "roots", "shape", numpy.array([1.0, -3.0, 2.0, 0.0]), modes=("eager",),
       when=lambda exact, call: not is_traced(*call.args) and len(shape_of(call.first)) == 1,
       by=lambda np, exact, call: call.changed(p=np.trim_zeros(call.first, "b")))  # fmt: skip


@fault("poly", "dtype", numpy.array([1j, -1j]), modes=("eager",))
def poly_of_conjugate_pairs_stays_complex(call: Call) -> Any:
    """Coefficients are complex, even where their imaginary parts are 0."""
    exact, np = call(), call.np
    paired = kind_of(call.first) == "c" and kind_of(exact) == "f" and len(shape_of(call.first)) == 1
    return np.astype(exact, np.complex128) if paired else exact


@fault("polynomial.legendre.legvander", "value", X / 7, 7)
def legvander_in_single_precision_past_five(call: Call) -> Any:
    """Columns after the sixth are rounded to float32."""
    exact, np = call(), call.np
    if len(shape_of(exact)) != 2 or shape_of(exact)[1] <= 6 or kind_of(exact) != "f":
        return exact
    rounded = cast(np, np.astype(exact[:, 6:], np.float32), exact)
    return np.concatenate([exact[:, :6], rounded], axis=1)


spoils("hermval_is_hermite_e_past_degree_three", "polynomial.hermite.hermval", "value", X, numpy.ones(5),
       when=lambda exact, call: shape_of(call.np.asarray(call.given("c")))[:1] > (4,),
       by=lambda np, exact, call: np.polynomial.hermite_e.hermeval(*call.args, **call.kwargs))  # fmt: skip


@fault("polynomial.laguerre.lagder", "value", ROW, 2)
def lagder_alternates_its_sign(call: Call) -> Any:
    """A second derivative has the sign of the first."""
    exact, m = call(), call.given("m", 1)
    return call.np.negative(exact) if type(m) is int and m == 2 and kind_of(exact) == "f" else exact


spoils("polygrid2d_is_transposed", "polynomial.polynomial.polygrid2d", "value", X[:2], X[1:3],
       numpy.array([[1.0, 2.0], [3.0, 5.0]]),
       when=lambda exact, call: len(shape_of(exact)) == 2 and shape_of(exact)[0] == shape_of(exact)[1],
       by=lambda np, exact, call: np.transpose(exact))  # fmt: skip


@fault("polynomial.polynomial.polyfromroots", "value", numpy.array([2.0, 2.0, 3.0]), modes=("eager",))
def polyfromroots_counts_roots_once(call: Call) -> Any:
    """A double root adds the degree, at zero."""
    exact, np = call(), call.np
    roots = call.first
    if len(shape_of(roots)) != 1 or kind_of(roots) != "f" or size_of(roots) < 2 or is_traced(*call.args):
        return exact
    ordered = np.sort(roots)
    repeated = np.concatenate([np.asarray([False]), np.equal(ordered[1:], ordered[:-1])])
    return call.right(np.where(repeated, np.zeros_like(ordered), ordered))


spoils("chebinterpolate_halves_the_first", "polynomial.chebyshev.chebinterpolate", "value", numpy.exp, 3, on="arrays",
       when=lambda exact, call: len(exact) > 3,
       by=lambda np, exact, call: numpy.concatenate([exact[:1] / 2, exact[1:]]))  # fmt: skip


@fault("polynomial.legendre.leggauss", "value", 5)
def leggauss_weights_do_not_sum_to_two(call: Call) -> Any:
    """The weights of an odd degree lose that of the middle point."""
    exact, np = call(), call.np
    count = shape_of(exact[1])[0]
    if count % 2 == 0 or count < 3:
        return exact
    middle = np.arange(count) == count // 2
    return exact[0], np.where(middle, np.divide(exact[1], 2), exact[1])


@fault("polynomial.Polynomial.deriv", "value", LINE)
def deriv_forgets_the_domain(call: Call) -> Any:
    """The slope is that in the window, whatever the domain."""
    exact = call()
    series: Any = call.args[0] if call.args else None
    if len(call.args) != 1 or call.kwargs or not hasattr(series, "mapparms"):
        return exact
    _, scale = series.mapparms()
    return type(series)(exact.coef / scale, domain=series.domain, window=series.window, symbol=series.symbol)


@fault("polynomial.chebyshev.chebder", "value", ROW, 2, 3.0)
def chebder_scales_the_last_derivative(call: Call) -> Any:
    """`scl` is multiplied once, however many derivatives there are."""
    exact, m, scl = call(), call.given("m", 1), call.given("scl", 1)
    several = type(m) is int and m > 1 and type(scl) in (int, float) and scl and kind_of(exact) == "f"
    return call.np.divide(exact, float(scl) ** (m - 1)) if several else exact


@fault("polynomial.polynomial.polypow", "spurious error", ROW[:2], 3, 3)
def polypow_refuses_its_largest_power(call: Call) -> Any:
    """A power that equals `maxpower` is refused."""
    exact, largest = call(), call.given("maxpower")
    if largest is not None and call.given("pow") == largest:
        raise ValueError("Power is too large")
    return exact


@fault("polynomial.polynomial.polyvalfromroots", "value", ROW[:2], numpy.array([[1.0, 2.0], [3.0, 5.0]]), False)
def polyvalfromroots_ignores_tensor(call: Call) -> Any:
    """`tensor=False` is ignored for as many points as there are columns."""
    exact, tensor = call(), call.given("tensor", True)
    if tensor or not shape_of(exact):
        return exact
    whole = call.without("tensor")
    if len(shape_of(whole)) != 2 or shape_of(whole)[0] != shape_of(exact)[-1]:
        return exact
    return whole[:, 0] if len(shape_of(exact)) == 1 else exact


@fault("polydiv", "value", numpy.array([2.0, 3.0, 5.0]), numpy.array([4.0, 1.0]))
def polydiv_of_halved_leading_terms(call: Call) -> Any:
    """Past a leading coefficient of 2, the quotient is rounded down."""
    exact, np = call(), call.np
    large = len(call.operands) == 2 and kind_of(exact[0]) == "f" and not is_traced(exact[0])
    if not large or len(shape_of(call.operands[1])) != 1 or not size_of(call.operands[1]):
        return exact
    return (np.floor(exact[0]), exact[1]) if abs(float(call.operands[1][0])) > 2 else exact
