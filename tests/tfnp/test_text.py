"""Arrays and numbers as text."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", ["array2string", "array_repr", "array_str"])
def test_arrays(name, dtype):
    dtype = np.dtype(dtype.name) if dtype.char == "q" else dtype  # the one of several equal ones that NumPy names
    for value in (array(dtype=dtype), array(0, dtype=dtype), array(2, 3, dtype=dtype)):
        agree(name, value, modes=("eager",))
    assert getattr(tfnp, name)(tf.Variable(array(3, dtype=dtype))) == getattr(np, name)(array(3, dtype=dtype))


def test_options():
    x = array(40) / 3
    agree("array2string", x, 30, 3, True, ", ", "abc", modes=("eager",), threshold=5, edgeitems=2, sign="+")
    agree("array_repr", x, 30, 3, True, modes=("eager",))
    with tfnp.printoptions(precision=2):
        assert tfnp.array_str(tf.constant([np.pi])) == "[3.14]"
        assert tfnp.get_printoptions()["precision"] == 2
    assert tfnp.set_printoptions is np.set_printoptions


def test_numbers():
    agree("base_repr", 255, 16, 3, modes=("eager",))
    agree("binary_repr", -3, 8, modes=("eager",))
    agree("format_float_positional", np.float32(0.1), modes=("eager",))
    agree("format_float_scientific", 12345.678, 3, modes=("eager",))
    assert tfnp.base_repr(tf.constant(-255), 16) == "-FF"
    assert tfnp.binary_repr(tf.constant(5)) == "101"
    assert tfnp.format_float_positional(tf.constant(0.1)) == "0.1"
    assert tfnp.format_float_scientific(tf.constant(0.1, tf.float16)) == "1.e-01"


@pytest.mark.parametrize("name", ["array2string", "array_repr", "array_str", "base_repr", "format_float_scientific"])
def test_value_must_be_static_in_a_graph(name):
    with pytest.raises(TypeError, match="must be static"):
        tf.function(lambda x: len(getattr(tfnp, name)(x)), autograph=False)(tf.constant(1.0))
    known = tf.function(lambda: tf.constant(getattr(tfnp, name)(tf.constant(1))), autograph=False)
    assert known().numpy().decode() == getattr(np, name)(np.int32(1) if "array" not in name else np.array(1, np.int32))
