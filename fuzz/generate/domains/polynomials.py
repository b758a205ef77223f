"""Polynomial series of six kinds: the same functions for each, with its own prefix."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.arrays import REALS
from fuzz.generate.builder import Draft, Strategy
from fuzz.generate.call_classes import SHAPE
from fuzz.generate.constraints import array, axis_of, same_shape
from fuzz.generate.scalars import either, integer, literal, sometimes
from oracle import Case

NUMBERS = tuple(dtype for dtype in REALS + arrays.COMPLEX if dtype not in (arrays.BFLOAT16, np.float16))


NUMBERS_TO_FIT = tuple(dtype for dtype in REALS if dtype not in (arrays.BFLOAT16, np.float16))
LENGTHS = arrays.weighted({1: 6, 2: 6, 3: 6, 4: 6, 6: 6, 9: 2, 12: 1})


def series(pool: str, high: int = 1) -> Strategy:
    """Return a strategy for a few coefficients: most of these functions take quadratic time."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        rank = choices.integer(1, high) if not choices.flag(0.06) else 0
        shape = tuple(choices.picks(LENGTHS, rank)) if not draft.should_be_invalid(SHAPE) else (0,)
        return arrays.array(choices, choices.pick(NUMBERS), shape, pool)

    return draw


def leading(pool: str, least: int = 1) -> Strategy:
    """Return a strategy for a series whose last coefficient is not 0, of `least` coefficients or more."""
    strategy = series(pool)

    def draw(draft: Draft) -> Any:
        found = strategy(draft)
        if found.size and len(np.atleast_1d(found)) < least:
            found = np.resize(found, least)
        return arrays.without_zero(draft.choices, found, -1)

    return draw


SERIES = series("small")
LEADING = leading("finite")
DIVISOR = leading("small")


def any_weights(draft: Draft) -> Any:
    """Draw weights of a fit, also zero and negative ones; none so large that squares overflow, for which LAPACK
    hangs.
    """
    floats, integers = (1.0, 0.5, 0.0, -0.0, -2.0, 5e-324), (1, 2, 0, -1)
    is_float = draft.choices.flag(0.7)
    dtype = np.dtype(np.float64 if is_float else np.int64)
    return arrays.filled(draft.choices, dtype, draft.shape("x"), floats if is_float else integers)


WEIGHTS = either(*[same_shape("x", NUMBERS_TO_FIT, "positive")] * 3, any_weights)
RCOND = literal(None, 1e-9, 0.3, 0)
POINTS = array(0, 2, NUMBERS, "small")
LOW = integer(0, 3)
SCALE = literal(1, 2.0, -1, 0.5)
AXIS = either(literal(0, -1), axis_of("c"))


def constants(draft: Draft) -> Any:
    """Draw integration constants: none, one as a number, or a list of up to one for each integral."""
    choices, times = draft.choices, draft["m"]
    if draft.should_be_invalid():
        return [1, 2, 3, 4]
    most = times if type(times) is int and times > 0 else 1
    found = choices.picks((1, 2.5, -1, 0, 3), choices.integer(0, min(most, 3)))
    return choices.pick((2.5, -1, 1)) if choices.flag(0.2) else found


def dependents(draft: Draft) -> Any:
    """Draw the values to fit: one for each of the abscissae, or a row of two. None is infinite, by which LAPACK spoils
    the other columns.
    """
    choices, dtype = draft.choices, draft.choices.pick(NUMBERS_TO_FIT)
    shape = (*draft.shape("x"), *((2,) if choices.flag(0.2) else ()))
    return arrays.filled(choices, dtype, shape, arrays.POOLS[dtype]["small"])


DEGREES = {
    2: literal([1, 2], [0, 1], (2, 2), bad=([1], -1)),
    3: literal([1, 2, 0], [0, 1, 1], (2, 1, 3), bad=([1, 1],)),
}

HOMES = {
    "polynomial": "poly",
    "chebyshev": "cheb",
    "legendre": "leg",
    "hermite": "herm",
    "hermite_e": "herme",
    "laguerre": "lag",
}


def abscissae(draft: Draft) -> Any:
    """Draw somewhat more points in [-1, 1] than a fit of low degree needs."""
    choices = draft.choices
    found = np.linspace(-1, 1, choices.integer(5, 9))
    if choices.flag(0.3):
        found[1] = choices.pick((found[0], -0.0, 5e-324))
    return arrays.laid(choices, found, exactly=True)


def of_rank(rank: int) -> Strategy:
    """Return a strategy for coefficients in several variables, rarely of another rank."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        dims = choices.pick((*[rank] * 16, rank + 1, rank + 1, rank - 1, 1, 0))
        return arrays.array(choices, choices.pick(NUMBERS), tuple(choices.picks((1, 2, 3), max(dims, 0))), "small")

    return draw


def few(draft: Draft) -> Any:
    """Draw up to four numbers: a three-dimensional grid has the cube of them."""
    choices = draft.choices
    shape = choices.pick(((), (2, 2), (1, 2, 1), (9,))) if choices.flag(0.15) else (choices.integer(1, 4),)
    return arrays.array(choices, choices.pick(NUMBERS), shape, "small")


def points(rank: int, alike: bool) -> dict[str, Strategy]:
    """Return strategies for coordinates, all of one shape if `alike`."""
    first = array(0, 2, NUMBERS, "small") if rank == 2 else few
    rest = same_shape("x", NUMBERS, "small") if alike else first
    return dict(zip("xyz", [first, *[rest] * (rank - 1)], strict=False))


FUNCTIONS: dict[str, dict[str, Strategy]] = {
    "line": {"off": literal(0, 1, -2.5), "scl": literal(0, 1, 3.0)},
    "add": {"c1": SERIES, "c2": SERIES},
    "sub": {"c1": SERIES, "c2": SERIES},
    "mulx": {"c": SERIES},
    "mul": {"c1": SERIES, "c2": SERIES},
    "div": {"c1": SERIES, "c2": DIVISOR},
    "pow": {"c": SERIES, "pow": LOW, "maxpower": literal(None, 16, 3)},
    "val": {"x": POINTS, "c": series("small", 3)},
    "der": {"c": series("small", 3), "m": LOW, "scl": SCALE, "axis": AXIS},
    "int": {
        "c": series("small", 3),
        "m": integer(1, 3, (-1,)),
        "k": constants,
        "lbnd": literal(0, 1, -0.5),
        "scl": SCALE,
        "axis": AXIS,
    },
    "fromroots": {"roots": SERIES},
    "vander": {"x": POINTS, "deg": literal(0, 1, 2, 3, 3, 7, bad=(-1,))},
    "fit": {
        "x": abscissae,
        "y": either(same_shape("x", NUMBERS_TO_FIT, "small"), dependents),
        "deg": literal(1, 2, 0, 3, [0, 2], [2], [1, 3], bad=(-1,)),
        "rcond": RCOND,
        "w": WEIGHTS,
    },
    "trim": {"c": SERIES, "tol": literal(0, 1, 0.5, bad=(-1,))},
    "roots": {"c": LEADING},
    "val2d": {**points(2, True), "c": of_rank(2)},
    "val3d": {**points(3, True), "c": of_rank(3)},
    "grid2d": {**points(2, False), "c": of_rank(2)},
    "grid3d": {**points(3, False), "c": of_rank(3)},
    "vander2d": {**points(2, True), "deg": DEGREES[2]},
    "vander3d": {**points(3, True), "deg": DEGREES[3]},
    "companion": {"c": leading("small", 2)},
    "gauss": {"deg": integer(1, 9, (0, -1))},
    "weight": {"x": array(0, 2, arrays.FLOATS, "unit")},
}


def is_tensor(draft: Draft) -> bool:
    """Draw `tensor`: false only for points of lower rank than the roots, with which they are then broadcast."""
    return draft.choices.flag() or len(draft.shape("x")) >= len(draft.shape("r"))


ALONE: dict[str, dict[str, Strategy]] = {
    "polynomial.polyvalfromroots": {"x": POINTS, "r": series("small", 3), "tensor": is_tensor},
    "chebyshev.chebpts1": {"npts": integer(1, 9)},
    "chebyshev.chebpts2": {"npts": integer(2, 9)},
    "chebyshev.chebinterpolate": {"func": literal(np.sin, np.exp), "deg": LOW, "args": literal(())},
    **{f"{home}.{HOMES[home]}2poly": {"c": SERIES} for home in HOMES if home != "polynomial"},
    **{f"{home}.poly2{HOMES[home]}": {"pol": SERIES} for home in HOMES if home != "polynomial"},
}
# No domain of length zero: the map to it is infinite or nan, depending on the order of operations.
DOMAIN = literal(None, [0, 2], [-1.0, 3], bad=([1],))
POSITION = {"domain": DOMAIN, "window": DOMAIN, "symbol": literal("x", "t", bad=("1", ""))}


def object_of(kind: str) -> Strategy:
    """Return a strategy for a series object of this class."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        options = {name: choices.pick(([0, 2], [-1.0, 3])) for name in ("domain", "window") if choices.flag(0.4)}
        return Case(f"polynomial.{kind}", (LEADING(draft),), options)

    return draw


def methods(kind: str) -> dict[str, dict[str, Strategy]]:
    """Return the strategies of a class's methods by name; `self` is a series of that class."""
    one = object_of(kind)
    fit = {**FUNCTIONS["fit"], "y": same_shape("x", NUMBERS_TO_FIT, "small")}
    return {
        "basis": {"deg": LOW, **POSITION},
        "cast": {"series": one, "domain": DOMAIN, "window": DOMAIN},
        "convert": {"self": one, "domain": DOMAIN, "window": DOMAIN, "kind": sometimes(literal(None), 0.3)},
        "copy": {"self": one},
        "cutdeg": {"self": one, "deg": LOW},
        "degree": {"self": one},
        "deriv": {"self": one, "m": LOW},
        "fit": {**fit, "deg": literal(1, 2, [0, 2]), "domain": literal(None, [0, 2], []), "window": DOMAIN},
        "fromroots": {"roots": SERIES, "domain": literal(None, [0, 2], []), "window": DOMAIN},
        "has_samecoef": {"self": one, "other": one},
        "has_samedomain": {"self": one, "other": one},
        "has_sametype": {"self": one, "other": one},
        "has_samewindow": {"self": one, "other": one},
        "identity": POSITION,
        "integ": {"self": one, "m": integer(1, 3, (-1,)), "k": FUNCTIONS["int"]["k"], "lbnd": literal(None, 1, -0.5)},
        "linspace": {"self": one, "n": integer(1, 5), "domain": DOMAIN},
        "mapparms": {"self": one},
        "roots": {"self": one},
        "trim": {"self": one, "tol": FUNCTIONS["trim"]["tol"]},
        "truncate": {"self": one, "size": integer(1, 4)},
    }


KINDS = ("Polynomial", "Chebyshev", "Legendre", "Hermite", "HermiteE", "Laguerre")
CONSTANTS = ("zero", "one", "x", "domain")

LINES: dict[str, dict[str, Strategy]] = {
    **{
        f"polynomial.{home}.{prefix}{function}": line
        for home, prefix in HOMES.items()
        for function, line in FUNCTIONS.items()
        if hasattr(getattr(np.polynomial, home), prefix + function)
    },
    **{f"polynomial.{home}.{prefix}{name}": {} for home, prefix in HOMES.items() for name in CONSTANTS},
    **{f"polynomial.{name}": line for name, line in ALONE.items()},
    **{f"polynomial.{kind}": {"coef": SERIES, **POSITION} for kind in KINDS},
    **{f"polynomial.{kind}.{name}": line for kind in KINDS for name, line in methods(kind).items()},
}
