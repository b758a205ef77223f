"""Functions of tensors of unknown rank: traced once for each rank, of which `tf.switch_case` selects one.

Most functions need static ranks, and raise while they are traced without one. They are then traced again for each rank
that the tensor may have. A rank for which the function raises becomes an error when the graph runs, unless it raises
for all ranks. Eager calls pay one Python frame.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Final, ParamSpec, TypeVar

import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.checks import check
from tfnp._core.eager_tensors import EagerTensor, executing_eagerly
from tfnp._core.errors import requires_static_rank
from tfnp._core.nests import TensorSlot, extract_tensors, fill_slots, map_items
from tfnp._core.weak_types import weaken_like

P = ParamSpec("P")
R = TypeVar("R")

RANKS: Final = {1: 9, 2: 5, 3: 4}  # the number of ranks, from 0 on, by the number of tensors of unknown rank
RANKS_OF_MORE: Final = 3


def specialize_each(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function, traced for each rank of each of its operands of unknown rank."""
    return _specialize(function, _switch_first)


def specialize_equal(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function, traced for each rank that its operands, which must have the same rank, may have."""
    return _specialize(function, _switch_all_equal)


def specialize_broadcast(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function whose operands broadcast, traced for each rank; operands are padded with leading dimensions of
    one.

    Each operand has at least the rank of the case.
    """
    return _specialize(function, _switch_all_padded)


def _specialize(function: Callable[P, R], make_switch: Callable[[Any, list[tf.Tensor]], _RankSwitch]) -> Callable[P, R]:
    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if executing_eagerly():
            return function(*args, **kwargs)
        outer = _calls.get()
        token = _calls.set((*outer, (args, kwargs)))
        try:
            return function(*args, **kwargs)
        except Exception:
            unknown = _find_unranked((args, kwargs))
            if not unknown or _find_unranked(outer):  # a call around this one is traced for each rank
                raise
        finally:
            _calls.reset(token)
        return make_switch(function, unknown).run(args, kwargs)

    return call


_calls: ContextVar[tuple[Any, ...]] = ContextVar("calls", default=())
"""The arguments of calls in progress that are specialized too."""


def _switch_first(function: Callable[..., Any], unknown: list[tf.Tensor]) -> _RankSwitch:
    return _RankSwitch(function, unknown[:1], _set_rank, RANKS.get(len(unknown), RANKS_OF_MORE))


def _switch_all_equal(function: Callable[..., Any], unknown: list[tf.Tensor]) -> _RankSwitch:
    return _RankSwitch(function, unknown, _check_and_set_rank)


def _switch_all_padded(function: Callable[..., Any], unknown: list[tf.Tensor]) -> _RankSwitch:
    return _RankSwitch(function, unknown, _pad_and_set_rank)


def _find_unranked(arguments: Any) -> list[tf.Tensor]:
    """Return the tensors of unknown rank among the arguments, each once."""
    tensors: dict[int, tf.Tensor] = {}
    map_items(arguments, lambda value: tensors.setdefault(id(value), value) if _is_unranked(value) else value)
    return list(tensors.values())


def _is_unranked(value: Any) -> bool:
    return isinstance(value, tf.Tensor) and not isinstance(value, EagerTensor) and value.shape.rank is None


def _set_rank(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    """Return a tensor with a static rank, by a reshape.

    Without it, Grappler applies the shape that one branch sets on its inputs to all branches
    (https://github.com/tensorflow/tensorflow/issues/54790).
    """
    return tf.reshape(tensor, tf.ensure_shape(tf.shape(tensor), [rank]))


def _check_and_set_rank(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    error = ValueError("all arrays must have the same number of dimensions")
    return _set_rank(check(tf.equal(tf.rank(tensor), rank), error, tensor), rank)


def _pad_and_set_rank(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    padded = shapes.pad_rank(tensor, rank)
    padded.set_shape([None] * rank)
    return padded


class _RankSwitch:
    """A function traced for each rank of a tensor, or of several tensors together.

    `set_rank` returns a tensor with a static rank.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        unknown: Sequence[tf.Tensor],
        set_rank: Callable[[tf.Tensor, int], tf.Tensor],
        ranks: int = RANKS[1],
    ) -> None:
        self.function, self.unknown, self.set_rank, self.ranks = function, unknown, set_rank, ranks
        self.path: list[tuple[tf.Tensor, int]] = []  # the ranks of tensors in outer switches, and their cases
        self.case = 0
        self.is_innermost = True
        self.structure: Any = None
        self.traced: dict[int, Callable[[], list[tf.Tensor]]] = {}
        self.dtypes: list[tf.DType] = []
        self.shapes: list[tf.TensorShape] = []

    def run(self, args: Any, kwargs: Any) -> Any:
        """Return the results of the case that the graph selects."""
        self.rank = functools.reduce(tf.maximum, [tf.rank(tensor) for tensor in self.unknown])
        self.trace_structure(args, kwargs)
        if self.is_innermost:
            self.ranks = RANKS[1]
        branches = [functools.partial(self.run_case, args, kwargs, rank) for rank in range(self.ranks)]
        message = f"{self.function.__name__}: a rank above {self.ranks - 1} must be static inside tf.function"
        default = functools.partial(self.fail, message, self.ranks)
        results = tf.switch_case(self.rank, branches, default)
        return fill_slots(self.structure, results)

    def call_for_rank(self, args: Any, kwargs: Any, rank: int) -> Any:
        """Return the result of the function for tensors of a rank."""
        self.case = rank
        unknown = {id(tensor) for tensor in self.unknown}

        def set_rank(value: Any) -> Any:
            return weaken_like(self.set_rank(value, rank), value) if id(value) in unknown else value

        args, kwargs = map_items((args, kwargs), set_rank)
        return _specialize(self.function, self.make_inner)(*args, **kwargs)

    def make_inner(self, function: Callable[..., Any], unknown: list[tf.Tensor]) -> _RankSwitch:
        """Return the switch for the next tensor, where one static rank is not enough."""
        self.is_innermost = False
        switch = _switch_first(function, unknown)
        switch.path = [*self.path, (self.rank, self.case)]
        return switch

    def trace_structure(self, args: Any, kwargs: Any) -> None:
        """Return the structure of the results, by tracing the function for some rank; the branch of that rank calls the
        trace again.

        If the function raises for all ranks, raise the most frequent error.
        """
        errors = []
        status = tf.__internal__.autograph.control_status_ctx()  # the user's functions may be converted inside
        for rank in (*range(1, self.ranks), 0):

            def body(rank: int = rank) -> list[tf.Tensor]:
                with status:
                    tensors, self.structure = extract_tensors(self.call_for_rank(args, kwargs, rank))
                self.dtypes = [tensor.dtype for tensor in tensors]
                self.shapes = [tensor.shape for tensor in tensors]
                return tensors

            try:
                self.traced[rank] = tf.function(body, autograph=False).get_concrete_function()
            except Exception as error:  # noqa: BLE001 - any error is the result for this rank
                errors.append(error)
            else:
                return
        errors.insert(0, errors.pop())
        classes = [type(error) for error in errors]
        raise max(reversed(errors), key=lambda error: classes.count(type(error)))

    def run_case(self, args: Any, kwargs: Any, rank: int) -> list[tf.Tensor]:
        """Return the tensors of the result for a rank, and a constant, since a branch must have a result."""
        if rank in self.traced:
            return [*self.traced[rank](), tf.constant(0)]
        try:
            tensors, structure = extract_tensors(self.call_for_rank(args, kwargs, rank))
        except Exception as error:  # noqa: BLE001 - raised when the graph runs
            return self.fail(f"{type(error).__name__}: {error}", rank)
        if not _is_same(structure, self.structure) or [tensor.dtype for tensor in tensors] != self.dtypes:
            raise requires_static_rank("a rank on which the structure of the result depends", self.function.__name__)
        return [*tensors, tf.constant(0)]

    def fail(self, message: str, rank: int) -> list[tf.Tensor]:
        """Raise an error when the graph runs. Return zeros in shapes that are compatible with those of the other
        branches.

        The assertion compares the ranks with those of this case: Grappler hoists constant ones out of their branch.
        """
        ranks, cases = zip(*self.path, (tf.minimum(self.rank, self.ranks), rank), strict=True)
        is_other_case = tf.reduce_any(tf.not_equal(tf.stack(ranks), cases))
        with tf.control_dependencies([tf.debugging.Assert(is_other_case, [message])]):
            shapes = [[] if shape.rank is None else [dim or 0 for dim in shape] for shape in self.shapes]
            zeros = [tf.zeros(shape, dtype) for shape, dtype in zip(shapes, self.dtypes, strict=True)]
            return [*zeros, tf.constant(0)]


def _is_same(first: Any, second: Any) -> bool:
    """Return whether two structures are equal."""
    cls = type(first)
    if cls is not type(second):
        return False
    if cls is tuple or cls is list or hasattr(cls, "_fields"):
        return len(first) == len(second) and all(map(_is_same, first, second))
    if cls is dict:
        return first.keys() == second.keys() and all(_is_same(first[key], second[key]) for key in first)
    return cls is TensorSlot or first is second or (cls in (bool, int, float, complex, str) and first == second)
