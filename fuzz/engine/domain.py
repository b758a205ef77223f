"""Domains: the names of a sort of API, how cases of them are drawn and scheduled, and which functions judge them.

An item is whatever the domain's schedule makes of an index: the campaign passes it on to the domain's workers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Protocol

from fuzz.differences import Difference
from oracle.harness import Accepted, Death


class Unusable(ValueError):
    """Options that make no campaign; the message says which, and what could be used instead."""


class Schedulable(Protocol):
    """Protocol: the items of a campaign. Item i depends on the seed, i, and what items before `settled(i)` taught.

    `siblings` is the largest number of cases of an item, `epoch` how many items there are until what was learnt takes
    effect.
    """

    @property
    def siblings(self) -> int: ...
    @property
    def epoch(self) -> int: ...
    @property
    def names(self) -> Sequence[str]: ...

    def item(self, index: int, left: int | None = None) -> Any:
        """Return item `index`, with at most `left` cases."""

    def count_cases(self, index: int) -> int:
        """Return the number of cases of the items before `index`."""

    def settled(self, index: int) -> int:
        """Return the index below which items decide about item `index`."""

    def turns(self) -> dict[str, int]:
        """Return for each mode n, where one item in n runs in it."""

    def is_crashing(self, name: str) -> bool:
        """Return whether a name has crashed or hung in any mode."""

    def learn_death(self, index: int, name: str, mode: str) -> None:
        """Learn that a name crashed or hung in item `index`, in a mode."""

    def learn_fatal(self, difference: Difference) -> None:
        """Learn that a case ended its process, or exhausted its memory."""

    def learn_novelty(self, item: Any, features: int) -> None:
        """Learn that an item showed this many new features."""

    def learn_lack(self, index: int, name: str, parameter: str) -> None:
        """Learn from item `index` that a function lacks a parameter."""

    def learn_answers(self, item: Any, forms: Set[str], *, answered: bool) -> None:
        """Learn whether an item's valid calls, which have these forms, were answered in any mode."""

    def data(self, following: int) -> dict[str, Any]:
        """Return what was learnt, as far as it decides about items from `following` on, as JSON-serializable data."""

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore what `data` returned."""


class Domain(Protocol):
    """Protocol: one sort of API. Each of its subjects is judged by one campaign, with one directory of results.

    `tasks` is the module of the functions that workers call: `prepare`, `start`, `survey`, `find_modes`, `judge_item`,
    `draw_item`, `reduce_difference`, `attribute_difference` (of calls), `judge_case`, `answer_case`, `write_script` and
    `run_script`. `names` are those of which a run counts how many a subject has, by topic; `owner` says whose they are.
    `modes` are all that cases run in, or none for all that there are. `unfit` are options of the command line that say
    nothing here; `left_out` is what longer runs include and the summary of a short one names, beside modes. With
    `confirms` an item counts as ending its worker if it ends two. `note_on_counts` says why not as many cases are
    judged as are drawn.
    """

    @property
    def tasks(self) -> str: ...
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
    def confirms(self) -> bool: ...
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
    ) -> Schedulable:
        """Return the items of a campaign with these options of its command line."""

    def split(self, item: Any, death: Death) -> Sequence[Any]:
        """Return the items to judge instead of one that has ended its worker; none if that is its result."""

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
