"""Argument coverage: the classes of each argument, by parameter, over calls that NumPy accepts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from inspect import Parameter
from typing import Any

import numpy as np

from fuzz.generate.argument_classes import RANKS, SIZES, array_classes, scalar_classes
from fuzz.generate.signatures import parameters_of
from oracle import Case

RESULT = "the result"
METHOD_OWNER = "self"
BY_KEYWORD, BY_POSITION, OMITTED = "by keyword", "by position", "omitted"
BROADCASTS = "broadcasts"
POSITION = "q"
VARIED = "many different elements"
LONGEST_VALUE = 40
MANY = 8


@dataclass(frozen=True)
class Argument:
    """The argument of a parameter; several values if the parameter is variadic."""

    values: Sequence[Any]
    way: str


def bind(case: Case) -> dict[str, Argument]:
    """Return the arguments of a call by parameter; that of an unnamed first parameter is `self`."""
    parameters = parameters_of(case.name) or {METHOD_OWNER: Parameter(METHOD_OWNER, Parameter.POSITIONAL_ONLY)}
    found: dict[str, Argument] = {}
    positional = [one for one in parameters.values() if one.kind <= Parameter.POSITIONAL_OR_KEYWORD]
    for parameter, value in zip(positional, case.args, strict=False):
        found[parameter.name] = Argument((value,), BY_POSITION)
    rest = case.args[len(positional) :]
    for parameter in parameters.values():
        if parameter.kind is Parameter.VAR_POSITIONAL and rest:
            found[parameter.name] = Argument(rest, BY_POSITION)
        elif parameter.kind is Parameter.VAR_KEYWORD:
            extra = tuple(value for key, value in case.kwargs.items() if key not in parameters)
            found.update({parameter.name: Argument(extra, BY_KEYWORD)} if extra else {})
        elif parameter.name in case.kwargs:
            found[parameter.name] = Argument((case.kwargs[parameter.name],), BY_KEYWORD)
    return found


def takes_matrices(name: str) -> bool:
    """Return whether the function takes arrays of two or more dimensions as matrices."""
    return name.startswith("linalg.")


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    """Yield an argument that is an array, or the arrays in a list or tuple."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            if isinstance(item, np.ndarray):
                yield item


def classify(case: Case) -> dict[str, set[str]]:
    """Return the classes of the arguments of a call, by parameter."""
    bound = bind(case)
    is_matrix = takes_matrices(case.name)
    found: dict[str, set[str]] = {}
    shapes = set()
    for name, argument in bound.items():
        classes = found[name] = {argument.way}
        for value in argument.values:
            classes.update(_value_classes(value))
            for array in arrays_in(value):
                classes.update(array_classes(array, is_matrix=is_matrix))
                shapes.add(array.shape)
    if len(shapes) > 1:
        _mark_broadcast(bound, found, shapes)
    if POSITION in bound:
        found[POSITION].update(_position_classes(bound))
    return found


SPECIAL = frozenset(("empty", "one element", "nan", "infinity", "-infinity", "negative zero", "large", "rank 0"))


def list_traits(case: Case) -> set[str]:
    """Return what is special about a call: the classes of each argument, and with each dtype the special ones that it
    has, infinity in one part of a complex number included.
    """
    found = {f"{parameter} {one}" for parameter, classes in classify(case).items() for one in classes}
    for name, argument in bind(case).items():
        for array in (one for value in argument.values for one in arrays_in(value)):
            found.update(f"{name} dim of {dim}" for dim in array.shape if dim < 2 and array.ndim > 1)
            found.update(f"{name} {array.dtype} {one}" for one in SPECIAL.intersection(array_classes(array)))
            if array.dtype.kind == "c":
                parts = (np.isfinite(array.real), np.isfinite(array.imag))
                found.update(f"{name} {array.dtype} part {i}" for i in (0, 1) if (parts[1 - i] & ~parts[i]).any())
            else:
                found.add(f"{name} {array.dtype}")
    return found


def list_forms(case: Case) -> frozenset[str]:
    """Return the forms of a call: the parameters that it gives, and with each what a compiler sees of the argument:
    its type, dtype, number of dimensions, the value of a flag, whether it is contiguous, and whether it has a keyword.
    """
    found = set[str]()
    for name, argument in bind(case).items():
        found.update((name, f"{name} {argument.way}"))
        found.update(f"{name} {form}" for value in argument.values for form in _list_forms(value))
    return frozenset(found)


def _list_forms(value: Any) -> Iterator[str]:
    if isinstance(value, np.ndarray):
        yield from ("array", f"array of {value.dtype}", f"array of rank {value.ndim}")
        if not value.flags.c_contiguous:
            yield "not contiguous"
        return
    yield "no array"
    if value is None or isinstance(value, bool | str | type | np.dtype) or callable(value):
        yield f"value {_spelling(value)}"
    else:
        yield type(value).__name__
        if isinstance(value, list | tuple):
            yield from (f"{type(value).__name__} of {form}" for one in value[:1] for form in _list_forms(one))


def _value_classes(value: Any) -> Iterator[str]:
    if isinstance(value, np.ndarray):
        yield "array"
    elif isinstance(value, list):
        yield "list"
    elif isinstance(value, tuple):
        yield "tuple"
    elif isinstance(value, Case):
        yield "object"
    elif value is None or isinstance(value, bool | str | type | np.dtype) or callable(value):
        yield f"value {_spelling(value)}"
    else:
        yield from scalar_classes(value)


def _spelling(value: Any) -> str:
    text = value.__name__ if isinstance(value, type) or callable(value) else repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."


def _position_classes(bound: Mapping[str, Argument]) -> Iterator[str]:
    """Yield the classes of quantiles: whether positions are exactly those of elements, of the first or the last."""
    data = next(iter(bound.values())).values[0]
    axis = bound["axis"].values[0] if "axis" in bound else None
    shape = np.shape(data) if isinstance(data, np.ndarray | np.generic) else ()
    last = (shape[axis] if type(axis) is int and -len(shape) <= axis < len(shape) else math.prod(shape)) - 1
    try:
        asked = np.asarray(bound[POSITION].values[0], float)
    except (TypeError, ValueError):
        return
    if asked.size and last > 0:
        asked = asked / (1 if asked.max() <= 1 else 100)
        if ((asked == 0) | (asked == 1)).any():
            yield "an end"
        inner = (asked > 0) & (asked < 1) & (asked * last == np.round(asked * last))
        if inner.any():
            yield "an exact position"


def _mark_broadcast(bound: Mapping[str, Argument], found: Mapping[str, set[str]], shapes: set[tuple[int, ...]]) -> None:
    """Mark the arrays whose shape differs from the common broadcast shape."""
    try:
        full = np.broadcast_shapes(*shapes)
    except ValueError:
        return
    for name, argument in bound.items():
        if any(array.shape != full for value in argument.values for array in arrays_in(value)):
            found[name].add(BROADCASTS)


def classify_answered(case: Case, value: Any) -> dict[str, set[str]]:
    """Return the classes of the arguments of a call, and of the size of a random result."""
    return classify(case) | ({RESULT: set(_result_classes(value))} if is_random(case.name) else {})


def is_random(name: str) -> bool:
    """Return whether the result is random, seeded or not: a wrong distribution shows only in many elements."""
    return name.startswith("random.")


def _result_classes(value: Any) -> Iterator[str]:
    if isinstance(value, np.ndarray) and value.size > MANY:
        flat = value.ravel()
        yield VARIED if (flat[1:] != flat[0]).any() else "many equal elements"
    elif isinstance(value, np.ndarray):
        yield "few elements"


@dataclass
class ArgumentCounts:
    """The number of valid calls of a name that gave each parameter, and of those with an argument of each class."""

    calls: int = 0
    classes: dict[str, Counter[str]] = field(default_factory=dict)
    given: Counter[str] = field(default_factory=Counter)

    def add(self, found: Mapping[str, AbstractSet[str]]) -> None:
        """Count one call."""
        self.calls += 1
        for name, classes in found.items():
            self.given[name] += 1
            self.classes.setdefault(name, Counter()).update(sorted(classes))

    def share(self, parameter: str, name: str) -> float:
        """Return the share of the calls with this parameter in which the argument is of a class."""
        if name == OMITTED:
            return 1 - self.given[parameter] / self.calls if self.calls else 0.0
        return self.classes[parameter][name] / self.given[parameter] if self.given[parameter] else 0.0

    def data(self) -> dict[str, Any]:
        """Return the shares as JSON-serializable data."""
        return {
            "calls": self.calls,
            "parameters": {
                name: {
                    OMITTED: round(self.share(name, OMITTED), 4),
                    **{key: round(self.share(name, key), 4) for key in sorted(classes, key=_rank_of)},
                }
                for name, classes in sorted(self.classes.items())
            },
        }


def _rank_of(name: str) -> tuple[int, str]:
    """Return a sort key for classes: ways of passing, then sizes and ranks in order, then others by name."""
    order = (BY_POSITION, BY_KEYWORD, *SIZES, *RANKS)
    return (order.index(name), name) if name in order else (len(order), name)
