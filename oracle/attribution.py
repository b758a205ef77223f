"""Fault localization: the narrowest property that the failing modes share, and no agreeing one has."""

from __future__ import annotations

from collections.abc import Iterable

from oracle.modes import MODE_GROUPS, select_modes

GROUPS = {group: select_modes(group) for group in MODE_GROUPS}


def attribute_modes(differing: Iterable[str], answered: Iterable[str]) -> str:
    """Return the narrowest description of the modes that differ which matches none of those that agree.

    Both are written as `str(mode)`. If only one mode was run, the result is that mode itself.
    """
    differing = list(dict.fromkeys(differing))
    agreeing = [way for way in dict.fromkeys(answered) if way not in differing]
    if not agreeing:
        return "every mode asked" if len(differing) > 1 else _name(differing[0])
    names, others = {_name(way) for way in differing}, {_name(way) for way in agreeing}
    devices, elsewhere = {_device(way) for way in differing}, {_device(way) for way in agreeing}
    if len(devices) == 1 and not devices & elsewhere:
        return devices.pop()
    if names & others and _find_group(names, others) is None:
        return ", ".join(sorted(differing))
    common, exception = _find_group(names, others), _find_group(others, names)
    return common or (f"all but {exception}" if exception else ", ".join(sorted(names)))


def _find_group(names: set[str], others: set[str]) -> str | None:
    """Return what all of `names` have in common, and none of `others`."""
    return next((group for group, modes in GROUPS.items() if names <= modes and not others & modes), None)


def _name(way: str) -> str:
    return way.partition("@")[0]


def _device(way: str) -> str:
    return way.partition("@")[2] or "CPU:0"
