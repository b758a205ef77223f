"""Parameters of distributions whose values are wrong, which no graph checks: what is drawn by them is marked."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.allowances.model import Allowance, Exchange, Question, Reason
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
    """Return the parameters of a distribution of single numbers, at least one of which is an array."""
    row = find_distribution(case.name)
    if row is None or not case.name.startswith("random."):
        return {}
    arguments = bind_arguments(case, programs=True)
    parameters = {name: arguments[name] for name in row.parameters if name in arguments}
    return parameters if any(isinstance(value, np.ndarray) for value in parameters.values()) else {}


def _is_marked(question: Question) -> bool:
    """Return whether each element is nan, or the smallest integer, whose parameters NumPy refuses by themselves; but a
    wrong location or scale is used as it is.
    """
    actual = question.actual.value
    if not question.actual.ok or not isinstance(actual, (np.ndarray, np.generic)) or actual.size > MOST_ELEMENTS:
        return False
    parameters = _bind_parameters(question.case)
    try:
        columns = [np.broadcast_to(np.asarray(value, float), actual.shape).ravel() for value in parameters.values()]
    except (TypeError, ValueError):
        return False
    name = "random.Generator." + question.case.name.rpartition(".")[2]
    source = Case("random.default_rng", (0,))
    is_some_wrong = False
    for element, *values in zip(np.ravel(actual), *columns, strict=True):
        error = run_numpy(Case(name, (source,), dict(zip(parameters, values, strict=True)))).error
        if error is None:
            continue
        is_some_wrong = True
        is_used = error.message.startswith(("scale", "sigma", "high - low"))
        if not is_used and not (np.isnan(element) or element == np.iinfo(np.int64).min):
            return False
    return is_some_wrong


_POWER = Case("random.power", (np.array([2.0, -1.0]),))
_ZIPF = Case("random.zipf", (np.array(0.5),))

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
        witness=Exchange(_POWER, np.array([0.5, np.nan]), "graph"),
        counter=(
            Exchange(_POWER, np.array([0.5, np.nan])),
            Exchange(_POWER, np.array([0.5, 0.5]), "graph"),
            Exchange(_POWER, np.array([0.5]), "graph"),
            Exchange(_ZIPF, np.int64(1), "graph"),
            Exchange(Case("random.power", (-1.0,)), np.float64(np.nan), "graph"),
            Exchange(Case("random.power", (np.array([2.0]), "a")), np.array([np.nan]), "graph"),
        ),
        most=0.5,
    ),
)
