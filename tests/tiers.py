"""The two tiers of tests: `tox -e tests` at every change, `tox -e full` every night.

`tests/conftest.py` sets `is_full` from the marks that pytest was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

is_full = False
"""Whether the full tier runs."""


def spread(cases: Sequence[Any], count: int) -> list[Any]:
    """Return so many of the cases, spread evenly."""
    return [cases[len(cases) * number // count] for number in range(min(count, len(cases)))]


def sample(cases: Sequence[Any], count: int) -> list[Any]:
    """Return all cases in the full tier, else so many, spread evenly."""
    return list(cases) if is_full else spread(cases, count)
