import numpy as np
import pytest
import tensorflow as tf

from tests.tfnp.agreement import take_gradient
from tests.tfnp.kernels.agreement import MODES, REALS, assert_agree, is_subnormal, random_numbers, run, special_numbers
from tfnp._kernels.real import transcendental

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

# The worst error in any mode and dtype, in ulp against longdouble; measured, and rounded up.
ULPS = {
    "reciprocal": 1,
    "sign": 0,
    "arcsin": 4.5,
    "arccos": 4.5,
    "arcsinh": 3,
    "arccosh": 4,
    "arctanh": 3,
    "expm1": 6,
    "log1p": 4,
    "sinh": 5,
    "cosh": 4,
    "exp2": 2,
    "log2": 2,
    "log10": 2,
    "cbrt": 1,
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ULPS)
@pytest.mark.parametrize("dtype", REALS)
def test_is_numpys(name, dtype):
    kernel, reference = getattr(transcendental, name), getattr(np, name)
    x = np.concatenate([special_numbers(dtype), random_numbers(dtype)])
    expected = reference(x).astype(dtype)
    exact = reference(x.astype(np.longdouble))
    ignored = is_subnormal(x, dtype) if dtype != np.float16 else np.zeros(x.shape, bool)
    for mode in MODES:
        assert_agree(run(kernel, mode, x), expected, exact, ULPS[name], ignored)


@pytest.mark.parametrize("mode", MODES)
def test_powers_of_two_are_exact(mode):
    n = np.arange(-1022.0, 1024)
    np.testing.assert_array_equal(run(transcendental.exp2, mode, n), 2.0**n)
    np.testing.assert_array_equal(run(transcendental.log2, mode, 2.0**n), n)
    short = np.arange(-126, 128, dtype=np.float32)
    np.testing.assert_array_equal(run(transcendental.exp2, mode, short), np.ldexp(np.float32(1), short.astype(int)))
    np.testing.assert_array_equal(run(transcendental.log2, mode, np.ldexp(np.float32(1), short.astype(int))), short)


@pytest.mark.parametrize("mode", MODES)
def test_reciprocals_are_divisions(mode):
    x = np.array([1, -4.30352e37, 3, 7e-30] * 9, np.float32)
    np.testing.assert_array_equal(run(transcendental.reciprocal, mode, x), 1 / x)


@pytest.mark.parametrize("mode", MODES)
def test_powers_of_ten_and_cubes_are_exact(mode):
    n = np.arange(23.0)
    np.testing.assert_array_equal(run(transcendental.log10, mode, 10.0**n), n)
    np.testing.assert_array_equal(
        run(transcendental.cbrt, mode, np.array([27.0, -27, 8, 64, 1e-3])), [3, -3, 2, 4, 0.1]
    )


@pytest.mark.parametrize("mode", MODES)
def test_roots_of_subnormal_numbers_are_numbers(mode):
    x = np.array([1e-45, -1e-45, 0.0, -0.0], np.float32)
    roots = run(transcendental.cbrt, mode, x)
    assert (np.abs(roots) <= np.abs(np.cbrt(x))).all()
    assert (np.signbit(roots) == np.signbit(x)).all()


@pytest.mark.sample(4)
@pytest.mark.parametrize("compiled", [None, False, True])
@pytest.mark.parametrize(
    ("name", "slope", "bend"),
    [
        ("arctanh", lambda x: 1 / (1 - x * x), lambda x: 2 * x / (1 - x * x) ** 2),
        ("log1p", lambda x: 1 / (1 + x), lambda x: -1 / (1 + x) ** 2),
        ("sinh", np.cosh, np.sinh),
        ("cosh", np.sinh, np.cosh),
        ("log2", lambda x: 1 / (x * np.log(2)), lambda x: -1 / (x * x * np.log(2))),
        ("log10", lambda x: 1 / (x * np.log(10)), lambda x: -1 / (x * x * np.log(10))),
        ("cbrt", lambda x: np.cbrt(x) / (3 * x), lambda x: -2 * np.cbrt(x) / (9 * x * x)),
        ("exp2", lambda x: np.log(2) * 2**x, lambda x: np.log(2) ** 2 * 2**x),
        ("arcsin", lambda x: 1 / np.sqrt(1 - x * x), lambda x: x / (1 - x * x) ** 1.5),
    ],
)
def test_gradients(name, slope, bend, compiled):
    kernel = getattr(transcendental, name)

    def differentiate(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            first = take_gradient(kernel, x)
        return first, outer.gradient(first, x)

    x = np.array([1e-3, 0.25, 0.5, 0.9])
    function = differentiate if compiled is None else tf.function(differentiate, jit_compile=compiled, autograph=False)
    first, second = function(tf.constant(x))
    np.testing.assert_allclose(first, slope(x), rtol=1e-14)
    np.testing.assert_allclose(second, bend(x), rtol=1e-14)
