"""Classes of errors by what they tell a caller: an argument is wrong, something is not supported, or code is broken."""

from __future__ import annotations

from oracle.reference.outcome import Raised

ARGUMENT, UNSUPPORTED, BROKEN = "argument", "unsupported", "broken"

ARGUMENT_ERRORS = frozenset(
    {"TypeError", "ValueError", "IndexError", "OverflowError", "LinAlgError", "ZeroDivisionError"}
)
"""Public classes by which a library says that an argument is wrong."""

RUN_TIME_ERRORS = frozenset(
    {"InvalidArgumentError", "OutOfRangeError", "FailedPreconditionError", "UnimplementedError"}
)
"""TensorFlow's classes for values that turn out to be wrong when a graph runs."""

UNSUPPORTED_ERRORS = frozenset({"NotImplementedError"})
"""Public classes by which a library says that it does not support a call."""


def classify_error(error: Raised) -> str:
    """Return the class of an error: `argument` for a TypeError, ValueError, IndexError and their kind, for a matrix
    without an answer, and for TensorFlow's InvalidArgumentError; `unsupported` for a NotImplementedError; `broken` for
    any other, such as an AttributeError inside the library.
    """
    if not UNSUPPORTED_ERRORS.isdisjoint(error.bases) or error.name == "UnimplementedError":
        return UNSUPPORTED
    if not ARGUMENT_ERRORS.isdisjoint(error.bases) or (error.name in RUN_TIME_ERRORS and not error.bases):
        return ARGUMENT
    return BROKEN


def is_argument_error(error: Raised | None) -> bool:
    """Return whether the error is of a public class by which a library says that an argument is wrong."""
    return error is not None and not ARGUMENT_ERRORS.isdisjoint(error.bases)
