"""Nested arguments and results: lists, tuples, named tuples and dicts that hold tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf


class TensorSlot:
    """Stands for a tensor in the structure of a result."""

    def __init__(self, index: int) -> None:
        self.index = index


def map_items(value: Any, function: Callable[[Any], Any]) -> Any:
    """Return nested lists, tuples, named tuples and dicts with a function applied to their items."""
    cls = type(value)
    if cls is tuple or cls is list:
        return cls(map_items(item, function) for item in value)
    if hasattr(cls, "_fields"):
        return cls(*(map_items(item, function) for item in value))
    if cls is dict:
        return {key: map_items(item, function) for key, item in value.items()}
    return function(value)


def extract_tensors(result: Any) -> tuple[list[tf.Tensor], Any]:
    """Return the tensors of a result, and its structure with slots in place of them."""
    tensors: list[tf.Tensor] = []

    def take_out(value: Any) -> Any:
        if not isinstance(value, tf.Tensor):
            return value
        tensors.append(value)
        return TensorSlot(len(tensors) - 1)

    return tensors, map_items(result, take_out)


def fill_slots(structure: Any, tensors: Sequence[tf.Tensor]) -> Any:
    """Return a structure with tensors in its slots: the inverse of `extract_tensors`."""
    return map_items(structure, lambda item: tensors[item.index] if isinstance(item, TensorSlot) else item)
