"""Gaps in pairs of options: pairs that NumPy accepts, but that do not come among the calls of a name."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any

from fuzz.generate.argument_coverage import bind
from fuzz.generate.builder import Plan
from fuzz.generate.calls import draw_call, find_plan
from fuzz.generate.choices import SeedChoices
from fuzz.generate.coverage_gaps import quiet
from fuzz.generate.option_pairs import Pair, describe_option, list_pairs
from oracle import Case, run_numpy
from oracle.harness import step

CALLS = 2000  # calls among which each pair should come
ATTEMPTS = 12  # calls that ask for a pair that did not come


@dataclass(frozen=True)
class PairSounding:
    """The pairs of a name: how many there are, how many came, and those that NumPy accepts and that did not come."""

    name: str
    pairs: int
    came: int
    missing: tuple[str, ...]


def sound_pairs(bench: Any, task: tuple[str, Container[str]]) -> PairSounding:
    """Draw calls of a name in turn, and look for pairs that do not come, without the steps in `task` in which NumPy
    hangs or crashes. Runs in a worker.
    """
    name, excluded = task
    plan = find_plan(name)
    pairs = list_pairs(plan) if plan else ()
    if plan is None or not pairs:
        return PairSounding(name, 0, 0, ())
    left = {describe_pair(plan, pair): pair for pair in pairs}
    total = len(left)
    with quiet():
        for case in _accepted(name, range(CALLS), excluded):
            shown = _describe_arguments(case)
            for text in [text for text, pair in left.items() if _is_shown(plan, pair, shown)]:
                del left[text]
            if not left:
                break
        missing = [text for text, pair in left.items() if _is_accepted(plan, pair, pairs, excluded)]
    return PairSounding(name, total, total - len(left), tuple(missing))


def describe_pair(plan: Plan, pair: Pair) -> str:
    """Return a pair as text."""
    return ", ".join(f"{name}={describe_option(plan, name, option)!r}" for name, option in pair.items())


def _accepted(name: str, turns: range, excluded: Container[str]) -> Iterator[Case]:
    for turn in turns:
        if f"{name} {turn}" in excluded:
            continue
        step(f"{name} {turn}")
        case = draw_call(SeedChoices(turn), name, turn=turn).case
        if run_numpy(case).ok:
            yield case


def _describe_arguments(case: Case) -> dict[str, str]:
    return {name: repr(argument.values[0]) for name, argument in bind(case).items() if argument.values}


def _is_shown(plan: Plan, pair: Pair, shown: dict[str, str]) -> bool:
    return all(
        name in shown and (option is None or shown[name] == repr(describe_option(plan, name, option)))
        for name, option in pair.items()
    )


def _is_accepted(plan: Plan, pair: Pair, pairs: tuple[Pair, ...], excluded: Container[str]) -> bool:
    """Return whether NumPy accepts a call that gives the pair."""
    first = 2 * pairs.index(pair) + 1
    turns = range(first + 2 * len(pairs) * CALLS, first + 2 * len(pairs) * (CALLS + ATTEMPTS), 2 * len(pairs))
    return any(_is_shown(plan, pair, _describe_arguments(case)) for case in _accepted(plan.name, turns, excluded))
