"""One case, every mode, one verdict: how a library that promises NumPy's API departs from NumPy.

The front door is lazy: a name is imported when it is first asked for, and TensorFlow only when a mode runs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oracle.breadcrumbs import step
    from oracle.case import Case
    from oracle.comparison import KINDS, Difference, compare
    from oracle.devices import configure_devices, list_devices
    from oracle.distances import Distance, Unmeasurable, measure, without_subnormals
    from oracle.divergences import DIVERGENCES, Divergence, greedy, stale
    from oracle.encoding import decode, encode
    from oracle.gradients import differences_of_results, directions_of, weights_of
    from oracle.layout import laid_out
    from oracle.measurements import circumstances, table
    from oracle.modes import MODE_NAMES, Mode
    from oracle.names import ALIASES, LEFT_OUT, NAMES, TOPICS, topic_of
    from oracle.nursery import SandboxError
    from oracle.outcome import Outcome, Raised, destinations, evaluate, owners, reference
    from oracle.sandbox import Death, Lease, Limits, Reply, Sandbox
    from oracle.subject import Subject, UnknownSubject, load_subject
    from oracle.suspects import attribution
    from oracle.tolerance import MEASURED, allowed_ulps, is_measured
    from oracle.verdict import Disagreement, Verdict, check, dtype_class, judge, judge_siblings
    from oracle.workers import Failure

HOMES = {
    "Case": "case",
    "encode": "encoding",
    "decode": "encoding",
    "laid_out": "layout",
    "Subject": "subject",
    "UnknownSubject": "subject",
    "load_subject": "subject",
    "Outcome": "outcome",
    "Raised": "outcome",
    "destinations": "outcome",
    "owners": "outcome",
    "reference": "outcome",
    "evaluate": "outcome",
    "NAMES": "names",
    "TOPICS": "names",
    "ALIASES": "names",
    "LEFT_OUT": "names",
    "topic_of": "names",
    "Mode": "modes",
    "MODE_NAMES": "modes",
    "list_devices": "devices",
    "configure_devices": "devices",
    "KINDS": "comparison",
    "Difference": "comparison",
    "compare": "comparison",
    "Divergence": "divergences",
    "DIVERGENCES": "divergences",
    "stale": "divergences",
    "greedy": "divergences",
    "MEASURED": "tolerance",
    "allowed_ulps": "tolerance",
    "is_measured": "tolerance",
    "circumstances": "measurements",
    "table": "measurements",
    "Distance": "distances",
    "Unmeasurable": "distances",
    "measure": "distances",
    "without_subnormals": "distances",
    "attribution": "suspects",
    "differences_of_results": "gradients",
    "directions_of": "gradients",
    "weights_of": "gradients",
    "Verdict": "verdict",
    "Disagreement": "verdict",
    "judge": "verdict",
    "judge_siblings": "verdict",
    "check": "verdict",
    "dtype_class": "verdict",
    "Sandbox": "sandbox",
    "Limits": "sandbox",
    "Lease": "sandbox",
    "Reply": "sandbox",
    "Death": "sandbox",
    "Failure": "workers",
    "SandboxError": "nursery",
    "step": "breadcrumbs",
}
"""Where each public name lives, in oracle/."""

__all__ = [
    "ALIASES",
    "DIVERGENCES",
    "KINDS",
    "LEFT_OUT",
    "MEASURED",
    "MODE_NAMES",
    "NAMES",
    "TOPICS",
    "Case",
    "Death",
    "Difference",
    "Disagreement",
    "Distance",
    "Divergence",
    "Failure",
    "Lease",
    "Limits",
    "Mode",
    "Outcome",
    "Raised",
    "Reply",
    "Sandbox",
    "SandboxError",
    "Subject",
    "UnknownSubject",
    "Unmeasurable",
    "Verdict",
    "allowed_ulps",
    "attribution",
    "check",
    "circumstances",
    "compare",
    "configure_devices",
    "decode",
    "destinations",
    "differences_of_results",
    "directions_of",
    "dtype_class",
    "encode",
    "evaluate",
    "greedy",
    "is_measured",
    "judge",
    "judge_siblings",
    "laid_out",
    "list_devices",
    "load_subject",
    "measure",
    "owners",
    "reference",
    "stale",
    "step",
    "table",
    "topic_of",
    "weights_of",
    "without_subnormals",
]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module 'oracle' has no attribute {name!r}")
    return getattr(import_module(f"oracle.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES})
