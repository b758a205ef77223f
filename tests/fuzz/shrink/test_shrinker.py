"""Reduction: the smallest case that fails the same way, by few calls, and never one that was not seen to fail."""

from __future__ import annotations

from collections import Counter
from types import ModuleType

import ml_dtypes
import numpy as np
import pytest

from fuzz.generate import preconditions
from fuzz.generate.aliases import draw_aliases
from fuzz.generate.choices import SeedChoices
from fuzz.shrink import paths
from fuzz.shrink.order import list_simpler_numbers, weigh_value
from fuzz.shrink.passes import list_writes
from fuzz.shrink.shrinker import measure, reduce_case
from oracle import Case, Subject, judge
from tests import tiers

GENERATOR = np.random.default_rng(7)
BLOCK = GENERATOR.normal(size=(4, 6, 3)).astype(np.float32)


def shape_of(case):
    return np.shape(case.args[0])


def typed(case):
    return str(case).replace(", np.float64)", ")")


def is_broken(predicate):
    """A predicate that takes what it does not expect for agreement, as a judge would."""

    def still_fails(case):
        try:
            return bool(predicate(case))
        except (IndexError, TypeError, ValueError, AttributeError, KeyError, ZeroDivisionError):
            return False

    return still_fails


@pytest.mark.parametrize(
    ("case", "predicate", "smallest"),
    [
        (Case("sum", (BLOCK,), {"axis": 1, "keepdims": True}), lambda c: c.args, "np.sum(0.0)"),
        (
            Case("sum", (BLOCK,), {"axis": 1, "keepdims": True}),
            lambda c: c.kwargs["keepdims"] and c.args[0].ndim == 2,
            "np.sum(np.array([[0.0]]), keepdims=True)",
        ),
        (Case("sum", (BLOCK,)), lambda c: (c.args[0] < -1).any(), "np.sum(np.array(-2.0))"),
        (
            Case("add", (BLOCK, BLOCK[1:2])),
            lambda c: np.add(*c.args).ndim and c.args[1].size,
            "np.add(0.0, np.array([0.0]))",
        ),
        (
            Case("matmul", (BLOCK[0].T[::-1], BLOCK[1])),
            lambda c: np.matmul(*c.args).ndim == 2,
            "np.matmul(np.array([[0.0]]), np.array([[0.0]]))",
        ),
        (
            Case("reshape", (BLOCK, (12, 6))),
            lambda c: np.reshape(*c.args).ndim == 2,
            "np.reshape(0.0, (1, 1))",
        ),
        (
            Case("split", (BLOCK, 3, 1)),
            lambda c: len(np.split(*c.args)) > 1,
            "np.split(np.array([0.0, 0.0]), 2)",
        ),
        (
            Case("concatenate", ([BLOCK, BLOCK[:2], BLOCK], 0)),
            lambda c: np.concatenate(*c.args).size,
            "np.concatenate([np.array([0.0])])",
        ),
        (
            Case("multiply", (Case("sin", (BLOCK,)), Case("add", (BLOCK, BLOCK)))),
            lambda c: c.name == "multiply" and len(c.args) == 2,
            None,
        ),
        (
            Case("multiply", (Case("sin", (BLOCK,)), 2.0)),
            lambda c: any(call.name == "sin" and call.args for call in c.calls()),
            "np.sin(0.0)",
        ),
        (
            Case("add", (BLOCK.astype(ml_dtypes.bfloat16), np.float32(3.7))),
            lambda c: c.args[0].dtype == ml_dtypes.bfloat16 and type(c.args[1]) is np.float32 and c.args[1] > 2,
            "np.add(np.array(0.0, ml_dtypes.bfloat16), np.float32(3.0))",
        ),
        (
            Case("left_shift", (np.arange(20, dtype=np.int8), np.full((5, 1), 9, np.int8))),
            lambda c: c.args[1].dtype.kind == "i" and (c.args[1] > 7).any(),
            None,
        ),
        (Case("take", (BLOCK, slice(5, -1, 3))), lambda c: c.args[1].step == 3, None),
        (
            Case("issubdtype", (np.float64, np.inexact)),
            lambda c: c.args[1] is np.inexact,
            "np.issubdtype(np.float64, np.inexact)",
        ),
    ],
)
def test_reaches_the_smallest(case, predicate, smallest):
    reduced = reduce_case(case, is_broken(predicate))
    assert is_broken(predicate)(reduced)
    assert sum(array.size for array in reduced.arrays()) <= 3
    if smallest is not None:
        assert typed(reduced) == smallest


def test_a_dozen_calls_make_a_crash_tiny():
    calls = []

    def crashes(case):
        calls.append(case)
        return "axis" in case.kwargs and len(case.args) == 1

    reduced = reduce_case(Case("sort", (BLOCK,), {"axis": 1, "kind": "stable"}), crashes, budget=12)
    assert len(calls) <= 12
    assert shape_of(reduced) == ()


@pytest.mark.parametrize("budget", [0, 1, 5, 40, 400])
def test_asks_no_more_than_the_budget_nor_twice_and_answers_with_what_failed(budget):
    asked = {}

    def still_fails(case):
        text = case.json()
        assert text not in asked
        asked[text] = bool(case.args) and case.args[0].ndim > 1 and float(np.abs(case.args[0]).sum()) > 3
        return asked[text]

    case = Case("cumsum", (BLOCK,), {"axis": 2})
    reduced = reduce_case(case, still_fails, budget)
    assert len(asked) <= budget
    assert reduced is case or asked[reduced.json()]
    if budget == 400:
        assert reduced.args[0].size <= 2
        assert not reduced.kwargs


def test_keeps_what_it_cannot_explain_otherwise():
    fortran = Case("ravel", (np.asfortranarray(BLOCK[0]), "K"))
    reduced = reduce_case(fortran, is_broken(lambda c: not c.args[0].flags.c_contiguous))
    assert shape_of(reduced) == (2, 2)
    empty = reduce_case(Case("max", (np.zeros((0, 3)),)), is_broken(lambda c: c.args[0].size == 0))
    assert shape_of(empty) == (0,)
    unsigned = Case("negative", (np.array([200, 7], np.uint8),))
    assert str(reduce_case(unsigned, is_broken(lambda c: c.args[0].dtype == np.uint8))) == (
        "np.negative(np.array(0, np.uint8))"
    )


def test_an_array_passed_twice_becomes_two_only_if_that_fails_too():
    array = np.array([1.0, 2.0])
    shared = reduce_case(Case("add", (array, array)), is_broken(lambda c: c.args[0] is c.args[1]))
    assert shared.args[0] is shared.args[1]
    apart = reduce_case(Case("add", (array, array)), is_broken(lambda c: len(c.args) == 2))
    assert apart.args[0] is not apart.args[1]


def test_what_a_write_returns_is_never_handed_on():
    array = np.zeros(3)
    program = Case("copy", (Case("last", (Case("put", (array, 0, 1.0)), array)),))
    reduced = reduce_case(
        program, is_broken(lambda case: case.args[0].name == "last" and case.args[0].args[0].name == "put")
    )
    assert type(reduced.args[0].args[-1]) is not Case


def test_a_value_no_case_can_hold_is_no_candidate():
    program = Case("size", (Case("finfo", (np.dtype("float32"),)),))
    assert reduce_case(program, is_broken(lambda c: c.name == "size")).name == "size"


@pytest.mark.parametrize("value", [0, 1, 7, -3, 2**70, 0.0, -0.0, 1.5, np.pi, 1e300, float("inf"), 2 - 3j, True])
def test_numbers_get_simpler_until_there_is_nothing_simpler(value):
    simpler = [number for number in list_simpler_numbers(value) if weigh_value(number) < weigh_value(value)]
    assert all(type(number) is type(value) for number in simpler)
    assert bool(simpler) == bool(weigh_value(value))


def test_simpler_is_what_a_reader_would_call_so():
    plain = Case("sum", (np.zeros(2),))
    for harder in (
        Case("sum", (np.zeros(3),)),
        Case("sum", (np.zeros((2, 1)),)),
        Case("sum", (np.zeros(4)[::2],)),
        Case("sum", (np.zeros(2, np.float16),)),
        Case("sum", (np.array([0.0, 1.0]),)),
        Case("sum", (np.zeros(2),), {"axis": None}),
        Case("sum", (Case("sin", (np.zeros(2),)),)),
    ):
        assert measure(plain) < measure(harder)


def test_a_complex_number_that_is_real_becomes_real():
    assert str(reduce_case(Case("sin", (3 + 0j,)), lambda case: case.args[:1] == (3,))) == "np.sin(3.0)"


@pytest.mark.parametrize("value", [True, np.True_, np.array(True), np.float64(1), np.array(1.0), np.array([1, 1])])
def test_the_same_is_said_of_truths_scalars_and_arrays(value):
    broken = is_broken(lambda case: np.all(np.asarray(case.args[0]) == 1))
    assert str(reduce_case(Case("sin", (value,)), broken)) in ("np.sin(1)", "np.sin(1.0)")


def lies_otherwise(arrays):
    return any(not array.flags.c_contiguous for array in arrays)


def test_a_layout_that_matters_stays_while_the_dtype_becomes_plain():
    for array in (np.array([[1, 2], [3, 4]], np.uint8, order="F"), np.arange(3, dtype=np.int16)[::-1]):
        found = reduce_case(Case("sin", (array,)), lambda case: lies_otherwise(case.arrays()))
        assert found.args[0].dtype == np.float64
    swapped = reduce_case(
        Case("sin", (np.array([1, 2], ">u2"),)), lambda case: any(not array.dtype.isnative for array in case.arrays())
    )
    assert swapped.args[0].dtype == np.dtype(">f8")


def test_a_complex_number_with_one_part_becomes_that_part():
    found = reduce_case(Case("max", (complex(0.0, np.nan),)), lambda case: any(map(np.isnan, case.args)))
    assert str(found) == "np.max(np.nan)"


def test_what_is_read_only_stays_so_while_the_dtype_becomes_plain():
    repeated = np.broadcast_to(np.uint8(2), (3,))
    found = reduce_case(Case("sin", (repeated,)), is_broken(lambda case: case.args[0].strides[0] == 0))
    assert found.args[0].dtype == np.float64
    assert not found.args[0].flags.writeable


def test_a_small_matrix_becomes_a_vector():
    """No axis of it can go by itself: the elements that differ share none."""
    case = Case("roll", (np.array([[0.0, 0.0], [0.0, 1.0]]), -1))
    reduced = reduce_case(case, lambda one: one.arrays() != [] and 1.0 in one.arrays()[0].ravel()[2:])
    assert [array.ndim for array in reduced.arrays()] == [1]


def test_programs_that_write_through_views_are_reduced_to_a_few_calls():
    library = ModuleType("copies")
    vars(library).update({name: value for name, value in vars(np).items() if not name.startswith("__")})
    library.ravel = lambda a, order="C": np.array(np.ravel(a, order))
    subject = Subject("copies", library)

    def still_fails(case):
        return any(found.kind == "value" for found in judge(case, ["eager"], subject).deviations)

    programs = [draw_aliases(SeedChoices(seed), ("ravel",)) for seed in range(4)]
    failing = [program for program in programs if still_fails(program)]
    assert len(failing) > 1
    assert max(len(program.calls()) for program in failing) > 20
    for program in tiers.sample(failing, 1):
        reduced = reduce_case(program, still_fails)
        assert len(reduced.calls()) <= 8
        assert {write.name for write in list_writes(reduced)} <= {"ndarray.fill"}


def test_integers_are_changed_in_one_pass(monkeypatch):
    """A case may have thousands, and rebuilding it for each of them would take minutes."""
    array = np.zeros(2)
    case = Case("add", ([[n, True, 1.0] for n in range(500)], {"a": 1}, (array,)), {"out": array, "axis": 1})
    visited = Counter()
    children = paths.list_children
    monkeypatch.setattr(paths, "list_children", lambda value: (visited.update(["value"]), children(value))[1])
    changed = paths.change_ints(case, lambda value: value + 1)
    assert visited["value"] < 600  # containers, each once
    assert changed.args[0] == [[n + 1, True, 1.0] for n in range(500)]
    assert changed.args[1] == {"a": 2}
    assert changed.kwargs["axis"] == 2
    assert changed.args[2][0] is changed.kwargs["out"] is array


def test_what_a_function_presupposes_holds_in_each_candidate():
    """A reduction that leaves out the sorter would ask what no array that is not sorted answers."""
    case = Case("searchsorted", (np.array([3.0, 1.0, 2.0]), 1.5), {"sorter": np.array([1, 2, 0])})
    tried: list[Case] = []
    reduced = reduce_case(case, lambda candidate: bool(tried.append(candidate)) or True)
    assert all(map(preconditions.holds, [reduced, *tried]))
    hostile = Case("searchsorted", (np.array([3.0, 1.0, 2.0]), 1.5))
    assert reduce_case(hostile, lambda candidate: True) != hostile
