"""Inputs that a campaign stores: in the schedule, to mutate them, and in the corpus, for other runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from fuzz.engine.inputs import Inputs
from fuzz.sightings import Sighting

if TYPE_CHECKING:  # they import Hypothesis, which a run without a database does without
    from fuzz.engine.corpus import Corpus

MAX_STORED = 32  # inputs of a name that are stored, at most


def open_corpus(database: str, subject: str) -> Corpus | None:
    """Return the corpus of a subject in a database; None if no database is named."""
    if not database:
        return None
    from fuzz.engine.corpus import Corpus, open_database

    return Corpus(open_database(database), subject)


class Keeper:
    """Stores the inputs of items that showed something new, and of the first sighting of each kind."""

    def __init__(self, corpus: Corpus | None) -> None:
        self._corpus = corpus
        self._seen: set[tuple[str, ...]] = set()
        self._stored: Counter[str] = Counter()

    def inputs(self, names: Iterable[str], modes: Iterable[str]) -> Inputs:
        """Return the corpus's sequences of these names."""
        if self._corpus is None:
            return Inputs()
        modes = tuple(modes)
        stored = {name: found for name in names if (found := self._corpus.stored(name, modes))}
        return Inputs(stored)

    def learn(self, item: Any, schedule: Any) -> None:
        """Store the sequence of an item that showed something new."""
        has_room = self._corpus is not None and self._stored[item.name] < MAX_STORED
        if schedule.engine != "mutation" and not has_room:
            return
        from fuzz.engine.sequences import choices_to_bytes, find_sequence

        sequence = find_sequence(item, 0)
        if sequence is None:
            return
        if schedule.engine == "mutation":
            schedule.inputs.learn(item.index, item.name, choices_to_bytes(sequence))
        if self._corpus is not None and has_room:
            self._stored[item.name] += 1
            self._corpus.save_input(item.name, sequence)

    def keep(self, item: Any, sighting: Sighting) -> None:
        """Store the sequence of an item that disagreed, if it is the first of its kind."""
        if self._corpus is None or sighting.prekey in self._seen:
            return
        from fuzz.engine.sequences import find_sequence

        sequence = find_sequence(item, sighting.sibling)
        if sequence is not None:
            self._seen.add(sighting.prekey)
            self._corpus.save_finding(sighting.name, sighting.modes, sequence)
