"""Programs: two to twelve calls, mostly valid, sharing what they can share."""

from __future__ import annotations

import warnings
from collections import Counter

import numpy as np
import pytest

from fuzz.generate.calls import generated_names
from fuzz.generate.choices import SeedChoices
from fuzz.generate.programs import MAKERS, MOST_CALLS, WRITES, draw_program
from oracle import Case, run_numpy

NAMES = generated_names()
PASSING = ("ravel", "shape", "isfinite", "array", "negative")
ELEMENTARY = ("add", "sin", "sum", "reshape", "concatenate")


def outcome(program):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return run_numpy(program)


@pytest.mark.full
def test_programs_are_short_and_mostly_valid():
    sizes, valid = Counter(), 0
    for seed in range(300):
        program = draw_program(SeedChoices(seed), NAMES)
        sizes[len(program.calls())] += 1
        valid += outcome(program).ok
        assert Case.from_json(program.json()).json() == program.json()
    assert min(sizes) >= 2
    assert max(sizes) <= MOST_CALLS
    assert set(range(2, MOST_CALLS)) <= set(sizes)
    assert valid > 200


def test_calls_stay_among_the_names_where_they_can():
    for seed in range(100):
        program = draw_program(SeedChoices(seed), ELEMENTARY)
        assert program.calls()[-1].name in {*ELEMENTARY, *PASSING}
        assert {"add", "sin", "sum", "reshape", "concatenate"} & {call.name for call in program.calls()}


def test_a_result_may_be_used_twice():
    def uses(program):
        counts = Counter(id(arg) for call in program.calls() for arg in call.args if type(arg) is Case)
        return max(counts.values(), default=0)

    assert any(uses(draw_program(SeedChoices(seed), NAMES)) > 1 for seed in range(100))


def test_results_may_be_several():
    programs = [draw_program(SeedChoices(seed), ELEMENTARY) for seed in range(100)]
    several = [outcome(program).value for program in programs if program.name == "program"]
    assert len(several) > 10
    assert all(len(results) == 2 for results in several if results is not None)


def test_siblings_share_their_structure():
    for seed in range(100):
        one, other = (draw_program(SeedChoices(seed, sibling), NAMES) for sibling in range(2))
        assert [(a.shape, a.dtype, a.strides) for a in one.arrays()] == [
            (a.shape, a.dtype, a.strides) for a in other.arrays()
        ]
        assert [call.name for call in one.calls()] == [call.name for call in other.calls()]


@pytest.mark.full
def test_every_maker_makes_what_it_replaces():
    """Whatever takes an array's place has its shape and dtype."""
    seen = Counter()
    for seed in range(2000):
        program = draw_program(SeedChoices(seed), ("signbit", "isnan", "invert"))
        for call in program.calls()[:-1]:
            seen[call.name] += 1
    assert set(MAKERS) <= set(seen)


class TestWritesBetweenReads:
    """An array of a program may be written to before it is read."""

    @pytest.fixture(scope="class")
    def written(self):
        programs = [draw_program(SeedChoices(seed), NAMES) for seed in range(1000)]
        return [program for program in programs if '"case":"last"' in program.json()]

    def test_some_programs_write_and_are_as_valid_as_others(self, written):
        assert len(written) > 100
        assert sum(outcome(program).ok for program in written) > 0.7 * len(written)
        assert all(Case.from_json(program.json()).json() == program.json() for program in written)

    def test_by_every_sort_of_write(self, written):
        names = {call.name for program in written for call in program.calls() if call.name in WRITES}
        assert names == set(WRITES)

    def test_what_is_read_is_what_was_written(self, written):
        """A program without its writes gives something else in three cases of ten, or more: others read shapes."""
        valid = [program for program in written if outcome(program).ok]
        unwritten = [map_lasts(program) for program in valid]
        pairs = zip(valid, unwritten, strict=True)
        changed = [repr(outcome(one).value) != repr(outcome(other).value) for one, other in pairs]
        assert sum(changed) > 0.3 * len(changed)

    def test_the_first_result_may_be_what_the_array_held_before(self, written):
        before = [program for program in written if program.name == "program" and is_copy(program.args[0])]
        assert before
        for program in before:
            result = outcome(program)
            if result.ok:
                assert np.array_equal(result.value[0], program.args[0].args[0], equal_nan=True)


def is_copy(value):
    return type(value) is Case and value.name == "copy"


def map_lasts(value):
    """The program without the calls that write."""
    if type(value) is Case:
        kwargs = {key: map_lasts(item) for key, item in value.kwargs.items()}
        return map_lasts(value.args[-1]) if value.name == "last" else Case(value.name, map_lasts(value.args), kwargs)
    return type(value)(map(map_lasts, value)) if type(value) in (list, tuple) else value
