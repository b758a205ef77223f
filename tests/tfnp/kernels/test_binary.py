import numpy as np
import pytest
import tensorflow as tf

from tests.tfnp.agreement import take_gradient
from tests.tfnp.kernels.agreement import MODES, REALS, assert_agree, is_subnormal, random_numbers, run, special_numbers
from tfnp._kernels import bits
from tfnp._kernels.real import binary

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

# The worst error in any mode and dtype, in ulp against longdouble; measured, and rounded up. The eager power of
# float64 is as good as its logarithm in float64, multiplied by the exponent: it is measured where that is below 10.
ULPS = {"hypot": 1.5, "arctan2": 5, "power": 12}


def operands(dtype):
    special, some = special_numbers(dtype), random_numbers(dtype)
    x = np.concatenate([np.repeat(special, len(special)), np.abs(some)])
    y = np.concatenate([np.tile(special, len(special)), np.random.default_rng(1).permutation(some)])
    return x, y


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ULPS)
@pytest.mark.parametrize("dtype", REALS)
def test_is_numpys(name, dtype):
    x, y = operands(dtype)
    expected = getattr(np, name)(x, y).astype(dtype)
    exact = getattr(np, name)(x.astype(np.longdouble), y.astype(np.longdouble))
    ignored = (is_subnormal(x, dtype) | is_subnormal(y, dtype)) & (dtype != np.float16)
    if name == "power":
        magnified = np.abs(np.log(np.abs(exact))) > 10
        exact = np.where(magnified, np.nan, exact)
    for mode in MODES:
        assert_agree(run(getattr(binary, name), mode, x, y), expected, exact, ULPS[name], ignored)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2"])
@pytest.mark.parametrize("dtype", REALS)
def test_logarithms_of_sums_are_numpys(name, dtype):
    """Where the greater operand and what is added cancel, the error is that of the operand."""
    x, y = operands(dtype)
    expected = getattr(np, name)(x, y).astype(dtype)
    exact = getattr(np, name)(x.astype(np.longdouble), y.astype(np.longdouble))
    cancelled = np.abs(exact) < 1
    ignored = (is_subnormal(x, dtype) | is_subnormal(y, dtype)) & (dtype != np.float16)
    for mode in MODES:
        actual = run(getattr(binary, name), mode, x, y)
        assert_agree(actual, expected, exact, 3, ignored | cancelled)
        np.testing.assert_allclose(
            actual[cancelled].astype(float), exact[cancelled].astype(float), rtol=0, atol=4 * np.finfo(dtype).eps
        ) if dtype in (np.float32, np.float64) else None


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_next_float_is_numpys(dtype, mode):
    x, y = operands(dtype)
    np.testing.assert_array_equal(run(bits.nextafter, mode, x, y), np.nextafter(x, y))


@pytest.mark.parametrize("mode", MODES)
def test_powers_of_bases_near_one_are_finite(mode):
    x, y = np.array([0.99999994, 1.0000001], np.float32), np.array([-795736128, 5e8], np.float32)
    np.testing.assert_allclose(run(binary.power, mode, x, y), np.power(x, y), rtol=1e-6)


@pytest.mark.parametrize("compiled", [None, False, pytest.param(True, marks=pytest.mark.full)])
@pytest.mark.parametrize(
    ("name", "x", "y", "slopes"),
    [
        ("hypot", 0.0, 0.0, (0, 0)),
        ("hypot", 3.0, -4.0, (0.6, -0.8)),
        ("hypot", 3e300, 4e300, (0.6, 0.8)),
        ("arctan2", 0.0, 0.0, (0, 0)),
        ("arctan2", 3.0, 4.0, (0.16, -0.12)),
        ("arctan2", 3e200, 4e200, (1.6e-201, -1.2e-201)),
        ("power", 0.0, 0.0, (0, 0)),
        ("power", 0.0, 2.0, (0, 0)),
        ("power", 2.0, 0.0, (0, np.log(2))),
        ("power", 2.0, 3.0, (12, 8 * np.log(2))),
        ("power", -2.0, 3.0, (12, 0)),
        ("logaddexp", 0.0, 0.0, (0.5, 0.5)),
        ("logaddexp", -np.inf, -np.inf, (0.5, 0.5)),
        ("logaddexp", np.inf, 1.0, (1, 0)),
        ("logaddexp2", 1.0, 0.0, (2 / 3, 1 / 3)),
        ("logaddexp2", -np.inf, -np.inf, (0.5, 0.5)),
    ],
)
def test_gradients(name, x, y, slopes, compiled):
    def differentiate(x, y):
        return take_gradient(getattr(binary, name), [x, y])

    function = differentiate if compiled is None else tf.function(differentiate, jit_compile=compiled, autograph=False)
    actual = function(tf.constant(x, tf.float64), tf.constant(y, tf.float64))
    np.testing.assert_allclose(actual, slopes, rtol=1e-14, atol=0)


@pytest.mark.parametrize("compiled", [None, False, True])
def test_gradients_are_summed_over_broadcast_axes(compiled):
    x, y = tf.ones([3, 1], tf.float64) * 3, tf.ones([2, 1, 4], tf.float64) * 4

    def differentiate(x, y):
        return take_gradient(binary.hypot, [x, y])

    function = differentiate
    if compiled is not None:
        function = tf.function(
            differentiate, [tf.TensorSpec(None, tf.float64)] * 2, jit_compile=compiled, autograph=False
        )
    of_x, of_y = function(x, y)
    np.testing.assert_allclose(of_x, np.full([3, 1], 8 * 0.6))
    np.testing.assert_allclose(of_y, np.full([2, 1, 4], 3 * 0.8))


def test_second_derivatives():
    x = tf.constant([3.0, 0.0], tf.float64)
    np.testing.assert_allclose(
        take_gradient(lambda x: take_gradient(lambda x: binary.hypot(x, tf.constant([4.0, 1.0], tf.float64)), x), x),
        [16 / 125, 1],
        rtol=1e-14,
    )


@pytest.mark.parametrize("graph", [False, True])
def test_powers_that_are_not_selected_have_no_gradient(graph):
    """Each is nan, a negative base raised to a fraction, but for the last."""
    x, y = tf.constant([-7.2, -7.2, 2.0]), tf.constant([0.5, -0.3, 3.0])

    def differentiate(x, y):
        return take_gradient(lambda x, y: tf.where(x > 0, binary.power(x, y), y), [x, y])

    base, exponent = (tf.function(differentiate, autograph=False) if graph else differentiate)(x, y)
    np.testing.assert_allclose(base, [0, 0, 12], rtol=1e-6)
    np.testing.assert_allclose(exponent, [1, 1, 8 * np.log(2)], rtol=1e-6)
