"""The reasons of costs: each is for names that are measured, and what has none is listed."""

from __future__ import annotations

from fnmatch import fnmatchcase

import numpy as np
import pytest

from oracle import Case, run_numpy
from tests.benchmarks import every_name
from tests.benchmarks.cases import grow, select_simplest_cases
from tests.benchmarks.peaks import measure_peak


@pytest.mark.parametrize("table", every_name.LIMITS)
def test_every_pattern_matches_a_measured_name(table: str) -> None:
    names = every_name.generated_names() if table == "large" else every_name.measured_names()
    for pattern, why in every_name.load_reasons(table).items():
        assert why
        assert any(fnmatchcase(name, pattern) for name in names), pattern


def test_names_above_the_limit_need_a_reason() -> None:
    costs = {"add": 20.0, "roots": 900.0, "sort": 101.0, "sin.at": 120.0}
    assert every_name.find_unexplained(costs, 100.0, ["roots", "*.at"]) == ["sort"]


def test_reasons_that_no_name_needs_are_stale() -> None:
    costs = {"add": 20.0, "roots": 60.0, "cos.at": 50.0, "sin.at": 120.0, "trace": 90.0}
    assert every_name.find_stale(costs, 100.0, ["roots", "*.at", "fix", "trace"]) == ["roots"]


def test_the_simplest_call_comes_first_and_grows() -> None:
    cases = select_simplest_cases("add")
    assert not cases[0].kwargs
    grown = next(large for case in cases if (large := grow(case, 1000)) is not None)
    assert 300 < max(array.size for array in grown.arrays()) < 3000
    assert run_numpy(grown).ok
    assert grow(Case("matmul", (np.ones((2, 3)), np.ones(3))), 600) is not None
    assert grow(Case("add", (1.0, 2.0)), 1000) is None


def test_the_peak_of_memory_counts_what_is_freed_too() -> None:
    peak = measure_peak(lambda: np.ones(1 << 21).sum())
    assert peak is None or 15 << 20 <= peak < 20 << 20  # the process may have some memory left
