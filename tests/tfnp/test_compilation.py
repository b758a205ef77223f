"""`tfnp.jit`: what a compiled function gives, and when it is compiled anew."""

from __future__ import annotations

import gc
import weakref
from typing import Any, NamedTuple

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import take_gradient

VECTOR = tf.constant([1.0, -2.0, 3.0])


class Pair(NamedTuple):
    first: Any
    second: Any


def thrice(function: Any, *args: Any, **kwargs: Any) -> list[Any]:
    """Call a function three times: the first call compiles it, the second one finds it compiled."""
    return [function(*args, **kwargs) for _ in range(3)]


@pytest.mark.full
def test_results() -> None:
    compiled = tfnp.jit(lambda x, y: tfnp.exp(x) + y)
    for x, y in ((VECTOR, VECTOR), (VECTOR[:2], VECTOR[1:]), (VECTOR, VECTOR[0]), (tfnp.ones((2, 3)), np.ones(3))):
        for result in thrice(compiled, x, y):
            assert type(result) is type(VECTOR)
            np.testing.assert_allclose(result, np.exp(x) + np.asarray(y), 1e-6)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "structure",
    [
        lambda x: (x, [x + 1], {"b": x, "a": (x + 2, x + 3)}),
        lambda x: [x, x],
        lambda x: (x,),
        lambda x: {"z": x, "a": -x},
        lambda x: Pair(x, {"a": -x}),
        lambda x: (x, None),
        lambda x: (),
    ],
)
def test_structures_of_results(structure: Any) -> None:
    expected = structure(VECTOR)
    for result in thrice(tfnp.jit(structure), VECTOR):
        tf.nest.assert_same_structure(result, expected, check_types=True)
        for ours, theirs in zip(tf.nest.flatten(result), tf.nest.flatten(expected), strict=True):
            np.testing.assert_array_equal(ours, theirs) if theirs is not None else None
        if type(expected) is dict:
            assert list(result) == list(expected)


@pytest.mark.full
def test_structures_of_arguments() -> None:
    @tfnp.jit
    def add(pairs: Any, options: Any, *more: Any, scale: Any = 1.0) -> Any:
        return pairs[0].first * options["b"] - options["a"] + pairs[1] * scale + sum(more)

    x, y, z = VECTOR, VECTOR + 1, VECTOR * 2
    for result in thrice(add, [Pair(x, None), y], {"b": y, "a": z}):
        np.testing.assert_array_equal(result, x * y - z + y)
    for result in thrice(add, [Pair(x, None), y], {"a": z, "b": y}, scale=z):
        np.testing.assert_array_equal(result, x * y - z + y * z)
    for result in thrice(add, [Pair(x, None), y], options={"a": z, "b": y}, scale=3.0):
        np.testing.assert_array_equal(result, x * y - z + y * 3)
    for result in thrice(add, [Pair(x, None), y], {"a": z, "b": y}, x, np.float32([1, 2, 3])):
        np.testing.assert_array_equal(result, x * y - z + y + x + [1, 2, 3])


@pytest.mark.full
def test_programs_belong_to_signatures() -> None:
    traced: list[Any] = []

    @tfnp.jit(autograph=False)
    def scale(x: Any, factor: Any) -> Any:
        traced.append(factor)
        return tfnp.copysign(x, factor) if isinstance(factor, float) else x * factor

    for factor in (0.0, -0.0, 2, True, 2.0, tf.constant(2.0), tf.constant(3.0), float("nan"), float("nan")):
        expected = np.copysign(VECTOR, factor) if isinstance(factor, float) else VECTOR * float(factor)
        for result in thrice(scale, VECTOR, factor):
            np.testing.assert_array_equal(result, expected)
    count = len(traced)
    thrice(scale, VECTOR, 2.0)
    thrice(scale, VECTOR, tf.constant(4.0))
    assert len(traced) == count


@pytest.mark.full
def test_a_signature_is_traced_once() -> None:
    traces = []

    @tfnp.jit
    def function(x: tf.Tensor, pair: Any, factor: float = 2.0) -> Any:
        traces.append(factor)
        return x * factor + pair[0], [pair[1]]

    x, y, z = (tf.constant(values) for values in ([1.0, 2.0], [3.0, 4.0], [5.0]))
    for _ in range(3):
        first, (second,) = function(x, (y, z))
    assert traces == [2.0]
    np.testing.assert_array_equal(first, [5, 8])
    np.testing.assert_array_equal(second, [5])


def test_variables_are_read_and_written() -> None:
    total = tf.Variable(tf.zeros(3))

    @tfnp.jit
    def accumulate(x: Any) -> Any:
        total.assign_add(x)
        return total * 2

    for count, result in enumerate(thrice(accumulate, VECTOR), 1):
        np.testing.assert_array_equal(result, 2 * count * VECTOR)
    total.assign([0.0, 0, 0])
    np.testing.assert_array_equal(accumulate(VECTOR), 2 * VECTOR)
    for result in thrice(tfnp.jit(lambda v, x: v + x), total, VECTOR):  # as an argument
        np.testing.assert_array_equal(result, 2 * VECTOR)
    total.assign_add(VECTOR)
    np.testing.assert_array_equal(tfnp.jit(lambda: total + 1)(), 2 * VECTOR + 1)


def test_a_variable_may_be_made_by_the_first_call() -> None:
    class Layer(tf.Module):
        weight = None

        @tfnp.jit
        def __call__(self, x: Any) -> Any:
            if self.weight is None:
                self.weight = tf.Variable(tf.ones(3))
            return x * self.weight

    layer, other = Layer(), Layer()
    for result in thrice(layer, VECTOR):
        np.testing.assert_array_equal(result, VECTOR)
    layer.weight.assign([3.0, 3, 3])
    np.testing.assert_array_equal(layer(VECTOR), 3 * VECTOR)
    np.testing.assert_array_equal(other(VECTOR), VECTOR)


@pytest.mark.full
def test_methods_do_not_keep_their_instances() -> None:
    class Scale:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        @tfnp.jit
        def apply(self, x: Any) -> Any:
            """Return the product."""
            return x * self.factor

    one, two = Scale(1.0), Scale(2.0)
    assert Scale.apply.__doc__ == one.apply.__doc__ == "Return the product."
    for _ in range(3):
        np.testing.assert_array_equal(one.apply(VECTOR), VECTOR)
        np.testing.assert_array_equal(two.apply(VECTOR), 2 * VECTOR)
    reference = weakref.ref(two)
    del two
    gc.collect()
    assert reference() is None


@pytest.mark.full
def test_gradients() -> None:
    weight = tf.Variable(2.0)
    compiled = tfnp.jit(lambda x: tfnp.sum(weight * x**2))
    thrice(compiled, VECTOR)
    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(VECTOR)
            result = compiled(VECTOR)
        by_x, by_weight = tape.gradient(result, (VECTOR, weight))
        np.testing.assert_allclose(by_x, 4 * VECTOR)
        np.testing.assert_allclose(by_weight, 14)

    @tfnp.jit
    def slope(x: Any) -> Any:
        return take_gradient(lambda x: tfnp.sum(x**3), x)

    for result in thrice(slope, VECTOR):
        np.testing.assert_allclose(result, 3 * VECTOR**2)
    with tf.autodiff.ForwardAccumulator(VECTOR, tf.ones(3)) as accumulator:
        result = slope(VECTOR)
    np.testing.assert_allclose(accumulator.jvp(result), 6 * VECTOR)


@pytest.mark.full
def test_inside_of_a_graph_and_of_another() -> None:
    inner = tfnp.jit(lambda x: x + 1)
    thrice(inner, VECTOR)
    for outer in (tf.function(lambda x: inner(x) * 2), tfnp.jit(lambda x: inner(x) * 2), lambda x: inner(x) * 2):
        for result in thrice(outer, VECTOR):
            np.testing.assert_array_equal(result, (VECTOR + 1) * 2)


def test_functions_may_be_run_eagerly() -> None:
    seen: list[bool] = []
    compiled = tfnp.jit(lambda x: (seen.append(tf.executing_eagerly()), x + 1)[1], autograph=False)
    thrice(compiled, VECTOR)
    assert not any(seen)
    tf.config.run_functions_eagerly(True)
    try:
        thrice(compiled, VECTOR)
    finally:
        tf.config.run_functions_eagerly(False)
    assert seen[-3:] == [True] * 3


def test_control_flow_of_tensors() -> None:
    @tfnp.jit
    def collatz(n: Any) -> Any:
        steps = tf.constant(0)
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    with tfnp.numpy_behavior():
        assert [int(result) for result in thrice(collatz, tf.constant(27))] == [111] * 3


def test_errors() -> None:
    compiled = tfnp.jit(lambda x: tfnp.nonzero(x)[0])
    for _ in range(3):
        with pytest.raises(TypeError, match="size="):
            compiled(VECTOR)
    add = tfnp.jit(tfnp.add)
    thrice(add, VECTOR, VECTOR)
    with pytest.raises(ValueError, match="Dimensions must be equal"):
        add(VECTOR, VECTOR[:2])
    np.testing.assert_array_equal(add(VECTOR, VECTOR), 2 * VECTOR)


def test_programs_are_compiled_by_xla() -> None:
    """Under XLA, an index out of bounds is the nearest one; TensorFlow's kernel raises."""
    for result in thrice(tfnp.jit(lambda x: tf.gather(x, [7])), VECTOR):
        assert result.shape == (1,)
