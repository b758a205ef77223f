"""Loops of a NumPy program as loops of the graph: `for i in range(n)`, `for row in array` and `while`.

AutoGraph gives a loop as functions: its body, and what reads and assigns the names that the body assigns. The body is
traced in a graph of its own, which is dropped, to learn which names it assigns, of which types, and which arrays it
writes to. These are the variables of one `tf.while_loop`. A loop of which that cannot be shown is left to Python,
which copies its body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import tensorflow as tf

from tfnp._core.checks import depends_on_shapes
from tfnp._core.eager_tensors import could_record
from tfnp._core.tensorflow_internals import FuncGraph
from tfnp._core.xla import is_for_xla
from tfnp.numpy import arrays, blocks, counters
from tfnp.numpy.arrays import Array
from tfnp.numpy.block_state import State, list_updated
from tfnp.numpy.block_values import (
    Type,
    UnsupportedBlockError,
    check_aliases,
    is_undefined,
    make_integer,
    make_zeros,
    to_tensor,
)
from tfnp.numpy.counters import Counter, Linear, find_linear
from tfnp.numpy.loop_gradients import run_again_for_gradients
from tfnp.numpy.python_objects import Objects
from tfnp.numpy.storage import Storage

_MOST_PROBES: Final = 6
_SHAPES: Final = {"BroadcastTo": [1], "Fill": [0], "Pad": [1], "Range": [0, 1, 2], "Reshape": [1], "Tile": [1]}
"""Inputs of ops that XLA must know when it compiles them."""
_MOST_COUNTED: Final = 1_000_000


class Loop:
    """A loop that is to become one of the graph.

    Parameters
    ----------
    step
        Runs the body, for the index of the iteration.
    test
        Returns whether the iteration of an index runs, as a tensor.
    count
        How many iterations there are, if that is known.
    most
        How many there are at most, if that is known.
    was_begun
        Whether Python has run the first iteration.
    is_counted
        Whether the number of iterations is not to be found by the test.
    is_dynamic
        Whether Python cannot run the loop, since the test needs what the graph does not know.
    """

    def __init__(
        self,
        step: Callable[[tf.Tensor, Counter], None],
        test: Callable[[tf.Tensor], Any],
        state: State,
        *,
        count: int | None = None,
        most: int | None = None,
        was_begun: bool = False,
        is_counted: bool = False,
        is_dynamic: bool = False,
    ) -> None:
        self.step, self.test, self.state, self.count, self.most = step, test, state, count, most
        self.was_begun, self.is_counted = was_begun, is_counted or most is not None
        self.is_dynamic = is_dynamic
        self.outside = tf.compat.v1.get_default_graph()
        self.turns = Counter(0, None if most is None else max(most - 1, 0))
        self.before = state.get()
        self.types: dict[int, Type] = {}
        self.steps: dict[int, int] = {}  # of Python integers that each iteration increases by a constant
        self.integers: dict[int, Counter] = {}  # of other Python integers
        self.storages: list[Storage] = []
        self.last: list[Any] = []

    def run(self, objects: Objects) -> None:
        """Add the loop to the graph. Raise UnsupportedBlockError, or what the body raises, if that is impossible."""
        self.state.check()
        try:
            self._learn()
            self.state.put(self.before)
            change = objects.find_change()
            if change is not None:
                objects.reason = change
                raise UnsupportedBlockError(change)
            is_python = not self.storages and all(of.weak is not None for of in self.types.values())
            if is_python and not self.is_dynamic:
                raise UnsupportedBlockError("it calculates nothing but Python numbers")
            if not self.is_counted:
                self.most = self.count = self._count_iterations()
            self._build()
        finally:
            self.state.put(self.before)
        self._finish()

    def _count_iterations(self) -> int | None:
        """Return the number of iterations, if the test needs nothing but Python integers; None if it does."""
        graph = FuncGraph("loop_count")
        with graph.as_default(), blocks.trace_block(graph, self.outside) as block:
            tensors = [tf.compat.v1.placeholder(of.dtype, of.shape) for of in self.types.values()]
            for storage in self.storages:
                tensor = storage.read_tensor()
                block.enter(storage, tf.compat.v1.placeholder(tensor.dtype, tensor.shape))
            values = self.state.fill(self.before, self.types, tensors)
            for turn in range(_MOST_COUNTED):
                for position, step in self.steps.items():
                    values[position] = self.before[position] + step * turn
                self.state.put(values)
                runs = self.test(None)
                if not isinstance(runs, bool):
                    return None
                if not runs:
                    return turn
        return None

    # Learning

    def _learn(self) -> None:
        for _ in range(_MOST_PROBES):
            known = dict(self.types), dict(self.steps), len(self.storages)
            self._probe()
            if known == (self.types, self.steps, len(self.storages)):
                return
        raise UnsupportedBlockError("the types of its names do not settle")

    def _probe(self) -> None:
        graph = FuncGraph("loop_probe")
        with graph.as_default(), blocks.trace_block(graph, self.outside) as block:
            turn = tf.compat.v1.placeholder(tf.int64, ())
            tensors = [tf.compat.v1.placeholder(of.dtype, of.shape) for of in self.types.values()]
            fed = self._feed(turn, tensors)
            for storage in self.storages:
                tensor = storage.read_tensor()
                block.enter(storage, tf.compat.v1.placeholder(tensor.dtype, tensor.shape))
            self.state.put(fed)
            self.step(turn, self.turns)
            after = self.state.get()
            self._check(block, fed, after, tensors)
            self._update(fed, after, tensors)
            block.leave()
        self.storages += [storage for storage in block.written if storage not in self.storages]

    def _feed(self, turn: tf.Tensor, tensors: Sequence[tf.Tensor]) -> list[Any]:
        """Return the values of the names at the beginning of an iteration."""
        fed = self.state.fill(self.before, self.types, tensors)
        for position, of in self.types.items():
            if of.weak is int:
                self.integers[position] = Counter(None, None)
                counters.mark(fed[position], Linear(((self.integers[position], 1),)))
        for position, step in self.steps.items():
            first = self.before[position]
            tensor = (first.tensor() if isinstance(first, Array) else first) + step * turn
            linear = (find_linear(first) or Linear(((Counter(None, None), 1),))).add(Linear(((self.turns, step),)))
            fed[position] = make_integer(tensor, linear)
        return fed

    def _check(self, block: blocks.Block, fed: list[Any], after: list[Any], tensors: Sequence[tf.Tensor]) -> None:
        """Raise UnsupportedBlockError if a loop of the graph would not do what Python does."""
        if block.needed is not None:
            raise UnsupportedBlockError(f"it needs {block.needed}")
        if is_for_xla() and _has_dynamic_shapes(block.graph):
            raise UnsupportedBlockError("a shape in it depends on the iteration, which XLA does not support")
        if could_record() and is_for_xla() and _has_dynamic_sizes(block.graph):
            raise UnsupportedBlockError("sizes in it depend on the iteration, which XLA does not differentiate")
        changed = set(self.state.find_changed(fed, after))
        check_aliases(after, changed, self.state.names, block.graph)
        for position in changed & self.types.keys():
            first = self.before[position]
            if isinstance(first, Array) and block.has_changed(first._storage):
                raise UnsupportedBlockError(f"it writes to {self.state.names[position]} by another name")
        if self.was_begun:
            check_aliases(self.before, changed, self.state.names, None)
        elif list_updated(fed, self.types):
            raise UnsupportedBlockError("it writes to an array, and assigns another one to its name")

    def _update(self, fed: list[Any], after: list[Any], tensors: Sequence[tf.Tensor]) -> None:
        """Learn from an iteration: types and steps of the names that it assigns."""
        for position in self.state.find_changed(fed, after):
            old, new = self.before[position], after[position]
            step = self._find_step(position, fed[position], new)
            if step is not None:
                self.steps[position] = step
                continue
            self.steps.pop(position, None)
            of = self.state.join_types(position, old, new, self.types.get(position))
            if of.weak is int and _depends_on(new, tensors, self.types) and not _is_bounded(new, fed[position]):
                raise UnsupportedBlockError(f"the Python integer {self.state.names[position]} may exceed 64 bits")
            self.types[position] = of
        self.last = [(find_linear(value), value) for value in after]

    def _find_step(self, position: int, fed: Any, new: Any) -> int | None:
        """Return by how much an iteration increases a Python integer; None if it is none, or by nothing constant."""
        if position in self.types or is_undefined(fed):
            return None
        old, linear = find_linear(fed), find_linear(new)
        if old is None or linear is None:
            return None
        difference = linear.add(old, -1)
        if difference.terms or self.steps.get(position, difference.constant) != difference.constant:
            return None
        return difference.constant

    # Building

    def _build(self) -> None:
        names = list(self.types)
        firsts = [self._make_first(position) for position in names]
        inits = [storage.read_tensor() for storage in self.storages]
        shapes = [tensor.shape for tensor in (*inits, *firsts)]
        results = tf.while_loop(
            self._run_test,
            self._run_step,
            [tf.constant(0, tf.int64), *inits, *firsts],
            shape_invariants=[tf.TensorShape(()), *shapes],
            maximum_iterations=self.most,
        )
        if is_for_xla() and not blocks.is_tracing():
            run_again_for_gradients(results[0])
        self.turn, *tensors = results
        self.results = tensors

    def _make_first(self, position: int) -> tf.Tensor:
        of, name = self.types[position], self.state.names[position]
        value = self.before[position]
        return make_zeros(of, name) if is_undefined(value) else to_tensor(value, of, name)

    def _enter(self, block: blocks.Block, tensors: Sequence[tf.Tensor]) -> list[Any]:
        """Give the storages their values in a block, and return those of the names."""
        for storage, tensor in zip(self.storages, tensors, strict=False):
            block.enter(storage, tensor)
        return list(tensors[len(self.storages) :])

    def _run_test(self, turn: tf.Tensor, *tensors: tf.Tensor) -> Any:
        graph = tf.compat.v1.get_default_graph()
        with blocks.trace_block(graph, self.outside) as block:
            named = self._enter(block, tensors)
            self.state.put(self._feed(turn, named))
            condition = self.test(turn)
            if any(map(block.has_changed, block.written)):
                raise UnsupportedBlockError("its condition writes to an array")
            if block.needed is not None:
                raise UnsupportedBlockError(f"its condition needs {block.needed}")
        return condition

    def _run_step(self, turn: tf.Tensor, *tensors: tf.Tensor) -> list[tf.Tensor]:
        graph = tf.compat.v1.get_default_graph()
        with blocks.trace_block(graph, self.outside) as block:
            named = self._enter(block, tensors)
            fed = self._feed(turn, named)
            self.state.put(fed)
            self.step(turn, self.turns)
            after = self.state.get()
            known = dict(self.types), dict(self.steps)
            self._check(block, fed, after, named)
            self._update(fed, after, named)
            values = block.leave()
            if known != (self.types, self.steps) or len(values) != len(self.storages):
                raise UnsupportedBlockError("the types of its names do not settle")
            results = [
                to_tensor(after[position], of, self.state.names[position]) for position, of in self.types.items()
            ]
        stored = [values[storage] for storage in self.storages]
        for tensor, before in zip(stored, tensors, strict=False):
            tensor.set_shape(before.shape)
        return [turn + 1, *stored, *results]

    # Results

    def _finish(self) -> None:
        """Give arrays and names their values after the loop."""
        count = len(self.storages)
        for storage, tensor in zip(self.storages, self.results, strict=False):
            storage.check_write()
            storage.change_tensor(tensor)
        state = self.state.fill(self.before, self.types, self.results[count:])
        for position in {*self.types, *self.steps}:
            last = self._find_last(position)
            if last is not None:
                state[position] = last
        self.state.put(state)

    def _find_last(self, position: int) -> Any:
        """Return the value of a Python integer after the loop, if it is known; None for other names."""
        linear, _ = self.last[position]
        if position in self.steps:
            first, step = self.before[position], self.steps[position]
            if self.count is not None:
                return first + step * self.count
            tensor = (first.tensor() if isinstance(first, Array) else first) + step * self.turn
            return arrays.of_dim(tensor)
        if self.types[position].weak is not int or linear is None or not self.count:
            return None
        return self._follow_integers().get(position)

    def _follow_integers(self) -> dict[int, int]:
        """Return the Python integers after the loop that depend on nothing but the iteration and one another."""
        values = {position: self.before[position] for position in self.integers}
        names = {counter: position for position, counter in self.integers.items()}
        linears = {position: self.last[position][0] for position in values}
        known = {position for position, linear in linears.items() if linear is not None}
        for _ in values:  # what depends on an integer that is not known is not known
            known = {p for p in known if all(c is self.turns or names.get(c) in known for c, _ in linears[p].terms)}
        known &= {p for p in known if type(values[p]) is int or {c for c, _ in linears[p].terms} <= {self.turns}}
        for turn in range(self.count or 0):
            values = {
                p: linears[p].constant
                + sum(factor * (turn if c is self.turns else values[names[c]]) for c, factor in linears[p].terms)
                for p in known
            }
        return values if self.count and self.count <= _MOST_COUNTED else {}


def _has_dynamic_shapes(graph: Any) -> bool:
    """Return whether an op needs a shape that is calculated from the values of the block."""
    return any(
        not depends_on_shapes(op.inputs[position])
        for op in graph.get_operations()
        for position in _SHAPES.get(op.type, ())
    )


def _has_dynamic_sizes(graph: Any) -> bool:
    return any(not tensor.shape.is_fully_defined() for op in graph.get_operations() for tensor in op.outputs)


def _is_bounded(new: Any, old: Any) -> bool:
    """Return whether the bounds of the difference of two integers are known, so that it takes more iterations than a
    loop has to exceed 64 bits.
    """
    linear, before = find_linear(new), find_linear(old)
    if linear is None or before is None:
        return False
    difference = linear.add(before, -1)
    return difference.lowest is not None and difference.highest is not None


def _depends_on(value: Any, tensors: Sequence[tf.Tensor], types: dict[int, Type]) -> bool:
    """Return whether a Python integer is calculated from one of the iteration before."""
    if not isinstance(value, Array):
        return False
    integers = {id(tensor.op) for tensor, of in zip(tensors, types.values(), strict=False) if of.weak is int}
    pending, seen = [value.tensor()], set()
    while pending:
        tensor = pending.pop()
        if not hasattr(tensor, "graph") or not tensor.graph.building_function:
            continue
        if id(tensor.op) in integers:
            return True
        if id(tensor.op) not in seen:
            seen.add(id(tensor.op))
            pending += tensor.op.inputs
    return False


def find_objects(functions: tuple[Any, ...], values: Sequence[Any]) -> Objects | None:
    """Return the objects that the functions of a statement reach; None if no array of `tfnp.numpy` is among them."""
    objects = Objects(functions, tuple(values))
    return objects if objects.uses_arrays or blocks.is_tracing() else None


def try_loop(make_loop: Callable[[], Loop], objects: Objects) -> str | None:
    """Run a loop in the graph. Return None if that was possible, else the reason."""
    if objects.reason is not None:
        return objects.reason
    try:
        make_loop().run(objects)
    except UnsupportedBlockError as error:
        reason = str(error)
    except Exception as error:  # noqa: BLE001 - whatever the body raises, Python runs it again, and raises it, too
        reason = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}"
    else:
        return None
    objects.restore()
    return reason
