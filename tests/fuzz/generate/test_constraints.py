"""Strategies keep their strategy: what they draw relates as they say, and does not where it should miss."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fuzz.generate import constraints, scalars
from fuzz.generate.arguments import PARAMETERS
from fuzz.generate.builder import Draft
from fuzz.generate.calls import draw_case, plan_of
from fuzz.generate.choices import SeedChoices
from fuzz.generate.domains.splitting import sections_of

SEEDS = range(150)


def two(a, b):
    return None


def drawn(strategy, invalid=False):
    """Yield pairs of a first array and the argument that the strategy draws for it."""
    line = {"a": constraints.array(1, 4), "b": strategy}
    for seed in SEEDS:
        draft = Draft(SeedChoices(seed), plan_of("two", two, line), "b" if invalid else "")
        yield np.asarray(draft["a"]), draft["b"]


def accepts(function, *args):
    try:
        function(*args)
    except (ArithmeticError, ValueError, TypeError, IndexError, SystemError):
        return False
    return True


# A strategy for `b` given `a`, and a call that accepts what it draws, unless it is invalid.
STRATEGIES = {
    "partner": (constraints.partner("a"), lambda a, b: np.broadcast_shapes(a.shape, np.shape(b))),
    "axis_of": (constraints.axis_of("a"), lambda a, b: np.take(np.zeros([s + 1 for s in a.shape]), 0, b)),
    "axes_of": (constraints.axes_of("a"), lambda a, b: np.sum(np.zeros(a.shape), b)),
    "permutation_of": (constraints.permutation_of("a"), lambda a, b: a.transpose(b)),
    "shape_of_size": (scalars.shape_of_size("a"), lambda a, b: a.reshape(b)),
    "wider_shape": (scalars.wider_shape("a"), np.broadcast_to),
    "sections_of": (sections_of("a", 0), lambda a, b: np.split(a, b, 0)),
}


@pytest.mark.parametrize("name", STRATEGIES)
def test_what_is_drawn_relates(name):
    strategy, call = STRATEGIES[name]
    assert np.mean([accepts(call, a, b) for a, b in drawn(strategy)]) > 0.95


@pytest.mark.parametrize("name", STRATEGIES)
def test_invalid_arguments_are_mostly_rejected(name):
    strategy, call = STRATEGIES[name]
    assert np.mean([accepts(call, a, b) for a, b in drawn(strategy, invalid=True)]) < 0.7


def test_same_shape():
    assert all(a.shape == np.shape(b) for a, b in drawn(constraints.same_shape("a")))


def test_square():
    found = [b.shape for _, b in drawn(constraints.square())]
    assert all(shape[-1] == shape[-2] for shape in found)
    assert {len(shape) for shape in found} >= {2, 3}


def test_arrays_that_join():
    for seed in SEEDS:
        draft = Draft(
            SeedChoices(seed),
            plan_of("two", two, {"a": constraints.array_sequence(1, 3, (1, 4), "b"), "b": lambda draft: 0}),
        )
        assert len({np.shape(array)[1:] for array in draft["a"]}) <= 2


def test_shapes_hold_as_many_elements():
    for a, b in drawn(scalars.shape_of_size("a")):
        sides = (b,) if type(b) is int else tuple(b)
        assert -1 in sides or math.prod(sides) == a.size


@pytest.mark.parametrize("name", ["mode", "casting", "order", "method", "kind"])
def test_every_documented_literal_comes(name):
    strategy = PARAMETERS[name]
    found = {strategy(Draft(SeedChoices(seed), plan_of("two", two, {}))) for seed in range(400)}
    documented = {
        "mode": {"raise", "wrap", "clip"},
        "casting": {"no", "equiv", "safe", "same_kind", "unsafe"},
        "order": {"C", "F", "A", "K"},
        "method": {"linear", "inverted_cdf", "weibull", "hazen", "median_unbiased"},
        "kind": {"quicksort", "mergesort", "heapsort", "stable"},
    }
    assert documented[name] <= found


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["sum", "sin", "stack", "take", "cumsum"])
def test_results_are_delivered_where_they_fit(name):
    """Arrays for results are of the right shape for the most part, and now and then of another."""
    fits = []
    for seed in range(1500):
        case = draw_case(SeedChoices(seed), name)
        out = case.kwargs.get("out")
        if type(out) is np.ndarray:
            arguments = {key: value for key, value in case.kwargs.items() if key not in {"out", "where"}}
            function = getattr(np, name)
            with np.errstate(all="ignore"):
                fits.append(accepts(lambda: function(*case.fresh().args, **arguments, out=out)))  # noqa: B023 - called at once
    assert len(fits) > 20
    assert 0.3 < np.mean(fits) < 1
