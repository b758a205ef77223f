"""Integers of a loop that are linear in the indices of loops: what is known of them while a graph is traced.

`x[i - 1:i + 2]` has a static length though `i` is not known, and does not reach outside of `x` if the lowest and the
highest `i` do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tfnp.routines.indexing.windows import Window


class Counter:
    """The index of a loop, from `lowest` to `highest`; None is not known."""

    def __init__(self, lowest: int | None, highest: int | None) -> None:
        self.lowest, self.highest = lowest, highest


@dataclass(frozen=True)
class Linear:
    """A sum of counters, each with a factor, and of a constant."""

    terms: tuple[tuple[Counter, int], ...] = ()
    constant: int = 0

    @property
    def lowest(self) -> int | None:
        return self._bound(lambda counter, factor: counter.lowest if factor > 0 else counter.highest)

    @property
    def highest(self) -> int | None:
        return self._bound(lambda counter, factor: counter.highest if factor > 0 else counter.lowest)

    def _bound(self, choose: Any) -> int | None:
        total = self.constant
        for counter, factor in self.terms:
            bound = choose(counter, factor)
            if bound is None:
                return None
            total += factor * bound
        return total

    def add(self, other: Linear, factor: int = 1) -> Linear:
        factors = dict(self.terms)
        for counter, each in other.terms:
            factors[counter] = factors.get(counter, 0) + factor * each
        terms = tuple(sorted(((c, f) for c, f in factors.items() if f), key=lambda term: id(term[0])))
        return Linear(terms, self.constant + factor * other.constant)

    def scale(self, factor: int) -> Linear:
        return Linear(tuple((c, f * factor) for c, f in self.terms) if factor else (), self.constant * factor)


def find_linear(value: Any) -> Linear | None:
    """Return what is known of an integer; None if it is no Python integer and no array that stands for one."""
    if type(value) is int:
        return Linear((), value)
    return getattr(value, "_linear", None)


def mark(array: Any, linear: Linear | None) -> Any:
    """Return an array that stands for an integer, of which something is known."""
    if linear is not None and hasattr(array, "_linear"):
        array._linear = linear
    return array


def _multiply(x: Linear, y: Linear) -> Linear | None:
    if not y.terms:
        return x.scale(y.constant)
    return y.scale(x.constant) if not x.terms else None


_OPERATORS: Final[dict[str, Any]] = {
    "__add__": lambda x, y: x.add(y),
    "__radd__": lambda x, y: y.add(x),
    "__sub__": lambda x, y: x.add(y, -1),
    "__rsub__": lambda x, y: y.add(x, -1),
    "__mul__": _multiply,
    "__rmul__": _multiply,
}


def combine(name: str, x: Any, y: Any) -> Linear | None:
    """Return what is known of the result of an operator."""
    operate = _OPERATORS.get(name)
    known = find_linear(x), find_linear(y)
    if operate is None or None in known:
        return None
    return operate(*known)


def combine_one(name: str, x: Any) -> Linear | None:
    """Return what is known of the result of an operator of one operand."""
    factor, known = {"__neg__": -1, "__pos__": 1}.get(name), find_linear(x)
    return None if factor is None or known is None else known.scale(factor)


def merge(one: Linear | None, other: Linear | None) -> Linear | None:
    """Return what is known of an integer that is one of two."""
    if one is None or other is None:
        return None
    extent = one.add(other, -1)
    if extent.lowest is None or extent.highest is None:
        return None
    return other.add(Linear(((Counter(min(extent.lowest, 0), max(extent.highest, 0)), 1),)))


def difference(stop: Any, start: Any) -> int | None:
    """Return the difference of two integers if it is a constant."""
    known = find_linear(stop), find_linear(start)
    if known[0] is None or known[1] is None:
        return None
    result = known[0].add(known[1], -1)
    return None if result.terms else result.constant


def find_window(item: Any, lowered: Any) -> Any:
    """Return an item of an index as a window, if it is one; else the item as it was lowered to tensors."""
    if type(item) is not slice:
        linear = find_linear(item)
        if linear is None or not linear.terms:
            return lowered
        return Window(lowered, None, linear.lowest, linear.highest, lowered)
    if item.step is not None and (type(item.step) is not int or item.step != 1):
        return lowered
    length, linear = difference(item.stop, item.start), find_linear(item.start)
    if length is None or linear is None or not linear.terms or length < 0:
        return lowered
    return Window(lowered.start, length, linear.lowest, linear.highest, lowered)
