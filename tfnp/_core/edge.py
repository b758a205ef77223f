"""The edge: the one decorator of functions of arrays.

    @array_function(promotes=("a",), unknown_rank="each")
    def cumsum(a, axis=None, dtype=None, out=None): ...

It declares which operands promote together, whether results are weak, and what happens to tensors of unknown rank. The
decorated function receives the operands as the caller passed them, and converts them once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final, Literal, ParamSpec, TypeVar

from tfnp._core import unknown_rank as ranks
from tfnp._core import weak_operands
from tfnp._core.traces import reuse_traces

P = ParamSpec("P")
R = TypeVar("R")

UnknownRank = Literal["each", "equal", "broadcast"]

_SPECIALIZERS: Final[dict[str, Callable[..., Any]]] = {
    "each": ranks.specialize_each,
    "equal": ranks.specialize_equal,
    "broadcast": ranks.specialize_broadcast,
}


def array_function(
    *,
    promotes: tuple[str, ...] | None = None,
    weak: bool | Literal["each"] = True,
    unknown_rank: UnknownRank | None = None,
    traces: tuple[str, ...] = (),
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function of arrays.

    Parameters
    ----------
    promotes
        The parameters whose dtypes decide the dtype of the result: not indices, axes, shapes or counts. In the modes
        `all` and `safe` their weak tensors are converted to the common type before the call. An empty tuple: operands
        are left as they are, and the function promotes them itself. None: the function has no part in promotion.
    weak
        Whether the result is weak where the common type is; "each": as many results as operands, each as weak as its
        operand.
    unknown_rank
        What to do where the function fails because the rank of a tensor is unknown while tracing. "each": trace once
        for each rank that the tensor may have. "equal": all such tensors have the same rank. "broadcast": operands
        broadcast, so that leading dimensions of length one make no difference.
    traces
        The parameters that may be tensors where an eager call that recurs with small ones runs as one traced graph: for
        functions of several ops, whose results have the same bits in a graph, and whose errors do not depend on values
        unless the graph raises, too.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        _check_parameters(function, (*(promotes or ()), *traces))
        decorated = function if unknown_rank is None else _SPECIALIZERS[unknown_rank](function)
        if weak == "each":
            decorated = weak_operands.weaken_each(decorated)
        elif promotes is not None:
            decorated = weak_operands.promote(decorated, function, frozenset(promotes), marks=weak)
        return reuse_traces(decorated, traces) if traces else decorated

    return decorate


def _check_parameters(function: Callable[..., Any], promotes: tuple[str, ...]) -> None:
    unknown = [name for name in promotes if name not in inspect.signature(function).parameters]
    if unknown:
        raise TypeError(f"{function.__name__} has no parameter {', '.join(unknown)}")
