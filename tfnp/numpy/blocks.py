"""Blocks of a program that become functions of the graph: bodies of loops and branches of conditions.

While a block is traced, a storage that was made around it may be written to: it has another value in the block, and its
old one again afterwards. The block remembers which storages it wrote to, so that the loop or condition has their values
among its results. In the same way a block is told when a value was needed that the graph does not know.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import tensorflow as tf


class Block:
    """A block that is traced to `graph`; `outside` is the graph around it.

    `written` has the storages of outer graphs that the block writes to, each with its state before. `needed` is the
    message of a value that had to be known; a block in which an exception of that kind was caught is not what Python
    would have run.
    """

    def __init__(self, graph: Any, outside: Any) -> None:
        self.graph, self.outside = graph, outside
        self.written: dict[Any, Any] = {}
        self.needed: str | None = None

    def adopt(self, storage: Any) -> None:
        """Let a storage of the graph outside have a value of its own in this block."""
        if storage not in self.written:
            self.written[storage] = storage.save()
        storage.graph = self.graph

    def leave(self) -> dict[Any, tf.Tensor]:
        """Give the storages their old values, and return the new ones."""
        values = {storage: storage.read_tensor() for storage in self.written}
        for storage, saved in self.written.items():
            storage.restore(saved)
        return values


class _Stack(threading.local):
    """The blocks that a thread traces, the innermost last, and how often the code is copied by loops around it."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.copies = 1


stack = _Stack()


def is_tracing() -> bool:
    """Return whether a block is being traced."""
    return bool(stack.blocks)


@contextmanager
def trace_block(graph: Any, outside: Any) -> Iterator[Block]:
    """Trace a block to a graph. However it ends, the storages have their old values afterwards."""
    block = Block(graph, outside)
    stack.blocks.append(block)
    copies, stack.copies = stack.copies, 1
    try:
        yield block
    finally:
        stack.blocks.pop()
        stack.copies = copies
        for storage, saved in block.written.items():
            storage.restore(saved)


@contextmanager
def copy_block(count: int) -> Iterator[None]:
    """Run a block as many copies of it, so that loops in it are copied as often."""
    copies = stack.copies
    stack.copies = copies * max(count, 1)
    try:
        yield
    finally:
        stack.copies = copies


@contextmanager
def no_blocks() -> Iterator[None]:
    """Trace a function for itself, whatever is being traced."""
    saved, stack.blocks = stack.blocks, []
    copies, stack.copies = stack.copies, 1
    try:
        yield
    finally:
        stack.blocks, stack.copies = saved, copies


def adopt(storage: Any) -> bool:
    """Let the block that is being traced, and those around it, carry a storage. Return whether one of them is traced in
    the storage's graph.
    """
    blocks = stack.blocks
    if not blocks or blocks[-1].graph is not tf.compat.v1.get_default_graph():
        return False
    first = next((index for index, block in enumerate(blocks) if block.outside is storage.graph), None)
    if first is None or not storage.can_be_carried():
        return False
    for block in blocks[first:]:
        if block.outside is not storage.graph:  # a graph that is no block is between them
            return False
        block.adopt(storage)
    return True


def need(message: str) -> None:
    """Tell the blocks that are being traced that a value had to be known."""
    for block in stack.blocks:
        block.needed = block.needed or message
