"""Differential testing of array libraries against NumPy: one case, every mode, one verdict.

Importing this imports NumPy, but not TensorFlow: a mode that needs it imports it when it first runs.
"""

from oracle.allowances.model import Allowance, Exchange, Reason
from oracle.allowances.registry import ALLOWANCES, find_excessive
from oracle.assertions import as_subject, assert_agrees, call
from oracle.attribution import attribute_modes
from oracle.audit import find_stale
from oracle.case.decoding import LIMITS, DecodingLimits, decode, parse_json
from oracle.case.encoding import encode
from oracle.case.layout import laid_out
from oracle.case.model import Case
from oracle.case.vocabulary import quote
from oracle.checkers.random import distribution_cases
from oracle.compare.pipeline import KINDS, Comparison, Difference, compare_outcomes, find_difference
from oracle.execution.autodiff import differences_of_results, directions_of, weights_of
from oracle.execution.devices import configure_devices, list_devices
from oracle.execution.modes import MODE_NAMES, Mode
from oracle.inventory import ALIASES, LEFT_OUT, NAMES, TOPICS, topic_of
from oracle.reference.outcome import Outcome, Raised, destinations, evaluate, owners, run_numpy
from oracle.sandbox.client import PreparationError, SandboxError
from oracle.sandbox.pool import Death, Lease, Limits, Reply, Sandbox
from oracle.sandbox.progress import step
from oracle.sandbox.worker import Failure
from oracle.subject import WELL_KNOWN, Subject, UnknownSubject, load_subject
from oracle.tolerance.families import MEASURED, allowed_ulps, is_measured
from oracle.tolerance.measure import Distance, Unmeasurable, measure_distance, without_subnormals
from oracle.tolerance.measured import circumstances, table
from oracle.verdict import Allowed, Disagreement, Verdict, check, dtype_class, judge, judge_siblings

__all__ = [  # noqa: RUF022 - what everybody needs comes first
    "Case",
    "call",
    "judge",
    "check",
    "assert_agrees",
    "Mode",
    "Subject",
    "Verdict",
    "Difference",
    # what the fuzzer and other tools need
    "ALIASES",
    "ALLOWANCES",
    "KINDS",
    "LEFT_OUT",
    "LIMITS",
    "MEASURED",
    "MODE_NAMES",
    "NAMES",
    "TOPICS",
    "WELL_KNOWN",
    "Allowance",
    "Allowed",
    "Comparison",
    "Death",
    "DecodingLimits",
    "Disagreement",
    "Distance",
    "Exchange",
    "Failure",
    "Lease",
    "Limits",
    "Outcome",
    "PreparationError",
    "Raised",
    "Reason",
    "Reply",
    "Sandbox",
    "SandboxError",
    "UnknownSubject",
    "Unmeasurable",
    "allowed_ulps",
    "as_subject",
    "attribute_modes",
    "circumstances",
    "compare_outcomes",
    "configure_devices",
    "decode",
    "destinations",
    "differences_of_results",
    "distribution_cases",
    "directions_of",
    "dtype_class",
    "encode",
    "evaluate",
    "find_difference",
    "find_excessive",
    "find_stale",
    "is_measured",
    "judge_siblings",
    "laid_out",
    "list_devices",
    "load_subject",
    "measure_distance",
    "owners",
    "parse_json",
    "quote",
    "run_numpy",
    "step",
    "table",
    "topic_of",
    "weights_of",
    "without_subnormals",
]
