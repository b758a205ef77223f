"""Random numbers. Methods of a generator that the case seeds have one right result. Functions that draw from the global
state have a distribution, for which they are asked for many elements. Degenerate distributions are one class among
many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.builder import OMITTED, Draft, Strategy, always
from fuzz.generate.call_classes import AXIS, DTYPE, NUMBERS, SHAPE
from fuzz.generate.choices import Choices
from fuzz.generate.scalars import either, in_any_layout, literal, sometimes
from oracle import Case

ARRAYS_OF_PARAMETERS = 0.2
WITHOUT_SIZE = 0.6  # the same if there is no size: else nearly all of these calls draw a single number
BROADCAST = (2, 3)  # without a size, arrays of parameters broadcast to this shape

SIZES = arrays.weighted(
    {None: 3, 3: 2, (2, 3): 2, 200: 4, (40, 5): 2, 1000: 1, (3, 2, 4): 1, (): 1, 1: 1, 0: 1, (2, 0): 1, np.int64(9): 1}
)
SPREAD_SHARE, SCALE_STEPS = 0.5, 60
BAD_SIZES = (-1, (0, -1))


def size(draft: Draft) -> Any:
    """Draw a size: None, an integer, a tuple or list of them; often of many elements."""
    choices = draft.choices
    if draft.should_be_invalid():
        return choices.pick(BAD_SIZES)
    found = choices.pick(SIZES)
    return list(found) if type(found) is tuple and choices.flag(0.2) else found


def shape_of(size: Any) -> arrays.Shape:
    """Return the shape for a size; () for None."""
    try:
        return () if size is None else np.empty(size, bool).shape
    except (TypeError, ValueError):
        return ()


def dims(draft: Draft) -> list[Any]:
    """Draw a size as separate arguments; none for a single number."""
    if draft.should_be_invalid():
        return draft.choices.pick(([-1], [0, -1]))
    found = draft.choices.pick(SIZES)
    return [] if found is None else list(found) if isinstance(found, tuple) else [found]


def parameter(
    *options: Any,
    dtypes: Sequence[Any] = (np.float64, np.float32),
    bad: Sequence[Any],
    within: tuple[float, float] | None = None,
) -> Strategy:
    """Return a strategy for a distribution's parameter: mostly a scalar, else an array that broadcasts to the size;
    one of the options, or any positive number `within` bounds, small ones as often as large ones.
    """
    is_integral = np.dtype(dtypes[0]).kind in "iu"

    def spread(choices: Choices) -> Any:
        low, high = within or (1.0, 1.0)
        usual = NUMBERS not in choices.edges
        low, high = (max(low, min(high, 0.05)), min(high, max(low, 200.0))) if usual else (low, high)
        found = low * (high / low) ** (choices.integer(0, SCALE_STEPS) / SCALE_STEPS)
        return round(found) if is_integral else float(f"{found:.4g}")

    is_signed = min(options) < 0

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if bad and draft.should_be_invalid():
            return choices.pick(bad)
        full = draft["size"]
        if not choices.flag(WITHOUT_SIZE if full is None else ARRAYS_OF_PARAMETERS):
            if within and choices.flag(SPREAD_SHARE):
                return spread(choices)
            found = choices.pick(options)
            if not choices.flag(0.1):
                return found
            return np.dtype(dtypes[0]).type(found) if found or not is_signed else -0.0
        shape = arrays.narrowed(choices, BROADCAST if full is None else shape_of(full))
        dtype = np.dtype(choices.pick(dtypes))
        if choices.flag(0.8):
            more = [spread(choices) for _ in range(3)] if within and choices.flag(SPREAD_SHARE) else ()
            return arrays.filled(choices, dtype, shape, (*options, *more))
        return np.array(choices.picks(options, math.prod(shape)), dtype).reshape(shape).tolist()

    return draw


def integral(*options: int, bad: Sequence[Any], within: tuple[float, float] | None = None) -> Strategy:
    """Return a strategy for an integral parameter."""
    return parameter(*options, dtypes=(np.int64, np.int32), bad=bad, within=within)


POSITIVE = parameter(1.0, 2, 0.5, 3.5, 10.0, np.float32(1.5), bad=(-1.0,), within=(1e-4, 1e6))
NONNEGATIVE = parameter(1.0, 0.5, 2, 3.5, 0.0, np.float32(1.5), bad=(-1.0,), within=(1e-4, 1e6))
PROBABILITY = parameter(0.5, 0.25, 0.9, 0.0, 1.0, 1, bad=(-1.0, 2.0), within=(1e-5, 0.9999))
CHANCE = parameter(0.5, 0.25, 0.9, 0.05, 1.0, 1, bad=(0.0, 2.0), within=(1e-3, 0.9999))
ANYWHERE = parameter(0.0, -1.5, 2, 100.0, np.float32(0.5), bad=())
COUNT = integral(3, 1, 10, 100, bad=(-1,))
OTHERS = integral(3, 2, 10, 100, 0, bad=(-1,))
MOST_SAMPLED = 2
TRIALS = integral(3, 1, 10, 100, 0, bad=(-1,), within=(1, 1e6))


def generator(draft: Draft) -> Case:
    """Draw a call that makes a seeded generator. Another first argument would not be a call worth judging."""
    return Case("random.default_rng", (draft.choices.pick((0, 1, 42, 2**70, 12345, [1, 2])),))


def elements(draft: Draft) -> Any:
    """Draw what is permuted or chosen from: an array, or an integer for a range."""
    choices, dtype = draft.choices, draft.choices.pick(arrays.ANY)
    if draft.should_be_invalid():
        return choices.pick((1.5, np.float32(2)))
    if choices.flag(0.3):
        return choices.pick((12, 5, 0, 1, 200))
    return arrays.array(choices, dtype, arrays.shape(choices, 1, 3))


def array_elements(draft: Draft) -> Any:
    """Draw an array to permute."""
    choices = draft.choices
    return arrays.array(choices, choices.pick(arrays.ANY), arrays.shape(choices, 1, 3))


def rows_of_elements(draft: Draft) -> Any:
    """Draw an array to permute, in C order: without an axis NumPy permutes elements in memory order, which tensors do
    not have.
    """
    found = array_elements(draft)
    return np.ascontiguousarray(found) if isinstance(found, np.ndarray) else found


def along(draft: Draft) -> Any:
    """Draw an axis of the array to permute."""
    rank = np.ndim(draft["x"])
    return (
        draft.choices.pick((rank, -rank - 1))
        if draft.should_be_invalid(AXIS)
        else draft.choices.integer(-rank, max(rank - 1, 0))
    )


BITS = {np.int64: 49, np.uint64: 49, np.int32: 30, "int16": 14}
WIDTHS = (100, *(2**bits + beside for bits in (8, 16, 32, 48) for beside in (0, 0, -1, 1)))
THRESHOLD_SHARE = 0.1


def bound(draft: Draft) -> Any:
    """Draw an upper bound above the lower one. No arrays: NumPy does not promise the numbers for several bounds."""
    low = draft["low"]
    if draft.should_be_invalid() or not isinstance(low, int | np.integer):
        return draft.choices.pick((-100, 2**70))
    wide = draft.choices.pick((1, 2, 10, 100))
    if draft.choices.flag(THRESHOLD_SHARE):  # where generators take more bits
        bits = BITS.get(draft["dtype"], 7)
        wide = draft.choices.pick([one for one in WIDTHS if one.bit_length() <= bits])
    return draft.choices.pick((int(low) + wide, OMITTED if low > 0 else wide + 100))


def destination(draft: Draft) -> Any:
    """Draw an output array, of the requested shape if there is one. NumPy crashes for an `out=` that is not an
    array.
    """
    choices, size = draft.choices, draft["size"]
    if draft.should_be_invalid(DTYPE):
        return np.zeros(arrays.shape(choices, 0, 2), choices.pick((np.int32, np.float32)))
    if not draft.is_required() and not choices.flag(0.3):
        return OMITTED
    return np.zeros(arrays.shape(choices, 0, 2) if size is None else shape_of(size), draft["dtype"])


def in_place(draft: Draft) -> Any:
    """Draw an output array for a permutation, sometimes the input itself."""
    found = draft["x"]
    if not isinstance(found, np.ndarray):
        return OMITTED
    native = found.dtype.newbyteorder("=")
    return arrays.writable(draft.choices, native, found.shape[draft.should_be_invalid(SHAPE) :])


COUNTS = (3, 8, 1, 20, 3, 8, 1, 20, 100)


def population(high: int) -> Strategy:
    """Return a strategy for a population along the first axis: an array of at most `high` dimensions, or an integer."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if draft.should_be_invalid():
            return choices.pick((0, [], -3))
        if choices.flag(0.3):
            return choices.pick((12, 5, 1, 100))
        rest = arrays.shape(choices, 0, high - 1, long=False)
        return arrays.array(
            choices,
            choices.pick(arrays.ANY),
            (choices.pick(COUNTS if high > 1 else (*COUNTS, 1100)), *rest),
        )

    return draw


def changed(draft: Draft) -> Any:
    """Draw an array to shuffle in place."""
    choices = draft.choices
    return arrays.writable(choices, choices.pick(arrays.ANY), arrays.shape(choices, 1, 3))


def sample_size(draft: Draft) -> Any:
    """Draw a size; without replacement not more than there are elements."""
    if draft["replace"] is not False:
        return size(draft)
    if draft.should_be_invalid():
        return _count(draft["a"]) + 3
    choices, count = draft.choices, _count(draft["a"])
    return choices.pick((None, 1, count, count, (count + 1) // 2, (2, count // 2), (count // 2, 1), 0, min(count, 3)))


def _count(population: Any) -> int:
    return population if type(population) is int else len(population)


def probabilities(draft: Draft) -> Any:
    """Draw the probabilities of the elements: uniform, arbitrary, or all but one zero."""
    choices, count = draft.choices, _count(draft["a"])
    if draft.should_be_invalid() or not count:
        return choices.pick(([0.9, 0.9], [-0.5, 1.5]))
    parts = np.array(choices.picks((1, 2, 0.5, 5), count)) if choices.flag(0.7) else np.ones(count)
    if choices.flag(0.15) and draft["replace"]:
        parts[1:] = 0
    found = parts / parts.sum()
    return found if choices.flag(0.5) else found.tolist()


def mostly(strategy: Strategy) -> Strategy:
    """Return the strategy for a parameter of a distribution, which is left to its default now and then."""
    return always(sometimes(strategy, GIVEN_SHARE))


def above_low(strategy: Strategy) -> Strategy:
    """Return a strategy for the upper bound: its default is only above the default of the lower one."""
    either_way = sometimes(strategy, 0.5)
    return always(lambda draft: either_way(draft) if draft.omits("low") else strategy(draft))


GIVEN_SHARE = 0.85

SIZE: dict[str, Strategy] = {"size": always(size)}
EITHER: dict[str, Strategy] = {
    "args": lambda draft: [size(draft)] if draft.omits("kwargs") else OMITTED,
    "kwargs": lambda draft: {"size": size(draft)},
}
SELF: dict[str, Strategy] = {"self": generator}


def real(draft: Draft) -> Any:
    """Draw a dtype, unless a single number is asked for: NumPy returns that as a Python float."""
    if draft.should_be_invalid(DTYPE):
        return draft.choices.pick((np.int32, np.float16))
    return draft.choices.pick((np.float64, "float64") if draft["size"] is None else (np.float32, "f4", np.float64))


OUT: dict[str, Strategy] = {**SELF, **SIZE, "dtype": real, "out": destination}
EMPTY = np.zeros(0)
CHANCES = either(
    *[literal([0.2, 0.3, 0.5], np.array([1.0]), [1.0, 0.0], np.full(6, 1 / 6), np.full(3, 1 / 3), bad=([0.9, 0.9],))]
    * 15,
    literal(EMPTY),
)
ALPHAS = either(
    *[literal([1.0, 2.0], np.array([0.5]), [10.0, 5.0, 3.0], np.full(4, 0.1), np.ones(9), bad=([-1.0],))] * 15,
    literal(EMPTY, np.full(130, 0.5), np.full(190, 1.0)),
)
REGULAR = literal(
    [[1.0, 0.0], [0.0, 1.0]],
    np.eye(2),
    np.array([[2.0, 0.5], [0.5, 1.0]]),
    np.array([[1.0, -0.5], [-0.5, 3.0]]),
    bad=(np.eye(3),),
)
THREE = literal(
    np.diag([1.0, 4.0, 0.25]), np.array([[2.0, 0.5, -0.25], [0.5, 1.0, 0.0], [-0.25, 0.0, 3.0]]), bad=(np.eye(2),)
)
MEANS = literal([0.0, 1.0], np.array([-1.5, 100.0]), np.array([1.0, -2.0, 0.0]), bad=([0.0],))
SINGULAR = literal(np.ones((2, 2)), [[0.0, 0.0], [0.0, 2.0]])


def covariance(draft: Draft) -> Any:
    """Draw a covariance matrix; of two variables sometimes a singular one, unless it needs a Cholesky factor."""
    if np.shape(draft["mean"]) == (3,):
        return THREE(draft)
    is_regular = "method" in draft and draft["method"] == "cholesky"
    return (SINGULAR if not is_regular and draft.choices.flag(0.2) else REGULAR)(draft)


def others(draft: Draft) -> Any:
    """Draw the number of items of the other kind: enough for any sample if there may be none of the first."""
    ngood = np.asarray(draft["ngood"])
    may_be_none = ngood.dtype.kind == "i" and ngood.size > 0 and ngood.min() < MOST_SAMPLED
    return (integral(3, 2, 10, 100, bad=(-1,)) if may_be_none else OTHERS)(draft)


_DISTRIBUTIONS: dict[str, dict[str, Strategy]] = {
    "random.beta": {"a": POSITIVE, "b": POSITIVE},
    "random.binomial": {"n": TRIALS, "p": PROBABILITY},
    "random.chisquare": {"df": POSITIVE},
    "random.dirichlet": {"alpha": in_any_layout(ALPHAS)},
    "random.exponential": {"scale": mostly(NONNEGATIVE)},
    "random.f": {"dfnum": POSITIVE, "dfden": POSITIVE},
    "random.gamma": {"shape": NONNEGATIVE, "scale": NONNEGATIVE},
    "random.geometric": {"p": CHANCE},
    "random.gumbel": {"loc": ANYWHERE, "scale": NONNEGATIVE},
    "random.hypergeometric": {
        "ngood": TRIALS,
        "nbad": others,
        "nsample": integral(MOST_SAMPLED, 1, bad=(-1, 300)),
    },
    "random.laplace": {"loc": ANYWHERE, "scale": NONNEGATIVE},
    "random.logistic": {"loc": ANYWHERE, "scale": NONNEGATIVE},
    "random.logseries": {"p": parameter(0.5, 0.25, 0.9, 0.05, 0.0, bad=(-0.5, 1.5), within=(1e-5, 0.999))},
    "random.lognormal": {"mean": ANYWHERE, "sigma": NONNEGATIVE},
    "random.multinomial": {
        "n": integral(3, 1, 10, 100, 0, bad=(-1,)),
        "pvals": in_any_layout(CHANCES),
    },
    "random.negative_binomial": {"n": POSITIVE, "p": CHANCE},
    "random.noncentral_chisquare": {"df": POSITIVE, "nonc": NONNEGATIVE},
    "random.noncentral_f": {"dfnum": POSITIVE, "dfden": POSITIVE, "nonc": NONNEGATIVE},
    "random.normal": {"loc": mostly(ANYWHERE), "scale": mostly(NONNEGATIVE)},
    "random.pareto": {"a": POSITIVE},
    "random.poisson": {"lam": mostly(parameter(3, 0.5, 20.0, 100, 0.0, bad=(-1.0,), within=(1e-3, 1e5)))},
    "random.power": {"a": POSITIVE},
    "random.rayleigh": {"scale": NONNEGATIVE},
    "random.standard_cauchy": {},
    "random.standard_t": {"df": POSITIVE},
    "random.triangular": {
        "left": parameter(0.0, -1.0, -0.5, bad=()),
        "mode": parameter(0.5, 0.25, 1, 0.0, bad=(-3.0,)),
        "right": parameter(1.0, 2.0, 7, 1.5, bad=(-2.0,)),
    },
    "random.uniform": {
        "low": mostly(parameter(1.5, -2, 0.0, 3.0, bad=())),
        "high": above_low(parameter(3.0, 7, 1e6, 3.5, bad=(np.inf,))),
    },
    "random.vonmises": {"mu": ANYWHERE, "kappa": NONNEGATIVE},
    "random.wald": {"mean": POSITIVE, "scale": POSITIVE},
    "random.weibull": {"a": NONNEGATIVE},
    "random.zipf": {"a": parameter(2.0, 1.5, 4, bad=(0.5,), within=(1.2, 30.0))},
}

_FUNCTIONS: dict[str, dict[str, Strategy]] = {
    "random.uniform": {  # bounds in either order, which a Generator rejects
        "low": _DISTRIBUTIONS["random.uniform"]["low"],
        "high": above_low(parameter(3.0, 7, 1e6, 3.5, 0.0, -1.0, -2, bad=(np.inf,))),
        **SIZE,
    },
    "random.multinomial": {
        **_DISTRIBUTIONS["random.multinomial"],
        "n": literal(3, 1, 10, 100, 0, bad=(-1,)),
        **SIZE,
    },
    "random.choice": {
        "a": population(1),
        "replace": literal(True, False),
        "p": sometimes(probabilities, 0.5),
        "size": always(sample_size),
    },
    "random.multivariate_normal": {
        "mean": in_any_layout(MEANS),
        "cov": in_any_layout(covariance),
        "check_valid": literal("warn", "ignore", "raise"),
        "tol": literal(1e-8, 1e-3, 1),
        **SIZE,
    },
    "random.permutation": {"x": elements},
    "random.rand": {"args": dims},
    "random.randint": {
        "low": integral(0, 3, -2, 1, bad=()),
        "high": always(integral(4, 5, 100, 127, bad=(-9,))),
        "dtype": literal(int, np.int64, np.int32, "int8", np.uint8, bad=("bogus",)),
        **SIZE,
    },
    "random.randn": {"args": dims},
    "random.random": SIZE,
    "random.random_sample": SIZE,
    "random.ranf": EITHER,
    "random.sample": EITHER,
    "random.seed": {"seed": always(literal(0, 1, 42, 2**31, bad=(-1, 2**40)))},
    "random.shuffle": {"x": changed},
    "random.standard_exponential": SIZE,
    "random.standard_gamma": {"shape": NONNEGATIVE, **SIZE},
    "random.standard_normal": SIZE,
}

GENERATED: dict[str, dict[str, Strategy]] = {
    f"random.Generator.{name.removeprefix('random.')}": {**SELF, **line, **SIZE}
    for name, line in _DISTRIBUTIONS.items()
}
"""The distributions of a Generator take what the functions take."""


def draws_unseeded(name: str) -> bool:
    """Return whether a function draws from the global state: two calls share a distribution, and no number."""
    home, _, short = name.rpartition(".")
    return home == "random" and short not in {"default_rng", "seed", "Generator"}


ROWS_OF_CHANCES = literal(np.full((1, 4), 0.25), np.array([[0.0, 0.25, 0.75]]), np.array([[[1.0, 0.0]]]))

LINES: dict[str, dict[str, Strategy]] = {
    **{name: {**line, **SIZE} for name, line in _DISTRIBUTIONS.items()},
    **_FUNCTIONS,
    **GENERATED,
    "random.Generator.hypergeometric": {
        **GENERATED["random.Generator.hypergeometric"],
        "nsample": integral(2, 1, 0, bad=(-1, 300)),
    },
    "random.Generator.multinomial": {
        **GENERATED["random.Generator.multinomial"],
        "n": literal(3, 1, 10, 100, 0, bad=(-1,)),
        "pvals": either(*[in_any_layout(CHANCES)] * 7, in_any_layout(ROWS_OF_CHANCES)),
    },
    "random.Generator.choice": {
        **SELF,
        "size": always(sample_size),
        "a": population(3),
        "replace": literal(True, False),
        "p": sometimes(probabilities, 0.5),
        "axis": literal(0, 0, 0, -1, bad=(5,), sort=AXIS),
        "shuffle": literal(True, False),
    },
    "random.Generator.integers": {
        **SELF,
        **SIZE,
        "low": literal(0, 1, 5, -3, np.int64(2), bad=(2**70,)),
        "high": always(bound),
        "dtype": literal(np.int64, np.int32, "int16", np.uint8, bool, np.uint64, bad=("bogus",)),
        "endpoint": literal(False, True),
    },
    "random.Generator.multivariate_hypergeometric": {
        **SELF,
        **SIZE,
        "colors": literal([3, 4, 5], [0, 2], [100, 200, 300, 400], bad=([-1, 2],)),
        "nsample": literal(2, 0, 1, bad=(-1, 10**4)),
        "method": literal("marginals", "count"),
    },
    "random.Generator.multivariate_normal": {
        **SELF,
        **SIZE,
        "mean": in_any_layout(MEANS),
        "cov": in_any_layout(covariance),
        "check_valid": literal("warn", "ignore", "raise"),
        "tol": literal(1e-8, 1e-3, 1),
        "method": literal("svd", "eigh", "cholesky"),
    },
    "random.Generator.permutation": {**SELF, "x": elements, "axis": along},
    "random.Generator.permuted": {**SELF, "x": rows_of_elements, "axis": along, "out": in_place},
    "random.Generator.random": OUT,
    "random.Generator.shuffle": {**SELF, "x": changed, "axis": along},
    "random.Generator.standard_exponential": {**OUT, "method": literal("zig", "inv")},
    "random.Generator.standard_gamma": {**OUT, "shape": NONNEGATIVE},
    "random.Generator.standard_normal": OUT,
}
