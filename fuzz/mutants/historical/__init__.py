"""Bugs of array libraries that users reported in public, planted again: a benchmark of the fuzzer.

They were chosen from the trackers of many libraries, not by what the fuzzer finds, and each names its report. What they
have in common with the report is the symptom, as far as it tells one; some reports are titles of fixes. The code, and
the words, are our own.
"""

from fuzz.mutants.historical import algebra, elementwise, reductions, selection, shapes, statistics, transformed

__all__ = ["algebra", "elementwise", "reductions", "selection", "shapes", "statistics", "transformed"]
