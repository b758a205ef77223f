"""Allowance registry: every allowance, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oracle.allowances import (
    extremes,
    fits,
    histograms,
    interpolation,
    kernels,
    known_issues,
    limits,
    matrices,
    order,
    overflow,
    padding,
    polynomials,
    powers,
    programs,
    sets,
    static_domain,
    subnormals,
    tensor_forms,
    text,
    ufunc_methods,
    unchecked_parameters,
    unspecified,
)
from oracle.allowances.model import Allowance

ALLOWANCES: tuple[Allowance, ...] = (
    *limits.ALLOWANCES,
    *tensor_forms.ALLOWANCES,
    *static_domain.ALLOWANCES,
    *unspecified.ALLOWANCES,
    *kernels.ALLOWANCES,
    *matrices.ALLOWANCES,
    *order.ALLOWANCES,
    *sets.ALLOWANCES,
    *extremes.ALLOWANCES,
    *interpolation.ALLOWANCES,
    *padding.ALLOWANCES,
    *histograms.ALLOWANCES,
    *powers.ALLOWANCES,
    *overflow.ALLOWANCES,
    *ufunc_methods.ALLOWANCES,
    *unchecked_parameters.ALLOWANCES,
    *polynomials.ALLOWANCES,
    *fits.ALLOWANCES,
    *text.ALLOWANCES,
    *programs.ALLOWANCES,
    *known_issues.ALLOWANCES,
    *subnormals.ALLOWANCES,
)

CHOICES = tuple(allowance for allowance in ALLOWANCES if allowance.is_choice)
"""The allowances by which several answers are right."""

BY_ID: Mapping[str, Allowance] = {allowance.id: allowance for allowance in ALLOWANCES}

if len(BY_ID) != len(ALLOWANCES):
    raise ValueError("two allowances share an id")


def find_expired(release: str, entries: Sequence[Allowance] = ALLOWANCES) -> list[str]:
    """Say which allowances have to be argued again for this release of TensorFlow."""
    return [
        f"{entry.id} expired with TensorFlow {entry.until}: {entry.why}"
        for entry in entries
        if entry.until and _parts(release) >= _parts(entry.until)
    ]


def _parts(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split(".")[:2] if part.isdigit())
