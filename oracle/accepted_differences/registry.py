"""Accepted differences in the order in which they are tried: what NumPy leaves open, then faults and decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from oracle.accepted_differences import (
    kernels,
    known_issues,
    limits,
    matrices,
    overflow,
    polynomials,
    programs,
    static_domain,
    subnormals,
    tensor_forms,
    text,
    unchecked_parameters,
)
from oracle.accepted_differences.model import Allowance
from oracle.accepted_differences.unspecified import UNSPECIFIED
from oracle.modes import Mode

ALLOWANCES: tuple[Allowance, ...] = (
    *limits.ALLOWANCES,
    *tensor_forms.ALLOWANCES,
    *static_domain.ALLOWANCES,
    *kernels.ALLOWANCES,
    *matrices.ALLOWANCES,
    *overflow.ALLOWANCES,
    *unchecked_parameters.ALLOWANCES,
    *polynomials.ALLOWANCES,
    *text.ALLOWANCES,
    *programs.ALLOWANCES,
    *known_issues.ALLOWANCES,
    *subnormals.ALLOWANCES,
)

ACCEPTING = (*UNSPECIFIED, *ALLOWANCES)

ACCEPTING_AT_ONCE = tuple(entry for entry in ACCEPTING if not entry.asks_again)
"""Those that do not compare with NumPy's answer to another case."""


@lru_cache(maxsize=1 << 14)
def list_fitting(
    names: frozenset[str], mode: Mode, kind: str, on_tensors: bool, *, at_once: bool = False
) -> tuple[Allowance, ...]:
    """Return the rows about calls of these names, a mode and a kind of deviations, in their order."""
    rows = ACCEPTING_AT_ONCE if at_once else ACCEPTING
    return tuple(row for row in rows if row.fits(names, mode, kind, on_tensors))


CHOICES = tuple(entry for entry in ACCEPTING if entry.is_choice)
"""Those by which several answers are right."""

BY_ID: Mapping[str, Allowance] = {entry.id: entry for entry in ACCEPTING}

if len(BY_ID) != len(ACCEPTING):
    raise ValueError("two rows share an id")


def find_expired(release: str, entries: Sequence[Allowance] = ALLOWANCES) -> list[str]:
    """Say which allowances have to be argued again for this release of TensorFlow."""
    return [
        f"{entry.id} expired with TensorFlow {entry.until}: {entry.why}"
        for entry in entries
        if entry.until and _parts(release) >= _parts(entry.until)
    ]


def _parts(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split(".")[:2] if part.isdigit())
