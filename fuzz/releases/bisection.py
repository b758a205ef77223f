"""The release that begins to show a finding, or ends to: by bisection, with as few trials as can be.

It is pure: the caller's `look` tries a release.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

RIGHT, WRONG = "right", "wrong"
UNKNOWN = "cannot be tried"
SPREAD = 4  # so many releases between both ends are tried where both ends answer alike

Look = Callable[[str], str]
"""Returns RIGHT, WRONG, or anything else for a release that does not tell."""


@dataclass(frozen=True)
class Bisection:
    """Results of trials: `seen` holds them by release, the oldest first."""

    seen: dict[str, str]

    def describe(self) -> str:
        """Return what is known in a line: "2.19 right, 2.20 wrong", "wrong in every release tried", "not monotonic"."""
        told = [(release, result) for release, result in self.seen.items() if result in (RIGHT, WRONG)]
        if not told:
            return "no release could be tried"
        changes = [(one, other) for one, other in pairwise(told) if one[1] != other[1]]
        if not changes:
            first, last = told[0][0], told[-1][0]
            return (
                f"{told[0][1]} in every release tried, {first} to {last}" if first != last else f"{first} {told[0][1]}"
            )
        texts = [f"{before[0]} {before[1]}, {after[0]} {after[1]}" for before, after in changes]
        return texts[0] if len(texts) == 1 else f"not monotonic: {'; '.join(texts)}"


def bisect(releases: Sequence[str], look: Look, good: str = "", bad: str = "") -> Bisection:
    """Find where releases, the oldest first, change between right and wrong.

    A release that is known to be `good` or `bad` is not tried. Releases that do not tell are passed over. Where both
    ends answer alike, some between them are tried, to find a finding that came and went.
    """
    seen: dict[int, str] = {releases.index(good): RIGHT} if good else {}
    seen |= {releases.index(bad): WRONG} if bad else {}

    def ask(index: int) -> str:
        if index not in seen:
            seen[index] = look(releases[index])
        return seen[index]

    low, high = 0, len(releases) - 1
    if good and bad:
        low, high = sorted(seen)
    low = _find_telling(range(low, high + 1), ask)
    high = _find_telling(range(high, low - 1, -1), ask)
    if ask(low) == ask(high) and low < high:
        probes = {low + (high - low) * step // (SPREAD + 1) for step in range(1, SPREAD + 1)} - {low, high}
        for probe in sorted(probes):
            if ask(probe) in (RIGHT, WRONG) and ask(probe) != ask(low):
                break
    known = sorted(index for index, result in seen.items() if result in (RIGHT, WRONG))
    for before, after in pairwise(known):
        if seen[before] != seen[after]:
            _narrow(before, after, ask)
    return Bisection({releases[index]: seen[index] for index in sorted(seen)})


def _find_telling(order: range, ask: Callable[[int], str]) -> int:
    """Return the first index of a range whose release tells, if those that do not come first; else the last index.

    Old releases often have no wheel, or not the function: steps double, and then those left out are halved.
    """
    position, step = 0, 1
    while ask(order[position]) not in (RIGHT, WRONG):
        if position == len(order) - 1:
            return order[-1]
        last, position = position, min(position + step, len(order) - 1)
        step *= 2
    last = 0 if position == 0 else last
    while position - last > 1:
        middle = (last + position) // 2
        last, position = (last, middle) if ask(order[middle]) in (RIGHT, WRONG) else (middle, position)
    return order[position]


def _narrow(low: int, high: int, ask: Callable[[int], str]) -> None:
    """Ask for releases between two that differ, until no release between them tells."""
    result, skipped = ask(low), set[int]()
    while left := [index for index in range(low + 1, high) if index not in skipped]:
        middle = left[len(left) // 2]
        answer = ask(middle)
        if answer not in (RIGHT, WRONG):
            skipped.add(middle)
        elif answer == result:
            low = middle
        else:
            high = middle
