"""Random numbers, as far as they are certain: none at all, or from a distribution that has one value only."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz import values
from fuzz.drafts import Draft, Word, always
from fuzz.quantities import literal

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


SIZE: dict[str, Word] = {"size": always(nothing)}
ONE: dict[str, Word] = {"x": alike}

LINES: dict[str, dict[str, Word]] = {
    "random.beta": {"a": POSITIVE, "b": POSITIVE, **SIZE},
    "random.binomial": {"n": COUNT, "p": literal(0.0, bad=(-1.0, 2.0)), "size": literal(None, 2, (2, 1))},
    "random.chisquare": {"df": POSITIVE, **SIZE},
    "random.choice": {
        "a": literal(1, [5], [2.5, 2.5], bad=(0, [], "a")),
        "size": literal(None, 1, (1, 1)),
        "p": literal(None),
    },
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
    "random.multivariate_normal": {
        "mean": literal([0.0, 1.0], bad=([0.0], "a")),
        "cov": literal([[1.0, 0.0], [0.0, 1.0]], np.eye(2), bad=(np.eye(3), "a")),
        "check_valid": literal("warn", "ignore"),
        **SIZE,
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
    "random.permutation": ONE,
    "random.poisson": {"lam": always(literal(0.0, 0, [0.0, 0.0], bad=(-1.0, "a"))), "size": literal(None, 2, (3, 2))},
    "random.power": {"a": POSITIVE, **SIZE},
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
    "random.ranf": {"args": lambda draft: [nothing(draft)]},
    "random.rayleigh": {"scale": POSITIVE, **SIZE},
    "random.sample": {"args": lambda draft: [nothing(draft)]},
    "random.seed": {"seed": always(literal(0, 1, 42, 2**31, bad=(-1, "a", 2**40)))},
    "random.shuffle": ONE,
    "random.standard_cauchy": SIZE,
    "random.standard_exponential": SIZE,
    "random.standard_gamma": {"shape": POSITIVE, **SIZE},
    "random.standard_normal": SIZE,
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
