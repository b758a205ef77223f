"""The release that begins to show a finding, or ends to: by bisection.

It is pure: the caller's `look` tries a release.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

RIGHT, WRONG = "right", "wrong"
UNKNOWN = "cannot be tried"


def bisect(releases: Sequence[str], look: Callable[[str], str], known: Mapping[str, str] | None = None) -> str:
    """Return between which of the releases, the oldest first, right and wrong change, in a line.

    `look` returns RIGHT, WRONG, or anything else for a release that does not tell, as old ones that lack the function
    do; those are passed over. A release that is `known` is not tried.
    """
    results = dict(known or {})

    def ask(index: int) -> str:
        release = releases[index]
        if release not in results:
            results[release] = look(release)
        return results[release] if results[release] in (RIGHT, WRONG) else UNKNOWN

    low, high = -1, len(releases) - 1
    while high > 0 and ask(high) == UNKNOWN:
        high -= 1
    newest, result = releases[high], ask(high)
    if ask(0) != result:
        low = 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if ask(middle) == result else (middle, high)
    while low >= 0 and ask(low) == UNKNOWN:
        low -= 1
    if result == UNKNOWN:
        return "no release could be tried"
    if low >= 0:
        return f"{releases[low]} {ask(low)}, {releases[high]} {result}"
    oldest = next(release for release in releases if results.get(release) == result)
    return f"{oldest} {result}" if oldest == newest else f"{result} in every release tried, {oldest} to {newest}"
