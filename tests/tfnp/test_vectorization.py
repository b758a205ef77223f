"""Functions of numbers as functions of arrays."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import array, gradient, traced


def larger(a, b):
    return a - b if a > b else a + b


def both(a, b=2):
    return a + b, a * b


def same(result, expected):
    assert type(result) is type(expected) or isinstance(result, tf.Tensor)
    if isinstance(expected, tuple):
        return all(map(same, result, expected))
    assert result.dtype == expected.dtype
    return np.array_equal(result, expected)


def test_elements():
    x, y = array(2, 3, dtype=np.float64), array(3, dtype=np.float64)
    assert same(tfnp.vectorize(larger)(x, y), np.vectorize(larger)(x, y))
    assert same(tfnp.vectorize(larger)(x, 2.0), np.vectorize(larger)(x, 2.0))
    assert same(tfnp.vectorize(larger, otypes=[np.float32])(x, y), np.vectorize(larger, otypes=[np.float32])(x, y))
    assert same(tfnp.vectorize(larger, "i")(x, 1.0), np.vectorize(larger, "i")(x, 1.0))
    assert tfnp.vectorize(larger, [tf.bfloat16])(x, y).dtype == tf.bfloat16
    assert tfnp.vectorize(larger)(3, 1).shape == ()


def test_several_results():
    for arguments in ((array(3),), (array(3), array(2, 1))):
        assert same(tfnp.vectorize(both)(*arguments), np.vectorize(both)(*arguments))
    assert same(tfnp.vectorize(both, otypes="dd")(array(3)), np.vectorize(both, otypes="dd")(array(3)))


def test_keywords_and_excluded():
    def power(x, numbers, *, scale):
        return sum(x**number for number in numbers) * scale

    expected = np.vectorize(power, excluded={1})(array(3), [1, 2], scale=array(2, 1))
    assert same(tfnp.vectorize(power, excluded={1})(array(3), [1, 2], scale=array(2, 1)), expected)
    assert tfnp.vectorize(both, excluded={"b"})(array(3), b=5)[1].numpy().tolist() == [0, 35, 20]
    assert tfnp.vectorize(both, excluded={0})(1) == (3, 2)


def test_decorators():
    @tfnp.vectorize
    def plain(x):
        """Documented."""
        return x + 1

    @tfnp.vectorize(otypes=[float], doc="Otherwise.")
    def decorated(x):
        return x + 1

    assert plain(array(2)).numpy().tolist() == [1, 8]
    assert (plain.__name__, plain.__doc__) == ("plain", "Documented.")
    assert decorated([1, 2]).dtype == tf.float64
    assert (decorated.__name__, decorated.__doc__) == ("decorated", "Otherwise.")


def test_signatures():
    x, y = array(2, 3, dtype=np.float64), array(3, dtype=np.float64)
    for signature, function in (
        ("(n),(n)->()", lambda a, b: (a * b)[0]),
        ("(n),(m)->(n,m)", lambda a, b: a[:, None] * b),
        ("(n),(n)->(n),()", lambda a, b: (a + b, a[0])),
    ):
        expected = np.vectorize(function, signature=signature)(x, y)
        assert same(tfnp.vectorize(function, signature=signature)(x, y), expected)


@pytest.mark.full
def test_in_graphs():
    x = array(4, dtype=np.float64)
    assert np.array_equal(traced(tfnp.vectorize(lambda a: a * 2 + 1), x), x * 2 + 1)
    result = tf.function(lambda t: tfnp.vectorize(larger)(t, 3.0))(tf.constant(x))
    assert np.array_equal(result, np.vectorize(larger)(x, 3.0))
    compiled = tf.function(tfnp.vectorize(both), jit_compile=True, autograph=False)(tf.constant(x))
    assert np.array_equal(compiled[1], x * 2)
    assert gradient(tfnp.vectorize(lambda a: a * a), x)[0].tolist() == (4 * x**3).tolist()


def test_empty():
    assert tfnp.vectorize(both, otypes="fd")(array(0))[1].dtype == tf.float64
    with pytest.raises(ValueError, match="size 0"):
        tfnp.vectorize(both)(array(0))
    with pytest.raises(ValueError, match="new output dimensions"):
        tfnp.vectorize(both, otypes="f", signature="(n)->(m)")(array(0, 2))


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({"otypes": 3}, ()),
        ({"otypes": "x1"}, ()),
        ({"signature": "n->n"}, ()),
        ({"signature": "(n)->()"}, (1,)),
        ({"signature": "(n),(n)->()"}, ([1, 2], [1, 2, 3])),
        ({"signature": "(n)->()"}, ([1], [1])),
        ({}, ([1, 2], [1, 2, 3])),
        ({}, ()),
    ],
)
def test_errors_are_numpys(options, arguments):
    def attempt(module):
        try:
            module.vectorize(lambda a, b=1: 1, **options)(*arguments)
        except (TypeError, ValueError) as error:
            return type(error)
        return None

    assert attempt(tfnp) is attempt(np) is not None
