"""What NumPy behaviour lends it takes back; while it is on, TensorFlow and Keras work as ever."""

from __future__ import annotations

import operator
import threading

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import take_gradient
from tfnp._core import ops

MODES = ("legacy", "all", "safe", "off")
CLASSES = {
    *tf.__internal__.EagerTensor.__mro__,
    *tf.__internal__.SymbolicTensor.__mro__,
    *type(tf.Variable(0.0)).__mro__,
    *tf.Variable.__subclasses__(),
    tf.IndexedSlices,
    tf.DType,
    tf.TensorShape,
} - {object}


def found():
    """All that the classes hold, save what Python itself makes on demand."""
    return {
        owner: {name: value for name, value in vars(owner).items() if name != "__annotations__"} for owner in CLASSES
    }


def is_on():
    return hasattr(tf.Tensor, "mean")


def assert_same(before, after):
    assert before.keys() == after.keys()
    for owner, names in before.items():
        assert list(names) == list(after[owner])
        assert all(value is after[owner][name] for name, value in names.items()), owner


def cycle(times):
    for number in range(times):
        if number % 2:
            with tfnp.numpy_behavior(dtype_conversion_mode=MODES[number % 4]):
                assert is_on()
        else:
            tfnp.experimental_enable_numpy_behavior(prefer_float32=bool(number % 4))
            assert is_on()
            tfnp.disable_numpy_behavior()


def test_a_hundred_cycles_leave_nothing_behind():
    before = found()
    cycle(100)
    assert_same(before, found())


def test_cycles_in_two_threads_leave_nothing_behind():
    before, failures = found(), []

    def work():
        try:
            cycle(100)
        except BaseException as error:  # noqa: BLE001 - an assertion in a thread would pass unseen
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert_same(before, found())
    assert (tfnp.ones(2).dtype, not is_on()) == (tf.float64, True)


def test_loans_are_counted_and_the_latest_says_how_dtypes_meet():
    halves = np.float16(1), np.int8(1)
    with tfnp.numpy_behavior():
        with tfnp.numpy_behavior(prefer_float32=True, dtype_conversion_mode="off"):
            assert tfnp.ones(2).dtype == np.float32
            with pytest.raises(TypeError, match=r"float16, int8.*'off'.*astype"):
                tfnp.add(*halves)
        assert is_on()
        assert tfnp.add(*halves).dtype == np.float16
        assert tfnp.ones(2).dtype == np.float64
    assert not is_on()


def test_a_scope_that_fails_is_left():
    with pytest.raises(ZeroDivisionError), tfnp.numpy_behavior():
        1 / 0  # noqa: B018 - only the error matters
    assert not is_on()


def test_what_was_not_enabled_cannot_be_disabled():
    with pytest.raises(RuntimeError, match="not enabled"):
        tfnp.disable_numpy_behavior()
    with tfnp.numpy_behavior(), pytest.raises(RuntimeError, match="ends by itself"):
        tfnp.disable_numpy_behavior()


def test_an_unknown_mode_changes_nothing():
    before = found()
    with pytest.raises(ValueError, match="legacy, off, all, safe"):
        tfnp.experimental_enable_numpy_behavior(dtype_conversion_mode="loose")
    assert_same(before, found())


def test_what_somebody_else_changes_meanwhile_stays():
    with tfnp.numpy_behavior():
        tf.Tensor.flatten = answer = property(lambda self: 42)
    try:
        assert vars(tf.Tensor)["flatten"] is answer
    finally:
        del tf.Tensor.flatten


def test_safe_names_both_dtypes_and_says_what_to_do():
    with (
        tfnp.numpy_behavior(dtype_conversion_mode="safe"),
        pytest.raises(TypeError, match=r"int32 and float32 to float32 is not safe: cast.*astype.*'all'"),
    ):
        tf.constant([1]) + tf.constant([1.0])
    with (
        tfnp.numpy_behavior(dtype_conversion_mode="safe"),
        pytest.raises(TypeError, match=r"int32 and a Python float \(float32\) to float"),
    ):
        tf.constant([1]) + 1.0


@pytest.mark.parametrize("mode", ["all", "safe"])
def test_operators_obey_the_lattice_comparisons_and_products_too(mode):
    with tfnp.numpy_behavior(dtype_conversion_mode=mode):
        halves, small = tf.constant([[1.0]], tf.bfloat16), tf.constant([[1]], tf.int8)
        assert (halves + small).dtype == (halves @ small).dtype == tf.bfloat16
        assert (small + 1).dtype == tf.int8
        assert (halves + 1.5).dtype == tf.bfloat16
        assert isinstance(halves + 1.5, tf.Tensor)
        assert bool(halves == small)
    if mode == "safe":
        with tfnp.numpy_behavior(dtype_conversion_mode=mode):
            for operate in ("__add__", "__lt__", "__eq__", "__matmul__", "__mod__"):
                with pytest.raises(TypeError, match="not safe"):
                    getattr(tf.constant([[1]]), operate)(tf.constant([[1.0]]))


def trained():
    tf.keras.utils.set_random_seed(0)
    x = np.random.default_rng(0).normal(size=(32, 4)).astype(np.float32)
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Input((4,)), layers.Dense(8, activation="relu"), layers.LayerNormalization(), layers.Dense(1)]
    )
    model.compile("adam", "mse", metrics=["mae"])
    return model.fit(x, x.sum(1), epochs=2, batch_size=8, verbose=0).history["loss"]


@pytest.fixture(scope="module")
def losses():
    return trained()


@pytest.mark.full
@pytest.mark.parametrize("mode", MODES)
def test_keras_trains_as_ever(mode, losses):
    with tfnp.numpy_behavior(prefer_float32=mode == "all", dtype_conversion_mode=mode):
        np.testing.assert_allclose(trained(), losses, rtol=1e-5)


@pytest.mark.sample(2)
@pytest.mark.parametrize("mode", MODES)
def test_what_is_no_array_stays_tensorflows(mode):
    def results():
        ragged, text = tf.ragged.constant([[1.0], [2.0, 3.0]]), tf.constant(["a", "b"])
        sparse = tf.sparse.from_dense([[0.0, 2.0]])
        data = tf.data.Dataset.range(4).map(lambda x: x * x + 1).batch(2)
        return [
            (tf.constant(2.0) * ragged).to_list(),
            (ragged + tf.constant(1.0)).to_list(),
            [row.numpy().tolist() for row in ragged],
            [ragged[1, 0].numpy(), ragged[:, 1:].to_list(), ragged[1:].to_list(), ragged[1].numpy().tolist()],
            tf.sparse.to_dense(sparse * tf.constant([[2.0, 2.0]])).numpy().tolist(),
            (text + "c").numpy().tolist(),
            (text == "a").numpy().tolist(),
            text[0].numpy(),
            [batch.numpy().tolist() for batch in data],
            operator.eq(tf.constant(1.0), None),
            tf.image.resize(tf.ones((1, 2, 2, 1)), (4, 4)).numpy().tolist(),
            tf.signal.hann_window(4).numpy().tolist(),
            tf.linalg.LinearOperatorIdentity(2).to_dense().numpy().tolist(),
        ]

    before = results()
    with tfnp.numpy_behavior(dtype_conversion_mode=mode):
        assert results() == before


@pytest.mark.parametrize("mode", MODES)
def test_whether_there_is_a_tensor_at_all_is_one_bool(mode):
    def answers(t):
        return [compare(*pair) for pair in ((t, None), (None, t)) for compare in (operator.eq, operator.ne)]

    traced = []
    with tfnp.numpy_behavior(dtype_conversion_mode=mode):
        tf.function(lambda t: traced.append(answers(t)), autograph=False)(tf.ones(2))
        found = [answers(tf.ones(2)), answers(tf.Variable(1.0)), answers(tf.constant(["a"])), *traced]
        with pytest.raises(TypeError, match="object"):
            tfnp.equal(tf.ones(2), None)
    for one in found:
        assert [value is truth for value, truth in zip(one, (False, True, False, True), strict=True)] == [True] * 4


def test_a_graph_of_tensorflow_1_is_left_alone():
    with tfnp.numpy_behavior(), tf.Graph().as_default():
        first, second = tf.constant(1.0), tf.constant(1.0)
        assert (first == second) in (True, False)
        assert first == first  # noqa: PLR0124 - by identity, in TensorFlow 1
        assert (first + second).op.type == "AddV2"


def test_a_function_keeps_the_meaning_it_was_traced_with():
    @tf.function(autograph=False)
    def half(x):
        return x / 2

    whole = tf.constant([1], tf.int8)
    with tfnp.numpy_behavior():
        assert half(whole).dtype == tf.float64
    assert half(whole).dtype == tf.float64
    assert half.experimental_get_tracing_count() == 1


def test_a_slice_of_a_variable_can_still_be_assigned_to():
    variable = tf.Variable([1, 2, 3])
    with tfnp.numpy_behavior():
        assert variable[1:].assign([5, 6]) is variable
    assert variable.numpy().tolist() == [1, 5, 6]


def test_scalars_are_hashable_as_numpys_are():
    with tfnp.numpy_behavior():
        assert {1: "one"}[tf.constant(1)] == {1.0: "one"}[tf.constant(1.0)] == "one"
        assert {"a": 1}[tf.constant("a")] == {True: 1}[tf.constant(True)] == 1
        assert len(set(tfnp.array([3, 1, 3]))) == 2
        for array in (tf.constant([1]), tf.zeros(0)):
            with pytest.raises(TypeError, match="not hashable"):
                hash(array)
        with pytest.raises(TypeError):
            tf.function(hash, autograph=False)(tf.constant(1))
    with pytest.raises(TypeError, match="unhashable"):
        hash(tf.constant(1))


def test_iteration_unstacks_a_part_at_a_time(monkeypatch):
    counts = []
    unstack = ops.unstack
    monkeypatch.setattr(ops, "unstack", lambda value, count: counts.append(count) or unstack(value, count))
    with tfnp.numpy_behavior():
        for length in (0, 1, 16, 17, 5000):
            assert [int(item) for item in tfnp.arange(length)] == list(range(length))
        counts.clear()
        assert len(list(tfnp.zeros((200, 3)))) == 200
        assert len(counts) <= 5
        counts.clear()
        assert next(iter(tfnp.zeros(10**6))) == 0
        assert counts == [16]
        matrix = tfnp.arange(6.0).reshape(3, 2)
        assert take_gradient(
            lambda matrix: sum(row.sum() * index for index, row in enumerate(matrix)), matrix
        ).tolist() == [[0, 0], [1, 1], [2, 2]]


def test_constants_are_unpacked_in_a_graph():
    """A graph cannot iterate over a tensor by itself, but NumPy behaviour lends that, for constants of floats too."""

    @tf.function(autograph=False)
    def total():
        x, y, z = tfnp.array([0.0, 1.0, 1.05])
        first, second = tfnp.linspace(0, 1, 2)
        return x + y + z + first + second + sum(tfnp.eye(2)[0])

    with tfnp.numpy_behavior():
        assert float(total()) == 4.05


def test_dtypes_become_numpys():
    with tfnp.numpy_behavior():
        for name in ("float32", "bool", "bfloat16"):
            assert np.dtype(tfnp.zeros(1, name).dtype) == tfnp.result_type(tfnp.zeros(1, name))
        assert np.dtype(tf.string) == np.dtypes.StringDType()


@pytest.mark.parametrize("is_graph", [False, True])
def test_tensorflows_own_code_has_tensorflows_operators_of_lists_and_small_integers(is_graph):
    """`is_non_decreasing` adds a list to a shape, and `unsorted_segment_mean` divides integers."""
    calls = [
        lambda: tf.math.is_non_decreasing(tf.constant([1, 2, 3], tf.int8)),
        lambda: tf.math.unsorted_segment_mean(tf.constant([10, 127], tf.int8), tf.constant([2, 2]), 4),
        lambda: tf.math.unsorted_segment_mean(tf.constant([10, 127], tf.uint16), tf.constant([0, 2]), 4),
    ]
    for call in calls:
        run = tf.function(call, autograph=False) if is_graph else call
        expected = run()
        with tfnp.numpy_behavior():
            actual = (tf.function(call, autograph=False) if is_graph else call)()
        assert actual.dtype == expected.dtype
        np.testing.assert_array_equal(actual, expected)
    with tfnp.numpy_behavior():
        assert (tf.constant([1], tf.int8) / tf.constant([2], tf.int8)).dtype == tf.float64
        assert operator.add([1], tf.constant([1], tf.int32)).dtype == tf.int64
