"""Calls that recur run as one traced graph: same results, same errors, same gradients."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.eager import context

import tfnp
from tests.tfnp.agreement import take_gradient
from tfnp._core import traces

X = np.linspace(0, 1, 8)


@pytest.fixture(autouse=True)
def _trace_at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(traces, "TRACE_AFTER", 1)
    traces.forget_traces()
    yield
    traces.forget_traces()


def count_traces() -> int:
    return sum(isinstance(trace, traces.CallTrace) for trace in traces._traces.values())


def test_a_call_that_recurs_is_traced_and_gives_the_same_bits() -> None:
    first = tfnp.std(X)
    assert count_traces() == 0
    second, third = tfnp.std(X), tfnp.std(tf.constant(X))
    assert count_traces() == 1
    assert first.numpy() == second.numpy() == third.numpy()


def test_long_calls_are_traced_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "TRACE_AFTER", 8)
    monkeypatch.setattr(traces, "_LONG", 1)
    for _ in range(3):
        tfnp.std(X)
    assert count_traces() == 1
    monkeypatch.setattr(traces, "_LONG", 10**12)
    for _ in range(8):
        tfnp.var(X)
    assert count_traces() == 1


def test_what_takes_long_is_traced_after_four_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "TRACE_AFTER", 64)
    monkeypatch.setattr(traces, "_LONG", 1)
    for number in range(6):
        tfnp.std(X)
        assert count_traces() == (number >= 4)


def test_functions_of_tensors_are_traced_once_for_eager_calls_and_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "TRACE_AFTER", 3)
    monkeypatch.setattr(traces, "_LONG", 10**12)
    runs: list[bool] = []

    @traces.trace_recurring(tf.TensorSpec(None, tf.float32))
    def double(x: tf.Tensor) -> tf.Tensor:
        runs.append(tf.executing_eagerly())
        return x + x

    results = [double(tf.constant([float(i)])) for i in range(6)]
    np.testing.assert_array_equal(tf.concat(results, 0), 2.0 * np.arange(len(results)))
    assert runs == [True, True, True, False]
    for _ in range(2):  # the graphs of callers share the trace
        tf.function(lambda: double(tf.constant(2.0)))()
    assert len(runs) == 4
    traces.forget_traces()
    double(tf.constant(1.0))
    assert runs[4:] == [True]


def test_a_graph_of_a_function_of_tensors_that_fails_leaves_the_error_to_the_function() -> None:
    for _ in range(4):
        with pytest.raises(OverflowError, match="string multiply"):
            tfnp.strings.multiply("a", 2**62)
        tfnp.strings.multiply("a", 2)


def test_the_oldest_trace_is_forgotten_beyond_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "MAX_TRACES", 2)
    for key in "abc":
        assert traces.keep_trace(key, lambda key=key: key * 2) == key * 2
    assert list(traces._traces) == ["b", "c"]
    assert traces.keep_trace("b", lambda: "made anew") == "bb"


def test_loops_are_traced_for_their_static_arguments_and_specs() -> None:
    made: list[int] = []

    def scale(factor: int, x: tf.Tensor, *, offset: int = 0) -> tf.Tensor:
        made.append(factor)
        return x * factor + offset

    spec = tf.TensorSpec([None], tf.int32)
    for x in ([1, 2], [3]):
        assert traces.trace(scale, 2, specs=[spec])(tf.constant(x)).numpy().tolist() == [2 * one for one in x]
    assert traces.trace(scale, 3, specs=[spec])(tf.constant([1])).numpy().tolist() == [3]
    assert traces.trace(scale, 3, specs=[spec], offset=1)(tf.constant([1])).numpy().tolist() == [4]
    assert made == [2, 3, 3]


def test_other_values_of_the_same_shape_share_a_trace() -> None:
    for scale in range(1, 5):
        np.testing.assert_allclose(tfnp.std(scale * X), np.std(scale * X))
    assert count_traces() == 1


@pytest.mark.sample(4)
@pytest.mark.parametrize("change", [{"ddof": 1}, {"ddof": True}, {"axis": 0}, {"ddof": 0.0}, {"keepdims": True}])
def test_other_arguments_have_other_traces(change: dict) -> None:
    expected = tfnp.std(X, **change)
    for _ in range(3):
        tfnp.std(X)
        np.testing.assert_array_equal(tfnp.std(X, **change), expected)
    assert count_traces() == 2


def test_arguments_that_are_equal_in_python_are_told_apart() -> None:
    for fill in (0.0, -0.0, 0, False, 0.0, -0.0):
        result = tfnp.nan_to_num(np.array([np.nan]), nan=fill)
        assert np.signbit(result.numpy()) == np.signbit(fill)


def test_a_scalar_of_bfloat16_is_an_argument() -> None:
    """TensorFlow's own conversion of such a scalar to an array fails."""
    for _ in range(3):
        result = tfnp.nan_to_num(tf.constant([np.nan, 1.0]), nan=tf.constant(2.0, tf.bfloat16))
        np.testing.assert_array_equal(result, [2.0, 1.0])


def test_errors_that_depend_on_values_are_numpys() -> None:
    for _ in range(3):
        tfnp.linalg.inv(np.eye(2))
    assert count_traces() == 1
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        tfnp.linalg.inv(np.zeros((2, 2)))


def test_gradients_are_recorded() -> None:
    x = tf.constant(X)
    for _ in range(3):
        tfnp.std(x)
    np.testing.assert_allclose(take_gradient(tfnp.std, x), (X - X.mean()) / (8 * X.std()))


def test_forward_gradients_are_recorded() -> None:
    x = tf.constant(X)
    for _ in range(3):
        tfnp.std(x)
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        y = tfnp.std(x)
    np.testing.assert_allclose(accumulator.jvp(y), 0, atol=1e-15)


def test_structures_of_results_are_kept() -> None:
    a = np.array([3, 1, 3])
    for _ in range(3):
        values, counts = tfnp.unique(a, return_counts=True)
        result = tfnp.unique_all(a)
        assert type(result).__name__ == "UniqueAllResult"
        np.testing.assert_array_equal(values, [1, 3])
        np.testing.assert_array_equal(counts, [1, 2])
    assert count_traces() == 2


def test_lengths_may_depend_on_values() -> None:
    for values in ([1, 1, 1], [1, 2, 3], [1, 2, 2]):
        np.testing.assert_array_equal(tfnp.unique(np.array(values)), np.unique(values))


def test_variables_are_read_at_every_call() -> None:
    v = tf.Variable(X)
    for _ in range(3):
        tfnp.std(v)
    v.assign(2 * X)
    np.testing.assert_allclose(tfnp.std(v), np.std(2 * X))
    assert count_traces() == 0


def test_an_array_that_changes_is_read_at_every_call() -> None:
    a = X.copy()
    for i in range(5):
        a[0] = i
        np.testing.assert_allclose(tfnp.std(a), np.std(a))


@pytest.mark.sample(4)
@pytest.mark.parametrize("dtype", [np.float64, np.int16, ">i4", np.float32])
@pytest.mark.parametrize("first", [tf.constant([7, 3, 5]), np.array([7, 3, 5])])
def test_ufuncs_of_arrays_are_traced(first: Any, dtype: Any) -> None:
    operand = np.array([2, 4, 7], dtype)
    for step in range(4):
        operand[0] = 2 + step
        result, expected = tfnp.logaddexp(first, operand), np.logaddexp(first, operand)
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(result, expected)
    assert count_traces() == 1


def test_large_arrays_are_not_traced() -> None:
    a = np.ones(traces.MAX_SIZE + 1)
    for _ in range(3):
        tfnp.std(a)
    assert count_traces() == 0


def test_results_are_on_the_device_of_the_scope() -> None:
    devices = tf.config.list_logical_devices("CPU")
    for device in devices:
        for _ in range(3):
            with tf.device(device.name):
                assert tfnp.std(X).device.endswith(device.name)


@pytest.mark.parametrize("mode", ["all", "safe"])
def test_weak_tensors_stay_weak(mode: str) -> None:
    with tfnp.numpy_behavior(dtype_conversion_mode=mode):
        for _ in range(3):
            weak = tfnp.trapezoid(tfnp.array([1.0, 2.0, 3.0]))
            assert (weak + tf.constant(1, tf.float32)).dtype == tf.float32


def test_the_promotion_is_part_of_the_key() -> None:
    for _ in range(3):
        assert tfnp.std(np.array([1, 2])).dtype == tf.float64
        with tfnp.numpy_behavior(prefer_float32=True):
            assert tfnp.std(np.array([1, 2])).dtype == tf.float32


def test_a_call_that_cannot_be_traced_is_not_tried_again() -> None:
    reads: list[bool] = []

    def read_first(x: tf.Tensor) -> float:
        reads.append(tf.executing_eagerly())
        return float(x[0]) if tf.executing_eagerly() else float(x.numpy()[0])

    recurring = traces.reuse_traces(read_first, ("x",))
    assert [recurring(tf.constant(X)) for _ in range(4)] == [X[0]] * 4
    assert list(traces._traces.values()) == [None]
    assert reads == [True, False, True, True, True]


def test_a_call_that_raises_is_not_traced() -> None:
    for _ in range(4):
        with pytest.raises(np.exceptions.AxisError):
            tfnp.std(X, axis=7)
    assert not traces._traces


def test_the_number_of_traces_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "MAX_TRACES", 2)
    for length in range(2, 8):
        for _ in range(3):
            tfnp.std(X[:length])
        assert count_traces() <= 2


def test_threads_may_call_at_once() -> None:
    results: list[float] = []

    def work() -> None:
        results.extend(float(tfnp.std(X[:length]).numpy()) for length in (3, 4, 5) for _ in range(6))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [np.std(X[:length]) for length in (3, 4, 5) for _ in range(6 * len(threads))]
    np.testing.assert_allclose(sorted(results), expected)


def test_one_tensor_given_twice_is_two_inputs() -> None:
    x, y = tf.constant(X), tf.constant(X[::-1].copy())
    for _ in range(3):
        tfnp.hypot(x, x)
        tfnp.cross(X[:3], X[:3])
    np.testing.assert_array_equal(tfnp.hypot(x, y), tfnp.hypot(y, x))
    np.testing.assert_allclose(tfnp.cross(X[:3], X[3:6]), np.cross(X[:3], X[3:6]))


def test_small_arrays_in_other_parameters_are_constants() -> None:
    bins = np.array([0.0, 0.5, 1.0])
    for _ in range(3):
        np.testing.assert_array_equal(tfnp.digitize(X, bins), np.digitize(X, bins))
        np.testing.assert_array_equal(tfnp.digitize(X, 2 * bins), np.digitize(X, 2 * bins))
        np.testing.assert_array_equal(tfnp.digitize(bins, bins), np.digitize(bins, bins))
    assert count_traces() >= 2
    with pytest.raises(ValueError, match="monotonic"):
        tfnp.digitize(X, bins[[0, 2, 1]])


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "call",
    [
        tfnp.hypot.reduce,
        lambda a: tfnp.floor_divide.reduce(a, initial=7.0),
        tfnp.nextafter.accumulate,
        lambda a: tfnp.add.accumulate(a, dtype=np.float32),
        lambda a: tfnp.logaddexp.reduce(a, where=np.arange(8) % 2 == 0, initial=0.0),
    ],
)
def test_reductions_of_pairs_give_the_same_bits(call: Callable[[np.ndarray], tf.Tensor]) -> None:
    first = call(X)
    for _ in range(3):
        np.testing.assert_array_equal(call(X), first)
    assert count_traces() == 1


@pytest.mark.sample(6)
@pytest.mark.parametrize("ufunc", ["add", "multiply", "hypot", "exp"])
@pytest.mark.parametrize("index", [[1, 1, 2], np.array([0, 7, 0]), (slice(1, None, 3),), tf.constant([3, 3])])
def test_updates_by_a_ufunc_recur(ufunc: str, index: Any) -> None:
    second = (0.5,) if ufunc != "exp" else ()
    for _ in range(4):
        v, a = tf.Variable(X), X.copy()
        getattr(tfnp, ufunc).at(v, index, *second)
        getattr(np, ufunc).at(a, tuple(index) if type(index) is tuple else np.asarray(index), *second)
        np.testing.assert_allclose(v, a, rtol=1e-15)
    assert count_traces() == 1


def test_updates_by_other_indices_have_other_traces() -> None:
    for _ in range(3):
        for index in ([0, 1], [1, 2], slice(0, 2), slice(0, 3)):
            v, a = tf.Variable(X), X.copy()
            tfnp.hypot.at(v, index, 1.0)
            np.hypot.at(a, index, 1.0)
            np.testing.assert_allclose(v, a, rtol=1e-15)
    assert count_traces() == 4
    with pytest.raises(IndexError):
        tfnp.hypot.at(tf.Variable(X), [8, 1], 1.0)


def test_kernels_that_differ_in_a_graph_are_not_traced_in_updates() -> None:
    for _ in range(3):
        tfnp.sinh.at(tf.Variable(X), [1])
        tfnp.expm1.at(tf.Variable(X, dtype=tf.float32), [1])
    assert count_traces() == 0


WRITES: dict[str, tuple[Any, ...]] = {
    "put": ([1, 1, 9], [5.0, 6.0, 7.0], "clip"),
    "place": (X > 0.3, [1.0, 2.0]),
    "putmask": (X > 0.3, np.array([1.0, 2.0, 3.0])),
    "put_along_axis": (np.array([2, 2, 5]), [1.0, 2.0, 3.0], 0),
}


@pytest.mark.parametrize("name", WRITES)
def test_functions_that_write_recur(name: str) -> None:
    for factor in range(1, 5):
        v, a = tf.Variable(factor * X), factor * X
        getattr(tfnp, name)(v, *WRITES[name])
        getattr(np, name)(a, *WRITES[name])
        np.testing.assert_array_equal(v, a)
    assert count_traces() == 1


def test_errors_of_writes_that_depend_on_values_are_numpys() -> None:
    for _ in range(3):
        tfnp.put(tf.Variable(X), np.array([1, 7]), 3.0)
    assert count_traces() == 1
    with pytest.raises(IndexError, match="out of bounds"):
        tfnp.put(tf.Variable(X), np.array([1, 8]), 3.0)
    with pytest.raises(ValueError, match="empty array"):
        tfnp.place(tf.Variable(X), X > 0, np.array([]))


def test_calls_without_arrays_recur() -> None:
    for _ in range(3):
        np.testing.assert_array_equal(tfnp.linspace(0, 1, 5), np.linspace(0, 1, 5))
    np.testing.assert_array_equal(tfnp.linspace(0, 2, 5), np.linspace(0, 2, 5))
    assert count_traces() == 1


def test_division_of_series_follows_the_lengths() -> None:
    for _ in range(3):
        for divisor in ([1.0, 2.0], [1.0, 2.0, 0.0], [2.0]):
            result = tfnp.polynomial.chebyshev.chebdiv([1.0, 2.0, 3.0], divisor)
            expected = np.polynomial.chebyshev.chebdiv([1.0, 2.0, 3.0], divisor)
            for part, other in zip(result, expected, strict=True):
                np.testing.assert_allclose(part, other)
    assert count_traces() >= 1
    with pytest.raises(ZeroDivisionError):
        tfnp.polynomial.polynomial.polydiv([1.0, 2.0, 3.0], [0.0, 0.0])


def test_eigenvalues_are_real_where_all_are() -> None:
    for _ in range(3):
        assert tfnp.linalg.eigvals(np.array([[2.0, 1.0], [1.0, 3.0]])).dtype == tf.float64
        assert tfnp.linalg.eigvals(np.array([[0.0, -1.0], [1.0, 0.0]])).dtype == tf.complex128
    assert count_traces() == 1
    with pytest.raises(np.linalg.LinAlgError, match="infs or NaNs"):
        tfnp.linalg.eigvals(np.full((2, 2), np.inf))


@pytest.mark.full
def test_what_is_forgotten_is_freed() -> None:
    for _ in range(3):
        tfnp.std(X)
    (trace,) = traces._traces.values()
    assert trace is not None
    name = trace._name
    assert context.context().has_function(name)
    del trace
    traces.forget_traces()
    gc.collect()
    assert not context.context().has_function(name)
