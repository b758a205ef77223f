"""`np.vmap` against loops in Python, vectorized and as loops of the graph; what it refuses."""

from __future__ import annotations

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np

N = 12


def update(x, s=2.0):
    x[0] = x[1] * s
    x[1:3] += 1
    return x.sum(), {"x": x}


def accumulate(x):
    y = x.copy()
    for i in range(1, N):
        y[i] += y[i - 1] * 0.5
    return y


def select(x):
    return x * 2 if x[0] > 2 else -x


def double_often(x):
    n = 0
    while x < 100:
        x = x * 2 + 1
        n += 1
    return x, n


def add_often(x):
    np.add.at(x, [0, 0, 1], 1.5)
    np.subtract.at(x, [2, 2], x[0])
    return x


ROWS = numpy.arange(3.0 * N).reshape(3, N)
MAPPED = (
    (update, ROWS, "vectorized", "vectorized"),
    (add_often, ROWS, "vectorized", "vectorized"),
    (accumulate, ROWS, "vectorized", "a loop of the graph"),
    (select, ROWS[:, :2], "vectorized", "a loop of the graph"),
    (double_often, ROWS[:, 0], "vectorized", "a loop of the graph"),
    (lambda x: np.sort(-x), ROWS, "vectorized", "vectorized"),
    (lambda x: np.bitwise_count(x.astype(int)), ROWS, "a loop of the graph", "a loop of the graph"),
)


@pytest.mark.parametrize("way", [np.vmap, pytest.param(lambda f: np.jit(np.vmap(f)), marks=pytest.mark.full)])
@pytest.mark.filterwarnings("error::tfnp.numpy.NotCompiledWarning")
def test_rows_have_the_values_of_a_loop(way):
    for function, rows, *forms in MAPPED:
        results = [tf.nest.flatten(function(np.array(row))) for row in rows]
        expected = [numpy.stack(column) for column in zip(*results, strict=True)]
        call, form = way(function), forms[way is not np.vmap]
        np.explain_loops()
        given = np.array(rows)
        for one, other in zip(tf.nest.flatten(call(given)), expected, strict=True):
            numpy.testing.assert_allclose(one, other)
            assert one.dtype == other.dtype
        numpy.testing.assert_array_equal(given, rows)
        report = np.explain_loops()[-1]
        assert (report.form, report.iterations) == (form, 3), str(report)
        assert bool(report.reason) == (form != "vectorized")


def test_axes():
    x, y = numpy.arange(6.0).reshape(2, 3), numpy.arange(12.0).reshape(2, 2, 3)
    mapped = np.vmap(lambda a, b, c: {"p": a @ b, "q": (a, c)}, (1, {"m": -1}, None), {"p": 0, "q": (-1, 0)})
    with pytest.raises(ValueError, match="does not fit"):
        mapped(np.array(x), np.array(y), 2.0)
    mapped = np.vmap(lambda a, b, c: {"p": a @ b["m"], "q": (a, c)}, (1, {"m": -1}, None), {"p": 0, "q": (-1, 0)})
    result = mapped(np.array(x), {"m": y}, 2.0)
    numpy.testing.assert_array_equal(result["p"], [x[:, i] @ y[:, :, i] for i in range(3)])
    numpy.testing.assert_array_equal(result["q"][0], x)
    numpy.testing.assert_array_equal(result["q"][1], [2.0] * 3)
    assert np.vmap(lambda a: None)(x) is None
    assert np.vmap(lambda a: a + 1)(np.zeros((0, 2))).shape == (0, 2)


def test_maps_and_gradients_of_one_another():
    x = np.array(ROWS)
    slope = np.grad(lambda v: (v**3).sum())
    total = np.grad(lambda x: np.vmap(lambda v: (v**3).sum())(x).sum())
    for function in (
        np.vmap(slope),
        total,
        np.jit(np.vmap(slope)),
        np.jit(total),
        np.vmap(np.vmap(lambda a: 3 * a * a)),
    ):
        numpy.testing.assert_allclose(function(x), 3 * ROWS**2)


def test_a_dynamic_number_of_rows():
    @tf.function(input_signature=[np.ArraySpec([None, N], "float64")])
    def run(x):
        return np.vmap(accumulate)(x)

    for count in (3, 1):
        numpy.testing.assert_allclose(run(np.array(ROWS[:count])), [accumulate(row.copy()) for row in ROWS[:count]])


def test_a_program_that_writes_to_another_array_runs_in_python():
    total = np.zeros(N)

    def add(x):
        total[...] += x
        return total[0]

    with pytest.warns(np.NotCompiledWarning, match="add runs in eager mode: .*made outside"):
        result = np.vmap(add)(np.array(ROWS))
    numpy.testing.assert_array_equal(result, numpy.cumsum(ROWS[:, 0]))
    numpy.testing.assert_array_equal(total, ROWS.sum(0))
    with pytest.raises(TypeError, match="made outside"):
        tf.function(np.vmap(add))(np.array(ROWS))


X = numpy.ones((3, 2))
REFUSED = (
    (
        lambda: np.vmap(update)(X, numpy.ones(2)),
        ValueError,
        "argument 1 's' of update has 2 rows .* 'x' of update has 3",
    ),
    (lambda: np.vmap(update)(X, 1.0), ValueError, "argument 1 's' of update is or contains float, .* no axis 0"),
    (lambda: np.vmap(update, 2)(X), ValueError, r"argument 0 'x' of update has shape \(3, 2\), which has no axis 2"),
    (lambda: np.vmap(update, None)(X), ValueError, "nothing to map"),
    (lambda: np.vmap(update, (0,))(X, 1.0), ValueError, "in_axes has 1 axes, and update got 2"),
    (lambda: np.vmap(update, 0.5)(X), TypeError, "cannot be interpreted as an integer"),
    (lambda: np.vmap(update, 0, (0,))(X), ValueError, "out_axes of update does not fit"),
    (lambda: np.vmap(update, 0, None)(X), ValueError, "out_axes of update has None"),
    (lambda: np.vmap(3), TypeError, "vmap takes a function, not int"),
)


def test_errors_name_the_argument():
    for call, cls, message in REFUSED:
        with pytest.raises(cls, match=message):
            call()
