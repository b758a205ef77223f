"""Elementwise functions that are not ufuncs, comparisons, windows, polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.arrays import FLOATS, INEXACT, REALS
from fuzz.generate.builder import OMITTED, Draft, Strategy, always
from fuzz.generate.call_classes import NUMBERS as NUMBERS_EDGE
from fuzz.generate.constraints import (
    array,
    array_of_shape,
    axis_of,
    counterpart,
    nonempty,
    same_shape,
    square,
    vector,
)
from fuzz.generate.domains.polynomials import NUMBERS_TO_FIT, WEIGHTS
from fuzz.generate.scalars import either, integer, keywords, literal, never, number, together

NUMBERS = REALS + arrays.COMPLEX
SOLVABLE = NUMBERS_TO_FIT + arrays.COMPLEX
INEXACT_TO_SOLVE = tuple(dtype for dtype in SOLVABLE if dtype in INEXACT)
COEFFICIENTS = nonempty(1, 1, NUMBERS, "small")


def newer(strategy: Strategy) -> Strategy:
    """Return a strategy for a bound by its newer keyword, which is given only if the older one is not."""
    return lambda draft: OMITTED if not draft.omits("a_min") else strategy(draft)


bound = either(
    *[number(REALS), counterpart("a", REALS), literal(0, 1, 2.0, 5, -1.0, 3.5), literal(None)] * 2,
    array_of_shape(lambda draft: arrays.widened(draft.choices, draft.shape("a")), REALS),
)  # often in the midst of the numbers, and the upper one below the lower one


def abscissae(draft: Draft) -> Any:
    """Draw somewhat more points than a fit of low degree needs."""
    count = draft.choices.integer(5, 9)
    found = np.cumsum(draft.choices.values.picks((1.0, 0.5, 2.0), count))
    if draft.choices.flag(0.3):
        found[0] = draft.choices.pick((found[1], -0.0, 0.0, 5e-324, -2.0))
    return arrays.laid(draft.choices, found, exactly=True)


def columns(draft: Draft) -> Any:
    """Several curves to be fitted at once."""
    shape = (*draft.shape("x"), draft.choices.integer(1, 3))
    return arrays.array(draft.choices, draft.choices.pick(NUMBERS_TO_FIT), shape, "small")


def constants(draft: Draft) -> Any:
    """A constant for all integrations, or one for each."""
    m = draft["m"]
    if type(m) is not int or m < 1 or draft.choices.flag():
        return literal(None, 1, 2.5)(draft)
    return draft.choices.picks((1, 2.5, -3, 0), m)


def padded(draft: Draft) -> Any:
    """Coefficients with zeros before and behind them."""
    found = np.ravel(np.array(roots(draft)))
    zeros = [np.zeros(draft.choices.integer(0, 2), found.dtype) for _ in range(2)]
    return np.concatenate([zeros[0], found.astype(found.dtype.newbyteorder("=")), zeros[1]])


def nearly_real(draft: Draft) -> Any:
    """Complex numbers whose imaginary parts are tiny, or none."""
    choices, shape = draft.choices, arrays.shape(draft.choices, 0, 3)
    dtype = choices.pick(arrays.COMPLEX)
    eps = float(np.finfo(dtype).eps)
    real = arrays.filled(choices, dtype, shape, arrays.POOLS[np.dtype(np.float32)]["small"])
    imaginary = arrays.filled(choices, dtype, shape, (0.0, eps, 0.0, 50 * eps, -eps, choices.pick((0.0, 300 * eps))))
    return np.asarray(real + 1j * imaginary)


def roots(draft: Draft) -> Any:
    """Draw coefficients of a polynomial of low degree, the first one not 0."""
    choices = draft.choices
    shape = (choices.pick((1, 2, 3, 4, 1, 2, 3, 4, 9)),) if not choices.flag(0.05) else ()
    found = arrays.array(choices, choices.pick(SOLVABLE), shape, choices.pick(("positive", "finite")))
    return arrays.without_zero(choices, found, 0)


def divisor(draft: Draft) -> Any:
    """Draw coefficients of a divisor, rarely with nan as the last one or all of them."""
    found = roots(draft)
    if not found.size or not found.ndim or found.dtype.kind not in "fc" or NUMBERS_EDGE not in draft.choices.edges:
        return found
    if not draft.choices.flag(0.3):
        return found
    lost = np.array(found, found.dtype.newbyteorder("="))
    lost[... if draft.choices.flag() else -1] = np.nan
    return lost


def close_to(other: str) -> Strategy:
    """Return a strategy for numbers that are as far from those of another argument as tolerances are, or anywhere."""
    anywhere = counterpart(other)

    def draw(draft: Draft) -> Any:
        choices, first = draft.choices, draft[other]
        is_inexact = isinstance(first, np.ndarray) and first.dtype.kind in "fc"
        if not is_inexact or draft.is_due() or choices.flag(0.5):
            return anywhere(draft)
        step = choices.pick(STEPS)
        with np.errstate(all="ignore"):
            found = first + step if choices.flag() else first * (1 + step)
        return arrays.laid(choices, np.array(found, first.dtype.newbyteorder("=")))

    return draw


STEPS = (1e-9, 1.5e-8, 1.5e-5, 1.5e-3, 0.4, 0.75)
"""Differences around the tolerances that are drawn."""

OPTIONS = keywords(
    {"dtype": np.float64}, {"casting": "unsafe"}, {"order": "F"}, {"dtype": "f4", "casting": "same_kind"}
)
"""What functions hand on to the ufunc they call."""

LINES: dict[str, dict[str, Strategy]] = {
    "allclose": {"a": array(0, 4, NUMBERS), "b": close_to("a")},
    "array_equal": {"a1": array(0, 4), "a2": counterpart("a1")},
    "array_equiv": {"a1": array(0, 4), "a2": counterpart("a1")},
    "bartlett": {"M": integer(0, 12)},
    "around": {"a": array(0, 6, NUMBERS)},
    "blackman": {"M": integer(0, 12)},
    "clip": {
        "a": array(0, 4, REALS),
        "a_min": always(either(bound, bound, bound, never())),
        "a_max": together("a_min", bound),
        "min": newer(bound),
        "max": newer(bound),
        "kwargs": OPTIONS,
    },
    "emath.logn": {"n": literal(2, 10, 3.0, -2, 0.5), "x": array(0, 4, NUMBERS)},
    "emath.power": {"x": array(0, 4, NUMBERS), "p": counterpart("x", NUMBERS)},
    **{
        f"emath.{name}": {"x": array(0, 4, NUMBERS)}
        for name in ("arccos", "arcsin", "arctanh", "log", "log10", "log2", "sqrt")
    },
    "fix": {"x": array(0, 4, REALS)},
    "hamming": {"M": integer(0, 12)},
    "hanning": {"M": integer(0, 12)},
    "i0": {"x": array(0, 3, FLOATS)},
    "isclose": {"a": array(0, 4, NUMBERS), "b": either(close_to("a"), close_to("a"), lambda draft: draft["a"])},
    "isneginf": {"x": array(0, 4, REALS)},
    "isposinf": {"x": array(0, 4, REALS)},
    "kaiser": {"M": integer(0, 12), "beta": literal(0, 5.0, 14, 0.5, -2.0)},
    "nan_to_num": {
        "x": array(),
        "nan": number(REALS),
        "posinf": number(REALS),
        "neginf": number(REALS),
        "copy": literal(True),
    },
    "poly": {"seq_of_zeros": either(vector(NUMBERS, long=False), square(2, 2, INEXACT_TO_SOLVE, "finite"))},
    "poly1d": {"c_or_r": roots, "r": literal(False, True), "variable": literal("x", "z")},
    "polyadd": {"a1": COEFFICIENTS, "a2": COEFFICIENTS},
    "polyder": {"p": COEFFICIENTS, "m": integer(0, 3)},
    "polydiv": {"u": roots, "v": divisor},
    "polyfit": {
        "x": abscissae,
        "y": either(*[same_shape("x", NUMBERS_TO_FIT, "small")] * 4, columns),
        "deg": integer(0, 3),
        "rcond": literal(None, 1e-8, 0.5, 0),
        "w": WEIGHTS,
        "full": literal(False, True),
        "cov": literal(False, False, True, "unscaled"),
    },
    "polyint": {"p": COEFFICIENTS, "m": integer(0, 3), "k": constants},
    "polymul": {"a1": COEFFICIENTS, "a2": COEFFICIENTS},
    "polysub": {"a1": COEFFICIENTS, "a2": COEFFICIENTS},
    "polyval": {"p": vector(NUMBERS), "x": array(0, 3, NUMBERS)},
    "real_if_close": {"a": either(array(), nearly_real), "tol": literal(100, 2, 0.5)},
    "roots": {"p": either(roots, padded)},
    "round": {"a": array(0, 6, NUMBERS)},
    "sinc": {"x": array(0, 6, NUMBERS)},
    "unwrap": {
        "p": array(1, 3, REALS),
        "discont": literal(None, 1.0, 4.0),
        "axis": axis_of("p"),
        "period": literal(2 * np.pi, 4, 1.5),
    },
    "angle": {"z": array(0, 6, NUMBERS)},
}
