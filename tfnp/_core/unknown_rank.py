"""Functions of tensors whose rank is known only when a graph runs: traced once for each rank, one of which then runs.

A routine plans with ranks. Given a tensor that has none yet, it fails while it is traced; it is then traced again for
each rank that the tensor may turn out to have, and `tf.switch_case` picks one. A rank for which the routine raises
becomes an error when the graph runs, unless it raises for all of them. What eager and static graphs pay is one frame.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Any, Final, ParamSpec, TypeVar

import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.weak_types import alike

P = ParamSpec("P")
R = TypeVar("R")

RANKS: Final = {1: 9, 2: 5, 3: 4}  # for so many tensors whose rank has to be known so many ranks each, from 0 on
FEW: Final = 3
_EagerTensor: Final = tf.__internal__.EagerTensor


def specialize_each(function: Callable[P, R]) -> Callable[P, R]:
    """Trace the function for each rank of each of its operands."""
    return _specialize(function, _one_by_one)


def specialize_equal(function: Callable[P, R]) -> Callable[P, R]:
    """Trace the function for each rank that its operands, which must have the same, may have."""
    return _specialize(function, _all_equal)


def specialize_broadcast(function: Callable[P, R]) -> Callable[P, R]:
    """Trace a function whose operands broadcast for each rank, its operands padded with leading dimensions of one.

    The rank of what it writes to, and of what is static, is the least.
    """
    return _specialize(function, _all_widened)


def _specialize(function: Callable[P, R], plan: Callable[[Any, list[tf.Tensor]], _Plan]) -> Callable[P, R]:
    @functools.wraps(function)
    def planned(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Exception:
            if tf.executing_eagerly() or not (unknown := _unranked((args, kwargs))) or _is_within_another():
                raise
        return plan(function, unknown).run(args, kwargs)

    _SPECIALIZED.add(planned.__code__)  # type: ignore[attr-defined] # wraps() hides from mypy that it is a function
    return planned


_SPECIALIZED: Final[set[CodeType]] = set()


def _is_within_another() -> bool:
    """Whether a function that can be traced for each rank has called this one, so that it will be."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code is not _Plan.of.__code__:
        if frame.f_code in _SPECIALIZED and _unranked((frame.f_locals["args"], frame.f_locals["kwargs"])):
            return True
        frame = frame.f_back
    return False


def _one_by_one(function: Callable[..., Any], unknown: list[tf.Tensor]) -> _Plan:
    return _Plan(function, unknown[:1], _of_rank, RANKS.get(len(unknown), FEW))


def _all_equal(function: Callable[..., Any], unknown: list[tf.Tensor]) -> _Plan:
    return _Plan(function, unknown, _of_equal_rank)


def _all_widened(function: Callable[..., Any], unknown: list[tf.Tensor]) -> _Plan:
    return _Plan(function, unknown, _widened)


def _unranked(arguments: Any) -> list[tf.Tensor]:
    """The tensors among the arguments whose rank is unknown, each once."""
    found: dict[int, tf.Tensor] = {}
    _visit(arguments, lambda value: found.setdefault(id(value), value) if _is_unranked(value) else value)
    return list(found.values())


def _is_unranked(value: Any) -> bool:
    return isinstance(value, tf.Tensor) and not isinstance(value, _EagerTensor) and value.shape.rank is None


def _visit(value: Any, change: Callable[[Any], Any]) -> Any:
    """The value with its parts changed, however deep they lie in Python's own collections."""
    kind = type(value)
    if kind is tuple or kind is list:
        return kind(_visit(item, change) for item in value)
    if hasattr(kind, "_fields"):
        return kind(*(_visit(item, change) for item in value))
    if kind is dict:
        return {key: _visit(item, change) for key, item in value.items()}
    return change(value)


def _of_rank(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    """The tensor, known to be of this rank. By a reshape, beyond which no optimiser looks: it would take what one
    branch says of the shape of its inputs for true in all (https://github.com/tensorflow/tensorflow/issues/54790).
    """
    return tf.reshape(tensor, tf.ensure_shape(tf.shape(tensor), [rank]))


def _of_equal_rank(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    is_valid = tf.debugging.Assert(
        tf.equal(tf.rank(tensor), rank), ["all arrays must have the same number of dimensions"]
    )
    with tf.control_dependencies([is_valid]):
        return _of_rank(tensor, rank)


def _widened(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    upcast = shapes.pad_rank(tensor, rank)
    upcast.set_shape([None] * rank)
    return upcast


class _Hole:
    """The place of a tensor in a result."""

    def __init__(self, number: int) -> None:
        self.number = number


class _Plan:
    """A function traced for each rank of what is unknown: of one tensor, or of several together."""

    def __init__(
        self,
        function: Callable[..., Any],
        unknown: Sequence[tf.Tensor],
        static: Callable[[tf.Tensor, int], tf.Tensor],
        ranks: int = RANKS[1],
    ) -> None:
        self.function, self.unknown, self.known, self.ranks = function, unknown, static, ranks
        self.path: list[tuple[tf.Tensor, int]] = []  # the ranks of the tensors before, and what they are here
        self.number = 0
        self.suffices = True
        self.form: Any = None
        self.found: dict[int, Callable[[], list[tf.Tensor]]] = {}
        self.dtypes: list[tf.DType] = []
        self.sides: list[tf.TensorShape] = []

    def run(self, args: Any, kwargs: Any) -> Any:
        self.rank = functools.reduce(tf.maximum, [tf.rank(tensor) for tensor in self.unknown])
        self.find_form(args, kwargs)
        if self.suffices:
            self.ranks = RANKS[1]
        branches = [functools.partial(self.branch, args, kwargs, number) for number in range(self.ranks)]
        message = f"{self.function.__name__}: a rank above {self.ranks - 1} must be known"
        beyond = functools.partial(self.fail, message, self.ranks)
        results = tf.switch_case(self.rank, branches, beyond)
        return _visit(self.form, lambda value: results[value.number] if isinstance(value, _Hole) else value)

    def of(self, args: Any, kwargs: Any, rank: int) -> Any:
        """What the function gives if this is the rank."""
        self.number = rank
        numbers = {id(tensor) for tensor in self.unknown}

        def known(value: Any) -> Any:
            return alike(self.known(value, rank), value) if id(value) in numbers else value

        given, named = _visit((args, kwargs), known)
        return _specialize(self.function, self.go_on)(*given, **named)

    def go_on(self, function: Callable[..., Any], unknown: list[tf.Tensor]) -> _Plan:
        """The plan for the next tensor, where to know the rank of this one is not enough."""
        self.suffices = False
        plan = _one_by_one(function, unknown)
        plan.path = [*self.path, (self.rank, self.number)]
        return plan

    def find_form(self, args: Any, kwargs: Any) -> None:
        """Learn from some rank of what form results are, and keep what was traced for it: its branch calls that. Where
        there are none for any, raise what most ranks do.
        """
        errors = []
        status = tf.__internal__.autograph.control_status_ctx()  # a function of the user's may be converted in there
        for rank in (*range(1, self.ranks), 0):

            def body(rank: int = rank) -> list[tf.Tensor]:
                with status:
                    tensors, self.form = _dismantled(self.of(args, kwargs, rank))
                self.dtypes = [tensor.dtype for tensor in tensors]
                self.sides = [tensor.shape for tensor in tensors]
                return tensors

            try:
                self.found[rank] = tf.function(body, autograph=False).get_concrete_function()
            except Exception as error:  # noqa: BLE001 - whatever it raises is the answer for this rank
                errors.append(error)
            else:
                return
        errors.insert(0, errors.pop())
        kinds = [type(error) for error in errors]
        raise max(reversed(errors), key=lambda error: kinds.count(type(error)))

    def branch(self, args: Any, kwargs: Any, rank: int) -> list[tf.Tensor]:
        """The results for this rank, and a number, so that there is something to give."""
        if rank in self.found:
            return [*self.found[rank](), tf.constant(0)]
        try:
            tensors, form = _dismantled(self.of(args, kwargs, rank))
        except Exception as error:  # noqa: BLE001 - raised when the graph runs
            return self.fail(f"{type(error).__name__}: {error}", rank)
        if not _same(form, self.form) or [tensor.dtype for tensor in tensors] != self.dtypes:
            raise ValueError(
                f"{self.function.__name__}: the form of the result depends on the rank of a tensor, which must be "
                "known while tracing: set its shape"
            )
        return [*tensors, tf.constant(0)]

    def fail(self, message: str, rank: int) -> list[tf.Tensor]:
        """An error when the graph runs, and in place of results nothing, in shapes that contradict no others.

        It looks whether these are the ranks: what is constant, an optimiser takes out of its branch, and runs.
        """
        ranks, numbers = zip(*self.path, (tf.minimum(self.rank, self.ranks), rank), strict=True)
        is_elsewhere = tf.reduce_any(tf.not_equal(tf.stack(ranks), numbers))
        with tf.control_dependencies([tf.debugging.Assert(is_elsewhere, [message])]):
            shapes = [[] if shape.rank is None else [dim or 0 for dim in shape] for shape in self.sides]
            nothing = [tf.zeros(shape, dtype) for shape, dtype in zip(shapes, self.dtypes, strict=True)]
            return [*nothing, tf.constant(0)]


def _dismantled(result: Any) -> tuple[list[tf.Tensor], Any]:
    """The tensors of a result, and what is left of it."""
    tensors: list[tf.Tensor] = []

    def take_out(value: Any) -> Any:
        if not isinstance(value, tf.Tensor):
            return value
        tensors.append(value)
        return _Hole(len(tensors) - 1)

    return tensors, _visit(result, take_out)


def _same(first: Any, second: Any) -> bool:
    kind = type(first)
    if kind is not type(second):
        return False
    if kind is tuple or kind is list or hasattr(kind, "_fields"):
        return len(first) == len(second) and all(map(_same, first, second))
    if kind is dict:
        return first.keys() == second.keys() and all(_same(first[key], second[key]) for key in first)
    return kind is _Hole or first is second or (kind in (bool, int, float, complex, str) and first == second)
