"""Calls whose numbers and lists become arrays, for libraries that take nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.generate.array_likes import list_array_likes, make_arrays, make_numbers
from oracle import Case

ROW = np.array([1, 2])


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("add", ("x1", "x2", "where")),
        ("roll", ("a",)),
        ("take", ("a", "indices")),
        ("concatenate", ()),  # a sequence of them
        ("ndarray.sum", ()),
        ("pi", ()),
    ],
)
def test_numpys_docstring_says_which_parameters_are_array_like(name, parameters):
    assert list_array_likes(name) == parameters


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (Case("add", (1.5, 2)), "np.add(np.array(1.5, np.float64), 2)"),
        (Case("add", (ROW, 2)), "np.add(np.array([1, 2], np.int64), 2)"),
        (Case("take", ([1, 2], [0])), "np.take(np.array([1, 2], np.int64), np.array([0], np.int64))"),
        (Case("roll", ([1, 2], 1)), "np.roll(np.array([1, 2], np.int64), 1)"),
        (Case("sum", (), {"a": 2}), "np.sum(a=np.array(2, np.int64))"),
        (Case("sum", ([1, [2]],)), "np.sum([1, [2]])"),
        (Case("sum", (None,)), "np.sum(None)"),
        (Case("sum", (Case("square", (2,)),)), "np.sum(np.square(2))"),
    ],
)
def test_what_an_array_is_made_of_becomes_one(case, text):
    assert str(make_arrays(case)) == text


def test_arrays_become_numbers_and_lists():
    assert str(make_numbers(Case("add", (np.array(1.5), ROW), {"out": ROW}))) == (
        "np.add(1.5, [1, 2], out=np.array([1, 2], np.int64))"
    )
