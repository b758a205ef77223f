"""Numbers made simpler."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

NAMES = ("angle", "around", "clip", "fix", "imag", "nan_to_num", "real", "real_if_close", "round")
AWKWARD = np.array([-np.inf, -2.5, -0.5, -0.0, 0.5, 1.5, 125.0, np.inf, np.nan])
COMPLEX = np.array([complex(1.5, -2.5), complex(np.nan, -np.inf), complex(-0.0, 0.0), complex(-1, -0.0)])


def test_any_int_bounds_bfloat16():
    for bounds in ((None, 2**63), (-(2**63) - 1, None), (0, 2**70)):
        agree("clip", np.array([0, 2.5, -7], ml_dtypes.bfloat16), *bounds, modes=("eager",))


@pytest.mark.sample(2)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    for name in NAMES:
        bounds = (2, 5) if name == "clip" else ()
        agree(name, array(2, 3, dtype=dtype), *bounds, modes=("eager", "graph"))


@pytest.mark.full
@pytest.mark.parametrize("decimals", [0, 1, -1, 4, -3, 400, True, 1.0, np.int64(2), None], ids=str)
def test_decimals(decimals):
    for value in (AWKWARD, COMPLEX, array(3, dtype=np.int8), array(3, dtype=np.float16), np.array([True]), 2.5, [1.25]):
        agree("round", value, decimals)


@pytest.mark.full
def test_rounding_of_few_digits():
    half = array(4, dtype=DTYPES[-1])
    for decimals in (1, 4, -1):
        agree("round", half, decimals)
        agree("round", half, decimals, out=np.zeros(4, np.float32))


@pytest.mark.sample(4)
@pytest.mark.parametrize("decimals", [0, 1, -1])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int64, np.int8, np.bool_], ids=str)
def test_rounding_into(decimals, dtype):
    values = (np.array(2.5), np.array([[1.5, -2.5]]), np.array([15, 25]), np.array([-0.0 - 2.5j, 1]), np.array([True]))
    for value in values:
        for shape in ((), (1,), (2,), (1, 2), (2, 1), (3,)):
            agree("round", value, decimals, out=np.zeros(shape, dtype), modes=("eager",))


def test_rounding_into_an_array_is_refused():
    with pytest.raises(TypeError, match=r"tf\.Variable"):
        tfnp.round(1.5, out=tf.zeros(()))


@pytest.mark.sample(12)
@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((), {}),
        ((2, None), {}),
        ((None, 2), {}),
        ((None, None), {}),
        ((2,), {}),
        ((2, 5), {"min": 3}),
        ((), {"min": 3}),
        ((), {"max": 3.5}),
        ((), {"min": 5, "max": 3}),
        ((np.nan, 3), {}),
        (([1, 2, 3], [[5], [4]]), {}),
        ((0, 5), {"out": np.zeros((2, 3))}),
        ((0, 5), {"out": np.zeros((2, 3), np.int8)}),
        ((0, 5), {"dtype": np.float64}),
        ((0, 5), {"where": np.array([True, False, True]), "out": np.zeros((2, 3), np.float32)}),
        ((0, 5), {"bogus": 1}),
        ((-(2**70), 2**70), {}),
    ],
    ids=str,
)
def test_clip(args, options):
    agree("clip", array(2, 3), *args, modes=("eager", "graph"), **options)
    agree("clip", array(2, 3, dtype=np.uint8), *args, modes=("eager",), **options)


@pytest.mark.sample(4)
@pytest.mark.parametrize("value", [0.0, -1, np.array(3.0), 1j, None, "a", np.array([1.0, 2.0])], ids=str)
def test_nan_to_num(value):
    for option in ("nan", "posinf", "neginf"):
        agree("nan_to_num", AWKWARD, modes=("eager", "graph"), **{option: value})
    agree("nan_to_num", COMPLEX, nan=value, modes=("eager", "graph"))
    agree("nan_to_num", np.nan, nan=value, modes=("eager",))


@pytest.mark.full
def test_angle_of_every_sign():
    for deg in (False, True):
        agree("angle", AWKWARD, deg)
        agree("angle", COMPLEX, deg)
        agree("angle", -1, deg)
    agree("angle", np.array([-3, 0, 3], np.int8))


@pytest.mark.full
def test_parts():
    for value in (COMPLEX, AWKWARD, 1 + 2j, 3, np.float32(2), [1, 2j], True):
        agree("real", value)
        agree("imag", value)


@pytest.mark.parametrize("tol", [100, 1000, 0.5, 1, 0])
def test_real_if_close(tol):
    for value in (np.array([1 + 1e-14j, 2]), np.array([1 + 0.4j]), array(3), np.array([], complex)):
        agree("real_if_close", value, tol, modes=("eager",))
    with pytest.raises(TypeError, match="real"):
        tf.function(tfnp.real_if_close)(tf.constant([1j]))


def test_unknown_dims():
    np.testing.assert_array_equal(traced(lambda x: tfnp.round(x, 1), AWKWARD), np.round(AWKWARD, 1))
    np.testing.assert_array_equal(traced(lambda x: tfnp.clip(x, 0, [1]), AWKWARD), np.clip(AWKWARD, 0, [1]))
    np.testing.assert_array_equal(traced(tfnp.nan_to_num, AWKWARD), np.nan_to_num(AWKWARD))
    np.testing.assert_array_equal(traced(tfnp.angle, AWKWARD), np.angle(AWKWARD))


def test_gradients():
    assert gradient(lambda x: tfnp.clip(x, 1, 3), np.array([0.0, 2.0, 5.0]))[0].tolist() == [0, 4, 0]
    assert gradient(tfnp.nan_to_num, np.array([2.0, np.nan]))[0].tolist() == [4, 0]


STEPS = {
    "round": tfnp.round,
    "round to decimals": lambda x: tfnp.round(x, 1),
    "rint": tfnp.rint,
    "floor": tfnp.floor,
    "ceil": tfnp.ceil,
    "trunc": tfnp.trunc,
    "fix": tfnp.fix,
    "floor_divide": lambda x: tfnp.floor_divide(x, 2.0),
    "divmod": lambda x: tfnp.divmod(x, 2.0)[0],
    "modf": lambda x: tfnp.modf(x)[1],
    "spacing": tfnp.spacing,
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", STEPS)
def test_the_gradient_of_steps_is_zero(name, dtype):
    points = np.array([0.3, -1.7, 2.5], dtype)

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = STEPS[name](x) + x
        return tape.gradient(result, x)

    for mode in (slope, tf.function(slope), tf.function(slope, jit_compile=True)):
        assert mode(tf.constant(points)).numpy().tolist() == [1, 1, 1]
    symbolic = tf.function(lambda x: tf.gradients(STEPS[name](x), x)[0], autograph=False)
    assert symbolic(tf.constant(points)).numpy().tolist() == [0, 0, 0]
    assert tf.vectorized_map(slope, tf.constant(points)).numpy().tolist() == [1, 1, 1]
    with tf.autodiff.ForwardAccumulator(tf.constant(points), tf.ones_like(points)) as accumulator:
        result = STEPS[name](tf.constant(points))
    assert accumulator.jvp(result) is None


def test_the_gradient_of_a_quotient_is_zero_for_both_operands():
    x, y = tf.constant([[5.0, 7.0]]), tf.constant([[2.0], [3.0]])
    with tf.GradientTape() as tape:
        tape.watch((x, y))
        result = tfnp.floor_divide(x, y)
    for slope, operand in zip(tape.gradient(result, (x, y)), (x, y), strict=True):
        np.testing.assert_array_equal(slope, tf.zeros_like(operand))


@pytest.mark.parametrize("jit", [False, True])
def test_the_fraction_of_modf_has_slope_one_at_zero_too(jit):
    x = tf.constant([0.0, -0.0, 0.25, -1.5, 3.0])

    def differentiate(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            fraction, integral = tfnp.modf(x)
            total = 2 * fraction + 5 * integral
        return tape.gradient(total, x)

    np.testing.assert_array_equal(differentiate(x), [2] * 5)
    np.testing.assert_array_equal(tf.function(differentiate, jit_compile=jit)(x), [2] * 5)


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_the_mantissa_of_frexp_has_the_slope_of_its_power_of_two(jit, dtype):
    x = tf.constant([3.0, -0.2, 1024.0, 0.0], dtype)

    def differentiate(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            mantissa, _ = tfnp.frexp(x)
        return tape.gradient(mantissa, x)

    expected = [2.0**-2, 2.0**2, 2.0**-11, 1.0]
    np.testing.assert_array_equal(tf.cast(differentiate(x), tf.float64), expected)
    np.testing.assert_array_equal(tf.cast(tf.function(differentiate, jit_compile=jit)(x), tf.float64), expected)
