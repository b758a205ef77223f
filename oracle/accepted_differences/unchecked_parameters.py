"""Parameters of distributions whose values are wrong, which no graph checks: what is drawn by them is marked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oracle.accepted_differences.model import Allowance, Query, Reason
from oracle.case.model import Case
from oracle.equality.distributions import find_distribution
from oracle.modes import TRACED
from oracle.reference.outcome import Outcome, bind_arguments, run_numpy

MOST_DRAWS = 256
"""How many draws are looked at."""

VECTORS = frozenset({"alpha", "pvals"})
"""Parameters of which each draw takes a vector."""

BOUNDED = ("integers", "randint", "random_integers")
OTHERS = {
    "dirichlet": ("alpha",),
    "multinomial": ("n", "pvals"),
    **dict.fromkeys(BOUNDED, ("low", "high")),
}
"""The parameters of distributions that are no rows of the table of distributions."""


def _find_parameters(case: Case) -> tuple[str, ...]:
    row = find_distribution(case.name)
    return row.parameters if row is not None else OTHERS.get(_method(case), ())


def _method(case: Case) -> str:
    return case.name.rpartition(".")[2]


def _has_unknown_parameters(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy rejects a value, and some parameters are arrays or results of calls, which have none while
    tracing.
    """
    error, names = expected.error, _find_parameters(case)
    if error is None or error.bases != ("ValueError",) or not names:
        return False
    arguments = bind_arguments(case, programs=True)
    return any(isinstance(arguments.get(name), np.ndarray | Case) for name in names)


def _bind_parameters(case: Case) -> dict[str, np.ndarray]:
    arguments = bind_arguments(case, programs=True)
    values = {name: _settle(arguments[name]) for name in _find_parameters(case) if name in arguments}
    if "high" in values and values["high"] is None:
        values = {"low": 0, "high": values["low"]}
    if _method(case) == "random_integers" or arguments.get("endpoint"):
        values["high"] = np.add(values["high"], 1)
    return {name: np.asarray(value) for name, value in values.items()}


def _settle(value: Any) -> Any:
    """Return NumPy's result of a call, and any other value as it is."""
    return run_numpy(value).value if type(value) is Case else value


def _are_marked(query: Query) -> bool:
    """Return whether each draw whose parameters NumPy rejects by themselves is marked, and one is there: by nan, or the
    smallest integer; by the lower bound where no integer is between the bounds. A wrong location or scale is used.
    """
    actual, case = query.numeric_result, query.case
    try:
        parameters = _bind_parameters(case)
        lengths = [values.shape[-1:] for name, values in parameters.items() if name in VECTORS]
        (length,) = lengths or [()]
        batches = [values.shape[: values.ndim - (name in VECTORS)] for name, values in parameters.items()]
        batch = np.broadcast_shapes(*batches)
    except (TypeError, ValueError):
        return False
    size = _settle(bind_arguments(case, programs=True).get("size"))
    draws = batch if size is None else tuple(np.ravel(size).tolist())
    if actual is None or actual.shape != (*draws, *length) or math.prod(draws) > MOST_DRAWS:
        return False
    columns = {
        name: np.broadcast_to(values, (*draws, *length) if name in VECTORS else draws)
        for name, values in parameters.items()
    }
    are_marked = [
        _is_marked(case, actual[index], {name: column[index] for name, column in columns.items()})
        for index in np.ndindex(draws)
    ]
    return False not in are_marked and True in are_marked


def _is_marked(case: Case, draw: Any, parameters: dict[str, Any]) -> bool | None:
    """Return whether a draw is marked; None where NumPy takes the parameters. It takes -0.0 for a negative number."""
    method = "integers" if _method(case) in BOUNDED else _method(case)
    values = [value + 0.0 if np.asarray(value).dtype.kind == "f" else value for value in parameters.values()]
    alone = Case(f"random.Generator.{method}", (Case("random.default_rng", (0,)), *values))
    error = run_numpy(alone).error
    if method == "integers":
        is_inside = parameters["low"] <= draw < parameters["high"]
        return bool(draw == parameters["low"]) if error is not None else None if is_inside else False
    if error is None:
        return True if any(map(_has_negative_zero, parameters.values())) else None
    is_used = error.message.startswith(("scale", "sigma", "high - low"))
    return is_used or bool(np.all(np.isnan(draw) | (draw == np.iinfo(np.int64).min)))


def _has_negative_zero(value: Any) -> bool:
    parameter = np.asarray(value, float)
    return bool(np.any((parameter == 0) & np.signbit(parameter)))


ALLOWANCES = (
    Allowance(
        id="random.unchecked-parameters",
        reason=Reason.DECISION,
        names=("random.*",),
        modes=tuple(sorted(TRACED)),
        kinds=("missing error",),
        applies=_has_unknown_parameters,
        holds=_are_marked,
        why="a graph does not check parameters: an invalid one gives nan, the smallest integer, or the lower of "
        "two bounds",
        most=0.5,
    ),
)
