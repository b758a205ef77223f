"""Random numbers, as far as they are certain: none at all, or from a distribution that has one value only; and those of
a generator made for the case, whose seed is the same for all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz import values
from fuzz.drafts import OMITTED, Draft, Word, always
from fuzz.quantities import literal, sometimes
from oracle import Case

# Parameters only need to be valid: nothing is drawn.
POSITIVE = literal(1.0, 2, 0.5, np.float32(1.5), [1.0], bad=("a", None))
FRACTION = literal(0.5, 0.25, 0.9, bad=(-0.5, 1.5, "a"))
ANYWHERE = literal(0.0, -1.5, 2, np.float32(0.5), bad=("a", None))
COUNT = literal(3, 1, 10, bad=(-1, "a"))


def nothing(draft: Draft) -> Any:
    """A size of no elements."""
    return draft.choices.pick(
        (0, (0,), (2, 0), (0, 3), [0], (1, 0, 2)) if not draft.slips() else (-1, (0, -1), 1.5, "a")
    )


def no_sides(draft: Draft) -> list[Any]:
    """The same, side by side."""
    return draft.choices.pick(
        ([0], [2, 0], [0, 3], [1, 0, 2]) if not draft.slips() else ([-1], [0, -1], ["a"], [1.5, 0])
    )


def alike(draft: Draft) -> Any:
    """An array that no permutation changes."""
    choices, dtype = draft.choices, draft.choices.pick(values.ANY)
    if draft.slips():
        return choices.pick(("a", None, 1.5, np.float32(2)))
    return np.full(values.shape(choices, 1, 2), choices.pick(values.POOLS[dtype]["small"]), dtype)


def generator(draft: Draft) -> Case:
    """A new one: from there on all numbers are certain. No other first argument is a question."""
    draft.slips()
    return Case("random.default_rng", (draft.choices.pick((0, 1, 42, 2**70)),))


def elements(draft: Draft) -> Any:
    """What is put in another order, or chosen from: an array, or an integer for the numbers below it."""
    choices, dtype = draft.choices, draft.choices.pick(values.ANY)
    if draft.slips():
        return choices.pick(("a", None, 1.5, -3, np.float32(2)))
    return choices.integer(0, 12) if choices.flag(0.3) else values.array(choices, dtype, values.shape(choices, 1, 3))


def array_elements(draft: Draft) -> Any:
    """The same, but for integers."""
    draft.slips()
    return values.array(draft.choices, draft.choices.pick(values.ANY), values.shape(draft.choices, 1, 3))


def rows_of_elements(draft: Draft) -> Any:
    """The same, as they are read: without an axis NumPy permutes elements as they lie in memory, unknown to tensors."""
    found = array_elements(draft)
    return np.ascontiguousarray(found) if isinstance(found, np.ndarray) else found


def along(draft: Draft) -> Any:
    """An axis of what is put in order."""
    rank = np.ndim(draft["x"])
    return (
        draft.choices.pick((rank, -rank - 1, 1.5)) if draft.slips() else draft.choices.integer(-rank, max(rank - 1, 0))
    )


def bound(draft: Draft) -> Any:
    """Above the lower one. No array: of several bounds the numbers are nobody's promise."""
    low = draft["low"]
    if draft.slips() or not isinstance(low, int | np.integer):
        return draft.choices.pick((-100, "a", 2.5, 2**70))
    wide = draft.choices.pick((1, 2, 10, 100))
    return draft.choices.pick((int(low) + wide, OMITTED if low > 0 else wide + 100))


def destination(draft: Draft) -> Any:
    """Where numbers go, of the shape that is asked for, if one is. NumPy dies of an `out=` that is no array."""
    choices, size = draft.choices, draft["size"]
    if draft.slips():
        return np.zeros(values.shape(choices, 0, 2), choices.pick((np.int32, np.float32)))
    if not draft.is_wanted() and not choices.flag(0.3):
        return OMITTED
    return np.zeros(values.shape(choices, 0, 2) if size is None else size, draft["dtype"])


def in_place(draft: Draft) -> Any:
    """An array like that to be permuted, which may be that itself."""
    found = draft["x"]
    if not isinstance(found, np.ndarray):
        return OMITTED
    return np.zeros(found.shape[draft.slips() :], found.dtype)


def shares(draft: Draft) -> Any:
    """How likely each of several is."""
    count = draft["a"] if type(draft["a"]) is int else len(draft["a"])
    if draft.slips() or not count:
        return draft.choices.pick(([0.9, 0.9], [1.0], "a", [-0.5, 1.5], [[0.5, 0.5]]))
    return [1 / count] * count if draft.choices.flag() else [0.0] * (count - 1) + [1.0]


SIZE: dict[str, Word] = {"size": always(nothing)}
EITHER: dict[str, Word] = {
    "args": lambda draft: [nothing(draft)] if draft.omits("kwargs") else OMITTED,
    "kwargs": lambda draft: {"size": nothing(draft)},
}
ONE: dict[str, Word] = {"x": alike}
SELF: dict[str, Word] = {"self": generator}
SOME: dict[str, Word] = {"size": literal(None, 3, (2, 1), 0, (2, 0), [2, 2], 40, bad=(-1, 1.5, "a", (2, -1)))}


def real(draft: Draft) -> Any:
    """A dtype; of a single number NumPy makes Python's, which has none."""
    if draft.slips():
        return draft.choices.pick((np.int32, "bogus", np.float16))
    return draft.choices.pick((np.float64, "float64") if draft["size"] is None else (np.float32, "f4", np.float64))


OUT: dict[str, Word] = {**SELF, **SOME, "dtype": real, "out": destination}
COVARIANCE = literal([[1.0, 0.0], [0.0, 1.0]], np.eye(2), [[2.0, 0.5], [0.5, 1.0]], bad=(np.eye(3), "a"))

_DISTRIBUTIONS: dict[str, dict[str, Word]] = {
    "random.beta": {"a": POSITIVE, "b": POSITIVE, **SIZE},
    "random.binomial": {"n": COUNT, "p": literal(0.0, bad=(-1.0, 2.0)), "size": literal(None, 2, (2, 1))},
    "random.chisquare": {"df": POSITIVE, **SIZE},
    "random.dirichlet": {"alpha": literal([1.0, 2.0], [0.5], bad=([-1.0], [], "a")), **SIZE},
    "random.exponential": {"scale": always(literal(0.0, bad=(-1.0, "a"))), "size": literal(None, 3, (2, 1))},
    "random.f": {"dfnum": POSITIVE, "dfden": POSITIVE, **SIZE},
    "random.gamma": {"shape": POSITIVE, "scale": POSITIVE, **SIZE},
    "random.geometric": {"p": literal(1.0, bad=(0.0, 2.0)), "size": literal(None, 3, (2, 1))},
    "random.gumbel": {"loc": ANYWHERE, "scale": literal(1.0, 0.5, bad=(-1.0,)), **SIZE},
    "random.hypergeometric": {"ngood": COUNT, "nbad": COUNT, "nsample": literal(1, bad=(-1, "a")), **SIZE},
    "random.laplace": {"loc": ANYWHERE, "scale": POSITIVE, **SIZE},
    "random.logistic": {"loc": ANYWHERE, "scale": POSITIVE, **SIZE},
    "random.logseries": {"p": FRACTION, **SIZE},
    "random.lognormal": {"mean": ANYWHERE, "sigma": POSITIVE, **SIZE},
    "random.multinomial": {
        "n": COUNT,
        "pvals": literal([1.0], [1.0, 0.0], bad=([0.9, 0.9], "a")),
        "size": literal(None, 2, (2, 1)),
    },
    "random.negative_binomial": {"n": POSITIVE, "p": FRACTION, **SIZE},
    "random.noncentral_chisquare": {"df": POSITIVE, "nonc": POSITIVE, **SIZE},
    "random.noncentral_f": {"dfnum": POSITIVE, "dfden": POSITIVE, "nonc": POSITIVE, **SIZE},
    "random.normal": {
        "loc": always(ANYWHERE),
        "scale": always(literal(0.0, bad=(-1.0, "a"))),
        "size": literal(None, 3, (2, 1)),
    },
    "random.pareto": {"a": POSITIVE, **SIZE},
    "random.poisson": {"lam": always(literal(0.0, 0, [0.0, 0.0], bad=(-1.0, "a"))), "size": literal(None, 2, (3, 2))},
    "random.power": {"a": POSITIVE, **SIZE},
    "random.rayleigh": {"scale": POSITIVE, **SIZE},
    "random.standard_cauchy": SIZE,
    "random.standard_t": {"df": POSITIVE, **SIZE},
    "random.triangular": {
        "left": literal(0.0, -1.0),
        "mode": literal(0.5, 0.25),
        "right": literal(1.0, 2.0, bad=(0.25,)),
        **SIZE,
    },
    "random.uniform": {"low": always(literal(1.5, -2, bad=("a",))), "high": always(literal(3.0, 7)), **SIZE},
    "random.vonmises": {"mu": ANYWHERE, "kappa": POSITIVE, **SIZE},
    "random.wald": {"mean": POSITIVE, "scale": POSITIVE, **SIZE},
    "random.weibull": {"a": POSITIVE, **SIZE},
    "random.zipf": {"a": literal(2.0, 1.5, bad=(0.5, "a")), **SIZE},
}

_FUNCTIONS: dict[str, dict[str, Word]] = {
    "random.choice": {
        "a": literal(1, [5], [2.5, 2.5], bad=(0, [], "a")),
        "size": literal(None, 1, (1, 1)),
        "p": literal(None),
    },
    "random.multivariate_normal": {
        "mean": literal([0.0, 1.0], bad=([0.0], "a")),
        "cov": literal([[1.0, 0.0], [0.0, 1.0]], np.eye(2), bad=(np.eye(3), "a")),
        "check_valid": literal("warn", "ignore"),
        **SIZE,
    },
    "random.permutation": ONE,
    "random.rand": {"args": no_sides},
    "random.randint": {
        "low": literal(3, 0, -2, bad=("a", 1.5)),
        "high": always(lambda draft: draft["low"] + 1 if type(draft["low"]) is int and not draft.slips() else -9),
        "size": literal(None, 3, (2, 0)),
        "dtype": literal(int, np.int64, np.int32, "int8", bad=("bogus", float)),
    },
    "random.randn": {"args": no_sides},
    "random.random": SIZE,
    "random.random_sample": SIZE,
    "random.ranf": EITHER,
    "random.sample": EITHER,
    "random.seed": {"seed": always(literal(0, 1, 42, 2**31, bad=(-1, "a", 2**40)))},
    "random.shuffle": ONE,
    "random.standard_exponential": SIZE,
    "random.standard_gamma": {"shape": POSITIVE, **SIZE},
    "random.standard_normal": SIZE,
}

GENERATED: dict[str, dict[str, Word]] = {
    f"random.Generator.{name.removeprefix('random.')}": {**SELF, **line, **(SOME if "size" in line else {})}
    for name, line in _DISTRIBUTIONS.items()
}
"""The distributions of a Generator take what the functions take, and any size."""

LINES: dict[str, dict[str, Word]] = {
    **_DISTRIBUTIONS,
    **_FUNCTIONS,
    **GENERATED,
    "random.Generator.choice": {
        **SELF,
        **SOME,
        "a": elements,
        "replace": literal(True, False),
        "p": sometimes(shares, 0.3),
        "axis": literal(0, 0, 0, -1, bad=(5, 1.5)),
        "shuffle": literal(True, False),
    },
    "random.Generator.integers": {
        **SELF,
        **SOME,
        "low": literal(0, 1, 5, -3, np.int64(2), bad=("a", 1.5, 2**70)),
        "high": always(bound),
        "dtype": literal(np.int64, np.int32, "int16", np.uint8, bool, np.uint64, bad=("bogus", float)),
        "endpoint": literal(False, True),
    },
    "random.Generator.multivariate_hypergeometric": {
        **SELF,
        **SOME,
        "colors": literal([3, 4, 5], [0, 2], [100, 200, 300, 400], bad=([-1, 2], "a", 3)),
        "nsample": literal(2, 0, 1, bad=(-1, 10**4, "a")),
        "method": literal("marginals", "count"),
    },
    "random.Generator.multivariate_normal": {
        **SELF,
        **SOME,
        "mean": literal([0.0, 1.0], np.zeros(2), bad=([0.0], "a")),
        "cov": COVARIANCE,
        "check_valid": literal("warn", "ignore", "raise"),
        "tol": literal(1e-8, 1e-3),
        "method": literal("svd", "eigh", "cholesky"),
    },
    "random.Generator.permutation": {**SELF, "x": elements, "axis": along},
    "random.Generator.permuted": {**SELF, "x": rows_of_elements, "axis": along, "out": in_place},
    "random.Generator.random": OUT,
    "random.Generator.shuffle": {**SELF, "x": array_elements, "axis": along},
    "random.Generator.standard_exponential": {**OUT, "method": literal("zig", "inv")},
    "random.Generator.standard_gamma": {**OUT, "shape": POSITIVE},
    "random.Generator.standard_normal": OUT,
}
