"""Parameters of distributions whose values are wrong, which no graph checks: what is drawn by them is marked."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from oracle.allowances.model import Allowance, Question, Reason
from oracle.case.model import Case
from oracle.checkers.distributions import find_distribution
from oracle.execution.modes import TRACED
from oracle.reference.outcome import Outcome, bind_arguments, run_numpy

MOST_ELEMENTS = 256
"""How many elements are looked at."""


def _has_wrong_arrays(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy refuses the values of parameters that are arrays, and so unknown while tracing."""
    error = expected.error
    return error is not None and error.bases == ("ValueError",) and bool(_bind_parameters(case))


def _bind_parameters(case: Case) -> dict[str, Any]:
    """Return the parameters of a distribution of single numbers, at least one of which is an array, or was calculated
    by another call.
    """
    row = find_distribution(case.name)
    if row is None or not case.name.startswith("random."):
        return {}
    arguments = bind_arguments(case, programs=True)
    parameters = {name: _settle(arguments[name]) for name in row.parameters if name in arguments}
    is_unknown = len(case.calls()) > 1 or any(isinstance(value, np.ndarray) for value in parameters.values())
    return parameters if is_unknown else {}


def _settle(value: Any) -> Any:
    """Return NumPy's result of a call, and any other value as it is."""
    return run_numpy(value).value if type(value) is Case else value


def _is_marked(question: Question) -> bool:
    """Return whether each element is nan, or the smallest integer, whose parameters NumPy refuses by themselves; but a
    wrong location or scale is used as it is.
    """
    actual = question.numeric_result
    if actual is None or actual.size > MOST_ELEMENTS:
        return False
    parameters = _bind_parameters(question.case)
    try:
        shape = np.broadcast_shapes(*map(np.shape, parameters.values()))
        if bind_arguments(question.case, programs=True).get("size") is None and actual.shape != shape:
            return False
        columns = [np.broadcast_to(np.asarray(value, float), actual.shape).ravel() for value in parameters.values()]
        is_negative_zero = np.any([(column == 0) & np.signbit(column) for column in columns], axis=0)
    except (TypeError, ValueError):
        return False
    name = "random.Generator." + question.case.name.rpartition(".")[2]
    source = Case("random.default_rng", (0,))
    is_some_wrong = bool(is_negative_zero.any())  # NumPy takes -0.0 for a negative number
    for element, *values in zip(np.ravel(actual), *(column + 0.0 for column in columns), strict=True):
        error = run_numpy(Case(name, (source,), dict(zip(parameters, values, strict=True)))).error
        if error is None:
            continue
        is_some_wrong = True
        is_used = error.message.startswith(("scale", "sigma", "high - low"))
        if not is_used and not (np.isnan(element) or element == np.iinfo(np.int64).min):
            return False
    return is_some_wrong


def _has_empty_range(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy refuses bounds that are arrays, because no integer lies between them."""
    error = expected.error
    if error is None or error.bases != ("ValueError",) or not error.message.startswith(("low ", "high ")):
        return False
    return any(isinstance(value, np.ndarray) for value in (*case.args, *case.kwargs.values()))


def _is_lower_bound(question: Question) -> bool:
    """Return whether elements are between their bounds, or the lower bound where no integer is between them."""
    arguments = bind_arguments(question.case, programs=True)
    low, high = (arguments["low"], arguments["high"])
    low, high = map(_settle, (0, low) if high is None else (low, high))
    includes = arguments.get("endpoint", question.case.name == "random.random_integers")
    if question.numeric_result is None or question.numeric_result.shape != _find_shape(
        arguments, *np.shape(np.add(low, high))
    ):
        return False
    actual, low, high = np.broadcast_arrays(question.numeric_result, low, np.asarray(high) - (not includes))
    return bool(np.all((actual >= low) & (actual <= np.maximum(low, high))))


def _find_shape(arguments: dict[str, Any], *parameters: int) -> tuple[int, ...]:
    """Return the shape of draws that is asked for, or that of the parameters."""
    size = _settle(arguments.get("size"))
    return parameters if size is None else tuple(np.ravel(size).tolist())


def _has_negative_weights(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy refuses the weights of a Dirichlet distribution, which are an array or a call's result."""
    error = expected.error
    return error is not None and error.bases == ("ValueError",) and error.message.startswith("alpha <")


def _is_nan(question: Question) -> bool:
    actual, arguments = question.numeric_result, bind_arguments(question.case, programs=True)
    shape = (*_find_shape(arguments), *np.shape(_settle(arguments["alpha"])))
    return actual is not None and actual.shape == shape and bool(np.isnan(actual).all())


def _has_wrong_categories(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy refuses trials or probabilities of categories, which are arrays or the results of calls."""
    error, arguments = expected.error, bind_arguments(case, programs=True)
    if error is None or not re.match(r"n < 0|pvals|sum\(pvals", error.message):
        return False
    return any(isinstance(arguments.get(name), np.ndarray | Case) for name in ("n", "pvals"))


def _are_rows_marked(question: Question) -> bool:
    """Return whether each row whose parameters NumPy refuses by themselves is of the smallest integers, and one is."""
    arguments, actual = bind_arguments(question.case, programs=True), question.numeric_result
    if actual is None:
        return False
    n, pvals = np.asarray(_settle(arguments["n"])), np.asarray(_settle(arguments["pvals"]))
    shape = np.broadcast_shapes(n.shape, pvals.shape[:-1])
    if math.prod(shape) > MOST_ELEMENTS or actual.shape != np.broadcast_shapes(actual.shape, (*shape, pvals.shape[-1])):
        return False
    counts, rows = np.broadcast_to(n, shape), np.broadcast_to(pvals, (*shape, pvals.shape[-1]))
    source, are_wrong = Case("random.default_rng", (0,)), np.zeros(shape, bool)
    for index in np.ndindex(shape):
        alone = Case("random.Generator.multinomial", (source, counts[index], rows[index]))
        are_wrong[index] = run_numpy(alone).error is not None
    are_marked = (actual == np.iinfo(np.int64).min).all(-1)
    return bool(are_wrong.any() and are_marked[np.broadcast_to(are_wrong, are_marked.shape)].all())


ALLOWANCES = (
    Allowance(
        id="random.unchecked-parameters",
        reason=Reason.DECISION,
        names=("random.*",),
        modes=tuple(sorted(TRACED)),
        kinds=("missing error",),
        applies=_has_wrong_arrays,
        holds=_is_marked,
        why="a graph does not check the values of parameters: what they give is nan, or the smallest integer",
        most=0.5,
    ),
    Allowance(
        id="random.empty-range",
        reason=Reason.DECISION,
        names=("random.randint", "random.random_integers", "random.Generator.integers"),
        modes=tuple(sorted(TRACED)),
        kinds=("missing error",),
        applies=_has_empty_range,
        holds=_is_lower_bound,
        why="a graph does not check bounds: where no integer lies between them, it gives the lower one",
        most=0.5,
    ),
    Allowance(
        id="random.negative-weights",
        reason=Reason.DECISION,
        names=("random.dirichlet", "random.Generator.dirichlet"),
        modes=tuple(sorted(TRACED)),
        kinds=("missing error",),
        applies=_has_negative_weights,
        holds=_is_nan,
        why="a graph does not check weights: where one is negative, all shares are nan",
        most=0.5,
    ),
    Allowance(
        id="random.wrong-categories",
        reason=Reason.DECISION,
        names=("random.multinomial", "random.Generator.multinomial"),
        modes=tuple(sorted(TRACED)),
        kinds=("missing error",),
        applies=_has_wrong_categories,
        holds=_are_rows_marked,
        why="a graph does not check trials and probabilities: where they are wrong, counts are the smallest integer",
        most=0.5,
    ),
)
