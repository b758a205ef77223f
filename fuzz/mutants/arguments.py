"""Faults of arguments that no operator makes: under a condition, or of one value."""

from __future__ import annotations

import math

import numpy

from fuzz.mutants.arrays import is_number, kind_of, shape_of, size_of
from fuzz.mutants.model import Call
from fuzz.mutants.rows import (
    Dropped,
    accepts,
    changes,
    first,
    has,
    has_vector,
    ignores,
    instead,
    is_complex,
    negatives,
    numbers,
    reverse,
    several,
    sort,
)
from oracle import Case

INTEGERS = numpy.array([1, 2, 3, 5])
ROW = numpy.array([1.0, 2.0, 4.0, 7.0])
GRID = numpy.array([[1.0, 2.0], [3.0, 5.0]])
TABLE = numpy.array([[1, 2, 3], [4, 5, 6]])
CUBE = numpy.arange(8.0).reshape(2, 2, 2)
SKEW = numpy.array([[2.0, 1.0 + 2.0j], [3.0 - 1.0j, 1.0]])
WAVES = numpy.array([1.0 + 2.0j, 3.0 - 1.0j, 2.0j])
TIES = numpy.array([1, 3, 3, 2])
X = numpy.array([0.0, 1.0, 2.0, 3.0])
Y = numpy.array([1.0, 3.0, 2.0, 5.0])
WORDS = numpy.array(["abcab"])
SEEDED = Case("random.default_rng", (7,))
MANY, MORE = 1000, 10_000


def is_square(call: Call) -> bool:
    return len({*shape_of(call.first)}) == 1


# Axes, shapes and positions.

changes("std_ignores_axis_0", "std", "value", GRID, keywords={"axis": 0}, to={"axis": instead(0, -1)}, when=is_square)
changes("sort_without_an_axis", "sort", "shape", GRID, None, to={"axis": instead(None, -1)})
changes("sort_along_the_last_but_one_is_along_the_last", "sort", "value", numpy.array([[3, 1], [2, 4]]),
        keywords={"axis": -2}, to={"axis": negatives(lambda axis: -1)})  # fmt: skip
changes("all_takes_no_axes_for_every_axis", "all", "shape", GRID, keywords={"axis": ()}, to={"axis": instead((), None)})
changes("expand_dims_is_one_off_at_the_end", "expand_dims", "shape", numpy.ones((2, 3)), -1,
        to={"axis": lambda axis, call: axis + len(shape_of(call.first)) if axis < 0 else axis})  # fmt: skip
changes("rot90_ignores_the_order_of_its_axes", "rot90", "value", INTEGERS.reshape(2, 2), 1, (1, 0),
        to={"axes": several(sort)})  # fmt: skip
changes("moveaxis_sorts_its_destinations", "moveaxis", "shape", numpy.ones((1, 2, 3)), (0, 1), (2, 0),
        to={"destination": several(sort)})  # fmt: skip
changes("norm_sorts_its_axes", "linalg.norm", "value", GRID, 1, (1, 0), to={"axis": several(sort)})
changes("fft2_sorts_its_axes", "fft.fft2", "shape", TABLE, (2, 3), (1, 0), to={"axes": several(sort)}, when=has("s"))
changes("rfft2_sorts_its_axes", "fft.rfft2", "shape", numpy.array([[1.0, 2, 4], [3, 9, 5], [0, 7, 6]]), None, (1, 0),
        to={"axes": several(sort)})  # fmt: skip
changes("fftn_of_one_axis_is_of_the_first", "fft.fftn", "value", TABLE, keywords={"axes": (1,)},
        to={"axes": lambda axes, _: (1 - axes[0] % 2,) if len(axes) == 1 else axes},
        when=lambda call: len(shape_of(call.first)) == 2)  # fmt: skip
changes("fftn_of_an_axis_twice_is_of_it_once", "fft.fftn", "value", ROW, keywords={"axes": (0, 0)},
        to={"axes": several(lambda axes: tuple(dict.fromkeys(axes)))})  # fmt: skip
changes("tensordot_sorts_its_axes_apart", "tensordot", "value", CUBE, CUBE, ([0, 2], [2, 0]),
        to={"axes": lambda axes, _: (sorted(axes[0]), sorted(axes[1]))})  # fmt: skip
changes("tensordot_pairs_its_axes_in_reverse", "tensordot", "value", CUBE, CUBE, 2,
        to={"axes": instead(2, ([-1, -2], [0, 1]))})  # fmt: skip
changes("tensordot_counts_negative_axes_by_the_first", "tensordot", "value", GRID, CUBE, ([1], [-1]),
        to={"axes": lambda axes, call: (axes[0], [axis % len(shape_of(call.first)) for axis in axes[1]])})  # fmt: skip
changes("trapezoid_takes_points_along_the_last_axis", "trapezoid", "value", GRID, numpy.array([0.0, 3.0]),
        keywords={"axis": 0}, to={"axis": -1}, when=has_vector("x"))  # fmt: skip
changes("compress_ignores_a_later_axis", "compress", "value", [True, False], ROW.reshape(2, 2), keywords={"axis": 1},
        to={"axis": lambda axis, _: min(axis, 0)})  # fmt: skip
changes("rollaxis_counts_after_removing", "rollaxis", "shape", numpy.ones((1, 2, 3)), 0, 2,
        to={"start": lambda start, call: start + 1 if 0 <= call.given("axis") < start else start})  # fmt: skip
changes("roll_runs_forward_only", "roll", "value", INTEGERS, -1, to={"shift": negatives(abs)})
changes("tri_with_columns_mirrors_k", "tri", "value", 3, 2, 1, to={"k": lambda k, _: -k if k else k}, when=has("M"))
changes("eye_below_is_above", "eye", "value", 3, 2, -1, to={"k": negatives(abs)}, when=has("M"))
ignores("triu_ignores_k_of_a_stack", "triu", "value", "k", numpy.ones((2, 2, 2)), 1,
        when=lambda call: len(shape_of(call.first)) > 2)  # fmt: skip
changes("unpackbits_takes_a_negative_count_for_positive", "unpackbits", "shape", numpy.array([1, 0, 1], numpy.uint8),
        keywords={"count": -3}, to={"count": negatives(abs)})  # fmt: skip
changes("tile_repeats_the_first_axis", "tile", "shape", TABLE, 2,
        to={"reps": lambda reps, call: (reps,) + (1,) * (len(shape_of(call.first)) - 1)},
        when=lambda call: type(call.given("reps")) is int and len(shape_of(call.first)) > 1)  # fmt: skip
changes("ones_like_takes_an_integer_for_a_rank", "ones_like", "shape", TABLE, keywords={"shape": 3},
        to={"shape": lambda shape, _: (1,) * shape if 0 < shape < 5 else shape})  # fmt: skip
changes("delete_takes_a_mask_for_indices", "delete", "value", INTEGERS, numpy.array([True, False, False, True]),
        to={"obj": lambda obj, call: call.np.astype(obj, call.np.int64) if kind_of(obj) == "b" else obj})  # fmt: skip
changes("insert_at_one_index_comes_reversed", "insert", "value", ROW, [1, 1], [8.0, 9.0],
        to={"values": several(reverse)}, when=lambda call: call.given("obj") == [1, 1])  # fmt: skip

# Words, and options beside others.

changes("trim_zeros_at_the_back_is_at_both_ends", "trim_zeros", "shape", numpy.array([0, 1, 0]), "b",
        modes=("eager",), to={"trim": instead("b", "fb")})  # fmt: skip
changes("histogram_bin_edges_takes_rice_for_sturges", "histogram_bin_edges", "shape", numpy.arange(100.0),
        keywords={"bins": "rice"}, to={"bins": instead("rice", "sturges")})  # fmt: skip
changes("histogram2d_exchanges_its_bins", "histogram2d", "shape", ROW, ROW, keywords={"bins": [2, 3]},
        to={"bins": several(reverse)})  # fmt: skip
changes("ravel_multi_index_clips_where_it_should_wrap", "ravel_multi_index", "value",
        (numpy.array([2]), numpy.array([1])), (2, 2), keywords={"mode": "wrap"},
        to={"mode": instead("wrap", "clip")})  # fmt: skip
changes("ravel_multi_index_takes_the_first_mode", "ravel_multi_index", "value", (numpy.array([3]), numpy.array([3])),
        (2, 2), keywords={"mode": ("clip", "wrap")}, to={"mode": several(first)})  # fmt: skip
changes("isdtype_of_several_kinds_looks_at_the_first", "isdtype", "value", numpy.float16, ("integral", "real floating"),
        to={"kind": several(first)})  # fmt: skip
ignores("add_ignores_casting", "add", "missing error", "casting", numpy.ones(1, numpy.float32), numpy.ones(1),
        keywords={"casting": "no"})  # fmt: skip
changes("copyto_accepts_any_cast", "copyto", "missing error", numpy.zeros(2, numpy.int64), numpy.ones(2),
        to={"casting": "unsafe"}, when=lambda call: not call.has("casting"))  # fmt: skip
ignores("pad_ignores_reflect_type", "pad", "value", "reflect_type", INTEGERS, 2, "reflect",
        keywords={"reflect_type": "odd"})  # fmt: skip
ignores("pad_ignores_stat_length", "pad", "value", "stat_length", INTEGERS, 2, "mean", keywords={"stat_length": 1})
ignores("hypot_reduce_along_the_last_axis_forgets_where_it_starts", "hypot.reduce", "value", "initial",
        numpy.array([[3.0, 4.0]]), 1, keywords={"initial": 12.0},
        when=lambda call: call.given("axis", 0) in (-1, len(shape_of(call.first)) - 1))  # fmt: skip
ignores("prod_forgets_where_it_starts_behind_a_mask", "ndarray.prod", "value", "initial", ROW,
        keywords={"initial": 2.0, "where": ROW > 1}, on="tensors", when=has("where"))  # fmt: skip
ignores("minimum_of_several_axes_forgets_where_it_starts", "minimum.reduce", "value", "initial", GRID, (0, 1),
        keywords={"initial": -5.0}, when=lambda call: isinstance(call.given("axis"), tuple))  # fmt: skip
ignores("fill_diagonal_ignores_wrap", "fill_diagonal", "value", "wrap", numpy.zeros((4, 2)), 1.0, True)
changes("lexsort_forgets_ties", "lexsort", "value", (numpy.array([1, 0, 1]), numpy.array([2, 2, 1])),
        to={"keys": several(lambda keys: keys[-1:])})  # fmt: skip
changes("select_lets_the_last_condition_win", "select", "value", [ROW > 1, ROW > 2], [ROW, -ROW],
        to={"condlist": several(reverse), "choicelist": several(reverse)})  # fmt: skip
changes("piecewise_lets_the_first_condition_win", "piecewise", "value", ROW, [ROW > 1, ROW > 2], [5.0, 7.0],
        to={"condlist": several(reverse), "funclist": several(reverse)},
        when=lambda call: len(call.given("condlist")) == len(call.given("funclist")))  # fmt: skip
changes("allclose_exchanges_its_tolerances", "allclose", "value", numpy.array([1000.0]), numpy.array([1001.0]), 0.01,
        0.0, to={"rtol": lambda rtol, call: call.given("atol", rtol),
                 "atol": lambda atol, call: call.given("rtol", atol)})  # fmt: skip
changes("ediff1d_exchanges_its_ends", "ediff1d", "value", ROW, keywords={"to_end": 7.0, "to_begin": 8.0},
        to={"to_end": lambda end, call: call.given("to_begin", end),
            "to_begin": lambda begin, call: call.given("to_end", begin)})  # fmt: skip

# Statistics.

changes("cov_takes_ddof_zero_for_none", "cov", "value", GRID, keywords={"ddof": 0}, to={"ddof": instead(0, None)})
changes("quantile_lower_is_one_too_low_at_an_element", "quantile", "value", numpy.array([1.0, 2.0, 3.0, 4.0, 5.0]), 0.5,
        keywords={"method": "lower"}, to={"q": numbers(lambda q: q * (1 - 1e-9))},
        when=lambda call: call.given("method") == "lower")  # fmt: skip
changes("percentile_nearest_rounds_halves_up", "percentile", "value", numpy.array([1.0, 2.0]), 50,
        keywords={"method": "nearest"}, to={"q": numbers(lambda q: min(q * (1 + 1e-9), 100.0))},
        when=lambda call: call.given("method") == "nearest")  # fmt: skip
changes("unwrap_leaves_a_jump_of_exactly_discont", "unwrap", "value", numpy.array([0, 6]),
        keywords={"discont": 6.0, "period": 4},
        to={"discont": numbers(lambda discont: math.nextafter(discont, math.inf))})  # fmt: skip
changes("count_nonzero_looks_at_the_real_part", "count_nonzero", "value", numpy.array([1j, 1.0]),
        to={"a": lambda a, call: call.np.real(a)}, when=is_complex)  # fmt: skip
changes("count_nonzero_takes_nan_for_zero", "count_nonzero", "value", numpy.array([math.nan, 1.0]),
        to={"a": lambda a, call: call.np.nan_to_num(a)}, when=lambda call: kind_of(call.first) == "f")  # fmt: skip
changes("astype_to_booleans_truncates", "astype", "value", numpy.array([0.5]), bool,
        to={"x": lambda x, call: call.np.trunc(x)}, when=lambda call: call.given("dtype") is bool)  # fmt: skip

# Linear algebra and transforms.

ignores("lstsq_of_one_vector_ignores_rcond", "linalg.lstsq", "value", "rcond", numpy.diag([1.0, 0.1]), numpy.ones(2),
        0.5, when=has_vector("b"))  # fmt: skip
ignores("eigh_of_complex_matrices_ignores_uplo", "linalg.eigh", "value", "UPLO", SKEW, "U", when=is_complex)
changes("matrix_power_drops_the_fourth_bit", "linalg.matrix_power", "value", 2 * GRID, 9,
        to={"n": lambda n, _: n % 8 if n >= 8 else n})  # fmt: skip
changes("matrix_power_inverts_the_first_only", "linalg.matrix_power", "value", numpy.array([[4.0, 1.0], [2.0, 3.0]]),
        -3, to={"n": lambda n, _: n + 1 if n < -2 else n})  # fmt: skip
changes("cond_of_order_minus_two_is_its_inverse", "linalg.cond", "value", GRID, -2, to={"p": instead(-2, 2)})
changes("vector_norm_of_order_zero_sums", "linalg.vector_norm", "value", numpy.array([2.0, 0.0, -4.0]),
        keywords={"ord": 0}, to={"ord": instead(0, 1)}, when=lambda call: size_of(call.first) > 2)  # fmt: skip
changes("matrix_norm_of_order_minus_one_sums_rows", "linalg.matrix_norm", "value", GRID, keywords={"ord": -1},
        to={"ord": instead(-1, -math.inf)})  # fmt: skip
ignores("tensorinv_ignores_ind", "linalg.tensorinv", "spurious error", "ind",
        numpy.diag([1.0, 2.0, 4.0, 8.0]).reshape(4, 2, 2), 1)  # fmt: skip
changes("hfft_does_not_conjugate", "fft.hfft", "value", WAVES, to={"a": lambda a, call: call.np.conj(a)},
        when=is_complex)  # fmt: skip
changes("correlate_does_not_conjugate", "correlate", "value", WAVES, WAVES[:2], "full",
        to={"v": lambda v, call: call.np.conj(v)}, when=is_complex)  # fmt: skip

# Polynomials.

changes("legint_takes_the_last_constant_first", "polynomial.legendre.legint", "value", ROW, 2, [1.0, 5.0],
        to={"k": several(reverse)})  # fmt: skip
changes("polyint_of_coefficients_takes_one_constant", "polyint", "value", ROW, 2, [1.0, 5.0],
        to={"k": several(lambda k: [k[0]] * len(k))})  # fmt: skip
changes("lagint_scales_constants", "polynomial.laguerre.lagint", "value", ROW, 2, [1.0, 5.0], 0, 2.0,
        to={"k": lambda k, call: [one * call.given("scl", 1) for one in k]})  # fmt: skip
changes("polyfit_squares_its_weights", "polyfit", "value", X, Y, 1, keywords={"w": Y + 1},
        to={"w": lambda w, call: call.np.square(w)})  # fmt: skip
changes("polyfit_fills_degrees_that_are_left_out", "polynomial.polynomial.polyfit", "value", X, Y, [0, 2],
        to={"deg": several(max)})  # fmt: skip
ignores("hermfit_of_listed_degrees_ignores_weights", "polynomial.hermite.hermfit", "value", "w", ROW, ROW**2 + 1 / ROW,
        [0, 1], keywords={"w": numpy.array([1.0, 2, 3, 4])}, when=has_vector("deg"))  # fmt: skip
changes("chebval_drops_degrees_past_nine", "polynomial.chebyshev.chebval", "value", X, numpy.ones(12),
        to={"c": lambda c, _: c[:10] if len(c) > 10 else c})  # fmt: skip
changes("polytrim_keeps_what_equals_tol", "polynomial.polynomial.polytrim", "shape", numpy.array([1.0, 0.5]), 0.5,
        modes=("eager",), to={"tol": numbers(lambda tol: math.nextafter(tol, 0.0))})  # fmt: skip

# Random numbers.

changes("exponential_takes_a_rate", "random.exponential", "value", 4.0, MANY,
        to={"scale": numbers(lambda scale: 1 / scale)})  # fmt: skip
changes("normal_takes_a_variance", "random.normal", "value", 0.0, 9.0, MANY,
        to={"scale": numbers(lambda scale: scale**0.5)})  # fmt: skip
changes("gamma_divides_by_its_scale", "random.Generator.gamma", "value", SEEDED, 2.0, 5.0, MANY,
        to={"scale": numbers(lambda scale: 1 / scale)})  # fmt: skip
changes("weibull_takes_the_inverse_shape", "random.weibull", "value", 4.0, MANY, to={"a": numbers(lambda a: 1 / a)})
changes("laplace_takes_a_standard_deviation", "random.laplace", "value", 0.0, 2.0, MANY,
        to={"scale": numbers(lambda scale: scale / 2**0.5)})  # fmt: skip
changes("logistic_takes_a_standard_deviation", "random.logistic", "value", 0.0, 2.0, MANY,
        to={"scale": numbers(lambda scale: scale * math.sqrt(3) / math.pi)})  # fmt: skip
changes("lognormal_takes_the_mean_of_its_numbers", "random.lognormal", "value", 1.0, 0.5, MANY,
        to={"mean": lambda mean, call: mean - call.given("sigma", 1.0) ** 2 / 2})  # fmt: skip
changes("uniform_takes_high_for_a_width", "random.uniform", "value", -1.0, 3.0, MANY,
        to={"high": lambda high, call: high + call.given("low")})  # fmt: skip
changes("triangular_peaks_in_the_middle", "random.triangular", "value", 0.0, 1.0, 10.0, MANY,
        to={"mode": lambda mode, call: (call.given("left") + call.given("right")) / 2})  # fmt: skip
changes("vonmises_of_a_narrow_peak_is_wider", "random.Generator.vonmises", "value", SEEDED, 0.0, 20.0, MORE,
        to={"kappa": numbers(lambda kappa: 0.8 * kappa if 10 < kappa < 1e6 else kappa)})  # fmt: skip
changes("binomial_forgets_to_turn_back", "random.binomial", "value", 10, 0.9, MANY,
        to={"p": numbers(lambda p: 1 - p if 0.5 < p <= 1 else p)})  # fmt: skip
changes("negative_binomial_exchanges_success_and_failure", "random.negative_binomial", "value", 3, 0.2, MANY,
        to={"p": numbers(lambda p: 1 - p if p < 1 else p)})  # fmt: skip
changes("randint_includes_its_end", "random.randint", "value", 0, 3, MANY,
        to={"high": numbers(lambda high: high + 1 if high < 100 else high)})  # fmt: skip
changes("hypergeometric_of_many_exchanges_good_and_bad", "random.Generator.hypergeometric", "value", SEEDED, 10, 5, 9,
        MORE, to={"ngood": lambda _, call: call.given("nbad"), "nbad": lambda _, call: call.given("ngood")},
        when=lambda call: is_number(call.given("nsample"))
        and 2 * call.given("nsample") > call.given("ngood") + call.given("nbad"))  # fmt: skip
ignores("choice_without_replacement_ignores_probabilities", "random.choice", "value", "p", 100, 50, False,
        numpy.arange(1, 101) / 5050, when=lambda call: call.given("replace") is False)  # fmt: skip
ignores("choice_of_rows_ignores_probabilities", "random.Generator.choice", "value", "p", SEEDED, numpy.eye(2), MANY,
        keywords={"p": [0.1, 0.9]}, when=lambda call: len(shape_of(call.given("a"))) == 2)  # fmt: skip

# Text.

changes("lstrip_takes_the_first_of_chars", "strings.lstrip", "value", numpy.array(["xxabx", "a-b-c", "xaÉ"]), "xa",
        to={"chars": lambda chars, _: chars[:1]})  # fmt: skip
changes("find_clamps_a_negative_start", "strings.find", "value", WORDS, "ab", -3,
        to={"start": negatives(lambda start: 0)})  # fmt: skip
changes("rfind_ignores_a_negative_end", "strings.rfind", "value", WORDS, "ab", 0, -1,
        to={"end": negatives(lambda end: None)})  # fmt: skip
changes("endswith_takes_a_negative_end_for_none", "strings.endswith", "value", numpy.array(["abc"]), "b", 0, -1,
        to={"end": negatives(lambda end: None)})  # fmt: skip
changes("replace_takes_a_count_of_zero_for_all", "strings.replace", "value", numpy.array(["aba"]), "a", "x", 0,
        to={"count": instead(0, -1)})  # fmt: skip
changes("multiply_of_text_ignores_the_sign", "strings.multiply", "value", numpy.array(["ab"]), numpy.array([-2]),
        to={"i": lambda i, call: call.np.abs(i)})  # fmt: skip
changes("slice_backwards_leaves_out_the_last", "strings.slice", "value", numpy.array(["abcdef"]), None, None, -2,
        to={"start": instead(None, -2)}, when=lambda call: call.given("step") < 0)  # fmt: skip

# Calls that are accepted.

changes("linspace_accepts_a_negative_number", "linspace", "missing error", 0.0, 1.0, -1,
        to={"num": negatives(lambda num: 0)})  # fmt: skip
accepts("take_clamps", "take", TIES, 7, error="out of bounds", to={"mode": "clip"})
accepts("legpow_ignores_maxpower", "polynomial.legendre.legpow", numpy.array([1.0, 2.0]), 3, 2, error="too large",
        to={"maxpower": Dropped})  # fmt: skip
accepts("choice_of_more_than_there_are_replaces", "random.choice", 3, 5, False, error="larger sample than population",
        to={"replace": True})  # fmt: skip
accepts("nanargmin_of_nothing_but_nan", "nanargmin", numpy.array([math.nan, math.nan]), error="All-NaN",
        to={"a": lambda a, call: call.np.nan_to_num(a)})  # fmt: skip
accepts("bincount_ignores_negative_numbers", "bincount", numpy.array([1, -1]), error="negative",
        to={"x": lambda x, call: call.np.maximum(x, 0)})  # fmt: skip
accepts("unravel_index_wraps", "unravel_index", 7, (2, 2), error="out of bounds", to={"indices": 0})
accepts("swapaxes_wraps_its_axes", "swapaxes", TABLE, 0, 2, error="out of bounds",
        to={"axis1": lambda axis, call: axis % len(shape_of(call.first)),
            "axis2": lambda axis, call: axis % len(shape_of(call.first))})  # fmt: skip
