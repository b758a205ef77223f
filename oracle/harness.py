"""Names that a fuzzer and other tools need, beside those of `oracle`, which are for everybody."""

from oracle.accepted import (
    BY_DESIGN,
    TITLES,
    Accepted,
    find_excessive,
    list_allowances,
    list_by_design,
    list_not_compared,
)
from oracle.accepted_differences.model import Allowance, Reason
from oracle.accepted_differences.registry import ACCEPTING
from oracle.accepted_differences.unspecified import UNSPECIFIED
from oracle.adapter import find_adapter, registered
from oracle.attribution import attribute_modes
from oracle.audit import find_stale
from oracle.case.decoding import LIMITS, DecodingLimits, Undecodable, decode, parse_json
from oracle.case.encoding import encode
from oracle.case.layout import laid_out
from oracle.case.tensor_ops import GRADIENT, OPS, PREFIX, SEVERAL, SUBSCRIPT, find_op, is_of_ops
from oracle.case.tensor_source import (
    input_name,
    list_inputs,
    write_function,
    write_inputs,
    write_tensor,
)
from oracle.case.vocabulary import COMPOSITIONS, LAST, PROGRAM, quote
from oracle.compare.comparison import Comparison
from oracle.compare.pipeline import find_deviation
from oracle.configuration import FILE as CONFIGURATION
from oracle.configuration import UnfitConfiguration, read_table
from oracle.corpus.outcome_encoding import decode_outcome, encode_outcome
from oracle.equality.deviation import KINDS
from oracle.equality.finite_differences import (
    ACROSS,
    differences_of_results,
    directions_of,
    double_weights_of,
    has_slope,
    weights_of,
    widen,
)
from oracle.equality.random import distribution_cases
from oracle.equality.table import describe_relation
from oracle.examples import Examples, find_examples
from oracle.execution.calls import repeat, repeat_in_numpy
from oracle.execution.devices import configure_devices, list_devices, needed_devices
from oracle.execution.executors import REPEATS
from oracle.execution.modes import ModeNotOffered, check_offered, list_offered, prepare_case, run_case, run_reference
from oracle.execution.native import library_of, text_of
from oracle.harness_faults import UNDECIDED, HarnessFault
from oracle.inventory import ALIASES, LEFT_OUT, NAMES, TOPICS, topic_of
from oracle.modes import (
    COMPILERS,
    CONTEXTS,
    GRADIENTS,
    MODE_NAME,
    MODES,
    OF_ADAPTERS,
    OF_OPS,
    SHAPELESS,
    UNDER_XLA,
    find_mode,
)
from oracle.node_faults import NO_NODE, NONE_ALONE, find_fault
from oracle.reference.display import (
    LONGEST_LINE,
    UNPRINTABLE,
    flatten,
    format_object,
    format_value,
    list_elements,
    make_line,
    make_lines,
    make_printable,
    take_first,
)
from oracle.reference.outcome import Raised, destinations, evaluate, owners, ufunc_inputs
from oracle.sandbox.client import (
    Interpreter,
    PreparationError,
    SandboxError,
    Unconfined,
    occupy_standard_descriptors,
)
from oracle.sandbox.confinement import ALLOW_ROOT
from oracle.sandbox.pool import Death, Lease, Limits, Reply, Sandbox
from oracle.sandbox.programs import run_program
from oracle.sandbox.progress import step, take_times
from oracle.sandbox.worker import Failure
from oracle.signatures import find_stored_signature, inspect_signature
from oracle.subject import TENSORFLOW, WELL_KNOWN, UnknownSubject, attribute_of_first, load_tensorflow
from oracle.verdict import describe_structure, dtype_class, judge_siblings

__all__ = [
    "ACCEPTING",
    "ACROSS",
    "ALIASES",
    "ALLOW_ROOT",
    "BY_DESIGN",
    "COMPILERS",
    "COMPOSITIONS",
    "CONFIGURATION",
    "CONTEXTS",
    "GRADIENT",
    "GRADIENTS",
    "KINDS",
    "LAST",
    "LEFT_OUT",
    "LIMITS",
    "LONGEST_LINE",
    "MODES",
    "MODE_NAME",
    "NAMES",
    "NONE_ALONE",
    "NO_NODE",
    "OF_ADAPTERS",
    "OF_OPS",
    "OPS",
    "PREFIX",
    "PROGRAM",
    "REPEATS",
    "SEVERAL",
    "SHAPELESS",
    "SUBSCRIPT",
    "TENSORFLOW",
    "TITLES",
    "TOPICS",
    "UNDECIDED",
    "UNDER_XLA",
    "UNPRINTABLE",
    "UNSPECIFIED",
    "WELL_KNOWN",
    "Accepted",
    "Allowance",
    "Comparison",
    "Death",
    "DecodingLimits",
    "Examples",
    "Failure",
    "HarnessFault",
    "Interpreter",
    "Lease",
    "Limits",
    "ModeNotOffered",
    "PreparationError",
    "Raised",
    "Reason",
    "Reply",
    "Sandbox",
    "SandboxError",
    "Unconfined",
    "Undecodable",
    "UnfitConfiguration",
    "UnknownSubject",
    "attribute_modes",
    "attribute_of_first",
    "check_offered",
    "configure_devices",
    "decode",
    "decode_outcome",
    "describe_relation",
    "describe_structure",
    "destinations",
    "differences_of_results",
    "directions_of",
    "distribution_cases",
    "double_weights_of",
    "dtype_class",
    "encode",
    "encode_outcome",
    "evaluate",
    "find_adapter",
    "find_deviation",
    "find_examples",
    "find_excessive",
    "find_fault",
    "find_mode",
    "find_op",
    "find_stale",
    "find_stored_signature",
    "flatten",
    "format_object",
    "format_value",
    "has_slope",
    "input_name",
    "inspect_signature",
    "is_of_ops",
    "judge_siblings",
    "laid_out",
    "library_of",
    "list_allowances",
    "list_by_design",
    "list_devices",
    "list_elements",
    "list_inputs",
    "list_not_compared",
    "list_offered",
    "load_tensorflow",
    "make_line",
    "make_lines",
    "make_printable",
    "needed_devices",
    "occupy_standard_descriptors",
    "owners",
    "parse_json",
    "prepare_case",
    "quote",
    "read_table",
    "registered",
    "repeat",
    "repeat_in_numpy",
    "run_case",
    "run_program",
    "run_reference",
    "step",
    "take_first",
    "take_times",
    "text_of",
    "topic_of",
    "ufunc_inputs",
    "weights_of",
    "widen",
    "write_function",
    "write_inputs",
    "write_tensor",
]
