"""Domains: the names of a sort of API, and how cases of them are scheduled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from fuzz.engine.scheduler import Schedule
from oracle.harness import Accepted


class Unusable(ValueError):
    """Options that make no campaign; the message says which, and what could be used instead."""


class Domain(Protocol):
    """Protocol: one sort of API. Each of its subjects is judged by one campaign, with one directory of results.

    `names` are those of which a run counts how many a subject has, by topic; `owner` says whose they are.
    `modes` are all that cases run in, or none for all that there are. `unfit` are options of the command line that say
    nothing here; `left_out` is what longer runs include and the summary of a short one names, beside modes.
    `note_on_counts` says why not as many cases are judged as are drawn.
    """

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def topics(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def owner(self) -> str: ...
    @property
    def modes(self) -> tuple[str, ...]: ...
    @property
    def unfit(self) -> tuple[str, ...]: ...
    @property
    def left_out(self) -> tuple[str, ...]: ...
    @property
    def note_on_counts(self) -> str: ...

    def select(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Return the names that have cases and match a pattern. Raises Unusable for a pattern that matches none."""

    def choose_modes(self, asked: Sequence[str] | None) -> tuple[str, ...]:
        """Return the modes of a run for which these were asked, or none; empty for the usual ones."""

    def schedule(
        self,
        options: Any,
        names: Sequence[str],
        modes: Sequence[str],
        seed: int,
        never: Mapping[str, Sequence[str]] | None = None,
    ) -> Schedule:
        """Return the items of a campaign with these options of its command line."""

    def list_accepted(self) -> tuple[Accepted, ...]:
        """Return the differences that are accepted."""

    def has_shares(self, subject: str, names: Sequence[str]) -> bool:
        """Return whether the shares that accepted differences may take are set for a run of these names."""


def count_by_topic(
    topics: Mapping[str, Sequence[str]], present: Iterable[str], exercised: Iterable[str], agreeing: Iterable[str]
) -> list[dict[str, Any]]:
    """Return the counts of a run's names by topic, as summary.json has them."""
    sets = {"present": set(present), "exercised": set(exercised), "agreeing": set(agreeing)}
    return [
        {"topic": topic, "total": len(names)} | {key: len(found.intersection(names)) for key, found in sets.items()}
        for topic, names in topics.items()
        if names
    ]
