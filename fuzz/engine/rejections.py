"""Parameters that a subject rejects: learnt from items whose calls it does not answer, as a compiler that has a part of
NumPy's options.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Mapping
from typing import Any

FORM = {"rejected": {str: {str: [int, ...]}}, "taken": {str: {str: int}}, "answered": {str: int}}

ENOUGH = 3  # items that give a parameter and are refused, where others of the name are answered


class Rejections:
    """The first items of each name that was rejected with a parameter, and the first that was answered with it.

    What follows from items before some index does not depend on the order in which they are learnt.
    """

    def __init__(self) -> None:
        self._rejected: dict[str, dict[str, list[int]]] = {}
        self._taken: dict[str, dict[str, int]] = {}
        self._answered: dict[str, int] = {}

    def learn(self, index: int, name: str, given: Iterable[str], *, answered: bool) -> None:
        """Learn whether the calls of item `index`, which give these parameters, were answered."""
        if answered:
            self._answered[name] = min(index, self._answered.get(name, index))
        for parameter in given:
            if answered:
                taken = self._taken.setdefault(name, {})
                taken[parameter] = min(index, taken.get(parameter, index))
            else:
                first = self._rejected.setdefault(name, {}).setdefault(parameter, [])
                bisect.insort(first, index)
                del first[ENOUGH:]

    def find(self, name: str, settled: int) -> frozenset[str]:
        """Return the parameters that a name rejects, as far as the items below `settled` show."""
        if name not in self._rejected or self._answered.get(name, math.inf) >= settled:
            return frozenset()
        taken = self._taken.get(name, {})
        return frozenset(
            parameter
            for parameter, first in self._rejected[name].items()
            if len(first) == ENOUGH and first[-1] < settled and taken.get(parameter, math.inf) >= settled
        )

    def data(self) -> dict[str, Any]:
        """Return what was learnt, as JSON-serializable data of the form FORM."""
        return {"rejected": self._rejected, "taken": self._taken, "answered": self._answered}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore what `data` returned."""
        self._rejected = {
            name: {key: list(first) for key, first in rows.items()} for name, rows in data["rejected"].items()
        }
        self._taken = {name: dict(rows) for name, rows in data["taken"].items()}
        self._answered = dict(data["answered"])
