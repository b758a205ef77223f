"""What is here is called as in NumPy: the same parameters in the same order, of the same kinds, with the same defaults.

Names that are not here are not compared. What is added to NumPy's parameters is listed, and keyword-only.
"""

from __future__ import annotations

import inspect
from operator import attrgetter

import numpy as np

import tfnp
from oracle.harness import ALIASES, NAMES

ADDED = {
    "size": "how long a result is whose length depends on data, which XLA has to be told",
    "fill_value": "what stands in a result that is longer than the data make it",
}
"""Parameters beyond NumPy's."""

DIFFERENT = {
    ".reduce": "names the keywords that NumPy hides in **kwargs",
    ".at": "NumPy says that b is None unless given, and refuses None",
    "where": "NumPy says that x and y are None unless given, and takes None for an array",
    "ndarray": "TensorFlow's tensor, which nobody makes by calling its class",
    "ufunc": "NumPy's cannot be called",
    **dict.fromkeys(
        ("unique_all", "unique_counts", "unique_inverse", "unique_values"),
        "NumPy tells of x, but its dispatcher takes it by position only",
    ),
}
"""Names whose signatures are not NumPy's, or methods of that name, and why."""

EMPTY = inspect.Parameter.empty
TOP = [name for name in dir(np) if not name.startswith("_")]
PUBLIC = sorted({*TOP, *(name for name in NAMES if not name.startswith("ndarray."))})


def found(module, name):
    try:
        return attrgetter(name)(module)
    except AttributeError:
        return None


def parameters(function):
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def comparable():
    for name in PUBLIC:
        own, numpys = found(tfnp, name), found(np, name)
        if callable(own) and own is not numpys and parameters(numpys) is not None:
            yield name


def is_same_default(own, numpys):
    """Equal, or both a sign that nothing was given, of which each library has its own."""
    if own is numpys or (own is EMPTY) != (numpys is EMPTY):
        return own is numpys
    plain = (bool, int, float, complex, str, tuple, type(None))
    if isinstance(numpys, plain):
        return type(own) is type(numpys) and own == numpys
    return not isinstance(own, plain)


def complaint(name):
    own, numpys = parameters(found(tfnp, name)), parameters(found(np, name))
    if own is None:
        return "tells no signature"
    theirs = [one.name for one in numpys]
    added = [one for one in own if one.name in ADDED and one.name not in theirs]
    if any(one.kind is not one.KEYWORD_ONLY or one.default is EMPTY for one in added):
        return "what is added must be keyword-only, with a default"
    own = [one for one in own if one not in added]
    names = [one.name for one in own]
    if names != theirs:
        return f"has ({', '.join(names)}), not ({', '.join(theirs)})"
    for one, other in zip(own, numpys, strict=True):
        if one.kind is not other.kind:
            return f"{one.name} is {one.kind.description}, not {other.kind.description}"
        if not is_same_default(one.default, other.default):
            return f"{one.name} is {one.default!r} unless given, not {other.default!r}"
    return None


def is_of(name, family):
    return name.endswith(family) if family.startswith(".") else name == family


COMPARED = tuple(comparable())


def test_most_names_are_compared():
    assert len(COMPARED) > 150


def test_a_function_is_called_as_in_numpy():
    expected = [name for name in COMPARED if not any(is_of(name, family) for family in DIFFERENT)]
    found = {name: complaint(name) for name in expected}
    assert not {name: text for name, text in found.items() if text}


def test_what_differs_does():
    found = {family: [name for name in COMPARED if is_of(name, family) and not complaint(name)] for family in DIFFERENT}
    assert not {family: names for family, names in found.items() if names}


def test_an_alias_is_the_same_object():
    own = {name: (found(tfnp, name), found(tfnp, other)) for name, other in ALIASES.items()}
    assert not [name for name, pair in own.items() if None not in pair and pair[0] is not pair[1]]
