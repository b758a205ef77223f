"""Products of vectors, matrices and tensors."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, gradient


@pytest.mark.full
def test_zero_times_infinity():
    far = np.array([np.inf, np.nan, 1.0])
    for zero in (0.0, np.array([[0.0]]), np.array([0.0])):
        for name in ("dot", "inner"):
            agree(name, far, np.float64(zero) if np.ndim(zero) == 0 else zero, modes=("eager",))
        agree("tensordot", far, zero, ([], []), modes=("eager", "graph"))
    agree("dot", far[:, None], np.array([[0.0]]))
    agree("dot", far[:1], 0.0)
    agree("dot", 0.0, np.outer(far, far))
    assert gradient(tfnp.dot, np.ones(3), np.array(0.0))[1] == 0


def test_into():
    for out in (
        np.zeros((2, 2), np.float32),
        np.zeros((2, 2)),
        np.zeros(4, np.float32),
        np.zeros((1, 2, 2), np.float32),
    ):
        agree("dot", array(2, 3), array(3, 2), out, modes=("eager",))
        agree("outer", array(2), array(2), out, modes=("eager",))
    for out in (np.zeros(()), np.zeros((), np.float32), np.zeros((), np.int8), np.zeros(1, np.float32)):
        agree("dot", np.float32(2), np.float32(3), out=out, modes=("eager",))
        agree("trace", array(3, 3), out=out, modes=("eager",))
    with pytest.raises(TypeError, match=r"tf\.Variable"):
        tfnp.dot(tf.ones(2), tf.ones(2), out=tf.zeros(()))


def test_diagonals_of_the_first_axes_move_no_other_elements():
    graph = tf.function(tfnp.diagonal, autograph=False).get_concrete_function(tf.TensorSpec((4, 5, 6))).graph
    moved = [op.inputs[0].shape.num_elements() for op in graph.get_operations() if op.type == "Transpose"]
    assert moved == [24]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: tfnp.dot(x, x),
        lambda x: tfnp.vdot(x, x),
        lambda x: tfnp.einsum("i,i", x, x),
        lambda x: tfnp.vecdot(x, x),
        lambda x: tfnp.linalg.norm(x) ** 2,
    ],
)
@pytest.mark.parametrize("compiled", [False, True])
def test_products_of_long_vectors_are_accurate(call, compiled):
    x = np.random.default_rng(0).random(1_000_000, np.float32)
    exact = np.dot(x.astype(np.float64), x.astype(np.float64))
    result = tf.function(call, jit_compile=compiled)(tf.constant(x))
    assert abs(float(result) / exact - 1) < 1e-5


@pytest.mark.parametrize("compiled", [False, True])
def test_products_of_long_rows_are_accurate(compiled):
    generator = np.random.default_rng(0)
    row, matrix = generator.random(300_001, np.float32), generator.random((300_001, 3), np.float32)
    exact = row.astype(np.float64) @ matrix.astype(np.float64)
    result = tf.function(tfnp.matmul, jit_compile=compiled)(tf.constant(row), tf.constant(matrix))
    np.testing.assert_allclose(result, exact, rtol=1e-5)


CROSSED = [
    ((3,), (3,), {}),
    ((2, 4, 3), (4, 3), {}),
    ((4, 2), (4, 2), {}),
    ((4, 3), (4, 2), {}),
    ((3, 4), (3, 4), {"axis": 0}),
]
CROSSED += [((2, 3, 4), (2, 4, 3), {"axisa": 1, "axisc": 1}), ((2, 3), (3,), {"axisc": 0})]


@pytest.mark.sample(1)
@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("has_rank", [False, True])
@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
def test_cross_of_unknown_shapes(has_rank, jit_compile):
    """In a graph of a few hundred nodes: with a branch for each pair of ranks, tracing would take ten seconds."""
    for first, second, options in CROSSED:
        arrays = [np.arange(1.0, np.prod(shape) + 1).reshape(shape) for shape in (first, second)]
        specs = [tf.TensorSpec([None] * a.ndim if has_rank else None, tf.float64) for a in arrays]
        function = tf.function(
            lambda a, b, options=options: tfnp.cross(a, b, **options), specs, autograph=False, jit_compile=jit_compile
        )
        assert len(function.get_concrete_function().graph.as_graph_def().library.function) < 60
        np.testing.assert_allclose(function(*arrays), np.cross(*arrays, **options))
