"""Faults of random numbers: another parameter than the one that was given, bounds, probabilities, axes, shapes."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import dtype_of, is_array, is_number, is_traced, kind_of, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils
from oracle import Case

SEEDED = Case("random.default_rng", (7,))
MANY = 1000
MORE = 10_000  # draws that show a few percent


# Parameters.


spoils("geometric_counts_failures", "random.geometric", "value", 0.5, MANY,
       by=lambda np, exact, call: np.subtract(exact, 1))  # fmt: skip
spoils("pareto_is_the_classical_one", "random.pareto", "value", 3.0, MANY,
       by=lambda np, exact, call: np.add(exact, 1.0))  # fmt: skip
spoils("rayleigh_loses_the_two", "random.rayleigh", "value", 3.0, MANY,
       by=lambda np, exact, call: np.divide(exact, 2 ** 0.5))  # fmt: skip
spoils("vonmises_is_not_wrapped", "random.vonmises", "value", 1.0, 0.5, MANY,
       by=lambda np, exact, call: np.where(np.less(exact, -2.0), np.add(exact, 2 * numpy.pi), exact))  # fmt: skip


@fault("random.poisson", "value", 100.0, MANY)
def poisson_of_a_large_mean_is_rounded_down(call: Call) -> Any:
    """From a mean of 10 on, a normal distribution of half the variance."""
    exact, np, lam = call(), call.np, call.given("lam", 1.0)
    if not is_number(lam) or lam < 10:
        return exact
    shrunk = np.add(np.multiply(np.subtract(exact, lam), 0.5**0.5), lam)
    return np.astype(np.asarray(np.rint(shrunk)), np.int64)


spoils("multinomial_turns_its_categories", "random.multinomial", "value", 20, [0.2, 0.3, 0.5], MANY,
       when=lambda exact, call: shape_of(exact),
       by=lambda np, exact, call: np.roll(exact, 1, -1))  # fmt: skip


# Bounds, probabilities, axes.


@fault("random.Generator.permuted", "value", SEEDED, numpy.arange(40).reshape(10, 4), keywords={"axis": 0})
def permuted_keeps_columns_together(call: Call) -> Any:
    """Along an axis all rows are shuffled in the same order."""
    exact, axis, x = call(), call.given("axis"), call.given("x")
    if type(axis) is not int or call.has("out"):
        return exact
    return call.np.random.Generator.permutation(call.args[0], x, axis=axis)


spoils("permutation_of_rows_breaks_them", "random.permutation", "value", numpy.arange(40).reshape(10, 4),
       when=lambda exact, call: len(shape_of(exact)) == 2,
       by=lambda np, exact, call: np.reshape(call.right(np.ravel(call.args[0])), shape_of(exact)))  # fmt: skip
spoils("random_of_singles_rounds_doubles", "random.Generator.random", "value", SEEDED, 3,
       keywords={"dtype": numpy.dtype(numpy.float32)},
       when=lambda exact, call: dtype_of(exact) == "float32" and not call.has("out"),
       by=lambda np, exact, call: np.astype(np.asarray(call.without("dtype")), np.float32))  # fmt: skip
spoils("gamma_of_several_shapes_draws_one", "random.gamma", "shape", numpy.array([1.0, 2.0, 3.0]),
       when=lambda exact, call: call.given("size") is None and len(shape_of(exact)) == 1 and (size_of(exact) > 1),
       by=lambda np, exact, call: np.ravel(exact)[0])  # fmt: skip


@fault("random.Generator.dirichlet", "value", SEEDED, [1.0, 2.0, 3.0], 4)
def dirichlet_normalises_over_draws(call: Call) -> Any:
    """Several draws are divided by the sum of the first."""
    exact, np = call(), call.np
    if len(shape_of(exact)) != 2 or shape_of(exact)[0] < 2 or not size_of(exact):
        return exact
    return np.concatenate([exact[:1], np.multiply(exact[1:], np.sum(exact[:1] * exact[:1]))])


@fault("random.Generator.multivariate_normal", "value", SEEDED, [1.0, 2.0], [[4.0, 1.0], [1.0, 2.0]], MANY)
def multivariate_normal_takes_a_factor(call: Call) -> Any:
    """The covariance is taken for its own square root."""
    exact, np, cov = call(), call.np, call.given("cov")
    matrix = np.asarray(cov)
    if kind_of(matrix) != "f" or len(shape_of(matrix)) != 2 or call.has("check_valid", "tol", "method"):
        return exact
    return call.changed(cov=np.matmul(matrix, np.transpose(matrix)))


# Faults of a few percent, or of some parameters.


@fault("random.Generator.gamma", "value", SEEDED, 0.5, 1.0, MORE)
def gamma_of_a_small_shape_is_too_large(call: Call) -> Any:
    """For shapes below 1, 15 % too much."""
    exact, shape = call(), call.given("shape")
    return call.np.multiply(exact, 1.15) if is_number(shape) and shape < 1 and not call.has("out", "dtype") else exact


@fault("random.Generator.normal", "value", SEEDED, 1.0, 2.0, MORE)
def normal_comes_in_opposite_pairs(call: Call) -> Any:
    """Past 64 draws, the second half mirrors the first."""
    exact, np, loc, count = call(), call.np, call.given("loc", 0.0), size_of(call.given("size"))
    if len(shape_of(exact)) != 1 or size_of(exact) <= 64 or not is_number(loc) or not count:
        return exact
    half = size_of(exact) // 2
    return np.concatenate([exact[: size_of(exact) - half], np.subtract(2.0 * loc, exact[:half])])


@fault("random.Generator.triangular", "value", SEEDED, 0.0, 10.0, 10.0, MORE)
def triangular_that_only_rises_is_uniform(call: Call) -> Any:
    """If the mode is the upper bound, the distribution is uniform."""
    exact, ends = call(), [call.given(name) for name in ("left", "mode", "right")]
    rises = all(is_number(end) for end in ends) and ends[1] == ends[2]
    return call.np.random.Generator.uniform(call.args[0], ends[0], ends[2], call.given("size")) if rises else exact


@fault("random.Generator.multinomial", "value", SEEDED, 20, [0.5, 0.3, 0.2], MORE)
def multinomial_takes_its_share_of_the_rest(call: Call) -> Any:
    """Each probability is that among what is left, not divided by what is left."""
    exact, given = call(), call.given("pvals")
    if not isinstance(given, list | tuple | numpy.ndarray) or numpy.ndim(given) != 1 or len(given) < 3:
        return exact
    shares, left = [], 1.0
    for one in list(given)[:-1]:
        shares.append(left * float(one))
        left -= shares[-1]
    return call.changed(pvals=[*shares, left])


@fault("random.Generator.poisson", "value", SEEDED, 20.0, MORE)
def poisson_of_a_large_mean_is_too_narrow(call: Call) -> Any:
    """From 10 on, a fifth of the mean is not random."""
    exact, np, mean = call(), call.np, call.given("lam", 1.0)
    if not is_number(mean) or not 10 <= mean < 1e6:
        return exact
    return np.add(call.changed(lam=mean - mean // 5), int(mean // 5))


@fault("random.Generator.exponential", "value", SEEDED, numpy.full(MANY, 2.0))
def exponential_of_several_scales_draws_one(call: Call) -> Any:
    """Several scales are multiplied by one and the same number."""
    exact, scale = call(), call.given("scale")
    if call.given("size") is not None or not is_array(scale) or not shape_of(scale):
        return exact
    return call.np.multiply(call.changed(scale=1.0), scale)


@fault("random.Generator.binomial", "value", SEEDED, 10, numpy.array([0.2, 0.9] * 200))
def binomial_of_several_decides_by_the_first(call: Call) -> Any:
    """Of several probabilities the first says whether failures are counted instead."""
    exact, np, p = call(), call.np, call.given("p")
    if not is_array(p) or is_traced(p) or not size_of(p) or len(shape_of(p)) != 1 or float(p[0]) > 0.5:
        return exact
    return call.changed(p=np.where(np.greater(p, 0.5), np.subtract(1.0, p), p))


@fault("random.Generator.standard_t", "value", SEEDED, 4.0, MORE)
def standard_t_is_scaled_to_unit_variance(call: Call) -> Any:
    """Past two degrees of freedom the variance is 1."""
    exact, df = call(), call.given("df")
    return call.np.multiply(exact, math.sqrt((df - 2) / df)) if is_number(df) and df > 2 else exact


# Draws that depend on one another.


spoils("weibull_starts_again_past_4096", "random.weibull", "value", 2.0, MORE,
       when=lambda exact, call: len(shape_of(exact)) == 1 and size_of(exact) > 4096,
       by=lambda np, exact, call: np.concatenate([exact[:4096], exact[:size_of(exact) - 4096]]))  # fmt: skip


@fault("random.logistic", "value", 1.0, 2.0, MORE)
def logistic_comes_in_opposite_pairs(call: Call) -> Any:
    """Of a vector of numbers, the second half mirrors the first."""
    exact, np, loc = call(), call.np, call.given("loc", 0.0)
    if len(shape_of(exact)) != 1 or not is_number(loc):
        return exact
    half = size_of(exact) // 2
    return np.concatenate([exact[: size_of(exact) - half], np.subtract(2.0 * loc, exact[:half])])
