"""Coverage feedback: features of a case's arguments, of its outcome, and of the ops in its traced graphs.

A feature is the hash of a text. A name that shows a feature for the first time is scheduled again soon.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from oracle import Case, Verdict


def hash_structure(case: Case) -> frozenset[int]:
    """Return the features of a case's arguments: the same for all cases of one structure."""
    return _hash_all(case.name, _describe_arguments(case))


def hash_answers(verdicts: Sequence[Verdict], mode: str) -> frozenset[int]:
    """Return the features of the outcomes in one mode, and of the ops in the traced graphs."""
    texts = [text for verdict in verdicts for text in _describe_answers(verdict)]
    texts += [f"op {operation}" for operation in verdicts[0].operations]
    return _hash_all(f"{verdicts[0].case.name} {mode}", texts)


def _hash_all(prefix: str, texts: Iterable[str]) -> frozenset[int]:
    return frozenset(zlib.crc32(f"{prefix} {text}".encode()) for text in texts)


def _describe_arguments(case: Case) -> Iterator[str]:
    """Yield a text for the argument of each parameter, and one for all of them together."""
    given = [(str(position), _classify(value)) for position, value in enumerate(case.args)]
    given += [(key, _classify(value)) for key, value in case.kwargs.items()]
    for position, kind in given:
        yield f"{position}={kind}"
    yield " ".join(f"{position}:{kind.partition(' ')[0]}" for position, kind in given)


def _classify(value: Any) -> str:
    """Return the class of an argument, from a few dozen coarse classes."""
    if isinstance(value, np.ndarray):
        position = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "S"
        return f"{value.dtype.str} {value.ndim} {value.size.bit_length()} {position}"
    if isinstance(value, np.generic):
        return f"{value.dtype.str} scalar"
    if isinstance(value, Case):
        return f"call of {value.name}"
    if isinstance(value, list | tuple):
        inner = _classify(value[0]) if value else ""
        return f"{type(value).__name__} {min(len(value), 4)} {inner}"
    if isinstance(value, bool | str | None):
        return f"{type(value).__name__} {value}"
    if isinstance(value, complex):  # whose absolute value may be too large for a float
        return f"complex {_describe_size(abs(value.real) + abs(value.imag))}"
    if isinstance(value, int | float):
        return f"{type(value).__name__} {_describe_size(abs(value))}"
    return type(value).__name__


def _describe_size(size: float) -> str:
    return "nan" if math.isnan(size) else "none" if size == 0 else "small" if size < 10 else "large"


def _describe_answers(verdict: Verdict) -> Iterator[str]:
    """Yield a text for each outcome: NumPy's dtype or error, the subject's, and whether it was allowed or undecided."""
    expected = verdict.expected
    found = expected.value
    answer = found.dtype.str if isinstance(found, np.ndarray | np.generic) else type(found).__name__
    answer = expected.error.name if expected.error else answer
    for outcome in verdict.outcomes.values():
        other = outcome.error.name if outcome.error else outcome.kind
        yield f"answers {answer} {other} {bool(verdict.allowed)} {bool(verdict.undecided)}"
