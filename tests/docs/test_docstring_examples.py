"""NumPy's docstring examples give in tfnp what they give in NumPy, but for those that are listed with a reason.

A sample by topic runs always, all of them with `-m full`. They run in a process of their own, where they may
seed, set print options and write files.
"""

from __future__ import annotations

import functools
import json

import numpy as np
import pytest
import tensorflow as tf

from tests.docs.docstring_examples import Raised, difference, docstrings, read_list, sample
from tests.warm_start import warm_start

EVERY = 16  # a sample: each sixteenth docstring of a topic


@functools.cache
def run(every: int) -> dict[str, str]:
    """Return how examples differ."""
    code = "import runpy; runpy.run_module('tests.docs.docstring_examples', run_name='__main__')"
    done = warm_start.run(code, "--every", str(every))
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(
    scope="module",
    params=[EVERY, pytest.param(1, marks=pytest.mark.full)],
    ids=["sample", "all"],
)
def found(request):
    return run(request.param)


@pytest.mark.full
def test_no_example_differs_that_is_not_listed(found):
    new = {key: text for key, text in found.items() if text and key not in read_list().differs}
    assert not new, "\n".join(f"{key}: {text}" for key, text in new.items())


@pytest.mark.full
def test_no_listed_example_agrees(found):
    stale = [key for key in read_list().differs if found.get(key) == ""]
    assert not stale, f"these agree now; drop them by `python -m tests.docs.docstring_examples --prune`: {stale}"


@pytest.mark.full
def test_every_listed_example_is_there():
    known, everything = read_list(), run(1)
    assert set(known.differs) <= set(everything)


def test_the_list_is_of_this_numpy():
    assert read_list().numpy == np.__version__


def test_every_topic_is_in_the_sample():
    everything = docstrings()
    chosen = sample(everything, EVERY)
    assert {one.topic for one in chosen} == {one.topic for one in everything}
    assert sum(len(one.examples) for one in chosen) > 300


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        (np.float64(1.0), tf.constant(1.0, tf.float64)),
        (np.array([1, 2]), tf.Variable(np.array([1, 2]))),
        ((np.array([1.5]), "a"), [tf.constant([1.5], tf.float64), "a"]),
        (np.array(["a"]), tf.constant(["a"])),
        (np.dtype("f4"), tf.float32),
        ((2, 3), tf.TensorShape([2, 3])),
        (np.array([np.nan]), tf.constant([np.nan], tf.float64)),
        (Raised(ValueError("x")), Raised(ValueError("y"))),
    ],
)
def test_what_agrees(expected, answer):
    assert difference(expected, answer) == ""


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        (np.float64(1.0), tf.constant(1.0, tf.float32)),
        (np.array([1, 2]), tf.constant([1, 3], tf.int64)),
        (np.array([1.0]), tf.constant([1.001], tf.float64)),
        (np.array([[1.0]]), tf.constant([1.0], tf.float64)),
        (np.array(["a"]), tf.constant(["b"])),
        ((1, 2), (1, 2, 3)),
        ("a", "b"),
        (np.dtype("f4"), tf.float64),
        (Raised(ValueError("x")), Raised(TypeError("x"))),
        (Raised(ValueError("x")), 1),
        (1, Raised(ValueError("x"))),
    ],
)
def test_what_differs(expected, answer):
    assert difference(expected, answer)


def test_numbers_that_numpy_does_not_tell_are_compared_by_their_form():
    assert difference(np.array([1.0]), tf.constant([2.0], tf.float64), form_only=True) == ""
    assert difference(np.array([1.0]), tf.constant([2.0]), form_only=True)
