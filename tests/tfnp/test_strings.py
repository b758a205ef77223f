"""Text, element by element."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import traced

NAMES = sorted(np.strings.__all__)
WORDS = np.array([["hello", " x ", "aaa"], ["\u00e9t\u00e9 Ab", "", "-5"]], "U12")


def test_every_name_is_here_with_its_signature():
    assert len(NAMES) == 46
    for name in NAMES:
        expected = inspect.signature(getattr(np.strings, name)).parameters.values()
        actual = inspect.signature(getattr(tfnp.strings, name)).parameters.values()
        assert [(p.name, p.kind, p.default) for p in expected] == [(p.name, p.kind, p.default) for p in actual], name


def test_text_goes_where_it_is_to_go():
    out = tf.Variable(["", "", "z"])
    assert tfnp.strings.add(["a", "b", "c"], "x", out=out, where=[True, True, False]) is out
    assert out.numpy().tolist() == [b"ax", b"bx", b"z"]
    with pytest.raises(TypeError):
        tfnp.strings.add(["a"], "x", out=tf.Variable([1.0]))


def test_what_is_not_there_is_an_error_when_a_graph_runs():
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(lambda a: tfnp.strings.index(a, "z"), autograph=False)(tf.constant(["a"]))


@pytest.mark.parametrize("name", ["center", "ljust", "rjust", "zfill"])
def test_a_field_is_no_wider_than_numpys_text(name):
    pad = getattr(tfnp.strings, name)
    for width in (2**29, 2**62):
        with pytest.raises(TypeError):
            getattr(np.strings, name)("a", width)
        with pytest.raises(TypeError, match="width must be at most 536870911 characters"):
            pad("a", width)
        with pytest.raises(tf.errors.InvalidArgumentError, match="width must be at most"):
            tf.function(pad)(tf.constant(["a"]), tf.constant(width, tf.int64))


@pytest.mark.full
def test_unknown_shapes():
    for rank in (True, False):
        assert traced(lambda a: tfnp.strings.find(a, "l"), WORDS, rank=rank).numpy().tolist() == [[2, -1, -1], [-1] * 3]


def test_xla_says_that_it_has_no_text():
    with pytest.raises(TypeError, match="XLA has no text"):
        tf.function(tfnp.strings.upper, jit_compile=True)(tf.constant(["a"]))


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("name", "options"), [("replace", ("a", "b")), ("expandtabs", ()), ("multiply", (3,)), ("zfill", (3,))]
)
@pytest.mark.parametrize("compiled", [False, True])
def test_no_text_at_all(name, options, compiled):
    function = getattr(tfnp.strings, name)
    result = (tf.function(function) if compiled else function)(tf.constant([], tf.string), *options)
    assert (result.shape, result.dtype) == ((0,), tf.string)


def test_repetition_is_by_doubling():
    text, counts = np.array(["ab", "", "x"]), np.array([1001, 2**40, -1])
    for repeat in (tfnp.strings.multiply, tf.function(tfnp.strings.multiply), tfnp.multiply):
        assert repeat(text, counts).numpy().tolist() == [b"ab" * 1001, b"", b""]
    for count in (2**31, 2**62):
        with pytest.raises(OverflowError, match="string multiply"):
            tfnp.strings.multiply("a", count)
