"""Relations of arguments in which reported bugs show: each is drawn, in a call that NumPy accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fuzz.generate.argument_coverage import bind
from fuzz.generate.calls import draw_call
from fuzz.generate.choices import SeedChoices
from oracle import run_numpy
from tests.tables import check_each

DRAWS = 1500
Arguments = Mapping[str, Any]


def reaches_past(dim: int) -> Callable[[Arguments], bool]:
    return lambda given: np.size(given["x"]) > 0 and int(np.max(given["x"])) > dim


def has_wider_bounds(given: Arguments) -> bool:
    bounds = [given[name] for name in ("a_min", "a_max") if given.get(name) is not None]
    return any(np.size(bound) > np.size(given["a"]) for bound in bounds) and "out" not in given


def is_far_apart(given: Arguments) -> bool:
    a = np.asarray(given["a"])
    return a.dtype == np.int8 and a.size > 1 and int(a.max()) - int(a.min()) > 127 and "range" not in given


def is_nearly_missing(given: Arguments) -> bool:
    a = np.asarray(given["a"])
    return a.dtype.kind == "f" and a.size > 2 and np.count_nonzero(~np.isnan(a)) == 1


def is_clustered(given: Arguments) -> bool:
    a = np.asarray(given["a"])
    if a.dtype != np.float32 or a.size < 2 or np.any(np.isnan(a)):
        return False
    return bool(np.ptp(a.astype(float)) < 1e-3 * np.min(np.abs(a)) and np.all(a % 0.125))


def has_one_shift(given: Arguments) -> bool:
    shift, axis = given["shift"], given.get("axis")
    return isinstance(shift, tuple) and len(shift) == 1 and isinstance(axis, tuple) and len(axis) > 1


def has_values_for_one_index(given: Arguments) -> bool:
    obj = given["obj"]
    return np.ndim(obj) == 1 and np.size(obj) == 1 and given.get("axis") is None and np.size(given["values"]) > 1


def has_broadcast_label(given: Arguments) -> bool:
    text, *arrays = given["operands"]
    if not isinstance(text, str) or "." in text:
        return False
    dims: dict[str, set[int]] = {}
    for term, array in zip(text.partition("->")[0].split(","), arrays, strict=True):
        for letter, dim in zip(term, np.shape(array), strict=True):
            dims.setdefault(letter, set()).add(dim)
    return any(len(found) > 1 for found in dims.values())


def has_columns(given: Arguments) -> bool:
    keys = given["keys"]
    return isinstance(keys, np.ndarray) and keys.flags.f_contiguous and not keys.flags.c_contiguous


def is_table_of_unique(given: Arguments) -> bool:
    return given.get("assume_unique") is True and np.ndim(given["ar1"]) == 2 and np.size(given["ar1"]) > 1


def has_ends_along_an_axis(given: Arguments) -> bool:
    return np.ndim(given["start"]) == 1 and given.get("axis", 0) != 0


def is_around_32_bits(given: Arguments) -> bool:
    low, high = given["low"], given.get("high")
    return high is not None and abs(high - low - 2**32) <= 1


def is_halfway_between_steps(given: Arguments) -> bool:
    count, q = np.size(given["a"]), given["q"]
    if np.ndim(q) or np.ndim(given["a"]) != 1 or count < 3:
        return False
    halves, linear = 2 * count * np.float64(q), 2 * (count - 1) * np.float64(q)
    return bool(halves % 2 == 1 and abs(linear - np.rint(linear)) > 0.01)


def is_at_the_end_with_weights(given: Arguments) -> bool:
    return np.ndim(given["q"]) == 0 and given["q"] == 0 and bool(np.any(np.asarray(given.get("weights", 1)) == 0))


def is_written_by_columns(given: Arguments) -> bool:
    out = given.get("out")
    out = out[0] if isinstance(out, tuple) else out
    return isinstance(out, np.ndarray) and out.ndim == 2 and not out.flags.c_contiguous and out.size > 1


RELATIONS: dict[str, tuple[str, Callable[[Arguments], bool], int]] = {
    "bounds with more elements than the array": ("clip", has_wider_bounds, 42),
    "narrow integers far apart": ("histogram", is_far_apart, 1),
    "one number among nan": ("nanmedian", is_nearly_missing, 15),
    "numbers near one another and far from 0": ("var", is_clustered, 1),
    "one shift for several axes": ("roll", has_one_shift, 1),
    "several values for one index in a list": ("insert", has_values_for_one_index, 1),
    "a dim of 1 that is broadcast": ("einsum", has_broadcast_label, 1),
    "the columns of a table as keys": ("lexsort", has_columns, 30),
    "a table that is assumed to be unique": ("setdiff1d", is_table_of_unique, 1),
    "arrays for ends, along another axis": ("geomspace", has_ends_along_an_axis, 1),
    "a range around 2**32": ("random.Generator.integers", is_around_32_bits, 1),
    "numbers past a kernel's thresholds": ("bincount", reaches_past(4000), 1),
    "halfway between steps": ("quantile", is_halfway_between_steps, 20),
    "weights of zero at the end": ("quantile", is_at_the_end_with_weights, 6),
    "a result that is written by columns": ("matmul", is_written_by_columns, 1),
}
"""By relation: the name, a predicate of a call's arguments, and how many calls of DRAWS have it at least."""


def test_a_relation_is_drawn() -> None:
    check_each(RELATIONS, check_relation)


def check_relation(relation: str) -> None:
    name, holds, least = RELATIONS[relation]
    count = 0
    for seed in range(DRAWS):
        case = draw_call(SeedChoices(seed), name, turn=seed if seed % 2 else None).case
        given = {key: found.values[0] for key, found in bind(case).items()}
        if name == "einsum":
            given["operands"] = case.args
        try:
            count += holds(given) and run_numpy(case).ok
        except (TypeError, ValueError, KeyError, OverflowError):
            continue  # of a call that is invalid
        if count == least:
            return
    raise AssertionError(f"{count} calls of {name} with {relation}")


def test_an_invalid_call_has_falling_bins_of_unsigned_integers() -> None:
    drawn = (draw_call(SeedChoices(seed), "histogram", invalid=True).case for seed in range(500))
    bins = [case.args[1] if len(case.args) > 1 else case.kwargs.get("bins") for case in drawn]
    arrays = [one for one in bins if isinstance(one, np.ndarray) and one.dtype.kind == "u" and one.ndim == 1]
    assert any((one[1:] < one[:-1]).any() for one in arrays)
