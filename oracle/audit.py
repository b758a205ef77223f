"""Audit of allowances: those that are past their release of expiry, or whose fault no longer occurs."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from oracle.accepted_differences.model import Allowance, Reason
from oracle.accepted_differences.registry import ALLOWANCES, find_expired
from oracle.compare.pipeline import compare_outcomes
from oracle.examples import find_examples
from oracle.execution.modes import run_case
from oracle.reference.outcome import run_numpy
from oracle.subject import Subject


def find_stale(subject: Subject, entries: Sequence[Allowance] = ALLOWANCES, release: str | None = None) -> list[str]:
    """Return a line for each allowance for a fault of TensorFlow that has expired, or whose witness no longer fails."""
    stale = find_expired(release or version("tensorflow"), entries)
    for entry in entries:
        if entry.reason is Reason.TENSORFLOW_FAULT and entry.is_live:
            witness = find_examples(entry.id).witness
            case, mode = witness.case, witness.mode
            outcome = run_case(mode, case, subject)
            comparison = compare_outcomes(case, run_numpy(case), outcome, mode, on_tensors=subject.takes_tensors)
            if all(allowed != entry.id for allowed, _ in comparison.allowed):
                stale.append(f"{entry.id} is gone from {mode.name}: {entry.why}")
    return stale
