"""Every public name of NumPy's is judged or left out, once, and for a reason."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter

import numpy as np
import pytest

from oracle.harness import ALIASES, LEFT_OUT, NAMES, TOPICS, topic_of
from oracle.inventory import POLYNOMIAL_CLASSES, POLYNOMIAL_MODULES, UFUNC_METHODS

NAMESPACES = ("linalg", "fft", "random", "polynomial", "strings", "emath", "exceptions")
HOMES = {
    "": np,
    **{f"{name}.": getattr(np, name) for name in NAMESPACES},
    "ndarray.": np.ndarray,
    "random.Generator.": np.random.Generator,
    **{f"polynomial.{name}.": getattr(np.polynomial, name) for name in (*POLYNOMIAL_MODULES, *POLYNOMIAL_CLASSES)},
}


def public(prefix):
    home = HOMES[prefix]
    names = home.__all__ if isinstance(home, type(np)) and prefix and hasattr(home, "__all__") else dir(home)
    return [prefix + name for name in names if not name.startswith("_")]


def is_left_out(name):
    return any(name == entry or name.startswith(entry + ".") for entry in LEFT_OUT)


@pytest.mark.parametrize("prefix", HOMES)
def test_no_name_is_forgotten(prefix):
    containers = {*NAMESPACES, *(f"polynomial.{name}" for name in POLYNOMIAL_MODULES)}
    repeated = {f"polynomial.{module}.{kind}" for module in POLYNOMIAL_MODULES for kind in POLYNOMIAL_CLASSES}
    known = set(NAMES) | containers | repeated
    assert [name for name in public(prefix) if name not in known and not is_left_out(name)] == []


def test_a_name_is_in_one_topic_only():
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []


def test_a_name_is_judged_or_left_out_not_both():
    assert [name for name in NAMES if is_left_out(name)] == []
    assert [name for name in NAMESPACES if is_left_out(name)] == []


def test_every_name_is_numpys():
    for name in NAMES:
        attrgetter(name)(np)


def test_reasons_are_given():
    assert all(len(reason) > 10 for reason in LEFT_OUT.values())


def test_topics_are_found():
    assert topic_of("linalg.norm") == "Linear algebra"
    assert topic_of("add.reduce") == "Universal function methods"
    assert topic_of("ndarray.T") == "Array methods"
    with pytest.raises(KeyError):
        topic_of("ma.array")
    assert sum(map(len, TOPICS.values())) == len(NAMES)


def test_aliases_are_the_same_object():
    assert ALIASES["abs"] == "absolute"
    assert ALIASES["concat"] == "concatenate"
    for name, other in ALIASES.items():
        assert attrgetter(name)(np) is attrgetter(other)(np)
        assert other not in ALIASES


def test_ufunc_methods_are_those_that_have_a_meaning():
    for name in TOPICS["Universal function methods"]:
        ufunc, method = name.split(".")
        assert method in UFUNC_METHODS
        assert getattr(np, ufunc).nin == 2 or method == "at"
    assert "add.accumulate" in NAMES
    assert "sin.reduce" not in NAMES
    assert "matmul.reduce" not in NAMES
