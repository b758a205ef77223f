"""Which node is blamed where a subject disagrees: alone, in a function, in a branch, in a loop; or the library."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from oracle import Case
from oracle.harness import NO_NODE, NONE_ALONE, find_fault
from tests.oracle.made import made

NAN = np.array([np.nan, 1.0], np.float32)
ONE = np.array([np.nan], np.float32)  # of which the relu6 of XLA makes a number
LOW = np.array([1e38], np.float32)
INNER = tf.function(tf.nn.relu6)


def repeat_relu6(x):
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.nn.relu6(tf.exp(y))), (0, x))[1]


def choose(x):
    return tf.cond(tf.size(x) > 0, lambda: tf.nn.relu6(x), lambda: tf.exp(x))


def switch(x):
    return tf.switch_case(tf.size(x) + 1, [lambda: tf.exp(x), lambda: tf.abs(x), lambda: tf.nn.relu6(x)])


def divide_in_branch(x):
    return tf.cond(tf.reduce_sum(x) > 0, lambda: x / 2e38 + 1.0, lambda: tf.exp(x))


FAULTS = {
    "a kernel": (lambda x: tf.argmax(x[::-1]), NAN, "value", "eager", "ArgMax in eager, float"),
    "a kernel in half precision": (
        tf.argmax, NAN[::-1].astype(np.float16), "value", "eager", "ArgMax in eager, half",
    ),
    "a modulus": (lambda x: tf.math.floormod(-x, x), LOW, "value", "eager,graph,xla", "FloorMod in eager, float"),
    "a quotient in a graph": (lambda x: x / 2e38 + 1.0, LOW, "value", "graph", "RealDiv in graph, float"),
    "a quotient in a branch": (divide_in_branch, LOW, "value", "graph", "RealDiv in graph, float"),
    "a kernel of XLA": (lambda x: tf.nn.relu6(tf.exp(x)) + 1.0, ONE, "value", "xla", "Relu6 in xla, float"),
    "in a function": (lambda x: INNER(x) + 1.0, ONE, "value", "xla", "Relu6 in xla, float"),
    "in a loop": (repeat_relu6, ONE, "value", "xla", "Relu6 in xla, float"),
    "in a branch": (choose, ONE, "value", "xla", "Relu6 in xla, float"),
    "in one branch of several": (switch, ONE, "value", "xla", "Relu6 in xla, float"),
    "a kernel that raises": (
        lambda x: tf.cast(x, tf.int32) // 0, LOW, "spurious error", "eager,graph",
        "FloorDiv in eager, int: InvalidArgumentError",
    ),
    "what XLA has not": (
        lambda x: tf.exp(tf.random.poisson([2], x)), LOW, "spurious error", "xla", "RandomPoissonV2 in xla, int",
    ),
    "an operand too many": (lambda x: tf.exp(x) + 1.0, NAN, "value", "eager,graph,xla", NO_NODE),
    "another dtype": (lambda x: tf.cast(tf.exp(x), tf.float64), NAN, "dtype", "eager,graph,xla", NO_NODE),
    "Python that raises": (lambda x: x.astype("int8"), NAN, "spurious error", "eager", NO_NODE),
    "a value that cannot be traced": (lambda x: float(x[1]), NAN, "value", "eager", ""),
    "through a node whose attributes Python calls otherwise": (
        lambda x: tf.nn.relu6(tf.squeeze(x[None], [0])), ONE, "value", "xla", "Relu6 in xla, float",
    ),
    "a size that data decide": (
        lambda x: tf.roll(tf.where(x)[:, 0], 1, 0), np.array([0, 1], np.uint8), "value", "xla", NONE_ALONE,
    ),
    "what NumPy has not": (
        lambda x: tf.linalg.qr(x[None])[1], NAN, "value", "eager", "no node that NumPy has; unchecked: Qr",
    ),
    "a slope": (tf.exp, NAN, "gradient", "gradient", ""),
}  # fmt: skip


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", FAULTS)
def test_the_node_at_fault_is_named(name):
    function, array, kind, modes, fault = FAULTS[name]
    assert find_fault(Case("exp", (array,)), kind, modes.split(","), made(exp=function)) == fault
