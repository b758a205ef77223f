"""Calls of NumPy's API as the domain of a campaign: every subject with NumPy's names has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

from fuzz.engine.domain import Unusable
from fuzz.engine.scheduler import Schedule
from fuzz.engine.tasks import OWN
from fuzz.generate.calls import generated_names
from oracle.harness import NAMES, TOPICS, Accepted, list_allowances


class NumpyCalls:
    """The domain of calls of NumPy's API."""

    owner = "NumPy"
    names = tuple(NAMES)
    topics: Mapping[str, Sequence[str]] = TOPICS
    modes: tuple[str, ...] = ()
    unfit: tuple[str, ...] = ()
    left_out = ("programs", "calls by keyword")
    note_on_counts = ", without those that cannot share what was compiled"

    def select(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Return the names that have cases and match a pattern. Raises Unusable for a pattern that matches none."""
        return select_names(patterns)

    def choose_modes(self, asked: Sequence[str] | None) -> tuple[str, ...]:
        """Return the modes that were asked for."""
        return tuple(asked or ())

    def schedule(
        self,
        options: Any,
        names: Sequence[str],
        modes: Sequence[str],
        seed: int,
        never: Mapping[str, Sequence[str]] | None = None,
    ) -> Schedule:
        """Return the items of a campaign with these options."""
        return Schedule(
            names,
            modes,
            seed,
            options.programs,
            options.keywords,
            options.engine,
            never,
            options.siblings,
            options.turns,
            options.calls,
        )

    def list_accepted(self) -> tuple[Accepted, ...]:
        """Return the allowances."""
        return list_allowances()

    def has_shares(self, subject: str, names: Sequence[str]) -> bool:
        """Return whether the subject is our own library, for which the shares are set."""
        return subject == OWN


def select_names(patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the names that have cases and match a pattern. Raises Unusable for a pattern that matches none."""
    names = generated_names()
    found: list[str] = []
    for pattern in patterns or ("*",):
        fitting = [name for name in names if fnmatchcase(name, pattern)]
        if not fitting:
            close = get_close_matches(pattern, names, n=3)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            raise Unusable(f"no name {pattern!r} that cases are made for{hint}")
        found += fitting
    return tuple(dict.fromkeys(found))
