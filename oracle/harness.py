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
from oracle.accepted_differences.registry import ACCEPTING, ALLOWANCES
from oracle.accepted_differences.unspecified import UNSPECIFIED
from oracle.adapter import find_adapter, registered
from oracle.attribution import attribute_modes
from oracle.audit import find_stale
from oracle.case.decoding import LIMITS, DecodingLimits, Undecodable, decode, parse_json
from oracle.case.encoding import encode
from oracle.case.layout import laid_out
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
from oracle.execution.devices import configure_devices, list_devices, make_scope, needed_devices
from oracle.execution.executors import REPEATS
from oracle.execution.modes import ModeNotOffered, check_offered, list_offered, prepare_case, run_case
from oracle.execution.native import library_of, text_of
from oracle.execution.tensor_programs import Answer, Session, prepare_tensorflow, start_tensorflow
from oracle.harness_faults import UNDECIDED, HarnessFault
from oracle.inventory import ALIASES, LEFT_OUT, NAMES, TOPICS, topic_of
from oracle.modes import COMPILERS, CONTEXTS, GRADIENTS, MODE_NAME, MODES, SHAPELESS, UNDER_XLA, find_mode
from oracle.node_faults import NO_NODE, NONE_ALONE, find_fault
from oracle.reference.display import (
    LONGEST_LINE,
    UNPRINTABLE,
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
from oracle.stored_cases import AnyCase, find_dtype_class, read_case
from oracle.subject import WELL_KNOWN, UnknownSubject, as_subject, attribute_of_first
from oracle.tensor_judgement import (
    WAYS,
    Examination,
    Posed,
    ProgramDifference,
    answers_of,
    difference_like,
    dtype_classes,
    examine_program,
    examine_programs,
    name_node,
    name_passes,
    run_beginning,
)
from oracle.tensor_programs.model import Program
from oracle.tensor_programs.numeric import OpDeviation
from oracle.tensor_programs.source import expression, function_source, input_lines, input_name, tensor_source
from oracle.tensor_programs.steps import Constant, Function, Input, Result, Step, Subscript
from oracle.tensor_programs.steps import DType as ProgramDType
from oracle.tensor_programs.vocabulary import OPS
from oracle.verdict import Allowed, describe_structure, dtype_class, judge_siblings

__all__ = [
    "ACCEPTING",
    "ACROSS",
    "ALIASES",
    "ALLOWANCES",
    "ALLOW_ROOT",
    "BY_DESIGN",
    "COMPILERS",
    "COMPOSITIONS",
    "CONFIGURATION",
    "CONTEXTS",
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
    "OPS",
    "PROGRAM",
    "REPEATS",
    "SHAPELESS",
    "TITLES",
    "TOPICS",
    "UNDECIDED",
    "UNDER_XLA",
    "UNPRINTABLE",
    "UNSPECIFIED",
    "WAYS",
    "WELL_KNOWN",
    "Accepted",
    "Allowance",
    "Allowed",
    "Answer",
    "AnyCase",
    "Comparison",
    "Constant",
    "Death",
    "DecodingLimits",
    "Examination",
    "Examples",
    "Failure",
    "Function",
    "HarnessFault",
    "Input",
    "Interpreter",
    "Lease",
    "Limits",
    "ModeNotOffered",
    "OpDeviation",
    "Posed",
    "PreparationError",
    "Program",
    "ProgramDType",
    "ProgramDifference",
    "Raised",
    "Reason",
    "Reply",
    "Result",
    "Sandbox",
    "SandboxError",
    "Session",
    "Step",
    "Subscript",
    "Unconfined",
    "Undecodable",
    "UnfitConfiguration",
    "UnknownSubject",
    "answers_of",
    "as_subject",
    "attribute_modes",
    "attribute_of_first",
    "check_offered",
    "configure_devices",
    "decode",
    "decode_outcome",
    "describe_relation",
    "describe_structure",
    "destinations",
    "difference_like",
    "differences_of_results",
    "directions_of",
    "distribution_cases",
    "double_weights_of",
    "dtype_class",
    "dtype_classes",
    "encode",
    "encode_outcome",
    "evaluate",
    "examine_program",
    "examine_programs",
    "expression",
    "find_adapter",
    "find_deviation",
    "find_dtype_class",
    "find_examples",
    "find_excessive",
    "find_fault",
    "find_mode",
    "find_stale",
    "find_stored_signature",
    "format_object",
    "format_value",
    "function_source",
    "has_slope",
    "input_lines",
    "input_name",
    "inspect_signature",
    "judge_siblings",
    "laid_out",
    "library_of",
    "list_allowances",
    "list_by_design",
    "list_devices",
    "list_elements",
    "list_not_compared",
    "list_offered",
    "make_line",
    "make_lines",
    "make_printable",
    "make_scope",
    "name_node",
    "name_passes",
    "needed_devices",
    "occupy_standard_descriptors",
    "owners",
    "parse_json",
    "prepare_case",
    "prepare_tensorflow",
    "quote",
    "read_case",
    "read_table",
    "registered",
    "repeat",
    "repeat_in_numpy",
    "run_beginning",
    "run_case",
    "run_program",
    "start_tensorflow",
    "step",
    "take_first",
    "take_times",
    "tensor_source",
    "text_of",
    "topic_of",
    "ufunc_inputs",
    "weights_of",
    "widen",
]
