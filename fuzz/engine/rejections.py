"""Parameters and forms of arguments that a subject rejects, learnt from items whose calls it does not answer: a
compiler may have a part of NumPy's options, and take arrays only.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from fuzz.triage.untrusted_input import Row

FORM = {str: [Row(int, bool, [str, ...])]}

ENOUGH = 1.5
"""The least blame of a form that is rejected, where other calls of the name are answered. The blame for an item is
shared among the parameters with forms that no answered call had, so that two items with one such parameter are enough.
"""

SUSPECTED = 4
"""How many times as much of the blame falls on a parameter that no answered call gave, as on a form of another one."""

MOST = 200  # items of a name that are remembered


class Rejections:
    """The first items of each name: the forms of their calls, and whether these were answered.

    What follows from items before some index does not depend on the order in which they are learnt.
    """

    def __init__(self) -> None:
        self._seen: dict[str, list[tuple[int, bool, tuple[str, ...]]]] = {}
        self._found: dict[str, tuple[int, frozenset[str]]] = {}

    def learn(self, index: int, name: str, forms: Iterable[str], *, answered: bool) -> None:
        """Learn whether the calls of item `index`, which have these forms, were answered."""
        seen = self._seen.setdefault(name, [])
        bisect.insort(seen, (index, answered, tuple(sorted(forms))))
        del seen[MOST:]

    def find(self, name: str, settled: int) -> frozenset[str]:
        """Return the forms that a name rejects, as far as the items below `settled` show: the few that explain most of
        what was rejected, and that no answered call had.
        """
        seen = self._seen.get(name, ())
        count = bisect.bisect_left(seen, (settled,))
        if self._found.get(name, (0,))[0] != count:
            self._found[name] = (count, _explain(seen[:count]))
        return self._found[name][1] if count else frozenset()

    def list_taken(self, name: str, settled: int) -> set[str]:
        """Return the forms of answered calls of a name, as far as the items below `settled` show."""
        return _list_taken(one for one in self._seen.get(name, ()) if one[0] < settled)

    def data(self) -> dict[str, Any]:
        """Return what was learnt, as JSON-serializable data of the form FORM."""
        return {
            name: [[index, answered, [*forms]] for index, answered, forms in seen] for name, seen in self._seen.items()
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore what `data` returned."""
        self._seen = {
            name: [(index, answered, tuple(forms)) for index, answered, forms in seen] for name, seen in data.items()
        }


def _explain(seen: Iterable[tuple[int, bool, tuple[str, ...]]]) -> frozenset[str]:
    taken = _list_taken(seen)
    suspects = [[form for form in forms if form not in taken] for _, answered, forms in seen if not answered]
    found = set[str]()
    while taken:
        blame: dict[str, float] = defaultdict(float)
        for forms in suspects:
            weights = {form.partition(" ")[0]: 1 for form in forms}
            weights |= {key: SUSPECTED for key in weights if key in forms}
            for form in forms:
                blame[form] += weights[form.partition(" ")[0]] / sum(weights.values())
        best = min(blame, key=lambda form: (-round(blame[form], 6), len(form), form), default="")
        if blame[best] < ENOUGH:
            break
        found.add(best)
        suspects = [forms for forms in suspects if best not in forms]
    return frozenset(found)


def _list_taken(seen: Iterable[tuple[int, bool, tuple[str, ...]]]) -> set[str]:
    return {form for _, answered, forms in seen if answered for form in forms}
