"""Coverage of NumPy's API: for each name, whether the subject has it, with which signature, and how far it was
exercised: the same calls each time.
"""

from fuzz.coverage.changes import EARLIER, Change, compare_with, confirm_changes, find_cases, judge_again
from fuzz.coverage.denominators import ARRAY_API, DENOMINATORS, Denominator
from fuzz.coverage.libraries import (
    DESCRIPTIONS,
    FORMAT,
    STATES,
    SURVEY,
    begin_survey,
    describe_library,
    find_changes,
    list_names,
)
from fuzz.coverage.lookup import find_modes, look_up, look_up_names
from fuzz.coverage.minimal_examples import MinimalExample, describe_answers, find_examples
from fuzz.coverage.name_coverage import Coverage, CoverageSource, NameCoverage, count_depths, rebuild_coverage
from fuzz.coverage.structures import DEPTHS, QUICK, Depth
from fuzz.coverage.surveys import survey

__all__ = [
    "ARRAY_API",
    "DENOMINATORS",
    "DEPTHS",
    "DESCRIPTIONS",
    "EARLIER",
    "FORMAT",
    "QUICK",
    "STATES",
    "SURVEY",
    "Change",
    "Coverage",
    "CoverageSource",
    "Denominator",
    "Depth",
    "MinimalExample",
    "NameCoverage",
    "begin_survey",
    "compare_with",
    "confirm_changes",
    "count_depths",
    "describe_answers",
    "describe_library",
    "find_cases",
    "find_changes",
    "find_examples",
    "find_modes",
    "judge_again",
    "list_names",
    "look_up",
    "look_up_names",
    "rebuild_coverage",
    "survey",
]
