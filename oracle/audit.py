"""Audit of allowances: those past the release at which they expire, or for a fault that is gone."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from oracle.allowances.model import Allowance, Reason
from oracle.allowances.registry import ALLOWANCES, find_expired
from oracle.compare.pipeline import compare_outcomes
from oracle.execution.modes import Mode
from oracle.reference.outcome import run_numpy
from oracle.subject import Subject


def find_stale(subject: Subject, entries: Sequence[Allowance] = ALLOWANCES, release: str | None = None) -> list[str]:
    """Say which allowances for faults of TensorFlow's have expired, and which witnesses show no fault any more."""
    stale = find_expired(release or version("tensorflow"), entries)
    for entry in entries:
        if entry.reason is Reason.TENSORFLOW_FAULT and entry.is_live:
            case = entry.witness.case
            mode = Mode(entry.witness.mode)
            outcome = mode.run(case, subject)
            comparison = compare_outcomes(case, run_numpy(case), outcome, mode, on_tensors=subject.takes_tensors)
            if all(allowed != entry.id for allowed, _ in comparison.allowed):
                stale.append(f"{entry.id} is gone from {mode.name}: {entry.why}")
    return stale
