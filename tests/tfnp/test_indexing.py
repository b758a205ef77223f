"""Indices of every form: read, written, in every mode."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from fuzz.generate import arrays, indices
from fuzz.generate.choices import SeedChoices
from tests.tfnp.agreement import agree, array, gradient
from tfnp._core.indexing.access import read, update_at, write
from tfnp.routines.indexing.at import At

X = array(2, 3, 4)
MASK = X > 4
ROWS, COLUMNS = np.array([[1], [-2]]), np.array([0, 2, -1], np.int8)

FORMS = [
    0, -1, np.int8(1), np.array(1), slice(None), slice(None, None, -2), slice(-9, 9, 3), ..., None, (), True, False,
    [0, 1], [[1, 0], [0, 1]], [], [[]], (0, 1, 2), (0, ..., 1), (None, 1, ..., None), (slice(1), None, -1),
    (slice(None), ROWS), (ROWS, COLUMNS), (ROWS, slice(None), COLUMNS), (slice(None), ROWS, COLUMNS),
    (0, slice(None), COLUMNS), (slice(None), 0, COLUMNS), (ROWS, None, COLUMNS), (..., COLUMNS, None),
    (slice(None), [0, 1], ..., [0, 1]), (True, 0), (slice(None), True), (False, ..., ROWS), (slice(None), [], 0),
    MASK, MASK[:, 0, 0], (MASK[:, :, 0], slice(None, None, -1)), (1, MASK[0]), (..., MASK[0, 0]),
    (MASK[0, 0, :2], [0]), ([True, False], 1), (slice(None), [True, False, True], slice(1, None)),
]  # fmt: skip

WRONG = [
    2, -3, (0, 3), (slice(None), [0, 3]), (0, 0, 0, 0), (..., ...), 1.0, [0.5], np.array([0.5]), "a", 2**70,
    (ROWS, [0, 1, 2, 3], [0, 1]), ([0, 1], [0, 1, 2]), MASK[:1], MASK[..., None], MASK[0], (slice(None), MASK),
    [[0], [0, 1]],
    slice(0, 1, 0), slice(0.5, 1), (None,) * 70, object(), (0, 1j),
]  # fmt: skip


def compiled(function, *arguments, **options):
    return tf.function(function, autograph=False, **options)(*map(tf.constant, arguments))


@pytest.mark.sample(20)
@pytest.mark.parametrize("index", FORMS, ids=repr)
def test_every_index(index):
    agree("ndarray.__getitem__", X, index, modes=("eager",))
    agree("ndarray.__setitem__", X, index, 7, modes=("eager",))


@pytest.mark.full
@pytest.mark.parametrize("jit_compile", [False, True])
def test_every_index_in_a_graph(jit_compile):
    results = compiled(
        lambda x: [(read(x, index), update_at(x, index, 7)) for index in FORMS], X, jit_compile=jit_compile
    )
    for index, (part, whole) in zip(FORMS, results, strict=True):
        updated = X.copy()
        updated[index] = 7
        np.testing.assert_array_equal(part, X[index], err_msg=repr(index))
        np.testing.assert_array_equal(whole, updated, err_msg=repr(index))


@pytest.mark.parametrize("index", WRONG, ids=map(str, range(len(WRONG))))
def test_errors_are_numpys(index):
    with pytest.raises((IndexError, TypeError, ValueError)) as expected:
        X[index]
    for attempt in (read, lambda x, index: write(tf.Variable(x), index, 0)):
        with pytest.raises(expected.type) as actual:
            attempt(tf.constant(X), index)
        if "too large" not in str(expected.value) and expected.type is IndexError:
            assert str(actual.value).split(";")[0][:30] == str(expected.value).split(";")[0][:30]


@pytest.mark.full
def test_random_indices():
    """Some hundred indices of every kind, and of arrays of every rank."""
    for seed in range(250):
        candidates = SeedChoices(seed)
        x = np.arange(np.prod(shape := arrays.shape(candidates, 0, 4), dtype=int)).reshape(shape)
        index, updated = indices.expression(candidates, shape), x.copy()
        try:
            expected = x[index]
            updated[index] = -expected
        except (IndexError, TypeError, ValueError) as error:
            with pytest.raises(type(error)):
                read(tf.constant(x), index)
            continue
        variable = tf.Variable(x)
        write(variable, index, -expected)
        results = read(tf.constant(x), index)
        assert results.shape == np.shape(expected), (seed, shape, index)
        for actual, expected_values in [
            (results, expected),
            (variable, updated),
            (update_at(x, index, -expected), updated),
        ]:
            np.testing.assert_array_equal(actual, expected_values, err_msg=f"{seed}: {index!r} of {shape}")


@pytest.mark.parametrize("rank", [7, 9, 16])
def test_high_ranks(rank):
    x = np.arange(2**rank, dtype=np.int32).reshape((2,) * rank)
    for index in [
        (slice(None, None, -1),) * rank,
        (1, ..., None, slice(1, None), None),
        (0, slice(None), [1, 0], ..., [1, 1]),
        (slice(None), *[[1, 0]] * (rank - 1)),
        (None,) * 20 + (-1,) * (rank - 1),
        x % 3 == 0,
    ]:
        updated, variable = x.copy(), tf.Variable(x)
        updated[index] = 5
        write(variable, index, 5)
        np.testing.assert_array_equal(read(tf.constant(x), index), x[index])
        np.testing.assert_array_equal(variable, updated)


@pytest.mark.parametrize("static", [False, True])
def test_of_two_values_for_an_element_the_last_is_written(static):
    index = np.array([1, 2, 1])
    if static:
        found = update_at(np.zeros(3), index, [5, 6, 7])
    else:
        found = compiled(lambda x, i: update_at(x, i, [5, 6, 7]), np.zeros(3), index)
    np.testing.assert_array_equal(found, [0, 7, 6])


@pytest.mark.full
def test_the_last_value_for_an_element_is_written():
    repeated = np.arange(1000) % 7
    agree("ndarray.__setitem__", np.zeros(7), repeated, np.arange(1000.0))
    agree("ndarray.__setitem__", np.zeros((7, 2)), (repeated, 1), np.arange(1000.0))
    variable = tf.Variable(np.zeros(3))
    write(variable, [0, 0, 2], read(variable, [0, 0, 2]) + 1)
    np.testing.assert_array_equal(variable, [1, 0, 1])


@pytest.mark.full
def test_xla_writes_by_dynamic_masks():
    for index in [MASK, (slice(None), MASK[0, :, 1])]:
        selected = np.shape(X[index])
        for value in (np.float32(3), np.ones(selected, np.float32) * 2, np.arange(np.prod(selected)).reshape(selected)):
            agree("ndarray.__setitem__", X, index, value)


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize(("mask", "remaining"), [(np.array(False), (0, 0, 0)), (MASK[:, 0, 0], (0,)), (MASK, ())])
def test_more_values_than_a_mask_has_elements_raise_while_tracing(jit_compile, mask, remaining):
    with pytest.raises(ValueError, match="could not be broadcast"):
        compiled(lambda x, m: update_at(x, (m, *remaining), np.zeros(99)), X, mask, jit_compile=jit_compile)


@pytest.mark.parametrize("count", [2, 4])
def test_a_mask_of_a_graph_needs_a_value_for_each_element(count):
    mask = np.array([True, False, True, True])
    with pytest.raises(tf.errors.InvalidArgumentError):
        compiled(update_at, np.zeros(4), mask, np.ones(count))
    np.testing.assert_array_equal(compiled(update_at, np.zeros(4), mask, np.arange(1.0, 4)), [1, 0, 2, 3])


def test_xla_writes_slices_of_any_step():
    def write_all(x):
        return [update_at(x, slice(None, None, step), [5, 6, 7, 8][: -(-4 // abs(step))]) for step in (1, 2, -1)]

    results = compiled(write_all, np.zeros(4), jit_compile=True)
    np.testing.assert_array_equal(results, [[5, 6, 7, 8], [5, 0, 6, 0], [8, 7, 6, 5]])


@pytest.mark.sample(1)
@pytest.mark.parametrize("jit_compile", [False, True])
def test_dynamic_bounds_and_indices(jit_compile):
    def at(x, i, j):
        return read(x, i), read(x, (slice(None), j)), read(x, (i, slice(None), j)), update_at(x, (i, ...), 9)

    updated = X.copy()
    updated[-2] = 9
    for results, expected in zip(
        compiled(at, X, -2, 2, jit_compile=jit_compile), [X[-2], X[:, 2], X[-2, :, 2], updated], strict=True
    ):
        np.testing.assert_array_equal(results, expected)
    if not jit_compile:
        np.testing.assert_array_equal(compiled(lambda x, i: read(x, slice(i, None, -1)), X[0], 1), X[0][1::-1])
        np.testing.assert_array_equal(compiled(lambda x, i: read(x, (0, slice(i, -i))), X, 1), X[0, 1:-1])


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0), (0, 0, 4), (0, 5)])
def test_an_empty_dimension_of_a_mask_matches_any_other(shape):
    mask = np.zeros(shape, bool)
    for index in (mask, (mask, ...), (..., mask), (mask, 0)):
        agree("ndarray.__getitem__", X, index)
        agree("ndarray.__setitem__", X, index, 5)


def test_a_mask_of_one_element_with_an_empty_array():
    for mask in (True, False):
        results = compiled(lambda x, m: read(x, (m, [], 0)), X, np.array(mask), jit_compile=True)
        assert results.shape == X[mask, [], 0].shape


@pytest.mark.parametrize("mask", [MASK, MASK[0], MASK[:, 0, 0], np.asfortranarray(MASK[:, :, 0]), np.zeros(2, bool)])
def test_an_eager_mask_reads_the_same_with_a_gradient(mask):
    x = tf.constant(X)
    for mask_index in (mask, tf.constant(mask)):
        if mask.shape != X.shape[: mask.ndim]:
            with pytest.raises(IndexError, match="boolean index did not match"):
                read(x, mask_index)
            continue
        free = read(x, mask_index)
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(read(x, mask_index))
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as forward:
            recorded = read(x, mask_index)
        np.testing.assert_array_equal(free, X[mask])
        np.testing.assert_array_equal(recorded, free)
        np.testing.assert_array_equal(forward.jvp(recorded), np.ones_like(free))
        slope = np.zeros_like(X)
        slope[mask] = 1
        np.testing.assert_array_equal(tf.convert_to_tensor(tape.gradient(total, x)), slope)


def test_the_result_of_an_eager_mask_is_a_copy():
    v = tf.Variable(X)
    results = read(v, np.ones(2, bool))
    v.assign(np.zeros_like(X))
    np.testing.assert_array_equal(results, X)


def test_xla_rejects_a_mask_without_size():
    with pytest.raises(TypeError, match="pass size="):
        compiled(read, X, MASK, jit_compile=True)
    results = compiled(lambda x, mask: At(x)[mask].get(size=20, fill_value=-1), X, MASK, jit_compile=True)
    np.testing.assert_array_equal(results, np.r_[X[MASK], [-1] * 20][:20])


def test_out_of_bounds_in_a_graph_raises_when_it_runs():
    for before in [(), (0,), (0, [0])]:
        with pytest.raises(tf.errors.InvalidArgumentError):
            compiled(lambda x, i: read(x, (*before, i)), X, [5])  # noqa: B023 - called at once
    for index in (len(X), -len(X) - 1):
        with pytest.raises(tf.errors.InvalidArgumentError):
            compiled(read, X[:, 0, 0], [index])


@pytest.mark.full
@pytest.mark.parametrize("shape", [[None, None, None], None], ids=["dimensions", "rank"])
def test_unknown_shapes(shape):
    forms = [(0, slice(None, None, -1)), [1, -1], (slice(None), [0, 2], None), *([MASK] if shape else [])]
    spec = [tf.TensorSpec(shape, tf.float32)]
    results = tf.function(lambda x: [(read(x, i), update_at(x, i, 5)) for i in forms], spec, autograph=False)(X)
    for index, (part, whole) in zip(forms, results, strict=True):
        updated = X.copy()
        updated[index] = 5
        np.testing.assert_array_equal(part, X[index])
        np.testing.assert_array_equal(whole, updated)
    specs = [tf.TensorSpec(shape, tf.float32), tf.TensorSpec(None, tf.int32)]
    with pytest.raises(ValueError, match="rank of an index must be static"):
        tf.function(lambda x, i: read(x, (0, slice(None), i)), specs, autograph=False)(X, [1])
    row = tf.function(lambda x, i: read(x, (0, i)), specs, autograph=False)
    for index in (1, [1], [[0, 1]]):
        np.testing.assert_array_equal(row(X, index), X[0, np.array(index)])


@pytest.mark.parametrize("index", [(slice(None, None, -1), 0), [[1, 0], [1, 1]], MASK, (0, slice(2), [1, -1, 1])])
def test_gradients(index):
    results = gradient(lambda x: read(x, index), X.astype(np.float64))[0]
    counts = np.zeros(X.shape)
    np.add.at(counts, index, 1)
    np.testing.assert_allclose(results, 2 * X * counts)
    value = np.full(np.shape(X[index]), 3.0)
    by_x, by_value = gradient(lambda x, v: update_at(x, index, v), X.astype(np.float64), value)
    np.testing.assert_allclose(by_x, np.where(counts, 0, 2 * X))
    assert by_value.sum() == 6 * np.count_nonzero(counts)


def test_item_assignment_of_a_tensor_raises():
    with pytest.raises(TypeError, match=r"tf\.Variable.*\n?.*tensor\.at\[index\]\.set"):
        write(tf.constant(X), 0, 1)


def test_new_tensors_at_an_index():
    x, repeated = np.array([1.0, 2, 3, 4]), [0, 0, -1]
    at = At(tf.constant(x))[repeated]
    np.testing.assert_array_equal(at.get(), x[repeated])
    np.testing.assert_array_equal(at.set([5, 6, 7]), [6, 2, 3, 7])
    np.testing.assert_array_equal(at.apply(tf.sqrt), [1, 2, 3, 2])
    for name, ufunc in [
        *[(name, getattr(np, name)) for name in ("add", "subtract", "multiply", "divide", "power")],
        *[("min", np.minimum), ("max", np.maximum)],
    ]:
        expected = x.copy()
        ufunc.at(expected, repeated, [2, 3, 2])
        np.testing.assert_array_equal(getattr(at, name)([2, 3, 2]), expected)
    np.testing.assert_array_equal(At(tf.constant(x))[x > 2].add(1), [1, 2, 4, 5])
    assert At(tf.constant(x, tf.float32))[0].add(1.5).dtype == tf.float32


def test_indices_may_be_tensors_and_variables():
    x = tf.constant(X)
    for index in [np.array([1, 0], np.uint8), MASK, np.array(1), MASK[:, 0, 0]]:
        for kind in (tf.constant, tf.Variable):
            np.testing.assert_array_equal(read(x, kind(index)), X[index])
            np.testing.assert_array_equal(read(x, (kind(index), ...)), X[index, ...])
    np.testing.assert_array_equal(read(x, [tf.constant(1), 0]), X[[1, 0]])
    np.testing.assert_array_equal(read(x, slice(tf.constant(1), None)), X[1:])


def test_results_do_not_change_with_the_variable():
    variable = tf.Variable(np.zeros(3))
    before = read(variable, ...)
    write(variable, 1, 5)
    write(variable, [0], 5)
    assert not before.numpy().any()


def test_writing_in_a_graph_happens_in_order():
    variable = tf.Variable(np.zeros((3, 4)))

    @tf.function(autograph=False)
    def write_and_read():
        write(variable, (slice(None), 1), 5.0)
        write(variable, (0, slice(None, None, 2)), [1, 2])
        write(variable, [1, 1], read(variable, [1, 1]) + 1)
        return read(variable, (0, ...))

    np.testing.assert_array_equal(write_and_read(), [1, 5, 2, 0])
    np.testing.assert_array_equal(variable, [[1, 5, 2, 0], [1, 6, 1, 1], [0, 5, 0, 0]])


@pytest.mark.sample(1)
@pytest.mark.parametrize("ranks", [(0, 0), (1, 1), (0, 2), (2, 1)], ids=str)
@pytest.mark.parametrize("dims", [(2, 3), (2, 3, 4)], ids=str)
def test_several_arrays_of_unknown_rank_in_a_tensor_of_unknown_rank(dims, ranks):
    x = np.arange(np.prod(dims)).reshape(dims)
    i, j = (
        np.array([1, -1, 0])[: 3 if rank else 1].reshape((-1,) + (1,) * (rank - 1) if rank else ()) for rank in ranks
    )
    unknown = tf.TensorSpec(None, tf.int64)
    compiled = tf.function(lambda x, i, j: read(x, (i, j)), [unknown] * 3, autograph=False)
    np.testing.assert_array_equal(compiled(*map(tf.constant, (x, i, j))), x[i, j])
    first = tf.function(lambda x, i: read(x, (i, -1)), [unknown] * 2, autograph=False)
    np.testing.assert_array_equal(first(tf.constant(x), tf.constant(i)), x[i, -1])
    with pytest.raises(tf.errors.InvalidArgumentError):
        compiled(tf.constant(x), tf.constant(i), tf.constant(j + 5))


def test_nothing_is_written_to_an_empty_slice_under_xla():
    write_empty = tf.function(
        lambda x: update_at(x, (slice(1, None), slice(1, None)), tf.zeros((0, 0))), jit_compile=True
    )
    assert write_empty(tf.ones((1, 1))).numpy().tolist() == [[1.0]]
