"""Faults of arguments that no operator makes: under a condition, or of one value."""

from __future__ import annotations

import numpy

from fuzz.mutants.arrays import shape_of
from fuzz.mutants.model import Call
from fuzz.mutants.rows import (
    Dropped,
    accepts,
    changes,
    has,
    ignores,
    instead,
    is_complex,
    negatives,
    numbers,
    several,
)

INTEGERS = numpy.array([1, 2, 3, 5])
ROW = numpy.array([1.0, 2.0, 4.0, 7.0])
GRID = numpy.array([[1.0, 2.0], [3.0, 5.0]])
CUBE = numpy.arange(8.0).reshape(2, 2, 2)
SKEW = numpy.array([[2.0, 1.0 + 2.0j], [3.0 - 1.0j, 1.0]])
WAVES = numpy.array([1.0 + 2.0j, 3.0 - 1.0j, 2.0j])
MANY, MORE = 1000, 10_000


def is_square(call: Call) -> bool:
    return len({*shape_of(call.first)}) == 1


# Axes, shapes and positions.

changes("std_ignores_axis_0", "std", "value", GRID, keywords={"axis": 0}, to={"axis": instead(0, -1)}, when=is_square)
changes("fftn_of_an_axis_twice_is_of_it_once", "fft.fftn", "value", ROW, keywords={"axes": (0, 0)},
        to={"axes": several(lambda axes: tuple(dict.fromkeys(axes)))})  # fmt: skip
changes("tensordot_sorts_its_axes_apart", "tensordot", "value", CUBE, CUBE, ([0, 2], [2, 0]),
        to={"axes": lambda axes, _: (sorted(axes[0]), sorted(axes[1]))})  # fmt: skip
changes("tensordot_counts_negative_axes_by_the_first", "tensordot", "value", GRID, CUBE, ([1], [-1]),
        to={"axes": lambda axes, call: (axes[0], [axis % len(shape_of(call.first)) for axis in axes[1]])})  # fmt: skip
changes("roll_runs_forward_only", "roll", "value", INTEGERS, -1, to={"shift": negatives(abs)})

# Words, and options beside others.

changes("histogram_bin_edges_takes_rice_for_sturges", "histogram_bin_edges", "shape", numpy.arange(100.0),
        keywords={"bins": "rice"}, to={"bins": instead("rice", "sturges")})  # fmt: skip
ignores("pad_ignores_reflect_type", "pad", "value", "reflect_type", INTEGERS, 2, "reflect",
        keywords={"reflect_type": "odd"})  # fmt: skip
ignores("prod_forgets_where_it_starts_behind_a_mask", "ndarray.prod", "value", "initial", ROW,
        keywords={"initial": 2.0, "where": ROW > 1}, on="tensors", when=has("where"))  # fmt: skip
ignores("minimum_of_several_axes_forgets_where_it_starts", "minimum.reduce", "value", "initial", GRID, (0, 1),
        keywords={"initial": -5.0}, when=lambda call: isinstance(call.given("axis"), tuple))  # fmt: skip

# Statistics.

changes("quantile_lower_is_one_too_low_at_an_element", "quantile", "value", numpy.array([1.0, 2.0, 3.0, 4.0, 5.0]), 0.5,
        keywords={"method": "lower"}, to={"q": numbers(lambda q: q * (1 - 1e-9))},
        when=lambda call: call.given("method") == "lower")  # fmt: skip
changes("percentile_nearest_rounds_halves_up", "percentile", "value", numpy.array([1.0, 2.0]), 50,
        keywords={"method": "nearest"}, to={"q": numbers(lambda q: min(q * (1 + 1e-9), 100.0))},
        when=lambda call: call.given("method") == "nearest")  # fmt: skip
changes("astype_to_booleans_truncates", "astype", "value", numpy.array([0.5]), bool,
        to={"x": lambda x, call: call.np.trunc(x)}, when=lambda call: call.given("dtype") is bool)  # fmt: skip

# Linear algebra and transforms.

ignores("eigh_of_complex_matrices_ignores_uplo", "linalg.eigh", "value", "UPLO", SKEW, "U", when=is_complex)
changes("correlate_does_not_conjugate", "correlate", "value", WAVES, WAVES[:2], "full",
        to={"v": lambda v, call: call.np.conj(v)}, when=is_complex)  # fmt: skip

# Calls that are accepted.

changes("linspace_accepts_a_negative_number", "linspace", "missing error", 0.0, 1.0, -1,
        to={"num": negatives(lambda num: 0)})  # fmt: skip
accepts("legpow_ignores_maxpower", "polynomial.legendre.legpow", numpy.array([1.0, 2.0]), 3, 2, error="too large",
        to={"maxpower": Dropped})  # fmt: skip
accepts("choice_of_more_than_there_are_replaces", "random.choice", 3, 5, False, error="larger sample than population",
        to={"replace": True})  # fmt: skip
