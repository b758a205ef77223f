"""Writes through every alias, in every mode, against NumPy; and their gradients."""

from __future__ import annotations

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np
from tests.tfnp.numpy.programs import PROGRAMS, add_to_every_other, solve_heat_equation, write_rows_and_columns

W = (1.5, -2.0)


def run(program, namespace, w):
    return [tuple(namespace.copy(array) for array in step) for step in program(namespace, w)]


def compare(actual, program):
    for number, (step, expected) in enumerate(zip(actual, run(program, numpy, numpy.array(W)), strict=True)):
        for alias, (one, other) in enumerate(zip(step, expected, strict=True)):
            numpy.testing.assert_allclose(one, other, rtol=1e-12, err_msg=f"alias {alias} after step {number}")
            assert numpy.asarray(one).dtype == other.dtype


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_alias_sees_a_write(program):
    compare(run(program, np, np.array(W)), program)


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_alias_sees_a_write_in_a_graph(program):
    traced = tf.function(lambda w: run(program, np, w), autograph=False)
    compare(traced(np.array(W)), program)


@pytest.mark.sample(8)
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_alias_sees_a_write_while_a_gradient_is_recorded(program):
    with tf.GradientTape() as tape:
        w = np.array(W)
        tape.watch(w)
        compare(run(program, np, w), program)


@pytest.mark.sample(4)
@pytest.mark.parametrize("program", [write_rows_and_columns, add_to_every_other, solve_heat_equation])
def test_every_alias_sees_a_write_under_xla(program):
    traced = tf.function(lambda w: run(program, np, w), autograph=False, jit_compile=True)
    compare(traced(np.array(W)), program)


def differentiate(program, w):
    """Return the gradient of a sum of squares of all arrays that a program yields."""
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = sum(np.sum(abs(array) ** 2) for step in program(np, w) for array in step)
    return tape.gradient(loss, w)


@pytest.mark.sample(10)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_gradients_reach_through_writes_and_views(program, mode):
    def loss(w):
        return sum((numpy.abs(array) ** 2).sum() for step in program(numpy, w) for array in step)

    h = 1e-6
    slopes = [(loss(numpy.array(W) + h * unit) - loss(numpy.array(W) - h * unit)) / (2 * h) for unit in numpy.eye(2)]
    run_mode = differentiate if mode == "eager" else tf.function(differentiate, autograph=False)
    gradient = run_mode(program, np.array(W))
    if gradient is None:
        gradient = numpy.zeros(2)
    numpy.testing.assert_allclose(gradient, slopes, rtol=1e-5, atol=1e-5)


def test_the_gradient_is_that_of_the_watched_elements():
    with tf.GradientTape() as tape:
        x = np.array([1.0, 2.0, 3.0])
        tape.watch(x)
        x[0] = 5.0
        loss = (x**2).sum()
    numpy.testing.assert_array_equal(tape.gradient(loss, x), [0.0, 4.0, 6.0])


def test_a_watched_view_has_a_gradient_through_its_base():
    with tf.GradientTape() as tape:
        x = np.array([1.0, 2.0, 3.0])
        view = x[1:]
        tape.watch(view)
        view[0] = 5.0
        loss = (x**2).sum() + view[1]
    numpy.testing.assert_array_equal(tape.gradient(loss, view), [0.0, 7.0])


VIEWS_OF_VIEWS = {
    "a row": (lambda a: a[1], [0, 0, 0, 1, 1, 1]),
    "an element": (lambda a: a[1, 1], [0, 0, 0, 0, 1, 0]),
    "the transpose": (lambda a: a.T, [1, 1, 1, 1, 1, 1]),
    "the base": (lambda a: a.base, [1, 1, 1, 1, 1, 1]),
    "part of the base": (lambda a: a.base[2:], [0, 0, 1, 1, 1, 1]),
    "a copy": (lambda a: a.copy(), [1, 1, 1, 1, 1, 1]),
}


@pytest.mark.parametrize("name", VIEWS_OF_VIEWS)
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_a_watched_view_has_a_gradient_through_other_views(name, mode):
    show, is_shown = VIEWS_OF_VIEWS[name]

    def differentiate_part(a):
        with tf.GradientTape() as tape:
            a = a.reshape(2, 3)
            tape.watch(a)
            loss = (show(a) ** 2).sum()
        return tape.gradient(loss, a)

    run_mode = differentiate_part if mode == "eager" else tf.function(differentiate_part, autograph=False)
    a = numpy.arange(1.0, 7.0)
    numpy.testing.assert_allclose(run_mode(np.array(a)), (2 * a * is_shown).reshape(2, 3))


def test_watched_arrays_have_a_gradient_while_their_memory_is_shared():
    x = np.array([1.0, 2.0])
    shared = numpy.asarray(x)
    for array in (x, x[1:]):
        with tf.GradientTape() as tape:
            tape.watch(array)
            loss = (x**2).sum()
        numpy.testing.assert_allclose(tape.gradient(loss, array), 2 * shared[-array.size :])
        shared += 1.0


def test_nested_tapes_differentiate_twice():
    x = np.array([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            a = np.zeros(3)
            a[1:] = x
            loss = (a[1:] ** 3).sum()
        slope = inner.gradient(loss, x)
    numpy.testing.assert_allclose(outer.gradient(slope, x), [6.0, 12.0])


def test_a_view_is_read_once_between_writes():
    a = np.arange(6.0).reshape(2, 3)
    with tf.GradientTape() as tape:
        tape.watch(a)
        row = a[1]
        first = row.tensor()
        assert row.tensor() is first
        loss = (row * row).sum()
        row[0] = 2.0
        assert row.tensor() is not first
        loss = loss + row.sum()
    numpy.testing.assert_allclose(tape.gradient(loss, a), [[0, 0, 0], [6, 9, 11]])


@pytest.mark.parametrize("is_persistent", [False, True])
def test_a_view_that_was_read_before_a_tape_has_a_gradient(is_persistent):
    a = np.arange(3.0)
    reverse = a[::-1]
    reverse.tensor()
    for _ in range(2):
        with tf.GradientTape(persistent=is_persistent) as outer:
            outer.watch(a)
            before = (reverse**2).sum()
            with tf.GradientTape(persistent=is_persistent) as inner:
                inner.watch(a)
                loss = (reverse**3).sum()
            with outer.stop_recording():
                numpy.testing.assert_allclose(reverse * 2, [4, 2, 0])
            loss = before + inner.gradient(loss, a).sum()
        numpy.testing.assert_allclose(outer.gradient(loss, a), [0.0, 8.0, 16.0])


def test_a_view_that_was_read_in_a_branch_is_read_again_after_it():
    @tf.function(autograph=False)
    def add_twice(x):
        x = x.copy()
        part = x[1:]
        total = tf.cond(x[0].tensor() > 0, lambda: part.sum().tensor(), lambda: tf.zeros((), x.tensor().dtype))
        return part + total

    numpy.testing.assert_allclose(add_twice(np.array([1.0, 2.0, 3.0])), [7.0, 8.0])


def test_forward_mode_passes_writes():
    w = np.array(W)
    with tf.autodiff.ForwardAccumulator(w.tensor(), tf.constant([1.0, 0.0], tf.float64)) as accumulator:
        a = np.zeros(3)
        a[1:] = w**2
    numpy.testing.assert_allclose(accumulator.jvp(a.tensor()), [0.0, 3.0, 0.0])


def scale_selected(np, x):
    mask = x < 0
    x[mask] *= -2.0
    x[mask] = np.sqrt(x[mask]) + 1.0
    return x


def copy_selected(np, x):
    y = x * 3.0
    mask = y > 1.0
    x[mask] = y[mask] - 1.0
    return x


def write_selected_rows(np, x):
    rows = x.sum(axis=1) > 0
    selected = x[rows]
    selected += 5.0
    x[rows] = -selected
    return x


def select_nothing(np, x):
    mask = x > 100.0
    x[mask] = np.sqrt(-1.0 - x[mask])
    return x


def select_by_equal_masks(np, x):
    x[x < 0] = -x[x < 0]
    x[(x > 0.4) & ~(x > 1.0)] = np.clip(x[(x > 0.4) & ~(x > 1.0)], 0.0, 0.75)
    x[~(x > 1.0)] *= np.where(x[~(x > 1.0)] > 0.3, 2.0, -2.0)
    return x


def reduce_selected(np, x):
    mask = x > -2.0
    x[~mask] = np.sum(x[mask] ** 2) + x[mask].var(ddof=1) + np.max(x[mask], axis=0) - x[mask].size
    return x


def select_from_selected(np, x):
    positive = x[x > 0.0].copy()
    positive[positive > 1.5] = 7.0
    positive[positive < 1.0] = np.sqrt(positive[positive < 1.0])
    x[x > 0.0] = positive * positive.dtype.itemsize
    return x


def select_beside_an_index(np, x):
    rows, columns = x[:, 0] > 0, x[0] > 0
    x[rows, 1] *= 2
    x[rows, :2] = x[rows, :2] - 1
    x[0, columns] += x[1, columns]
    x[rows, None] /= 4
    x[rows, ..., -1] = x[rows, 0].sum()
    for i in range(2):
        x[i, columns] *= i
    return x


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "program",
    [
        select_beside_an_index,
        scale_selected,
        copy_selected,
        write_selected_rows,
        select_nothing,
        select_by_equal_masks,
        reduce_selected,
        select_from_selected,
    ],
)
def test_writes_to_selected_elements_compile_under_xla(program):
    x = np.array([[0.5, -1.5, 2.0], [-0.25, -3.0, 1.0]])
    traced = tf.function(lambda x: program(np, x.copy()), jit_compile=True, autograph=False)
    gradients = []
    for run_program in (traced, lambda x: program(np, x.copy())):
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = run_program(x)
            loss = (result**2).sum()
        numpy.testing.assert_allclose(result, program(numpy, numpy.array(x)), rtol=1e-12)
        gradients.append(tape.gradient(loss, x))
    numpy.testing.assert_allclose(*gradients, rtol=1e-12)


def test_selections_by_other_masks_are_rejected_under_xla():
    @tf.function(jit_compile=True, autograph=False)
    def copy_by_another_mask(x):
        y = x.copy()
        y[x < 0] = x[x > 0]
        return y

    with pytest.raises(TypeError, match=r"tfnp.where\(mask, x, y\)"):
        copy_by_another_mask(np.array([1.0, -1.0]))


def test_masks_of_random_numbers_are_not_the_same():
    def replace(x):
        y = np.zeros_like(x)
        y[tf.random.uniform(x.shape) < 0.5] = x[tf.random.uniform(x.shape) < 0.5]
        return y

    with pytest.raises(TypeError, match="depends on values"):
        tf.function(replace, jit_compile=True, autograph=False)(np.ones(4))


def test_selected_elements_can_be_written_to_one_by_one():
    def write_first(np, x):
        selected = x[x > 0]
        selected[0] = 9.0
        doubled = selected * 2.0
        x[x > 0] = doubled
        return x

    x = numpy.array([1.0, -1.0, 2.0])
    traced = tf.function(lambda x: write_first(np, x.copy()), autograph=False)
    numpy.testing.assert_array_equal(traced(np.array(x)), write_first(numpy, x.copy()))
