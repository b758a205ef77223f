"""Signatures: what the installed NumPy tells, or else the stored table."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from oracle import signatures
from oracle.harness import find_stored_signature, inspect_signature
from oracle.signatures import PATH, _read_table, list_told

SIGNATURE = inspect.signature


def test_the_stored_table_is_what_numpy_tells():
    assert _read_table() == list_told(), f"python -m oracle.signatures > {PATH}"


@pytest.mark.parametrize("function", [np.copyto, np.add, np.add.reduce, np.ndarray.sum])
def test_an_older_numpy_tells_nothing(function, monkeypatch):
    expected = str(inspect.signature(function))

    def refuse(*_):
        raise ValueError("no signature found")

    with monkeypatch.context() as patch:
        patch.setattr(inspect, "signature", refuse)
        found = inspect_signature(function)
        with pytest.raises(ValueError, match="no signature found"):
            inspect_signature(print)
    assert str(found) == expected


@pytest.mark.parametrize("function", [np.add, np.strings.isalpha])
def test_variadic_parameters_alone_say_nothing_of_a_ufunc(function, monkeypatch):
    expected = str(inspect.signature(function))
    monkeypatch.setattr(inspect, "signature", lambda function: SIGNATURE(lambda *args, **kwargs: None))
    assert str(inspect_signature(function)) == expected
    assert str(inspect_signature(print)) == "(*args, **kwargs)"


@pytest.mark.parametrize("name", ["float64", "complex128", "int8", "str_"])
def test_a_scalar_types_signature_is_not_that_of_pythons_type(name, monkeypatch):
    """NumPy 2.1 to 2.3 tell `(x=0, /)` of float64, which is what Python tells of float."""
    expected = str(inspect.signature(getattr(np, name)))
    monkeypatch.setattr(signatures, "_is_told_in_general", lambda *_: True)
    monkeypatch.setattr(inspect, "signature", lambda function: SIGNATURE(float))
    assert str(inspect_signature(getattr(np, name))) == expected
    assert str(find_stored_signature(name)) == expected


def test_classes_tell_in_general_unless_they_have_a_text_of_their_own():
    class Inherited(float):
        pass

    assert signatures._is_told_in_general(Inherited, inspect.signature(Inherited))
    assert not signatures._is_told_in_general(float, inspect.signature(float))
    assert inspect_signature(Inherited) == inspect.signature(Inherited)
