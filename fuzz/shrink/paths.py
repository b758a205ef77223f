"""Paths to the values inside a case, and cases with one value replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from oracle import Case

Path = tuple[Any, ...]
REMOVED = object()


def walk(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every argument and item in a case, list, tuple or dict, with its path; containers before their items."""
    for step, child in list_children(value):
        yield (*path, step), child
        yield from walk(child, (*path, step))


def list_children(value: Any) -> list[tuple[Any, Any]]:
    kind = type(value)
    if kind is Case:
        return [*enumerate(value.args), *value.kwargs.items()]
    if kind is list or kind is tuple:
        return list(enumerate(value))
    return list(value.items()) if kind is dict else []


def replace(value: Any, path: Path, new: Any) -> Any:
    """Return the case or container with the value at `path` replaced, or removed if `new` is REMOVED."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    items = [(key, replace(child, rest, new) if key == step else child) for key, child in list_children(value)]
    items = [(key, child) for key, child in items if child is not REMOVED]
    if type(value) is Case:
        return Case(value.name, *_split(items))
    if type(value) is dict:
        return dict(items)
    return type(value)([child for _, child in items])


def change_ints(value: Any, change: Callable[[int], int]) -> Any:
    """Return the case, container or value with every integer changed, in one pass over its values."""
    kind = type(value)
    if kind is int:
        return change(value)
    if kind not in (Case, dict, list, tuple):
        return value
    items = [(key, change_ints(child, change)) for key, child in list_children(value)]
    if kind is Case:
        return Case(value.name, *_split(items))
    return dict(items) if kind is dict else kind([child for _, child in items])


def _split(items: list[tuple[Any, Any]]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the positional and the keyword arguments of a case among its children."""
    args = tuple([child for key, child in items if type(key) is int])
    return args, {key: child for key, child in items if type(key) is str}


def change_arrays(case: Case, change: Callable[[np.ndarray], np.ndarray]) -> Case:
    """Return the case with every array changed; an array that occurs twice stays one array."""
    new: dict[int, np.ndarray] = {}

    def once(array: np.ndarray) -> np.ndarray:
        if id(array) not in new:
            new[id(array)] = change(array)
        return new[id(array)]

    return case.map_arrays(once)


def replace_array(case: Case, old: np.ndarray, new: np.ndarray) -> Case:
    return case.map_arrays(lambda array: new if array is old else array)


def get_at(value: Any, path: Path) -> Any:
    for step in path:
        value = dict(list_children(value))[step]
    return value
