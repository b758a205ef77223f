"""Cases of any sort as texts: calls of NumPy's API, and programs of TensorFlow's ops."""

from __future__ import annotations

from oracle.case.model import Case
from oracle.reference.outcome import Outcome
from oracle.tensor_judgement import dtype_classes
from oracle.tensor_programs.encoding import is_program
from oracle.tensor_programs.model import Program
from oracle.verdict import dtype_class

AnyCase = Case | Program


def read_case(text: str) -> AnyCase:
    """Return the case that its method `json` wrote. Raises ValueError with a message of one line for anything else."""
    return Program.from_json(text) if is_program(text) else Case.from_json(text)


def find_dtype_class(case: AnyCase) -> str:
    """Return the dtype class of a case's operands."""
    return dtype_classes(case) if isinstance(case, Program) else dtype_class(case, Outcome())
