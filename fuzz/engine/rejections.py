"""What a subject rejects: parameters and forms of arguments, learnt from items whose calls it does not answer, as of a
compiler that has a part of NumPy's options.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from fuzz.triage.untrusted_input import Row

FORM = {str: [Row(int, bool, [str, ...])]}

ENOUGH = 3  # rejected items that one form explains, where others of the name are answered
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
    taken, rejected, found = set[str](), list[tuple[str, ...]](), set[str]()
    for _, answered, forms in seen:
        if answered:
            taken.update(forms)
        else:
            rejected.append(forms)
    while taken:
        counts = Counter(form for forms in rejected for form in forms if form not in taken)
        best = min(counts, key=lambda form: (-counts[form], len(form), form), default="")
        if counts[best] < ENOUGH:
            break
        found.add(best)
        rejected = [forms for forms in rejected if best not in forms]
    return frozenset(found)
