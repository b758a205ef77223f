"""The checker of random draws: NumPy's own draws pass, wrong ones are reported."""

from __future__ import annotations

import math
import warnings
from itertools import cycle, islice

import numpy as np
import pytest

from oracle import Case, Outcome, run_numpy
from oracle.equality.distributions import TABLE
from oracle.equality.joint_draws import CHECKERS
from oracle.equality.random import (
    DRAWS,
    REARRANGING,
    check_draws,
    distribution_cases,
    is_drawn,
    is_seeded,
)
from oracle.equality.table import RELATIONS
from oracle.equality.uniformity import ALARM, Intervals, describe_fault
from oracle.harness import NAMES
from oracle.invariants import promises_values

NOT_DRAWN = {"random.Generator", "random.default_rng", "random.seed", "random.Generator.spawn"}
DRAWN = [name for name in NAMES if name.startswith("random.") and name not in NOT_DRAWN]


SIZES = (None, 3, (2, 3), 200, (20, 10))


def seeded(seed=0):
    return Case("random.default_rng", (seed,))


def draw(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcome = run_numpy(case)
    assert outcome.ok, (str(case)[:200], outcome.error)
    return outcome


def answer(case):
    """What is judged of NumPy's outcome: what was shuffled, or the value."""
    outcome = draw(case)
    return outcome.after[0] if case.name.endswith(".shuffle") else outcome.value


def complaints(case, actual, expected=None):
    check = check_draws(case, answer(case) if expected is None else expected, actual)
    return [deviation.detail for deviation in check.deviations]


def smaller(case, size):
    """The case with another number of draws; itself where it has none."""
    if case.name.rpartition(".")[2] in ("rand", "randn"):
        return Case(case.name, np.shape(np.empty(size or ())))
    if "size" in case.kwargs:
        return Case(case.name, case.args, {**case.kwargs, "size": size})
    args = tuple(size if type(arg) is int and arg == DRAWS else arg for arg in case.args)
    return Case(case.name, args, case.kwargs)


def with_seed(case, seed):
    """The case with another seed of its generator; itself where it has none."""
    return Case(case.name, tuple(seeded(seed) if isinstance(arg, Case) else arg for arg in case.args), case.kwargs)


class TestNumPy:
    def test_every_name_is_judged_or_only_has_a_structure(self):
        assert {name for name in NAMES if name.startswith("random.")} - NOT_DRAWN == set(DRAWN)
        assert all(is_drawn(name) is (name not in RELATIONS) for name in DRAWN)
        assert not any(is_drawn(name) for name in (*NOT_DRAWN, "sum", "empty"))

    @pytest.mark.sample(3)
    @pytest.mark.parametrize("name", DRAWN)
    def test_large_samples_pass(self, name):
        found = list(distribution_cases(name, seeds=[5]))
        assert found
        for case in found:
            outcome = draw(case)
            check = check_draws(case, outcome, outcome)
            assert check.deviations == (), (str(case)[:200], check)
            assert not check.undecided

    @pytest.mark.sample(2)
    @pytest.mark.parametrize("name", DRAWN)
    def test_small_samples_pass_for_many_seeds(self, name):
        for seed, (large, size) in enumerate(islice(zip(cycle(distribution_cases(name)), cycle(SIZES)), 25)):
            case = with_seed(smaller(large, size), 100 + seed)
            outcome = draw(case)
            assert check_draws(case, outcome, outcome).deviations == (), str(case)[:200]

    @pytest.mark.sample(23)
    @pytest.mark.parametrize("name", TABLE)
    def test_arrays_of_parameters_pass(self, name):
        row = TABLE[name]
        columns = [np.resize(column, (4, 1)) for column in zip(*row.examples, strict=True)]
        if row.is_discrete:
            columns = [column.astype(int) if (column == column.astype(int)).all() else column for column in columns]
        for prefix, first in (("random.", ()), ("random.Generator.", (seeded(),))):
            case = Case(prefix + name, (*first, *columns), {"size": (3, 4, 50)})
            assert complaints(case, answer(case)) == []

    def test_moments_of_the_table_are_those_of_numpys_draws(self):
        generator = np.random.default_rng(8)
        for name, row in TABLE.items():
            values = [int(value) if value == int(value) else value for value in row.examples[0]]
            draws = getattr(generator, name)(*values, size=DRAWS).astype(float)
            mean, variance = row.mean(*map(np.float64, values)), row.variance(*map(np.float64, values))
            if np.isfinite(variance):
                assert abs(draws.mean() - mean) < 5 * math.sqrt(variance / DRAWS), name
                assert abs(draws.var() / variance - 1) < 0.25, name
            else:
                assert np.isnan(variance)

    @pytest.mark.parametrize(
        ("name", "args"),
        [
            ("normal", (2.5, 0.0)),
            ("uniform", (1.5, 1.5)),
            ("uniform", (1e16, 1e16 + 4)),
            ("exponential", (0.0,)),
            ("gamma", (0.0, 2.0)),
            ("lognormal", (1.0, 0.0)),
            ("poisson", (0.0,)),
            ("poisson", (1e12,)),
            ("binomial", (5, 0.0)),
            ("binomial", (5, 1.0)),
            ("binomial", (0, 0.5)),
            ("geometric", (1.0,)),
            ("hypergeometric", (0, 4, 2)),
            ("hypergeometric", (4, 0, 2)),
            ("negative_binomial", (3, 1.0)),
            ("weibull", (0.0,)),
            ("zipf", (2000.0,)),
            ("vonmises", (0.0, 0.0)),
            ("standard_gamma", (1e-3,)),
            ("beta", (1e-3, 1e-3)),
            ("pareto", (1e-3,)),
        ],
    )
    def test_extreme_parameters_pass(self, name, args):
        for size in (None, 5, 300):
            case = Case(f"random.Generator.{name}", (seeded(3), *args), {"size": size})
            check = check_draws(case, answer(case), answer(case))
            assert check.deviations == ()
            assert not check.undecided


def shift(case, draws):
    spread = np.subtract(*np.quantile(draws, [0.84, 0.16])) / 2
    if draws.dtype.kind == "f":
        return (draws + np.asarray(0.1 * spread, draws.dtype)).astype(draws.dtype)
    late = np.random.default_rng(1).random(draws.shape) < max(0.1 * spread, 0.15)
    return (draws + late).astype(draws.dtype)


def widen(case, draws):
    middle = np.median(draws)
    found = middle + 1.5 * (draws - middle)
    return (np.rint(found) if draws.dtype.kind in "iu" else found).astype(draws.dtype)


def hold(case, draws):
    return np.full_like(draws, draws.flat[0])


def leave(case, draws):
    """Put one element outside of the support, or where there is no bound, of all quantiles."""
    found = draws.copy()
    found.flat[-1] = -np.array(1e30).astype(draws.dtype) if draws.dtype.kind == "f" else -99
    return found


def repeat(case, draws):
    """Half of the draws, twice."""
    return np.resize(draws.ravel()[: draws.size // 2], draws.shape)


SINGLE = [name for name in DRAWN if name.rpartition(".")[2] in TABLE]


class TestWrongSubjects:
    @pytest.mark.sample(29)
    @pytest.mark.parametrize("fault", [shift, widen, hold, leave])
    @pytest.mark.parametrize("name", SINGLE)
    def test_single_numbers(self, name, fault):
        case = next(iter(distribution_cases(name)))
        draws = draw(case).value
        assert complaints(case, fault(case, draws), draws), f"{fault.__name__} is not seen"

    @pytest.mark.sample(115)
    @pytest.mark.parametrize("fault", [hold, leave])
    @pytest.mark.parametrize("name", SINGLE)
    def test_single_numbers_of_small_samples(self, name, fault):
        case = smaller(next(iter(distribution_cases(name))), 100)
        draws = draw(case).value
        assert complaints(case, fault(case, draws), draws), f"{fault.__name__} is not seen"

    @pytest.mark.parametrize("name", [name for name in DRAWN if TABLE.get(name.rpartition(".")[2])])
    def test_nan_and_infinities(self, name):
        case = smaller(next(iter(distribution_cases(name))), 5)
        draws = draw(case).value
        for bad in (np.nan, np.inf, -np.inf) if draws.dtype.kind == "f" else ():
            assert complaints(case, np.where(np.arange(5) == 2, bad, draws), draws)

    def test_a_constant_of_minus_seven(self):
        for name in ("gamma", "normal", "uniform", "beta", "exponential"):
            case = smaller(next(iter(distribution_cases(f"random.{name}"))), 3)
            assert complaints(case, np.full(3, -7.0))

    @pytest.mark.parametrize("prefix", ["random.", "random.Generator."])
    def test_two_rows_that_are_the_same(self, prefix):
        for name, args in (("normal", (0.0, 1.0)), ("gamma", (2.0, 1.0)), ("poisson", (100.0,))):
            first = (seeded(),) if "Generator" in prefix else ()
            case = Case(prefix + name, (*first, *args), {"size": (2, 40)})
            draws = answer(case)
            assert complaints(case, draws) == []
            assert complaints(case, np.broadcast_to(draws[:1], draws.shape).copy(), draws)
            assert complaints(case, repeat(case, draws), draws)

    @pytest.mark.parametrize(
        ("case", "actual"),
        [
            (Case("random.randint", (0, 10), {"size": 4}), [99, -7, 99, 99]),
            (Case("random.randint", (0, 10), {"size": 4}), [1, 2, 3, 10]),
            (Case("random.randint", (3,), {"size": 2}), [1, 3]),
            (Case("random.randint", (0, 2**63 - 1), {"size": 2}), [5, -1]),
            (Case("random.randint", ([0, 10], [1, 11])), [0, 9]),
            (Case("random.Generator.integers", (seeded(), 0, 9), {"size": 2, "endpoint": True}), [9, 10]),
            (Case("random.choice", (5, 3), {"p": [0, 0, 1, 0, 0]}), [0, 1, 77]),
            (Case("random.choice", (5, 3), {"p": [0, 0, 1, 0, 0]}), [2, 2, 1]),
            (Case("random.choice", (5, 3, False)), [1, 1, 2]),
            (Case("random.choice", (np.array([2.5, 2.5, 1.0]), 3, False)), [2.5, 1.0, 1.0]),
            (Case("random.choice", (np.array([2.5, 1.0]), 2)), [2.5, 1.5]),
            (Case("random.choice", (5,)), 5),
            (Case("random.poisson", (3.0,)), -1),
            (Case("random.poisson", (3.0,), {"size": 2}), [2, -1]),
            (Case("random.poisson", (0.0,), {"size": 2}), [0, 1]),
            (Case("random.zipf", (2.0,), {"size": 2}), [1, 0]),
            (Case("random.geometric", (0.5,), {"size": 2}), [1, 0]),
            (Case("random.geometric", (0.5,), {"size": 2}), [1, 80]),
            (Case("random.binomial", (5, 0.5), {"size": 2}), [2, 6]),
            (Case("random.hypergeometric", (5, 1, 3), {"size": 2}), [2, 1]),
            (Case("random.random", (2,)), [0.5, 1.0]),
            (Case("random.uniform", (1.0, 2.0), {"size": 2}), [1.5, 2.0001]),
            (Case("random.triangular", (0.0, 1.0, 2.0), {"size": 2}), [0.5, 2.1]),
            (Case("random.vonmises", (0.0, 1.0), {"size": 2}), [0.5, 3.2]),
            (Case("random.normal", (5.0, 0.0), {"size": 2}), [5.0, 5.1]),
            (Case("random.dirichlet", ([1.0, 2.0],), {"size": 1}), [[0.5, 0.6]]),
            (Case("random.dirichlet", ([1.0, 2.0],), {"size": 1}), [[-0.5, 1.5]]),
            (Case("random.multinomial", (3, [0.5, 0.5]), {"size": 1}), [[1, 1]]),
            (Case("random.multinomial", (3, [0.0, 1.0]), {"size": 1}), [[1, 2]]),
            (Case("random.Generator.multivariate_hypergeometric", (seeded(), [3, 1], 2)), [0, 2]),
            (Case("random.Generator.multivariate_hypergeometric", (seeded(), [3, 1], 2)), [1, 0]),
            (Case("random.multivariate_normal", ([0.0, 0.0], [[1.0, 1.0], [1.0, 1.0]])), [0.5, -0.5]),
            (Case("random.multivariate_normal", ([0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]])), [0.5, 50.0]),
            (Case("random.permutation", (4,)), [0, 1, 2, 2]),
            (Case("random.permutation", (np.array([[1, 2], [3, 4]]),)), [[1, 2], [3, 3]]),
            (Case("random.Generator.permuted", (seeded(), np.array([[1, 2], [3, 4]])), {"axis": 1}), [[3, 2], [1, 4]]),
            (Case("random.shuffle", (np.array([1.0, np.nan, 3.0]),)), [1.0, 2.0, 3.0]),
        ],
        ids=str,
    )
    def test_impossible_draws(self, case, actual):
        expected = np.asarray(answer(case))
        check = check_draws(case, expected, np.asarray(actual, expected.dtype))
        assert check.deviations
        assert check.deviations[0].wrong is None or check.deviations[0].wrong.shape == expected.shape
        assert complaints(case, expected) == []

    @pytest.mark.sample(15)
    @pytest.mark.parametrize("name", [name for name in DRAWN if name.rpartition(".")[2] in CHECKERS])
    def test_what_is_not_random(self, name):
        case = next(iter(distribution_cases(name)))
        draws = answer(case)
        wrong = np.broadcast_to(draws[:1], draws.shape).copy()
        assert complaints(case, wrong, draws)
        wrong = draws.copy()
        wrong.flat[-1] = -99
        assert complaints(case, wrong, draws)
        if name.rpartition(".")[2] in REARRANGING - {"choice"}:
            assert complaints(case, np.sort(draws), draws)

    @pytest.mark.parametrize("name", ["random.randn", "random.rand", "random.ranf", "random.sample"])
    def test_other_names_of_a_distribution(self, name):
        case = next(iter(distribution_cases(name)))
        draws = draw(case).value
        for fault in (shift, widen, hold, leave):
            assert complaints(case, fault(case, draws), draws)

    @pytest.mark.full
    def test_joint_draws_of_another_distribution(self):
        def other(name, *wrong, **options):
            case = next(iter(distribution_cases(name)))
            draws = answer(case)
            found = np.asarray(getattr(np.random.default_rng(7), name.rpartition(".")[2])(*wrong, **options))
            assert found.shape == draws.shape
            return complaints(case, found.astype(draws.dtype), draws)

        assert other("random.multinomial", 20, [0.25, 0.25, 0.5], DRAWS)
        assert other("random.dirichlet", [1.0, 2.0, 4.0], DRAWS)

        assert other("random.multivariate_normal", [0.1, 0.0], np.eye(2), DRAWS)
        assert other("random.multivariate_normal", [0.0, 0.0], [[1.0, 0.2], [0.2, 1.0]], DRAWS)
        assert other("random.multivariate_normal", [0.0, 0.0], 1.5 * np.eye(2), DRAWS)
        assert other("random.Generator.multivariate_hypergeometric", [35, 35, 50], 20, DRAWS)
        assert other("random.choice", 5, DRAWS, p=[0.2, 0.0, 0.3, 0.3, 0.2])
        assert other("random.Generator.integers", 1, 10, DRAWS)

    def test_draws_that_depend_on_one_another(self):
        case = Case("random.logistic", (0.0, 1.0, 2000))
        draws = answer(case)
        half = draws[:1000]
        for wrong in (np.concatenate([half, -half]), np.stack([half, -half], 1).ravel()):
            (detail,) = complaints(case, wrong)
            assert "depend" in detail

    @pytest.mark.parametrize("period", [70, 1024, 4096])
    def test_numbers_that_come_again(self, period):
        case = Case("random.weibull", (2.0, DRAWS))
        (detail,) = complaints(case, np.resize(answer(case)[:period], DRAWS))
        assert "twice" in detail

    def test_a_scale_that_is_a_little_too_large(self):
        case = Case("random.Generator.gamma", (seeded(), 0.5, 1.0, 20_000))
        (detail,) = complaints(case, 1.1 * answer(case))
        assert "-log p" in detail or "mean" in detail

    def test_a_choice_without_replacement_that_prefers_the_first(self):
        case = Case("random.Generator.choice", (seeded(), 1000, 500), {"replace": False, "shuffle": False})
        draws = answer(case)
        assert complaints(case, np.arange(500)[::-1].copy(), draws)

    def test_the_ends_of_a_range_are_reached(self):
        for case in (Case("random.choice", (100, DRAWS)), Case("random.randint", (5, 105, DRAWS))):
            draws = answer(case)
            assert complaints(case, draws) == []
            least, most = draws.min(), draws.max()
            assert complaints(case, np.where(draws == most, most - 1, draws), draws)
            assert complaints(case, np.where(draws == least, least + 1, draws), draws)

    def test_a_choice_with_replacement_that_draws_no_item_twice(self):
        items = np.random.default_rng(5).permutation(1000)
        for count, is_found in ((1000, True), (300, True), (100, False)):
            case = Case("random.Generator.choice", (seeded(), 1000, count))
            assert complaints(case, answer(case)) == []
            assert bool(complaints(case, items[:count], answer(case))) is is_found
        weighted = Case("random.Generator.choice", (seeded(), 1000, 300), {"p": np.full(1000, 1e-3)})
        assert complaints(weighted, items[:300], answer(weighted))

    def test_a_weighted_choice_without_replacement_that_ignores_the_weights(self):
        weights = np.arange(1.0, 401) / 80200
        for name, source in (("random.choice", ()), ("random.Generator.choice", (seeded(),))):
            case = Case(name, (*source, 400, 200), {"replace": False, "p": weights})
            draws = answer(case)
            assert complaints(case, draws) == []
            assert complaints(case, np.random.default_rng(7).choice(400, 200, replace=False), draws)
            assert complaints(case, np.sort(draws), draws)

    def test_the_array_that_was_shuffled_and_out_are_judged(self):
        case = Case("random.shuffle", (np.arange(200),))
        outcome = draw(case)
        assert check_draws(case, outcome, outcome).deviations == ()
        found = check_draws(case, outcome, Outcome(None, after=(np.arange(200),))).deviations
        assert [deviation.path for deviation in found] == [(1, 0)]
        case = Case("random.Generator.standard_gamma", (seeded(), 2.0), {"out": np.zeros(50)})
        outcome = draw(case)
        assert check_draws(case, outcome, outcome).deviations == ()
        found = check_draws(case, outcome, Outcome(outcome.value, after=(np.zeros(50),))).deviations
        assert [deviation.path for deviation in found] == [(1, 0)]

    def test_bounds_may_come_in_either_order(self):
        case = Case("random.uniform", (3.0, -1.0, 1000))
        draws = answer(case)
        assert complaints(case, draws) == []
        assert complaints(case, draws + 1.0)
        assert complaints(case, 3.0 - (3.0 - draws) ** 2 / 4)


class TestUndecided:
    @pytest.mark.parametrize(
        "case",
        [
            Case("sum", (np.ones(3),)),
            Case("random.seed", (3,)),
            Case("random.normal", (Case("random.rand"), 1.0), {"size": 3}),
            Case("random.shuffle", (np.arange(3),)),
            Case("random.wald", (1e9, 1.0), {"size": 3}),
            Case("random.choice", ([1, 1, 2, 3, 4], 3, False, [0.1, 0.2, 0.3, 0.2, 0.2])),
            Case("random.dirichlet", ([0.01, 0.01],)),
            Case("random.zipf", (1.01,), {"size": 3}),
        ],
        ids=str,
    )
    def test_what_is_not_known_is_not_agreed(self, case):
        value = draw(case).value
        check = check_draws(case, value, value)
        assert check.deviations == ()
        assert check.undecided

    def test_results_of_other_shapes_and_dtypes_are_for_others(self):
        case = Case("random.normal", (), {"size": 3})
        for wrong in (np.zeros(4), np.zeros(3, int), None, "a"):
            check = check_draws(case, np.zeros(3), wrong)
            assert check.deviations == ()
            assert check.undecided

    def test_parameters_that_are_calls(self):
        case = Case("random.normal", (Case("add", (2.0, 3.0)), 0.0), {"size": 3})
        assert complaints(case, np.full(3, 5.0)) == []
        assert complaints(case, np.full(3, 4.0))


class TestRepetition:
    def test_seeded_generators_repeat_and_nothing_else_does(self):
        assert promises_values(Case("random.Generator.poisson", (seeded(), 3.0), {"size": 4}))
        assert promises_values(Case("random.Generator.random", (seeded(), 4)))
        assert not promises_values(Case("random.Generator.poisson", (Case("random.default_rng"), 3.0)))
        assert not promises_values(Case("random.Generator.random", (Case("random.default_rng", (None,)), 3)))
        assert not promises_values(Case("random.poisson", (3.0,)))
        assert not is_seeded(Case("random.Generator.random", (None,)))

    def test_seeds_give_distinct_cases(self):
        assert len({case.id for case in distribution_cases("random.Generator.gamma", range(3))}) == 9
        assert list(distribution_cases("sum")) == list(distribution_cases("random.default_rng")) == []


class TestFalseAlarms:
    def test_uniform_numbers_give_rise_to_none(self):
        generator = np.random.default_rng(4)
        for index in range(400):
            numbers = generator.random([2, 5, 20, 100][index % 4])
            assert describe_fault([Intervals(numbers, numbers, 1 - numbers, 1 - numbers)]) == ""
        assert ALARM <= 1e-9
