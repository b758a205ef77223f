"""Functions that plan with ranks, in graphs that know none: the same results, and errors when they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tables import check_each
from tests.tfnp.agreement import agree, take_gradient

CUBE = np.arange(24.0).reshape(2, 3, 4)


def unranked(function: Callable[..., Any], *arrays: np.ndarray) -> Any:
    """What a graph that knows nothing but dtypes gives for the arrays."""
    signature = [tf.TensorSpec(None, tf.as_dtype(array.dtype)) for array in arrays]
    return tf.function(function, autograph=False, input_signature=signature)(*arrays)


Call = tuple[Callable[..., Any], Sequence[np.ndarray]]
ONES = [np.ones((2,) * rank) for rank in (1, 5, 7)]
CALLS: list[Call] = [
    (lambda m, a, b: m.concatenate([a, b], axis=-1), [CUBE, CUBE[:, :, :1]]),
    (lambda m, a: m.sum(a, axis=2), [CUBE[0]]),
    (lambda m, x, points, values: m.interp(x, points, values), [np.array([[0.5, 3]]), np.ones(1), np.full(1, 7.0)]),
    (lambda m, i, values: m.insert(CUBE[0, :2, :2], i, values, 1), [np.array([2, 0]), np.array([1.0, 2.0])]),
    (lambda m, i, values: m.insert(CUBE[0, :2, :2], i, values, 1), [np.array([2, 0]), np.ones((3, 1))]),
    (lambda m, i: m.insert(CUBE[0, 0], i, 9.0), [np.array([2], np.uint32)]),
]
MORE_CALLS: list[Call] = [
    *[(lambda m, a: m.sum(a, axis=-1), [array]) for array in (CUBE, CUBE[0], CUBE[0, 0])],
    *[(lambda m, a: m.flip(a), [array]) for array in (CUBE, CUBE[0], CUBE[0, 0])],
    *[(lambda m, a: m.pad(a, 1), [array]) for array in (CUBE, CUBE[0], CUBE[0, 0])],
    (lambda m, a, mask: m.sum(a, axis=0, where=mask), [CUBE, CUBE[0] > 3]),
    (lambda m, a, mask: m.sum(a, where=mask), [np.ones((1,) * 5), np.array(False)]),
    (lambda m, a, q: m.percentile(a, q, axis=0), [CUBE[0], np.array([[10.0, 60]])]),
    (lambda m, a: m.partition(a, 7), [CUBE[0]]),
    *[(lambda m, a, i: m.take_along_axis(a, i, -1), [a, np.zeros((1,) * a.ndim, np.int64)]) for a in ONES],
    *[(lambda m, a, i: m.take_along_axis(a, i, None), [a, np.array([1, 0])]) for a in ONES],
    *[
        (lambda m, a, name=name, k=k: getattr(m, f"{name}_indices_from")(a, k), [CUBE[0]])
        for name in ("tril", "triu")
        for k in (1, np.int64(-1), 0.5)
    ],
    *[(lambda m, a, b: m.array_equiv(a, b), [np.ones(shape), np.ones(3)]) for shape in ((2, 1), 2)],
    (lambda m, a: m.array_equal(a, 0.0), [np.zeros((1, 1))]),
    *[
        (lambda m, i, values: m.insert(CUBE[0, :2, :2], i, values, 1), [indices, values])
        for indices in (np.array(1), np.array([1]), np.array([2, 0]))
        for values in (np.array(2.0), np.array([1.0, 2.0]), np.ones((2, 1)))
    ],
    *[
        (lambda m, a, mask: m.all(a, where=mask), [np.zeros(size), np.zeros(count, bool)])
        for size, count in [(1, 2), (1, 1), (2, 1), (2, 2), (1, 0), (0, 1), (0, 0), (3, 2)]
    ],
]


@pytest.mark.parametrize("calls", [CALLS, pytest.param(MORE_CALLS, marks=pytest.mark.full)], ids=["few", "more"])
def test_results_and_errors_are_numpys_for_the_actual_rank(calls):
    def check(call: Call) -> None:
        function, arrays = call
        try:
            expected = function(np, *arrays)
        except (IndexError, ValueError):
            with pytest.raises(tf.errors.InvalidArgumentError):
                unranked(lambda *tensors: function(tfnp, *tensors), *arrays)
        else:
            actual = unranked(lambda *tensors: function(tfnp, *tensors), *arrays)
            for one, other in zip(tf.nest.flatten(actual), tf.nest.flatten(expected), strict=True):
                np.testing.assert_allclose(one, other)

    check_each(calls, check)


def test_only_the_outermost_call_is_traced_for_each_rank():
    graph = tf.function(tfnp.ptp, autograph=False).get_concrete_function(tf.TensorSpec(None, tf.float64)).graph
    assert len([op for op in graph.get_operations() if op.type in ("Case", "StatelessCase")]) == 1


def test_out():
    out = tf.Variable(np.zeros((2, 3, 4)))
    unranked(lambda a: tfnp.sqrt(a, out=out), CUBE[0])
    np.testing.assert_array_equal(out, np.broadcast_to(np.sqrt(CUBE[0]), out.shape))


SHAPELESS = ("graph_dims", "graph_rank")


@pytest.mark.full
@pytest.mark.parametrize("length", [2, 3])
def test_dynamic_lengths_of_vectors(length):
    modes = SHAPELESS if length == 3 else ("graph_dims",)
    agree("cross", np.arange(1.0, length + 1), np.arange(3.0, 5), modes=modes)
    agree("cross", np.arange(1.0, 7).reshape(length, -1), np.arange(3.0, 6)[:length], axisa=0, modes=("graph_dims",))


@pytest.mark.full
def test_pieces():
    x = np.arange(4.0)
    agree("piecewise", x, [x < 2, x > 2], [1, 2], modes=SHAPELESS)
    agree("piecewise", x, [x < 2], np.array([1.0, 2]), modes=SHAPELESS)
    agree("piecewise", x, [x < 2, x > 2], np.array([1.0, 2]), modes=("graph_dims",))
    agree("piecewise", x, np.array([x < 2, x > 2]), [1, 2, 3], modes=("graph_dims",))
    agree("piecewise", x, [x < 2], [np.array([1.0, 2])], modes=("eager", "graph", "graph_dims"))
    agree("piecewise", x, [x[:1] < 2], [1], modes=("graph_dims",))  # which does not broadcast


@pytest.mark.full
def test_no_powers_and_functions_along_an_axis():
    agree("vander", np.zeros(2), 0, modes=SHAPELESS)
    agree("apply_along_axis", np.sort, 0, CUBE[0], modes=SHAPELESS)


LENGTHS = [
    ("interp", (np.arange(3.0), np.ones(1), np.arange(3.0)), {"period": 4.0}),
    ("average", (np.arange(3.0),), {"weights": np.ones(1)}),
    ("quantile", (np.arange(3.0), 0.5), {"method": "inverted_cdf", "weights": np.ones(1)}),
    ("histogram_bin_edges", (np.arange(3.0), 3), {"weights": np.ones(1)}),
    ("polyfit", (np.arange(3.0), np.arange(3.0), 1), {"w": np.ones(1)}),
    ("searchsorted", (np.arange(3.0), 2.0), {"sorter": np.zeros(1, int)}),
    ("einsum", ("ii", np.ones((1, 3))), {}),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "args", "kwargs"), LENGTHS, ids=[name for name, *_ in LENGTHS])
def test_equal_lengths_are_checked(name, args, kwargs):
    agree(name, *args, modes=("graph_dims",), **kwargs)


def test_labels_of_length_one_broadcast():
    agree("einsum", "ij,j->i", CUBE[0], np.ones(1), modes=("graph_dims",))
    agree("einsum", "ij,ij->i", CUBE[0], CUBE[0, :1], modes=("graph_dims",))


def test_an_error_for_every_rank_is_raised_while_tracing():
    with pytest.raises(TypeError, match="integer"):
        unranked(lambda a: tfnp.sum(a, axis="x"), CUBE)


def test_a_structure_that_depends_on_the_rank_raises():
    with pytest.raises(ValueError, match="must be static"):
        unranked(tfnp.nonzero, CUBE)


@pytest.mark.full
def test_gradients_pass():
    def slope(a: tf.Tensor) -> tf.Tensor:
        return take_gradient(lambda a: tfnp.sum(tfnp.roll(a, 1, axis=0) * a), a)

    np.testing.assert_array_equal(unranked(slope, CUBE), np.roll(CUBE, 1, 0) + np.roll(CUBE, -1, 0))


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", [[None], None])
@pytest.mark.parametrize("function", [tfnp.max, tfnp.min, tfnp.maximum.reduce])
def test_empty_reductions_fail_when_the_graph_runs(function, shape):
    traced = tf.function(function, autograph=False, input_signature=[tf.TensorSpec(shape, tf.float64)])
    assert float(traced(np.array([1.0, 1.0]))) == 1.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="zero-size array to reduction"):
        traced(np.zeros(0))


@pytest.mark.sample(3)
@pytest.mark.parametrize("indices", [np.array(1), np.array([0, 1, 1]), np.array([[1, 0], [1, 1]])])
@pytest.mark.parametrize("values", [np.array(2.0), np.array([1.0, 2.0, 3.0, 4.0]), np.ones((2, 1, 1))])
def test_ufunc_at(indices, values):
    expected = CUBE.copy()
    variable = tf.Variable(CUBE, shape=tf.TensorShape(None))
    try:
        np.add.at(expected, indices, values)
    except ValueError:
        with pytest.raises(tf.errors.InvalidArgumentError):
            unranked(lambda i, b: tfnp.add.at(variable, i, b), indices, values)
    else:
        unranked(lambda i, b: tfnp.add.at(variable, i, b), indices, values)
        np.testing.assert_array_equal(variable, expected)


def test_ndim():
    with tfnp.numpy_behavior():
        assert [int(unranked(lambda a: a.ndim, array)) for array in (CUBE, CUBE[0, 0, 0])] == [3, 0]


@pytest.mark.full
@pytest.mark.parametrize("rank", [1, 5, 7])
def test_put_along_axis(rank):
    target = tf.Variable(np.ones((2,) * rank))
    unranked(lambda i, v: tfnp.put_along_axis(target, i, v, 0), np.ones((1,) * rank, np.int64), np.array(3.0))
    expected = np.ones((2,) * rank)
    np.put_along_axis(expected, np.ones((1,) * rank, np.int64), 3.0, 0)
    np.testing.assert_array_equal(target, expected)
    with pytest.raises(tf.errors.InvalidArgumentError):
        unranked(lambda i: tfnp.put_along_axis(target, i, 3.0, 0), np.ones((1,) * (rank + 1), np.int64))


def test_too_many_values_write_nothing():
    target = tf.Variable(np.zeros(2))
    with tfnp.numpy_behavior(), pytest.raises(tf.errors.InvalidArgumentError, match="broadcast"):
        unranked(lambda v: target.__setitem__(slice(0, 0), v), np.ones(2))


def test_place_without_values():
    target = tf.Variable(np.zeros(2))
    unranked(lambda m, v: tfnp.place(target, m, v), np.zeros(2, bool), np.zeros(0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="empty array"):
        unranked(lambda m, v: tfnp.place(target, m, v), np.ones(2, bool), np.zeros(0))


def test_functions_that_need_a_static_rank():
    with pytest.raises(ValueError, match="the rank of a tensor must be static"):
        unranked(tfnp.iterable, CUBE)
    with pytest.raises(ValueError, match="the first dimension of choices must be static"):
        unranked(lambda options: tfnp.choose(0, options), CUBE)


@pytest.mark.full
@pytest.mark.parametrize("shape", [*(pytest.param(shape, marks=pytest.mark.full) for shape in ((), (2,))), (2, 1)])
def test_ufunc_at_with_several_index_arrays(shape):
    expected, indices, values = CUBE.copy(), np.ones(shape, np.int64), np.full(shape, 3.0)
    variable = tf.Variable(expected)
    np.multiply.at(expected, (indices, ..., indices), 3.0)
    unranked(lambda i, j: tfnp.multiply.at(variable, (i, ..., j), 3.0), indices, indices)
    np.testing.assert_array_equal(variable, expected)
    np.add.at(expected, (indices, indices, indices), values)
    unranked(lambda i, v: tfnp.add.at(variable, (i, i, i), v), indices, values)
    np.testing.assert_array_equal(variable, expected)


@pytest.mark.sample(1)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_lengths_of_masks_are_checked(count):
    """One of length 1 would broadcast."""
    array, mask = np.arange(3.0), np.arange(count) % 2 == 0

    def changed(space: Any, function: Callable[..., Any], target: Any, mask: Any) -> Any:
        result = function(space, target, mask)
        return target if result is None else result

    for function in (
        lambda space, x, m: space.place(x, m, [7.0]),
        lambda space, x, m: space.putmask(x, m, [7.0]),
        lambda space, x, m: space.add.at(x, m, 7.0),
        lambda space, x, m: space.delete(x, m),
        lambda space, x, m: x.__setitem__(m, 7.0),
        lambda space, x, m: x.__setitem__((..., m), 7.0),
    ):
        variable = tf.Variable(array)
        mapped = tf.function(
            lambda m, function=function, variable=variable: changed(tfnp, function, variable, m),
            autograph=False,
            input_signature=[tf.TensorSpec([None], tf.bool)],
        )
        with tfnp.numpy_behavior():
            try:
                expected = changed(np, function, array.copy(), mask)
            except (IndexError, ValueError):
                with pytest.raises(tf.errors.InvalidArgumentError):
                    mapped(mask)
            else:
                np.testing.assert_array_equal(mapped(mask), expected)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("dims", "fits"), [((0, 1), False), ((0, 2), False), ((2, 1), True), ((1, 2), True)])
def test_shapes_of_empty_arrays_are_checked(dims, fits):
    high_rank, flat = np.zeros((1, 1, 0, 1, 2, 1), np.int64), np.zeros(dims, np.int64)
    signature = [tf.TensorSpec([None] * array.ndim, tf.int64) for array in (high_rank, flat)]
    function = tf.function(tfnp.right_shift, autograph=False, input_signature=signature)
    if fits:
        assert function(high_rank, flat).shape == np.right_shift(high_rank, flat).shape
    else:
        with pytest.raises(tf.errors.InvalidArgumentError):
            function(high_rank, flat)


@pytest.mark.parametrize("name", ["multiply", "bitwise_or"])
def test_ufunc_at_checks_the_rank_of_its_operand(name):
    variable = tf.Variable(np.array([1, 2]))
    function = tf.function(
        lambda x: getattr(tfnp, name).at(variable, 0, x),
        autograph=False,
        input_signature=[tf.TensorSpec(None, tf.int64)],
    )
    function(np.array(5))
    with pytest.raises(tf.errors.InvalidArgumentError):
        function(np.array([5]))
    np.testing.assert_array_equal(variable, [5, 2])


def with_unknown_dims(function, array):
    signature = [tf.TensorSpec([None] * array.ndim, tf.as_dtype(array.dtype))]
    with tfnp.numpy_behavior():
        return tf.function(function, autograph=False, input_signature=signature)(array)


@pytest.mark.parametrize(
    "reshape",
    [
        lambda x: (x * 2).reshape(x.shape), lambda x: tfnp.reshape(x * 2, x.shape), lambda x: x.reshape(x.shape[0], 1),
        lambda x: x.reshape((1, x.shape[0])), lambda x: tfnp.reshape(x, list(x.shape)),
        lambda x: x.reshape(*x.shape, 1),
    ],
)  # fmt: skip
def test_reshape_to_one_unknown_dimension(reshape):
    array = CUBE.ravel()
    np.testing.assert_array_equal(with_unknown_dims(reshape, array), reshape(array))


NONE = {
    "zeros": lambda x: tfnp.zeros(x.shape),
    "ones": lambda x: tfnp.ones(x.shape[0]),
    "full": lambda x: tfnp.full(list(x.shape), 2.0),
    "broadcast_to": lambda x: tfnp.broadcast_to(1.0, x.shape),
    "arange": lambda x: tfnp.arange(x.shape[0]),
    "linspace": lambda x: tfnp.linspace(0, 1, x.shape[0]),
    "divide": lambda x: x / x.shape[0],
    "multiply": lambda x: x.shape[0] * x,
    "add": lambda x: tfnp.add(x, x.shape[1]),
    "prod": lambda x: tfnp.prod(x.shape),
    "asarray": lambda x: tfnp.asarray(x.shape),
    "several": lambda x: x.reshape(x.shape),
    "beside another": lambda x: x.reshape(x.shape[0], -1),
    "transposed": lambda x: x.T.reshape(x.shape),
    "random": lambda x: tfnp.random.default_rng(0).normal(size=x.shape),
    "tile": lambda x: tfnp.tile(x, x.shape[0]),
    "tile by several": lambda x: tfnp.tile(x, (2, x.shape[0])),
    "repeat": lambda x: tfnp.repeat(x, x.shape[0]),
    "take": lambda x: tfnp.take(x, x.shape[0]),
    "roll": lambda x: tfnp.roll(x, x.shape[0]),
    "split": lambda x: tfnp.split(x, x.shape[0]),
    "array_split": lambda x: tfnp.array_split(x, x.shape[0]),
    "eye": lambda x: tfnp.eye(x.shape[0]),
    "indices": lambda x: tfnp.indices(x.shape),
    "pad": lambda x: tfnp.pad(x, ((0, x.shape[0]), (0, 0))),
}


@pytest.mark.parametrize("name", NONE)
def test_the_error_for_none_explains_unknown_dimensions(name):
    with pytest.raises(TypeError, match=r"a dimension that is unknown inside tf.function; use tfnp.shape\(x\)"):
        with_unknown_dims(NONE[name], CUBE[0])


def test_a_shape_of_unknown_rank_raises():
    with tfnp.numpy_behavior(), pytest.raises(TypeError, match="the rank of `shape` must be static"):
        unranked(lambda x: tfnp.zeros(x.shape), CUBE)


@pytest.mark.parametrize(
    "call", [lambda m: m.zeros(None), lambda m: m.reshape(m.ones(3), (None,)), lambda m: m.arange(None)]
)
def test_eager_errors_for_none_are_numpys(call):
    for module in (np, tfnp):
        with pytest.raises(TypeError) as raised:
            call(module)
        assert "tracing" not in str(raised.value)
