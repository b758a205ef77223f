"""What an eager call of each of NumPy's names costs on small arrays: at first, when it recurs, and in NumPy.

    python tests/benchmarks/every_name.py [--json FILE] [NAME ...]

The calls are the plainest that the fuzzer draws for a name, of at most 64 elements. Thread-CPU time per call, the least
of several rounds. `recurring` is what the call costs from its 65th time on, when tfnp runs it as one traced graph.

The result is left as a tensor. Names that cost more than 100 us when they recur have a reason in `reasons.toml`. Listed
at the end are those that have none, and the reasons that no name needs any more.
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
from fuzz.scale_ladders import select_simplest_cases
from oracle import Case, Mode, load_subject
from oracle.harness import REPEATS, repeat, repeat_in_numpy

ROUNDS = 5
LIMIT = 100.0
STALE_BELOW = 75.0
"""Microseconds below which a name needs no reason; between both limits noise decides."""
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


def measure_name(name: str) -> dict[str, Any] | None:
    """Return the figures of the plainest case of a name that is small and that tfnp answers."""
    cases = [
        case for case in select_simplest_cases(name) if sum(array.size for array in case.arrays()) <= MOST_ELEMENTS
    ]
    for case in sorted(cases, key=is_unusual):
        try:
            return {**measure_case(case), "case": str(case)}
        except Exception:  # noqa: BLE001 - what it does not take; the next case may be answered
            continue
    return None


def measured_names() -> list[str]:
    """Return the names that are measured."""
    return [name for name in generated_names() if not name.startswith(HOMES)]


def load_reasons() -> dict[str, str]:
    """Return the reasons of costs above the limit, by the pattern of names that each is for."""
    entries = tomllib.loads(REASONS.read_text())["reason"]
    return {pattern: entry["why"] for entry in entries for pattern in entry["names"]}


def find_unexplained(costs: dict[str, float], patterns: Iterable[str]) -> list[str]:
    """Return the names above the limit that no pattern matches."""
    return [
        name for name, cost in costs.items() if cost > LIMIT and not any(fnmatchcase(name, item) for item in patterns)
    ]


def find_stale(costs: dict[str, float], patterns: Iterable[str]) -> list[str]:
    """Return the patterns of which names were measured, but none above the limit."""
    matches = {pattern: [cost for name, cost in costs.items() if fnmatchcase(name, pattern)] for pattern in patterns}
    return [pattern for pattern, found in matches.items() if found and max(found) <= STALE_BELOW]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these names")
    parser.add_argument("--json", type=Path, help="also write the figures there")
    options = parser.parse_args()
    figures = {}
    for name in options.names or measured_names():
        found = measure_name(name)
        if found is not None:
            figures[name] = found
    print(f"{'us per call':<44}{'numpy':>9}{'first':>9}{'recurring':>11}")
    for name, found in sorted(figures.items(), key=lambda item: -item[1]["recurring"]):
        print(f"{name:<44}{found['numpy']:>9.1f}{found['first']:>9.0f}{found['recurring']:>11.1f}")
    costs = {name: found["recurring"] for name, found in figures.items()}
    above, reasons = sum(cost > LIMIT for cost in costs.values()), load_reasons()
    print(f"{len(costs)} names; median {statistics.median(costs.values()):.1f} us; {above} above {LIMIT:.0f} us")
    print("without a reason:", *find_unexplained(costs, reasons))
    print("reasons that no name needs:", *find_stale(costs, reasons))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
