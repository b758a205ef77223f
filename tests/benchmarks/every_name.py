"""What an eager call of each of NumPy's names costs on small arrays: at first, when it recurs, and in NumPy; and on
large ones, beside NumPy.

    python -m tests.benchmarks.every_name [--elements N] [--json FILE] [NAME ...]

The calls are the plainest that the fuzzer draws for a name, of at most 64 elements. Thread-CPU time per call, the least
of several rounds. `recurring` is what the call costs from its 65th time on, when tfnp runs it as one traced graph.
`large` is the ratio to NumPy's time of the same call with arrays of a million elements, or of N.

The result is left as a tensor. Names that cost more than 100 us when they recur, or more than five times NumPy's time
on large arrays, have a reason in `reasons.toml`. Listed at the end are those that have none, and the reasons that no
name needs any more.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import tomllib
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.generate.calls import generated_names
from oracle import Case, Mode, load_subject
from oracle.harness import REPEATS, repeat, repeat_in_numpy
from tests.benchmarks.cases import grow, select_simplest_cases

ROUNDS = 5
LIMITS = {"reason": 100.0, "large": 5.0}
"""By the table of reasons: microseconds of a recurring call, and the ratio to NumPy's time on large arrays, above which
a name needs a reason.
"""
STALE_BELOW = 0.75
"""The part of a limit below which a name needs no reason; between both noise decides."""
MOST_ELEMENTS = 64
REASONS = Path(__file__).with_name("reasons.toml")
HOMES = ("ndarray.", "random.", "char.", "strings.")  # not measured: lent by the functions, or costs of other kinds


def measure(call: Callable[[], Any], calls: int) -> float:
    """Return the microseconds of a call."""
    least = float("inf")
    for _ in range(ROUNDS):
        start = time.thread_time_ns()
        for _ in range(calls):
            call()
        least = min(least, (time.thread_time_ns() - start) / calls)
    return least / 1e3


def measure_case(case: Case) -> dict[str, float]:
    """Return what a case costs in NumPy, and in tfnp before and after it is traced."""
    call = repeat(case, Mode("eager"), load_subject("tfnp"), fetch=False)
    call()
    first = measure(call, 3)
    for _ in range(REPEATS):
        call()
    return {"numpy": measure(repeat_in_numpy(case), 20), "first": first, "recurring": measure(call, 20)}


def measure_large(cases: Iterable[Case], elements: int) -> float | None:
    """Return the ratio to NumPy's time of the first case that grows to so many elements; None if none does."""
    grown = next((large for case in cases if (large := grow(case, elements)) is not None), None)
    if grown is None:
        return None
    call = repeat(grown, Mode("eager"), load_subject("tfnp"), fetch=False)
    call()
    return measure(call, 1) / measure(repeat_in_numpy(grown), 1)


def is_unusual(case: Case) -> bool:
    """Return whether an array is complex or empty, or has nan, an infinity or a subnormal number: some functions take
    longer ways for these.
    """
    leaves = [np.asarray(leaf) for leaf in case.leaves() if isinstance(leaf, np.ndarray | np.generic | float | complex)]
    return any(array.size == 0 or array.dtype.kind == "c" or has_unusual_numbers(array) for array in leaves)


def has_unusual_numbers(array: np.ndarray) -> bool:
    """Return whether a float is nan, infinite or subnormal."""
    if array.dtype.kind != "f":
        return False
    return bool((~np.isfinite(array)).any() or (abs(array)[array != 0] < np.finfo(array.dtype).tiny).any())


def measure_name(name: str, elements: int) -> dict[str, Any] | None:
    """Return the figures of the plainest case of a name that is small and that tfnp answers."""
    cases = [
        case for case in select_simplest_cases(name) if sum(array.size for array in case.arrays()) <= MOST_ELEMENTS
    ]
    cases.sort(key=is_unusual)
    for i, case in enumerate(cases):
        try:
            return {**measure_case(case), "large": measure_large(cases[i:], elements), "case": str(case)}
        except Exception:  # noqa: BLE001 - what it does not take; the next case may be answered
            continue
    return None


def measured_names() -> list[str]:
    """Return the names that are measured."""
    return [name for name in generated_names() if not name.startswith(HOMES)]


def load_reasons(table: str) -> dict[str, str]:
    """Return the reasons of costs above a limit, by the pattern of names that each is for."""
    entries = tomllib.loads(REASONS.read_text())[table]
    return {pattern: entry["why"] for entry in entries for pattern in entry["names"]}


def find_unexplained(costs: dict[str, float], limit: float, patterns: Iterable[str]) -> list[str]:
    """Return the names above the limit that no pattern matches."""
    return [
        name for name, cost in costs.items() if cost > limit and not any(fnmatchcase(name, item) for item in patterns)
    ]


def find_stale(costs: dict[str, float], limit: float, patterns: Iterable[str]) -> list[str]:
    """Return the patterns of which names were measured, but none above the limit."""
    matches = {pattern: [cost for name, cost in costs.items() if fnmatchcase(name, pattern)] for pattern in patterns}
    return [pattern for pattern, found in matches.items() if found and max(found) <= STALE_BELOW * limit]


def print_costs(costs: dict[str, float], table: str, unit: str) -> None:
    """Print the median, and what is wrong with the reasons."""
    limit, reasons = LIMITS[table], load_reasons(table)
    above = sum(cost > limit for cost in costs.values())
    median = statistics.median(costs.values()) if costs else 0.0
    print(f"{len(costs)} names; median {median:.1f} {unit}; {above} above {limit:.0f}")
    print("without a reason:", *find_unexplained(costs, limit, reasons))
    print("reasons that no name needs:", *find_stale(costs, limit, reasons))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these names")
    parser.add_argument("--elements", type=int, default=10**6, help="of large arrays; default: a million")
    parser.add_argument("--json", type=Path, help="also write the figures there")
    options = parser.parse_args()
    figures = {}
    for name in options.names or measured_names():
        found = measure_name(name, options.elements)
        if found is not None:
            figures[name] = found
    print(f"{'us per call':<44}{'numpy':>9}{'first':>9}{'recurring':>11}{'large':>8}")
    for name, found in sorted(figures.items(), key=lambda item: -item[1]["recurring"]):
        large = "" if found["large"] is None else f"{found['large']:.1f}"
        print(f"{name:<44}{found['numpy']:>9.1f}{found['first']:>9.0f}{found['recurring']:>11.1f}{large:>8}")
    costs = {
        "reason": {name: found["recurring"] for name, found in figures.items()},
        "large": {name: found["large"] for name, found in figures.items() if found["large"] is not None},
    }
    for table, what in (("reason", "us"), ("large", "x NumPy's time")):
        print_costs(costs[table], table, what)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
