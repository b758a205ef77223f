"""No class of arguments that NumPy takes is missing from what the generator draws; and where one is, it is noticed."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from fuzz.cli.argument_gaps import sample_all
from fuzz.generate.argument_coverage import BY_KEYWORD, BY_POSITION, Depth, classify
from fuzz.generate.calls import generated_names
from fuzz.generate.coverage_gaps import FEWEST, Sample, by_keyword, by_position, extend, gaps, replace, sample
from oracle import Case
from oracle.harness import TOPICS, Sandbox

NAMED = frozenset(generated_names())


def starved(drawn, parameter, missing):
    """The sample without the calls whose argument is of a class."""
    calls = [case for case in drawn.calls if missing not in classify(case).get(parameter, ())]
    depth = Depth()
    for case in calls:
        depth.add(classify(case))
    return Sample(drawn.name, drawn.drawn, calls, depth)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "parameter", "missing"),
    [
        ("sort", "a", "read-only"),
        ("sum", "a", "negative zero"),
        ("sort", "a", BY_KEYWORD),
        ("linalg.det", "a", "singular"),
    ],
)
def test_a_class_that_never_comes_is_noticed(name, parameter, missing):
    found = list(gaps(starved(sample(name), parameter, missing)))
    assert (parameter, missing) in [(gap.parameter, gap.missing) for gap in found]


def test_a_class_that_numpy_refuses_is_not_asked_for():
    drawn = sample("linalg.eig")
    assert drawn.depth.given["a"] > FEWEST
    assert not {"nan", "rectangular"} & drawn.depth.classes["a"].keys()
    assert not [gap for gap in gaps(drawn) if gap.missing in {"nan", "rectangular", "rank 1"}]


def test_a_number_that_no_answer_depends_on_is_not_asked_for():
    """NumPy ignores the precision of integers, and rejects a negative one wherever it reads it."""
    integers = [Case("array_str", (np.arange(3),), {"precision": digits % 9}) for digits in range(FEWEST)]
    floats = [Case("round", (np.arange(3.0) / 7,), {"decimals": digits % 9}) for digits in range(FEWEST)]
    assert ("precision", "negative scalar") not in missing_of(integers)
    assert ("decimals", "negative scalar") in missing_of(floats)


def test_numbers_are_asked_of_no_output_that_is_overwritten():
    arguments = [(np.arange(1.0, 4), np.ones(3) / 2) for _ in range(FEWEST)]
    transforms = [Case("fft.fft", (array,), {"out": out.astype(complex)}) for array, out in arguments]
    sums = [Case("add", (array, 2.0, out), {"where": array > 2}) for array, out in arguments]
    assert ("out", "not contiguous") in missing_of(transforms)
    assert ("out", "all nan") not in missing_of(transforms)
    assert ("out", "all nan") in missing_of(sums)


def missing_of(calls):
    """The parameters of such calls with the classes that are missing."""
    depth = Depth()
    for case in calls:
        depth.add(classify(case))
    return {(gap.parameter, gap.missing) for gap in gaps(Sample(calls[0].name, len(calls), calls, depth))}


def test_a_sample_is_extended_by_the_next_calls():
    drawn, longer = sample("sort", 30), sample("sort", 60)
    extend(drawn, 30)
    assert (drawn.drawn, drawn.depth) == (60, longer.depth)
    assert list(map(str, drawn.calls)) == list(map(str, longer.calls))


def test_calls_are_rewritten():
    array = np.arange(3.0)
    case = Case("sum", (array, 0), {"keepdims": True})
    assert str(by_keyword(case, "axis")) == str(Case("sum", (array,), {"axis": 0, "keepdims": True}))
    assert str(by_position(case, "keepdims")) == str(Case("sum", (array, 0, None, None, True)))
    where = Case("sum", (array,), {"where": True})
    assert by_position(where, "where") is None  # `initial` stands between, and its default is no value
    assert str(by_position(Case("sum", (array,), {"out": None}), "out")) == str(Case("sum", (array, None, None, None)))
    assert str(replace(case, "axis", -1)) == str(Case("sum", (array, -1), {"keepdims": True}))


def some_names(count):
    """So many names of each topic, the same ones every time."""
    for names in TOPICS.values():
        drawn = sorted(NAMED.intersection(names), key=lambda name: zlib.crc32(name.encode()))
        yield from drawn[:count]


@pytest.mark.full
@pytest.mark.parametrize("of_a_topic", [1, pytest.param(4, marks=pytest.mark.full)])
def test_nothing_is_starved(of_a_topic):
    """Of a few names; `python -m fuzz coverage --drawn arguments` looks at all."""
    names = list(some_names(of_a_topic))
    arguments = {"subject": "numpy", "devices": ("CPU:0",), "names": ()}
    with Sandbox(1, "fuzz.engine.tasks:prepare", arguments, start="fuzz.engine.tasks:start") as sandbox:
        found = sample_all(sandbox, names)
    gaps = [str(gap) for sounding in found.values() for gap in sounding.gaps]
    assert gaps == []
    assert found.keys() == set(names)
    assert all(sounding.depth.classes for sounding in found.values() if sounding.depth.given)
    assert BY_POSITION in found[names[0]].depth.classes.get("self", {BY_POSITION: 1})
