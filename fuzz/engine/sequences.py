"""Calls that are drawn from a choice sequence, a mutation of one, or by Hypothesis.

Choice sequences are those of `fuzz.strategies.calls`. Importing this module imports Hypothesis, which takes as long as
all else together: a run that draws from seeds does without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis.database import choices_from_bytes, choices_to_bytes
from hypothesis.strategies import DrawFn, composite

from fuzz.engine.inputs import Drawn, find_seed
from fuzz.generate.calls import draw_case
from fuzz.generate.choices import LARGEST_FLAG, HypothesisChoices, MutatedChoices, SequenceChoices, Transcript
from fuzz.strategies import draw_call
from oracle import Case

__all__ = ["choices_to_bytes", "draw_from_sequence", "find_sequence"]

DRAWN = 2  # Hypothesis examples for one item, of which the last is used: the first is always the simplest


def draw_from_sequence(item: Drawn, sibling: int) -> Case:
    """Draw the call of an item that has a choice sequence, or that Hypothesis draws."""
    return draw_call(_make_choices(item, sibling), item.name, item.without)


def find_sequence(item: Drawn, sibling: int) -> list[Any] | None:
    """Return the choice sequence that gives an item's call to `calls(name)`; None for programs, for samples of
    distributions, and for pairs of options in turn, which have none.
    """
    if item.program or item.required or item.turn is not None or sibling >= item.siblings:
        return None
    if item.sequence or item.by_hypothesis:
        choices = _make_choices(item, sibling)
        draw_call(choices, item.name, item.without)
        return choices.made
    transcript = Transcript(find_seed(item), sibling)
    draw_case(transcript, item.name)
    return [LARGEST_FLAG if item.keywords else 0, *transcript.made]


def _make_choices(item: Drawn, sibling: int) -> HypothesisChoices:
    if item.sequence:
        sequence = choices_from_bytes(item.sequence) or ()
        return MutatedChoices(sequence, item.seed, sibling) if item.mutates else SequenceChoices(sequence, sibling)
    return SequenceChoices(_draw_by_hypothesis(item.name, item.seed), sibling)


@composite
def _sequences(draw: DrawFn, name: str) -> list[Any]:
    choices = HypothesisChoices(draw)
    draw_call(choices, name)
    return choices.made


@lru_cache(maxsize=64)
def _draw_by_hypothesis(name: str, seed: int) -> tuple[Any, ...]:
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
