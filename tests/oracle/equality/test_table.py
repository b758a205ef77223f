"""What is listed by name is NumPy's, belongs to one rule, and is still needed: NumPy itself says so."""

from __future__ import annotations

import warnings
from fnmatch import fnmatchcase
from operator import attrgetter
from types import ModuleType, SimpleNamespace

import ml_dtypes
import numpy as np
import pytest

from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from oracle import Case, judge, run_numpy
from oracle.accepted_differences import sums, unspecified
from oracle.equality import linalg, numeric, random, table
from oracle.equality.table import RELATIONS, RULES, SYNONYMS, TRAITS
from oracle.harness import NAMES, UNSPECIFIED
from oracle.inventory import FACTS
from oracle.transforms import refill

BFLOAT16 = ml_dtypes.bfloat16


def exists(name):
    try:
        attrgetter(name)(np)
    except AttributeError:
        return False
    return True


@pytest.mark.parametrize("section", sorted(FACTS))
def test_every_fact_is_about_a_name_of_numpys(section):
    listed = set().union(*FACTS[section].values())
    assert sorted(name for name in listed if not exists(name)) == []


def test_every_relation_is_of_names_that_are_judged():
    listed = set(RELATIONS) | set(SYNONYMS) | set(SYNONYMS.values())
    assert sorted(listed - set(NAMES)) == []


def test_every_rule_has_a_relation_and_every_relation_a_rule():
    assert {relation.rule for relation in RELATIONS.values()} | {"exact"} == set(RULES)
    assert {*numeric.RULES, "shape"} == set(RULES)


def test_a_matrix_has_a_checker_where_the_table_says_so():
    assert {name for name in NAMES if table.decomposes(name)} == {*linalg.ENTRIES, "linalg.multi_dot"}


def test_a_checker_of_draws_is_asked_where_the_table_says_so():
    drawn = {name for name in NAMES if random.is_drawn(name)}
    assert drawn <= {name for name in NAMES if table.relation_of(name).check == "draws"}
    assert {"random.gamma", "random.Generator.choice"} <= drawn


def test_an_unspecified_row_is_of_names_that_are_judged_and_has_a_check():
    assert {entry.id for entry in UNSPECIFIED} == set(unspecified.CHECKS)
    for entry in UNSPECIFIED:
        assert all(any(fnmatchcase(name, pattern) for name in NAMES) for pattern in entry.names), entry.id
    (bounded,) = (entry for entry in UNSPECIFIED if entry.id == "rounding.within-bound")
    assert sorted(bounded.names) == sorted(sums.BOUNDS)


def test_a_trait_and_a_rule_stand_for_their_names():
    (entry,) = (entry for entry in UNSPECIFIED if entry.id == "zero.of-either-sign")
    assert "extremes" not in entry.names
    assert TRAITS["extremes"] | {"sort", "union1d"} < set(entry.names)
    (entry,) = (entry for entry in UNSPECIFIED if entry.id == "order.of-terms")
    assert {"sin", "sum", "add.reduce", "prod", "sqrt"} < set(entry.names)
    assert not {"sort", "percentile", "linalg.inv"} & set(entry.names)


def test_the_longest_pattern_decides():
    assert all(any(fnmatchcase(name, pattern) for name in NAMES) for pattern in table.PATTERNS)
    names = ("polyroots", "polyfromroots", "polyfit", "Polynomial.fit", "polyadd")
    rows = [table.relation_of(f"polynomial.polynomial.{name}") for name in names]
    assert [row.check for row in rows] == ["roots", "", "", "", ""]
    assert [row.rule for row in rows] == ["scaled", "conditioned", "scaled", "scaled", "conditioned"]
    assert rows[2].ulps < rows[3].ulps


def test_a_trait_is_one_of_names_with_the_rule_that_reads_it():
    rules_of = {
        "averages": {"sum"},
        "rounded_each_step": {"sum"},
        "products": {"sum", "ulps"},
        "roots_of_sums": {"conditioned", "scaled", "sum"},
        "summed_up": {"conditioned", "scaled"},
        "discontinuous": {"conditioned", "scaled"},
        "complex_powers": {"ulps"},
        "powers": {"ulps"},
        "extremes": {"exact"},
        "rounded_if_complex": {"exact", "ulps"},
    }
    assert set(rules_of) == set(TRAITS)
    for key, rules in rules_of.items():
        assert {table.relation_of(name).rule for name in TRAITS[key]} <= rules, key


def arguments(name):
    """Numbers of the domain of an elementwise function."""
    x = np.random.default_rng(5).random(40_000) * 0.98 + 0.01
    if name == "arccosh":
        x = x + 1
    function = attrgetter(name)(np)
    return (x, x[::-1] * 3) if isinstance(function, np.ufunc) and function.nin == 2 else (x,)


@pytest.mark.sample(19)
@pytest.mark.parametrize("name", sorted(name for name, relation in RELATIONS.items() if relation is table.ULPS))
def test_numpy_does_not_round_correctly_what_is_granted_an_ulp(name):
    args = arguments(name)
    if name == "angle":
        args = (args[0] + 1j * args[0][::-1],)
    function = attrgetter(name)(np)
    wide = np.clongdouble if name == "angle" else np.longdouble
    true = function(*[arg.astype(wide) for arg in args]).astype(np.float64)
    assert (function(*args) != true).any()


@pytest.mark.parametrize("name", sorted(FACTS["bfloat16"]["adding"]))
def test_numpy_adds_bfloat16_in_bfloat16(name):
    ones = np.full(600, 1.01, BFLOAT16)
    trace, extra = name.endswith("trace"), ([0],) if name.endswith("reduceat") else ()
    array = np.diag(ones[:300]) if trace else ones * (1 + (np.arange(600) % 3).astype(BFLOAT16) / BFLOAT16(64))
    array = np.stack([array, array[::-1]]) if name in ("cov", "corrcoef") else array
    function = attrgetter(name)(np)
    native, wide = (
        np.asarray(function(array.astype(dtype), *extra, **{"dtype": dtype} if array.ndim == 2 and not trace else {}))
        for dtype in (BFLOAT16, np.float32)
    )
    native, wide = native.astype(np.float64), wide.astype(BFLOAT16).astype(np.float64)
    assert (native != wide).any()


@pytest.mark.parametrize("name", sorted(FACTS["bfloat16"]["unknowing"] | FACTS["bfloat16"]["interpolating"]))
def test_numpy_does_not_know_bfloat16_to_be_inexact(name):
    has_nan = name.startswith("nan") or name == "asarray_chkfinite"
    x = np.array([2, np.nan, 4, 1] if has_nan else [3, 1, 7, 2], BFLOAT16)
    args = {"vdot": (x, x), "polydiv": (x, x[:2]), "histogram2d": (x, x), "histogramdd": (np.stack([x, x]).T,)}
    args |= dict.fromkeys(FACTS["bfloat16"]["interpolating"], (x, 0.3))
    given = args.get(name, (x,))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        native = attempt(attrgetter(name)(np), given)
    assert repr(native) != repr(run_numpy(Case(name, given)).value)


def attempt(function, args):
    try:
        return function(*args)
    except (TypeError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("x", [-9e-41, 9e-41, -1e30, 1.8e19, 0.5])
@pytest.mark.parametrize("name", ["log", "log2", "log10", "sqrt", "arcsin", "arccos", "arctanh"])
def test_the_answer_of_emath_to_bfloat16_is_that_of_numpy_to_it(name, x):
    """float16, which stands for bfloat16 elsewhere, has neither of those numbers."""
    x = np.array(x, BFLOAT16)
    with np.errstate(all="ignore"):
        expected = getattr(np.emath, name)(x)
        outcomes = [run_numpy(Case(f"emath.{name}", (x,))), run_numpy(Case("emath.logn", (10, x)))]
        np.testing.assert_equal(outcomes[1].value, np.emath.logn(10, x))
    np.testing.assert_equal(outcomes[0].value, expected)
    assert outcomes[0].value.dtype == expected.dtype


def test_numpy_has_no_place_for_nan_in_bfloat16():
    numbers = np.array([2, np.nan, 1], BFLOAT16)
    assert not np.isnan(np.sort(numbers)[-1])
    assert not np.isnan(np.partition(numbers, 1)[-1])


@pytest.mark.parametrize("name", sorted(FACTS["numpy"]["splitting"]))
def test_an_array_may_tell_how_many_parts_there_are(name):
    assert len(getattr(np, name)(np.zeros((4, 4, 4)), np.array(2))) == 2


@pytest.mark.parametrize("name", sorted(FACTS["numpy"]["written_first"]))
def test_the_first_argument_is_written_to(name):
    array = np.array([3, 1, 2])
    others = {
        "copyto": (9,), "fill_diagonal": (9,), "place": (np.ones(3, bool), [9]), "put": (0, 9),
        "put_along_axis": (np.array([0]), 9, 0), "putmask": (np.ones(3, bool), 9), "ndarray.sort": (),
        "ndarray.partition": (1,), "ndarray.fill": (9,), "ndarray.put": (0, 9), "ndarray.resize": (2,),
        "ndarray.__setitem__": (0, 9), "random.shuffle": (),
    }  # fmt: skip
    if name == "fill_diagonal":
        array = np.zeros((2, 2))
    if name == "ndarray.__imatmul__":
        array = np.array([[3.0, 1], [1, 2]])
    if name == "ndarray.__itruediv__":
        array = array.astype(float)
    if name == "random.shuffle":
        array = np.arange(50)
    given = others.get(name, (array.copy() * 2 + 1 if name != "ndarray.__imod__" else 2,))
    before = array.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        attrgetter(name)(np)(array, *given)
    assert before.shape != array.shape or (before != array).any()


@pytest.mark.parametrize("name", sorted(FACTS["numpy"]["sized_by_values"]))
def test_sizes_depend_on_values(name):
    counts = Case("histogram2d", (np.ones(3), np.ones(3), np.array([2, 3])))  # drawn too seldom: an array of counts
    drawn = (draw_case(SeedChoices(seed), name) for seed in range(400))
    for case in (counts,) if name == counts.name else drawn:
        expected = run_numpy(case)
        if expected.ok and refill.form_depends_on_values(case, expected.value, shapes=True):
            return
    pytest.fail("no case of 400 has another size for other values")


@pytest.mark.parametrize(
    ("divide", "agrees"),
    [
        (lambda n, d: np.arange(n // 2 + 1) / (d * n), True),  # as the manual says: 0.075, where NumPy is an ulp off
        (lambda n, d: np.fft.rfftfreq(n, d) * (1 + 2e-15), False),
        (lambda n, d: np.fft.rfftfreq(n, d) + 1e-300, False),
    ],
)
def test_frequencies_are_quotients_that_may_be_rounded_once_or_twice(divide, agrees):
    module = ModuleType("of_frequencies")
    module.ndarray, module.fft = np.ndarray, SimpleNamespace(rfftfreq=divide)
    assert judge(Case("fft.rfftfreq", (8, 5)), ["eager"], module).agrees == agrees
