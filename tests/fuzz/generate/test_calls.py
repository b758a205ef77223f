"""Cases of every name: mostly valid, never huge, the same for the same seed everywhere."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from fuzz.generate import domains
from fuzz.generate.argument_coverage import bind
from fuzz.generate.call_classes import INVALID
from fuzz.generate.calls import draw_call, draw_case, generated_names, lines, plan_of
from fuzz.generate.choices import SeedChoices
from fuzz.generate.domains.random_sampling import draws_unseeded
from fuzz.generate.signatures import given
from oracle import Case, run_numpy
from oracle.harness import NAMES
from tests.tables import check_each, each_topic

NAMED = generated_names()
DRAWS = 40
UNDEFINED = ("empty", "empty_like")  # their contents are whatever memory held, as where a mask lets nothing through
LARGEST = 200_000


def structure(case):
    """All of a case but the contents of its arrays."""
    arrays = [(array.dtype, array.shape, array.strides, array.flags.writeable) for array in case.arrays()]
    return str(case.map_arrays(lambda array: np.dtype(bool))), arrays


def sizes(value):
    if isinstance(value, list | tuple):
        return sum(map(sizes, value))
    return value.size if isinstance(value, np.ndarray) else 1


@each_topic(NAMED, 60)
def test_most_cases_are_valid(names):
    """NumPy accepts at least two in three calls of each name, quickly and without ever making much."""
    check_each(names, check_validity)


def check_validity(name):
    errors = Counter()
    for seed in range(DRAWS):
        case = draw_case(SeedChoices(seed), name)
        assert case.name == name
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            outcome = run_numpy(case)
        if outcome.ok:
            assert sizes(outcome.value) <= LARGEST, case
        else:
            errors[str(outcome.error)] += 1
    assert errors.total() <= DRAWS / 3, errors.most_common(5)


def flat(value):
    """A result as bytes and text, which can be compared."""
    if isinstance(value, list | tuple):
        return [part for item in value for part in flat(item)]
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        return [(value.dtype, value.shape, value.tobytes())]
    return [repr(value)]


@each_topic(NAMED, 100)
def test_cases_can_be_relied_on(names):
    """Siblings share their structure, cases survive being written down, and NumPy answers the same again."""
    check_each(names, check_reliability)


def check_reliability(name):
    for seed in range(100, 108):
        case = draw_case(SeedChoices(seed), name)
        assert structure(case) == structure(draw_case(SeedChoices(seed, 1), name))
        text = case.json()
        assert Case.from_json(text).json() == text
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            one, other = run_numpy(case), run_numpy(case)
        is_defined = name not in UNDEFINED and ("where" not in case.kwargs or "out" in case.kwargs)
        assert not is_defined or draws_unseeded(name) or flat(one.value) == flat(other.value), case


def digest():
    text = "".join(draw_case(SeedChoices(seed), name).json() for name in NAMED for seed in range(3))
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.full
@pytest.mark.parametrize("salt", ["1", "2"])
def test_the_same_seed_gives_the_same_cases_in_every_process(salt):
    program = f"import runpy; print(runpy.run_path({str(Path(__file__))!r})['digest']())"
    environment = {**os.environ, "PYTHONHASHSEED": salt}
    root = Path(__file__).parents[3]
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == digest()


@pytest.mark.parametrize("name", ["sum", "roll"])
def test_every_parameter_is_given_by_position_and_by_keyword(name):
    by_position, by_keyword, omitted = Counter(), Counter(), Counter()
    for seed in range(1500):
        case = draw_case(SeedChoices(seed), name)
        by_position[len(case.args)] += 1
        by_keyword.update(list(case.kwargs))
        omitted["axis"] += "axis" not in case.kwargs and len(case.args) < 3
    assert len(by_position) > 2
    assert {"a", "axis"} <= set(by_keyword)
    assert omitted["axis"] > 100


def test_all_dtypes_scalars_and_layouts_come():
    drawn = [draw_case(SeedChoices(seed), "add") for seed in range(3000)]
    arrays = [array for case in drawn for array in case.arrays()]
    assert len({array.dtype.newbyteorder("=") for array in arrays}) >= 15
    assert {type(leaf) for case in drawn for leaf in case.leaves()} >= {
        int,
        float,
        bool,
        complex,
        np.ndarray,
        np.float32,
    }
    assert any(not array.dtype.isnative for array in arrays)
    assert any(not array.flags.aligned for array in arrays)
    assert any(len(case.arrays()) < sum(type(arg) is np.ndarray for arg in case.args) for case in drawn)


def test_a_line_belongs_to_a_name():
    assert not [name for name in lines() if name in NAMES and name not in (*NAMED, *domains.UNDRAWN)]


def test_what_is_not_drawn_is_a_name():
    assert all(domains.UNDRAWN.values())
    assert not [name for name in domains.UNDRAWN if name not in NAMES and hasattr(np, name)]


def test_all_ufuncs_are_drawn():
    found = {name for name in dir(np) if isinstance(getattr(np, name), np.ufunc)}
    assert found - set(NAMED) == {"isnat"}


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("add", "signature"),
        ("vecdot", "axis"),
        ("matvec", "axes"),
        ("sum", "where"),
        ("ones", "device"),
        ("max", "out"),
    ],
)
def test_a_parameter_is_given_where_it_is_wanted(name, parameter):
    drawn = [draw_case(SeedChoices(seed), name, frozenset({parameter})) for seed in range(60)]
    giving = [case for case in drawn if parameter in given(case)]
    assert len(giving) > 10
    assert sum(run_numpy(case).ok for case in giving) > len(giving) / 3


def test_core_dimensions_are_anywhere():
    """What axes are asked for, and that NumPy takes most of them."""
    drawn = [draw_case(SeedChoices(seed), "matmul", frozenset({"axes"})) for seed in range(300)]
    taken = [case.kwargs["axes"] for case in drawn if run_numpy(case).ok]
    assert len(taken) > 200
    assert {axis for axes in taken for places in axes for axis in np.atleast_1d(places).tolist()} >= {-3, -2, -1, 0, 1}


def _draw(name, count=2000):
    return [draw_case(SeedChoices(seed), name) for seed in range(count)]


def test_a_column_meets_a_row_of_equal_length():
    pairs = [tuple(getattr(operand, "shape", ()) for operand in case.args[:2]) for case in _draw("subtract")]
    columns = [pair for pair in pairs if len(pair) == 2 and pair[0] == pair[1][::-1] and len(pair[0]) == 2]
    assert sum(1 in first and max(first) > 1 for first, _ in columns) >= 10


@pytest.mark.parametrize("name", ["dot", "linalg.multi_dot", "ndarray.dot"])
def test_the_out_of_a_dot_product_is_in_c_order(name):
    drawn = [draw_case(SeedChoices(seed), name, frozenset({"out"})) for seed in range(200)]
    outs = [bind(case)["out"].values[0] for case in drawn if "out" in bind(case)]
    given = [out for out in outs if isinstance(out, np.ndarray)]
    assert len(given) > 100
    assert all(out.flags.c_contiguous for out in given)


def test_contractions_are_those_that_people_write():
    subscripts = Counter(case.args[0] for case in _draw("einsum") if case.args and isinstance(case.args[0], str))
    for usual in ("i,i->", "ij,jk->ik", "ii->", "ij->ji"):
        assert subscripts[usual] >= 8, usual


def test_integers_of_64_bits_with_and_without_sign_are_compared_where_they_are_near():
    near = 0
    for case in _draw("greater"):
        first, *others = [array for array in case.arrays() if array.dtype.kind in "iu" and array.size] or [None]
        if others and {first.dtype, others[0].dtype} == {np.dtype(np.int64), np.dtype(np.uint64)}:
            values = [{int(value) for value in array.ravel()} for array in (first, others[0])]
            near += any(abs(a - b) == 1 and a > 2**53 for a in values[0] for b in values[1])
    assert near >= 1


def test_anything_at_all_comes_to_every_parameter_of_hostile_calls():
    odd = set()
    for seed in range(3000):
        case = draw_call(SeedChoices(seed), "linspace", hostile=True).case
        odd |= {key for key, value in case.kwargs.items() if isinstance(value, dict | slice | complex)}
    assert odd >= {"num", "endpoint", "retstep", "dtype", "axis", "device", "bogus"}


def test_siblings_differ_in_the_elements_of_arrays_alone():
    """One trace serves them all, with the numbers in lists, and all other scalars, of the first."""

    def others(case):
        return repr([leaf for leaf in case.leaves() if not isinstance(leaf, np.ndarray)])

    for name in ("random.Generator.exponential", "random.Generator.normal", "random.poisson", "add", "concatenate"):
        for seed in range(60):
            first, second = (draw_case(SeedChoices(seed, sibling), name) for sibling in (0, 1))
            assert others(first) == others(second), name


def test_integers_past_an_array_s_bounds_are_compared_with_it():
    dtypes = set()
    for seed in range(6000):
        case = draw_case(SeedChoices(seed), "greater_equal")
        array, number = (*case.args, None)[:2]
        if isinstance(array, np.ndarray) and array.dtype.kind in "iu" and type(number) is int:
            limits = np.iinfo(array.dtype)
            dtypes |= set() if limits.min <= number <= limits.max else {array.dtype.name}
    assert len(dtypes) >= 5


@pytest.mark.parametrize(
    ("name", "parameter", "least"),
    [("array2string", "separator", 4), ("array2string", "prefix", 2), ("polyfit", "cov", 3)],
)
def test_an_option_has_several_values(name, parameter, least):
    cases = [draw_case(SeedChoices(seed), name) for seed in range(300)]
    values = {str(argument.values) for case in cases if (argument := (bind(case) or {}).get(parameter)) is not None}
    assert len(values) >= least


def test_printed_arrays_are_no_lists():
    calls = [draw_call(SeedChoices(seed), "array2string") for seed in range(60)]
    assert all(run_numpy(call.case).ok for call in calls if call.call_class != INVALID)


def test_what_is_deleted_matters_to_translated_bytes():
    def loses(case):
        (text,), (table,) = (bind(case)[key].values for key in ("a", "table"))
        changed, kept = run_numpy(case), run_numpy(Case(case.name, (text, table)))
        return text.dtype.kind == "S" and changed.ok and not np.array_equal(changed.value, kept.value)

    calls = [draw_call(SeedChoices(seed), "strings.translate") for seed in range(100)]
    assert sum(loses(call.case) for call in calls if call.call_class != INVALID) >= 5


def test_a_parameter_of_a_newer_numpy_is_left_out():
    def trim_zeros(filt, trim="fb"):
        """Trim zeros, as in NumPy 2.1, which has no `axis`."""

    assert list(plan_of("trim_zeros", trim_zeros, lines()["trim_zeros"]).slots) == ["filt", "trim"]
    with pytest.raises(AssertionError, match="trim_zeros has no parameter axes"):
        plan_of("trim_zeros", trim_zeros, {"axes": lines()["trim_zeros"]["axis"]})


def count_rejected(name, draws=200):
    """How many calls were meant to be valid, how many of these NumPy rejects, and how many planted faults."""
    calls = [draw_call(SeedChoices(seed), name) for seed in range(draws)]
    rejected = [one.call_class for one in calls if not run_numpy(one.case).ok]
    meant = sum(one.call_class != INVALID for one in calls)
    return meant, len(rejected) - rejected.count(INVALID), rejected.count(INVALID)


@pytest.mark.parametrize("name", ["add", "sum", "concatenate", "quantile", "linalg.solve"])
def test_few_calls_are_rejected_and_planted_faults_are(name):
    meant, rejected, faults = count_rejected(name)
    assert rejected < 0.15 * meant
    assert faults > 0
