"""Every name of NumPy's is here, or there is a reason why not."""

from __future__ import annotations

import numpy as np
import pytest

import tfnp
from oracle.harness import LEFT_OUT, NAMES
from tfnp.absences import REASONS

PUBLIC = [name for name in dir(np) if not name.startswith("_")]


def test_a_name_is_here_or_there_is_a_reason():
    assert [name for name in PUBLIC if hasattr(tfnp, name) and name in REASONS] == []
    judged = {name.partition(".")[0] for name in NAMES}
    assert [name for name in PUBLIC if not (hasattr(tfnp, name) or name in REASONS or name in judged)] == []


def test_absent_names_are_not_judged():
    assert [name for name in REASONS if not name.startswith("_") and name not in LEFT_OUT] == []


@pytest.mark.parametrize("name", REASONS)
def test_a_reason_names_the_alternative(name):
    assert REASONS[name].startswith("left out because")
    assert "; use " in REASONS[name]


@pytest.mark.parametrize("name", REASONS)
def test_the_reason_is_said(name):
    with pytest.raises(AttributeError) as caught:
        getattr(tfnp, name)
    assert REASONS[name] in str(caught.value)
    assert caught.value.name == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sinus", "sin"),
        ("array_reprr", "array_repr"),
        ("float_", "np.float64"),
        ("int", "use int"),
        ("qqqqqq", "no attribute 'qqqqqq'"),
        ("__qqqqqq__", "no attribute"),
    ],
)
def test_other_names(name, said):
    with pytest.raises(AttributeError, match="module 'tfnp' has no attribute") as caught:
        getattr(tfnp, name)
    assert said in str(caught.value)


def test_a_name_of_a_newer_numpy(monkeypatch):
    monkeypatch.setattr(np, "newer_name", abs, raising=False)
    with pytest.raises(AttributeError, match=r"use numpy\.newer_name"):
        tfnp.newer_name  # noqa: B018 - only the error matters


def test_the_module_is_left_alone_by_those_who_look_for_protocols():
    assert getattr(tfnp, "__wrapped__", None) is None


def test_sub_packages_that_numpy_lacks_are_not_listed():
    assert {"absences", "behavior", "routines"}.isdisjoint(dir(tfnp))
    assert {"add", "linalg", "testing", "numpy_behavior"} <= set(dir(tfnp))
