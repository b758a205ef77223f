"""The reasons of costs: each is for names that are measured, and what has none is listed."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))

import every_name


def test_every_pattern_matches_a_measured_name() -> None:
    names = every_name.measured_names()
    for pattern, why in every_name.load_reasons().items():
        assert why
        assert any(fnmatchcase(name, pattern) for name in names), pattern


def test_names_above_the_limit_need_a_reason() -> None:
    costs = {"add": 20.0, "roots": 900.0, "sort": 101.0, "sin.at": 120.0}
    assert every_name.find_unexplained(costs, ["roots", "*.at"]) == ["sort"]


def test_reasons_that_no_name_needs_are_stale() -> None:
    costs = {"add": 20.0, "roots": 60.0, "cos.at": 50.0, "sin.at": 120.0, "trace": 90.0}
    assert every_name.find_stale(costs, ["roots", "*.at", "fix", "trace"]) == ["roots"]
