"""Conditions of a NumPy program as conditions of the graph, of which the branches may write to arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tfnp._core import convert
from tfnp._core.tensorflow_internals import FuncGraph
from tfnp.numpy import blocks
from tfnp.numpy.arrays import Array
from tfnp.numpy.block_state import State
from tfnp.numpy.block_values import Type, UnsupportedBlockError, check_aliases, is_same, to_tensor
from tfnp.numpy.counters import Linear, find_linear, mark, merge
from tfnp.numpy.python_objects import Objects
from tfnp.numpy.storage import Storage


class Condition:
    """An `if` whose condition the graph does not know. `count` is the number of names that are used after it."""

    def __init__(self, branches: Sequence[Callable[[], None]], state: State, count: int) -> None:
        self.branches, self.state, self.count = branches, state, count
        self.outside = tf.compat.v1.get_default_graph()
        self.before = state.get()
        self.storages: list[Storage] = []
        self.types: dict[int, Type] = {}
        self.linears: list[list[Linear | None]] = []

    def run(self, condition: Any, objects: Objects) -> None:
        """Add the condition to the graph. Raise UnsupportedBlockError, or what a branch raises, if it cannot be."""
        self.state.check()
        try:
            after = [self._probe(branch, objects) for branch in self.branches]
            values = self._join(*after)
            results = tf.cond(to_condition(condition), *[self._make_branch(branch) for branch in self.branches])
        finally:
            self.state.put(self.before)
        for storage, tensor in zip(self.storages, results, strict=False):
            storage.check_write()
            storage.change_tensor(tensor)
        values = self.state.fill(values, self.types, results[len(self.storages) :])
        for position, of in self.types.items():
            if of.weak is int:
                mark(values[position], merge(*[linears[position] for linears in self.linears]))
        self.state.put(values)

    def _trace(self, branch: Callable[[], None], graph: Any) -> tuple[list[Any], blocks.Block]:
        block = blocks.stack.blocks[-1]
        self.state.put(self.before)
        branch()
        after = self.state.get()
        if block.needed is not None:
            raise UnsupportedBlockError(f"it needs {block.needed}")
        changed = set(self.state.find_changed(self.before, after))
        check_aliases(after, changed, self.state.names, graph)
        return after, block

    def _probe(self, branch: Callable[[], None], objects: Objects) -> list[Any]:
        """Return the values of the names after a branch, and remember what it writes to."""
        graph = FuncGraph("branch_probe")
        with graph.as_default(), blocks.trace_block(graph, self.outside) as block:
            after, _ = self._trace(branch, graph)
            changed = self._list_changed(after)
            described = [
                self.state.describe(position, after[position]) if position in changed else after[position]
                for position in range(len(after))
            ]
            self.linears.append([find_linear(value) for value in after])
            block.leave()
        self.storages += [storage for storage in block.written if storage not in self.storages]
        self.state.put(self.before)
        change = objects.find_change()
        if change is not None:
            objects.restore()
            raise UnsupportedBlockError(change)
        return described

    def _list_changed(self, after: Sequence[Any]) -> set[int]:
        return {position for position in self.state.find_changed(self.before, after) if position < self.count}

    def _join(self, one: list[Any], other: list[Any]) -> list[Any]:
        """Return the values of names that do not depend on the condition; learn the types of the others."""
        values = list(self.before)
        for position in range(min(self.count, len(values))):
            first, second = one[position], other[position]
            if is_same(first, second):
                values[position] = first
                continue
            self.types[position] = self.state.join_descriptions(position, first, second)
        return values

    def _make_branch(self, branch: Callable[[], None]) -> Callable[[], list[tf.Tensor]]:
        def run() -> list[tf.Tensor]:
            graph = tf.compat.v1.get_default_graph()
            with blocks.trace_block(graph, self.outside) as block:
                after, _ = self._trace(branch, graph)
                written = block.leave()
                if not written.keys() <= set(self.storages):
                    raise UnsupportedBlockError("its branches write to other arrays each time")
                names = self.state.names
                results = [to_tensor(after[position], of, names[position]) for position, of in self.types.items()]
                stored = [written.get(storage) for storage in self.storages]
            stored = [s.read_tensor() if t is None else t for s, t in zip(self.storages, stored, strict=True)]
            return [tf.identity(tensor) for tensor in (*stored, *results)]

        return run


def to_condition(value: Any) -> tf.Tensor:
    """Return the condition of a statement as a tensor of bool: a number is true if it is not zero."""
    tensor = value.tensor() if isinstance(value, Array) else tf.convert_to_tensor(value)
    if tensor.dtype != tf.bool:
        if not isinstance(value, Array):
            raise UnsupportedBlockError("its condition is no bool")
        tensor = convert.cast(tensor, tf.bool)
    return tensor if tensor.shape.rank == 0 else tf.reshape(tensor, ())
