"""Calls that Hypothesis draws. Importing this module imports Hypothesis, which takes as long as all else together: a
run that draws from seeds does without it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import DrawFn, composite

from fuzz.generate.choices import HypothesisChoices, SequenceChoices
from fuzz.strategies import draw_call
from oracle import Case

DRAWN = 2  # examples for one item, of which the last is used: the first is always the simplest


def draw_by_hypothesis(name: str, seed: int, sibling: int, without: Collection[str] = ()) -> Case:
    """Draw a call by Hypothesis: the same seed gives the same structure, each sibling has other elements."""
    return draw_call(SequenceChoices(_draw_choices(name, seed), sibling), name, without)


@composite
def _sequences(draw: DrawFn, name: str) -> list[Any]:
    choices = HypothesisChoices(draw)
    draw_call(choices, name)
    return choices.made


@lru_cache(maxsize=64)
def _draw_choices(name: str, seed: int) -> tuple[Any, ...]:
    """Return the choices of an example that Hypothesis generates from the seed."""
    found: list[Sequence[Any]] = [()]

    @seeded(seed)
    @settings(
        max_examples=DRAWN,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(_sequences(name))
    def collect(sequence: list[Any]) -> None:
        found.append(sequence)

    collect()
    return tuple(found[-1])
