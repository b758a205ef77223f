"""Weak tensors, in the modes `all` and `safe`: what is weak, what stays so, and where such operands meet others."""

from __future__ import annotations

import json
import operator

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.warm_start import warm_start
from tfnp._core import lattice, weak_types

OPERATORS = ("add", "mul", "matmul", "eq")  # stock has no kernels for most pairs of other operators
FUNCTIONS = {
    "add": (tfnp.add, tfnp.maximum, tfnp.fmin),
    "mul": (tfnp.multiply, tfnp.outer, tfnp.kron),
    "matmul": (tfnp.dot, tfnp.tensordot),
    "eq": (operator.lt, operator.ne, tfnp.not_equal, tfnp.greater, tfnp.isin),
}
SOME = ["bool", "uint8", "int32", "bfloat16", "float32", "float64", "complex64", "int32*", "float32*", "complex128*"]
STOCK = """
import json, operator, sys
import tensorflow as tf
from tensorflow.python.framework import weak_tensor

names, operators = json.loads(sys.argv[1])
values = {}
for name in names:
    tensor = tf.ones((1, 1), name.rstrip("*"))
    values[name] = weak_tensor.WeakTensor(tensor) if name.endswith("*") else tensor
answers = {}
for mode in ("all", "safe"):
    tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
    for name in operators:
        for number, x in enumerate(names):
            for y in names[number:]:
                try:
                    result = getattr(operator, name)(values[x], values[y])
                    weak = "*" if isinstance(result, weak_tensor.WeakTensor) else ""
                    answers[f"{mode} {name} {x} {y}"] = result.dtype.name + weak
                except TypeError:
                    answers[f"{mode} {name} {x} {y}"] = "TypeError"
                except Exception:  # it lacks the kernel
                    pass
print(json.dumps(answers))
"""


def kind(tensor):
    """The name of a tensor's kind, as the lattice has it."""
    return tensor.dtype.name + ("*" if weak_types.is_weak(tensor) else "")


def one(name):
    tensor = tf.ones((1, 1), name.rstrip("*"))
    return weak_types.weaken(tensor) if name.endswith("*") else tensor


@pytest.fixture(params=["all", "safe"])
def mode(request):
    with tfnp.numpy_behavior(dtype_conversion_mode=request.param):
        yield request.param


@pytest.fixture(scope="module")
def stock():
    requested = json.dumps([list(lattice.UP), OPERATORS])
    run = warm_start.run(STOCK, requested)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def answered(function, x, y):
    try:
        return kind(tfnp.asarray(function(one(x), one(y))))
    except TypeError:
        return "TypeError"


def is_stocks_own(name, x, y):
    """Where stock's operators do not follow their lattice: a truth times a number is a truth there."""
    return name == "mul" and "bool" in (x, y)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_promote_as_tensorflows(mode, name, stock):
    pairs = [
        (x, y, stock[key])
        for x in lattice.UP
        for y in lattice.UP
        if (key := f"{mode} {name} {x} {y}") in stock and not is_stocks_own(name, x, y)
    ]
    assert len(pairs) > 50
    function = getattr(operator, name)
    assert [(x, y, answered(function, x, y)) for x, y, _ in pairs] == pairs


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_promote_as_operators(mode, name):
    for x in SOME:
        for y in SOME:
            expected = answered(getattr(operator, name), x, y)
            for function in FUNCTIONS[name]:
                assert answered(function, x, y) == expected, (function.__name__, x, y)


@pytest.mark.sample(83)
@pytest.mark.parametrize("function", [tfnp.asarray, tfnp.array, tfnp.asanyarray, tfnp.copy])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, "int32*"),
        (1.5, "float32*"),
        (1j, "complex128*"),
        (True, "bool"),
        ([1, 2], "int32*"),
        ([[1, 2.5], [True, 3]], "float32*"),
        ((1, 2j), "complex128*"),
        ([], "float32*"),
        (range(3), "int32*"),
        ([True, False], "bool"),
        (2**40, "int64*"),
        (2**63, "uint64"),
        (1e300, "float64*"),
        (np.float64(1), "float64"),
        ([np.int8(1), 2], "int64"),
        (np.array([1.5]), "float64"),
    ],
)
def test_tensors_of_python_scalars_are_weak(mode, function, value, expected):
    result = function(value)
    assert isinstance(result, tf.Tensor)
    assert kind(result) == expected
    np.testing.assert_allclose(result, np.asarray(value), rtol=1e-7)


@pytest.mark.parametrize("function", [tfnp.asarray, tfnp.array, tfnp.asanyarray])
def test_a_dtype_makes_results_strong(mode, function):
    weak = tfnp.asarray([1.5])
    assert kind(function([1.5], dtype="float32")) == kind(function(weak, np.float32)) == "float32"
    assert kind(weak.astype("float32")) == kind(tfnp.astype(weak, tf.float32)) == "float32"
    assert kind(tfnp.add(weak, 1, dtype="float32")) == kind(tfnp.sum(weak, dtype="float32")) == "float32"
    assert kind(weak) == "float32*"


def test_results_of_weak_operands_only_are_weak(mode):
    integral, real = tfnp.asarray([[1, 2], [3, 4]]), tfnp.asarray([[1.0, 2.0], [3.0, 4.0]])
    results = {
        "int32*": [
            integral + 1,
            -integral,
            integral // 2,
            integral**2,
            integral[0],
            integral[integral > 1],
            integral.T,
            abs(integral),
            next(iter(integral)),
        ],
        "float32*": [
            real + integral,
            real * 2,
            integral - 1.5,
            tfnp.sin(real),
            tfnp.sum(real),
            real.mean(axis=0),
            tfnp.reshape(real, -1),
            tfnp.where(real > 1, real, 0),
            tfnp.concatenate([real, integral]),
            tfnp.take(real, tf.constant([0])),
            tfnp.linalg.inv(real),
            real @ integral,
            tfnp.multiply.outer(real, integral),
            tfnp.add.reduce(real),
            *tfnp.split(real, 2),
            *tfnp.divmod(real, 2),
            tfnp.zeros_like(real),
            tfnp.add(real, 1, where=[True, False]),
        ],
        "float64*": [integral / 2, tfnp.sin(integral), tfnp.mean(integral)],
        "complex128*": [integral + 1j, real * 1j],
        "bool": [integral > 1, tfnp.isfinite(real), integral == real],
        "int64": [tfnp.argmax(real), tfnp.argsort(integral), *tfnp.nonzero(integral), tfnp.count_nonzero(integral)],
    }
    for name, values in results.items():
        assert [kind(value) for value in values] == [name] * len(values), name


def test_anything_with_a_strong_operand_is_strong(mode):
    weak, strong = tfnp.asarray([1.5]), tf.constant([1.5], tf.float16)
    array = np.array([1.5], np.float16)
    results = [
        weak + strong,
        strong - weak,
        weak * array,
        array + weak,
        tfnp.hypot(weak, strong),
        tfnp.dot(weak, strong),
    ]
    results += [tfnp.concatenate([weak, strong]), tfnp.where([True], weak, strong), tfnp.stack([strong, weak, [2.5]])]
    results += [tfnp.asarray([1, strong[0]]), tfnp.append(weak, strong), weak + tf.Variable(strong)]
    assert [kind(result) for result in results] == ["float16"] * len(results)
    assert tfnp.result_type(weak, strong) == tfnp.result_type(1.5, strong) == np.float16


def test_errors_of_safe_mode_name_weak_operands():
    with (
        tfnp.numpy_behavior(dtype_conversion_mode="safe"),
        pytest.raises(TypeError, match=r"of int32 and a weak float32 to float64 is not safe: cast.*astype"),
    ):
        tf.constant([1]) + tfnp.asarray(1.5)


def test_operands_that_are_not_promoted_are_not_checked():
    with tfnp.numpy_behavior(dtype_conversion_mode="safe"):
        assert kind(tfnp.ldexp(tf.constant([1.5]), tf.constant([2]))) == "float32"
        assert kind(tfnp.ldexp(tfnp.asarray([1.5]), 2)) == "float32*"


def test_tf_function_makes_arguments_and_results_strong(mode):
    weak, half = tfnp.asarray([1.5]), tf.constant([1.5], tf.float16)
    seen = []

    @tf.function(autograph=False)
    def doubled(x):
        inside = tfnp.asarray(2)
        seen.extend([kind(x), kind(weak), kind(inside + 1), kind(weak + half)])
        return x * inside

    assert kind(doubled(weak)) == "float32"
    assert seen == ["float32", "float32*", "int32*", "float16"]


def test_tensors_of_unknown_rank_can_be_weak(mode):
    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32), tf.TensorSpec([2], tf.float16)], autograph=False)
    def concatenated(x, y):
        return tfnp.append(weak_types.weaken(tf.identity(x)), y)

    assert concatenated(tf.ones((2, 2)), tf.ones((2,), tf.float16)).dtype == tf.float16


def test_results_of_tensorflow_are_strong(mode):
    weak = tfnp.asarray([1.5])
    assert [kind(one) for one in (tf.identity(weak), tf.add(weak, weak), tf.Variable(weak).read_value())] == [
        "float32"
    ] * 3
    assert tf.reduce_sum(weak).dtype == tf.float32


def test_gradients_flow_through_weak_tensors(mode):
    with tf.GradientTape() as tape:
        weak = tfnp.asarray([1.5, 2.0])
        tape.watch(weak)
        loss = tfnp.sum(weak * weak + tf.constant([1.0, 2.0]) * weak)
    np.testing.assert_allclose(tape.gradient(loss, weak), [4.0, 6.0])


@pytest.mark.parametrize("promotion_mode", ["legacy", "off"])
def test_other_modes_have_no_weak_tensors(promotion_mode):
    with tfnp.numpy_behavior(dtype_conversion_mode=promotion_mode):
        assert kind(tfnp.asarray(1)) == "int64"
        assert kind(tfnp.asarray(1.5) + 1) == kind(tfnp.sum([1.5])) == "float64"


def test_prefer_float32_replaces_default_float64():
    with tfnp.numpy_behavior(prefer_float32=True, dtype_conversion_mode="all"):
        integral = tfnp.asarray([1, 2])
        assert [kind(one) for one in (integral / 2, tfnp.sin(integral), integral + 1.5, tfnp.mean(integral))] == [
            "float32*"
        ] * 4
        assert tfnp.zeros(2).dtype == tf.float32


def test_safe_checks_operands_only():
    integral, real = tf.constant([1, 2, 3]), tf.constant([1.0, 2.0, 3.0])
    with tfnp.numpy_behavior(dtype_conversion_mode="safe"):
        assert bool(tfnp.isclose(integral, integral).all())
        assert tfnp.trapezoid(integral).item() == 4.0
        assert tfnp.cov(integral).dtype == tfnp.polyint(integral).dtype == tf.float64
        assert tfnp.histogram(integral, 2)[0].tolist() == [1, 2]
        assert tfnp.bincount(integral, real).dtype == tf.float64
        for function in (tfnp.isclose, tfnp.where, tfnp.dot, tfnp.append, tfnp.interp, tfnp.polyval, tfnp.outer):
            with pytest.raises(TypeError, match="not safe"):
                function(
                    *[integral > 1] * (function is tfnp.where), integral, real, *[real] * (function is tfnp.interp)
                )


def test_the_index_of_choose_is_not_promoted(mode):
    selected = tfnp.choose(tfnp.asarray([0, 1]), [tf.constant([1, 2], tf.float16), tfnp.asarray([3, 4])])
    assert (kind(selected), selected.tolist()) == ("float16", [1.0, 4.0])


def test_results_of_reshaping_are_as_weak_as_their_operands(mode):
    weak, strong = tfnp.asarray([1, 2]), tf.constant([1.0])
    assert [kind(one) for one in tfnp.broadcast_arrays(weak, strong)] == ["int32*", "float32"]
    assert [kind(one) for one in tfnp.meshgrid(weak, strong)] == ["int32*", "float32"]
    assert kind(tfnp.atleast_2d(weak)) == "int32*"
