"""AutoGraph's statements on NumPy programs: which become loops and conditions of the graph, and why others do not.

AutoGraph calls a function for each `for`, `while` and `if` of a `tf.function`. Those here take statements that reach
arrays of `tfnp.numpy`, and leave all others to TensorFlow.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import tensorflow as tf

from tfnp._core import autograph
from tfnp._core.eager_tensors import executing_eagerly
from tfnp.numpy import blocks, expressions
from tfnp.numpy.arrays import Array, Public, of_scalar
from tfnp.numpy.block_state import State
from tfnp.numpy.block_values import make_integer
from tfnp.numpy.branches import Condition, to_condition
from tfnp.numpy.counters import Counter, Linear, find_linear
from tfnp.numpy.functions import where
from tfnp.numpy.loops import Loop, find_objects, try_loop
from tfnp.numpy.python_objects import Objects

__all__ = ["LoopReport", "explain_loops"]

MOST_COPIES: Final = 8
"""How often the body of a loop is copied, rather than made a loop of the graph: copies need no loop variables, and know
their indices.
"""
_ALWAYS_COPIED: Final = 3
_MOST_REPORTS: Final = 1000
_FUNCTION: Final = re.compile(r"tf__(\w+)")


@dataclass(frozen=True)
class LoopReport:
    """A loop of a `tf.function`, or a map of `vmap`, and what became of it.

    `form` is "a loop of the graph", "copied" or "vectorized". `reason` says why it is not the best of what it could be:
    of a loop, one of the graph, of a map, vectorized. It is empty if it is.
    """

    function: str
    loop: str
    iterations: int | None
    reason: str
    form: str

    def __str__(self) -> str:
        count = "" if self.iterations is None else f", {self.iterations} iterations"
        return f"{self.function}: {self.loop}: {self.form}{count}{self.reason and ': '}{self.reason}"


_reports: dict[tuple[str, str], LoopReport] = {}


def explain_loops() -> list[LoopReport]:
    """Return what became of the loops of NumPy programs that were traced since the last call.

    There is a report for each `for` and `while` of a function with more than a few iterations: that it is one loop of
    the graph, or that its body was copied, and why; and for each `np.vmap`: that it is vectorized, or a loop of the
    graph, and why. `print(*np.explain_loops())` shows them.
    """
    reports = list(_reports.values())
    _reports.clear()
    return reports


def _report(body: Any, state: State, iterations: int | None, reason: str | None) -> None:
    match = _FUNCTION.search(getattr(body, "__qualname__", ""))
    function = match.group(1) if match else getattr(body, "__qualname__", "?")
    loop = f"the loop that assigns {', '.join(state.names) or 'no names'}"
    form = "copied" if reason else "a loop of the graph"
    add_report(LoopReport(function, loop, iterations, reason or "", form))


def add_report(report: LoopReport) -> None:
    """Add a report to those of `explain_loops`; it replaces that of an earlier trace of the loop."""
    if len(_reports) < _MOST_REPORTS:
        _reports[report.function, report.loop] = report


class Range:
    """A `range` with bounds that a graph does not know. As a tensor it is a `tf.range`."""

    def __init__(self, *bounds: Any) -> None:
        self.start, self.stop, self.step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> tf.Tensor:
        tensor = tf.range(*map(_to_tensor, (self.start, self.stop, self.step)), name=name)
        return tensor if dtype is None else tf.cast(tensor, dtype)

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("the bounds of this range are not known inside tf.function: it is for the head of a `for`")

    def count(self) -> tuple[int | None, int | None, tf.Tensor]:
        """Return the number of iterations, the largest possible one, as far as they are known, and a tensor of it."""
        start, stop, step = map(_to_tensor, (self.start, self.stop, self.step))
        tensor = tf.maximum((stop - start + step - tf.sign(step)) // step, 0)
        start_linear, stop_linear = find_linear(self.start), find_linear(self.stop)
        if type(self.step) is not int or not self.step or start_linear is None or stop_linear is None:
            return None, None, tensor
        low, high = (start_linear, stop_linear) if self.step > 0 else (stop_linear, start_linear)
        extent = high.add(low, -1)
        highest = extent.highest
        if low.lowest is not None and high.highest is not None:
            bound = high.highest - low.lowest
            highest = bound if highest is None else min(bound, highest)
        most = None if highest is None else max(-(-highest // abs(self.step)), 0)
        return (most if not extent.terms else None), most, tensor

    def make_counter(self) -> Counter:
        """Return what is known of the index."""
        start, stop = find_linear(self.start), find_linear(self.stop)
        if type(self.step) is not int or start is None or stop is None:
            return Counter(None, None)
        if self.step > 0:
            return Counter(start.lowest, None if stop.highest is None else stop.highest - 1)
        return Counter(None if stop.lowest is None else stop.lowest + 1, start.highest)


def _to_tensor(value: Any) -> tf.Tensor:
    tensor = value.tensor() if isinstance(value, Array) else tf.convert_to_tensor(value)
    if not tensor.dtype.is_integer:
        raise TypeError(f"'{tensor.dtype.name}' object cannot be interpreted as an integer")
    return tf.cast(tensor, tf.int64)


def make_range(start_or_stop: Any, *others: Any) -> Any:
    """Return `range` of integers of which an array stands for one."""
    return Range(start_or_stop, *others)


# for


def run_for(
    iterated: Any, extra_test: Any, body: Any, get_state: Any, set_state: Any, names: Any, options: Any
) -> None:
    """Run a `for` over a `range`, or over the rows of an array."""
    others = extra_test, body, get_state, set_state, names, options
    is_range = isinstance(iterated, range)
    if executing_eagerly() or (not is_range and iterated._is_scalar):
        autograph.run_python_for(iterated, *others)
        return
    length = len(iterated) if is_range else iterated.shape[0] if iterated.ndim else 0
    indices: Any = iterated if is_range else range(length) if isinstance(length, int) else Range(length)

    def run_body(index: Any) -> None:
        body(index if is_range else iterated[index])

    if isinstance(indices, Range):
        run_dynamic_for(indices, extra_test, run_body, *others[2:])
        return
    objects = None
    if length > _ALWAYS_COPIED and length * blocks.stack.copies > MOST_COPIES:
        objects = find_objects((body, extra_test), (iterated, *get_state()))
    begun = 0 if objects is None else _run_range(indices, extra_test, run_body, State(*others[2:5]), objects, body)
    if begun < len(indices):
        remaining = indices[begun:] if begun or is_range else iterated
        with blocks.copy_block(length):
            python_body = body if remaining is iterated or is_range else run_body
            autograph.run_python_for(remaining, extra_test, python_body, *others[2:])


def _run_range(indices: range, extra_test: Any, body: Any, state: State, objects: Objects, source: Any) -> int:
    """Run iterations in the graph, if need be after the first, which may give names their types. Return how many have
    been run.
    """
    for first in (0, 1):
        reason = try_loop(partial(_make_range_loop, indices[first:], extra_test, body, state, first), objects)
        _report(source, state, len(indices), reason)
        if reason is None:
            return len(indices)
        if first or objects.reason is not None or not _is_true(extra_test):
            return first
        body(indices[0])
        objects = Objects((source, extra_test), tuple(state.get()))
    return 1


def _is_true(test: Any) -> bool:
    return test is None or test() is True


def _make_range_loop(indices: range, extra_test: Any, body: Any, state: State, first: int) -> Loop:
    def step(turn: tf.Tensor, turns: Counter) -> None:
        body(make_integer(indices.start + indices.step * turn, Linear(((turns, indices.step),), indices.start)))

    most = len(indices)
    count = most if extra_test is None else None
    return Loop(step, _make_test(most, extra_test), state, count=count, most=most, was_begun=bool(first))


def _make_test(count: Any, extra_test: Any) -> Callable[[Any], Any]:
    """Return the test of a loop with a number of iterations, which may end before."""

    def test(turn: Any) -> Any:
        condition = turn < count
        return condition if extra_test is None else condition & to_condition(extra_test())

    return test


def run_dynamic_for(
    indices: Range, extra_test: Any, body: Any, get_state: Any, set_state: Any, names: Any, options: Any
) -> None:
    """Run a `for` over a range with bounds that the graph does not know."""
    state = State(get_state, set_state, names)
    objects = Objects((body, extra_test), (indices.start, indices.stop, *get_state()))

    def make_loop() -> Loop:
        count, most, tensor = indices.count()
        start, step = _to_tensor(indices.start), _to_tensor(indices.step)
        counter = indices.make_counter()
        known = find_linear(indices.start) if type(indices.step) is int and count is not None else None

        def run_step(turn: tf.Tensor, turns: Counter) -> None:
            linear = Linear(((counter, 1),))
            if known is not None:
                linear = known.add(Linear(((turns, indices.step),)))
            body(make_integer(start + step * turn, linear))

        exact = count if extra_test is None else None
        return Loop(run_step, _make_test(tensor, extra_test), state, count=exact, most=most, is_counted=True)

    reason = try_loop(make_loop, objects)
    _report(body, state, None, reason)
    if reason is not None:
        autograph.run_tensor_for(tf.convert_to_tensor(indices), extra_test, body, get_state, set_state, names, options)


# while


def run_tensor_while(
    original: Any, test: Any, body: Any, get_state: Any, set_state: Any, names: Any, opts: Any
) -> None:
    """Run a `while` whose condition is a tensor."""
    objects = find_objects((test, body), get_state())
    state = State(get_state, set_state, names)
    reason: str | None = "it uses no arrays"
    if objects is not None:
        reason = try_loop(lambda: _make_while(test, body, state, is_dynamic=True), objects)
        _report(body, state, None, reason)
    if reason is not None:
        original(test, body, get_state, set_state, names, opts)


def _make_while(test: Any, body: Any, state: State, *, was_begun: bool = False, is_dynamic: bool = False) -> Loop:
    def run_test(turn: Any) -> Any:
        result = test()
        return result if turn is None and not isinstance(result, Array | tf.Tensor) else to_condition(result)

    return Loop(lambda turn, turns: body(), run_test, state, was_begun=was_begun, is_dynamic=is_dynamic)


def run_python_while(original: Any, test: Any, body: Any, get_state: Any, set_state: Any, opts: Any) -> None:
    """Run a `while` whose condition was a Python bool, and of which the first iteration has been run.

    It becomes a loop of the graph where the condition becomes a tensor, and after some copies of the body.
    """
    if executing_eagerly() or find_objects((test, body), get_state()) is None:
        original(test, body, get_state, set_state, opts)
        return
    names = sys._getframe(2).f_locals.get("symbol_names", ())
    state = State(get_state, set_state, names if len(names) == len(get_state()) else ["a name"] * len(get_state()))
    copies, is_possible = blocks.stack.copies, True
    while True:
        result = test()
        is_dynamic = _is_dynamic(result)
        if not is_dynamic and not result:
            return
        copies += 1
        if is_dynamic or (is_possible and copies > MOST_COPIES):
            objects = Objects((test, body), tuple(get_state()))
            reason = try_loop(partial(_make_while, test, body, state, was_begun=True, is_dynamic=is_dynamic), objects)
            _report(body, state, None, reason)
            if reason is None:
                return
            if is_dynamic:
                original(test, body, get_state, set_state, opts)  # raises
                return
            is_possible = False
        body()


def _is_dynamic(value: Any) -> bool:
    tensor = value.tensor() if isinstance(value, Array) else value
    return isinstance(tensor, tf.Tensor) and tf.get_static_value(tensor) is None


# max and min


def find_extreme(is_max: bool, *values: Any) -> Any:
    """Return the largest or smallest scalar, as Python's functions choose it: of equal ones and nan, the first."""
    best = values[0]
    for value in values[1:]:
        is_better = value > best if is_max else value < best
        chosen = where(is_better, value, best)
        best = chosen if not isinstance(chosen, Array) or chosen.ndim else of_scalar(chosen.tensor())
    return best


# if


def run_if(
    original: Any, cond: Any, body: Any, orelse: Any, get_state: Any, set_state: Any, names: Any, count: int
) -> None:
    """Run an `if` whose condition is a tensor."""
    objects = find_objects((body, orelse), (cond, *get_state()))
    if objects is not None and objects.reason is None:
        state = State(get_state, set_state, names)
        try:
            Condition((body, orelse), state, count).run(cond, objects)
            return
        except Exception:  # TensorFlow raises what a user has to know
            objects.restore()
            if blocks.is_tracing():  # the loop around it is run in another way
                raise
    original(cond, body, orelse, get_state, set_state, names, count)


autograph.register_for(range, run_for)
autograph.register_for(Public.ndarray, run_for)
autograph.register_for(Range, run_dynamic_for)
autograph.register_range(Array, make_range)
autograph.register_extremes(Public.scalar, find_extreme)
autograph.replace_operator("_tf_while_stmt", run_tensor_while)
autograph.replace_operator("_py_while_stmt", run_python_while)
autograph.replace_operator("_tf_if_stmt", run_if)
autograph.replace_operator("_tf_lazy_and", expressions.run_and)
autograph.replace_operator("_tf_lazy_or", expressions.run_or)
autograph.replace_operator("_tf_if_exp", expressions.run_conditional)
