"""Programs that write through views: valid, as data, and with every alias in their results."""

from __future__ import annotations

from collections import Counter

import numpy as np

from fuzz.generate.aliases import MOST_ALIASES, VIEWS, WRITES, draw_aliases
from fuzz.generate.choices import SeedChoices
from oracle import Case, run_numpy

PROGRAMS = [draw_aliases(SeedChoices(seed), ()) for seed in range(600)]


def test_programs_are_valid():
    for program in PROGRAMS:
        found = run_numpy(program)
        assert found.ok, (program, found.error)


def test_elements_of_an_empty_array_are_assigned_by_a_mask():
    program = draw_aliases(SeedChoices(15530), ())
    masks = [call.args[1] for call in program.calls() if call.name == "ndarray.__setitem__"]
    assert any(type(mask) is np.ndarray and mask.dtype == bool and not mask.size for mask in masks)
    assert run_numpy(program).ok


def test_every_view_and_write_is_drawn():
    drawn = Counter(call.name for program in PROGRAMS for call in program.calls())
    assert [name for name in (*VIEWS, *WRITES) if drawn[name] < 5] == []


def test_every_alias_is_a_result_after_each_write():
    for program in PROGRAMS:
        writes = [call for call in program.calls() if call.name in WRITES]
        read = [copy.args[0] for copy in program.args]
        firsts = [index for index, case in enumerate(read) if case.name == "last"]
        assert len(firsts) == len(writes)
        aliases = [case for case in program.calls() if case.name in (*VIEWS, "array")]
        final = read[firsts[-1] + 1 :]
        assert 1 <= len(final) + 1 <= MOST_ALIASES + 1
        assert all(any(alias is case for case in (*final, read[0])) for alias in aliases)


def test_views_overlap_with_operands():
    def overlaps(program):
        writes = [call for call in program.calls() if "out" in call.kwargs]
        return any(type(arg) is Case for call in writes for arg in call.args)

    assert sum(map(overlaps, PROGRAMS)) > 100


def test_programs_call_functions_among_the_names():
    for seed in range(50):
        program = draw_aliases(SeedChoices(seed), ("ndarray.reshape", "ndarray.__isub__"))
        others = {call.name for call in program.calls()} - {"array", "copy"}
        assert others <= {"ndarray.reshape", "ndarray.__isub__", "copyto"}
