"""Reference results of special functions by mpmath, element by element, with a table of limits at infinity."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

MOST = 12  # elements: mpmath takes a fraction of a millisecond for each
ORDINARY = 1e4  # the size of arguments for which series come to an end


def _elementwise(
    name: str, compute: Callable[..., Any], limits: dict[float, float] | None = None
) -> Callable[..., Any]:
    """Return an op on real arguments of one shape; it returns None if mpmath has no real result for an element."""

    def apply(*args: Any) -> Any:
        import mpmath

        arrays = np.broadcast_arrays(*(np.asarray(arg, np.float64) for arg in args))
        if arrays[0].size > MOST:
            return None
        result = np.empty(arrays[0].shape)
        for index in np.ndindex(result.shape):
            values = [float(array[index]) for array in arrays]
            if any(math.isnan(value) for value in values):
                result[index] = math.nan
            elif limits and values[0] in limits:
                result[index] = limits[values[0]]
            elif any(abs(value) > ORDINARY for value in values):
                return None
            else:
                with mpmath.workdps(40):
                    value = compute(mpmath, *(mpmath.mpf(value) for value in values))
                if value is None or isinstance(value, mpmath.mpc):
                    return None
                result[index] = float(value)
        return result

    apply.__name__ = name
    return apply


def _erf(x: Any) -> Any:
    return np.vectorize(math.erf, otypes=[np.float64])(np.asarray(x, np.float64)) if np.size(x) else None


def _erfc(x: Any) -> Any:
    return np.vectorize(math.erfc, otypes=[np.float64])(np.asarray(x, np.float64)) if np.size(x) else None


def _positive(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Restrict a function to positive arguments."""

    def check(mp: Any, *values: Any) -> Any:
        return compute(mp, *values) if all(value > 0 for value in values) else None

    return check


def _ndtri(mp: Any, p: Any) -> Any:
    if not 0 < p < 1:
        return None
    if p < 0.5:
        return -mp.sqrt(2) * mp.erfinv(1 - 2 * p) if p > 1e-4 else None
    return mp.sqrt(2) * mp.erfinv(2 * p - 1)


SPECIAL: dict[str, Callable[..., Any]] = {
    "math.erf": _erf,
    "math.erfc": _erfc,
    "math.lgamma": _elementwise(
        "lgamma", lambda mp, x: None if x <= 0 else mp.loggamma(x), {math.inf: math.inf, -math.inf: math.inf}
    ),
    "math.digamma": _elementwise("digamma", lambda mp, x: None if x <= 0 else mp.digamma(x), {math.inf: math.inf}),
    "math.erfinv": _elementwise(
        "erfinv", lambda mp, x: mp.erfinv(x) if -1 < x < 1 else None, {1.0: math.inf, -1.0: -math.inf}
    ),
    "math.ndtri": _elementwise("ndtri", _ndtri, {0.0: -math.inf, 1.0: math.inf}),
    "math.igamma": _elementwise("igamma", _positive(lambda mp, a, x: mp.gammainc(a, 0, x, regularized=True))),
    "math.igammac": _elementwise("igammac", _positive(lambda mp, a, x: mp.gammainc(a, x, regularized=True))),
    "math.zeta": _elementwise("zeta", lambda mp, x, q: mp.zeta(x, q) if x > 1 and q > 0 else None),
    "math.special.spence": _elementwise("spence", lambda mp, x: None if x < 0 else mp.re(mp.polylog(2, 1 - x))),
    "math.special.dawsn": _elementwise(
        "dawsn", lambda mp, x: mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x) if abs(x) < 20 else None
    ),
    "math.special.expint": _elementwise("expint", lambda mp, x: mp.ei(x) if x > 0 else None),
    "math.special.fresnel_cos": _elementwise("fresnel_cos", lambda mp, x: mp.fresnelc(x)),
    "math.special.fresnel_sin": _elementwise("fresnel_sin", lambda mp, x: mp.fresnels(x)),
    "math.bessel_i0": _elementwise("bessel_i0", lambda mp, x: mp.besseli(0, x)),
    "math.bessel_i0e": _elementwise("bessel_i0e", lambda mp, x: mp.besseli(0, x) * mp.exp(-abs(x))),
    "math.bessel_i1": _elementwise("bessel_i1", lambda mp, x: mp.besseli(1, x)),
    "math.bessel_i1e": _elementwise("bessel_i1e", lambda mp, x: mp.besseli(1, x) * mp.exp(-abs(x))),
    "math.special.bessel_j0": _elementwise("bessel_j0", lambda mp, x: mp.besselj(0, x)),
    "math.special.bessel_j1": _elementwise("bessel_j1", lambda mp, x: mp.besselj(1, x)),
    "math.special.bessel_k0": _elementwise("bessel_k0", _positive(lambda mp, x: mp.besselk(0, x))),
    "math.special.bessel_k1": _elementwise("bessel_k1", _positive(lambda mp, x: mp.besselk(1, x))),
    "math.special.bessel_y0": _elementwise("bessel_y0", _positive(lambda mp, x: mp.bessely(0, x))),
    "math.special.bessel_y1": _elementwise("bessel_y1", _positive(lambda mp, x: mp.bessely(1, x))),
}
"""Ops by name; each takes arrays of more precision and gives float64 ones, or None where it does not know."""
