import numpy as np
import pytest
import tensorflow as tf

from tests.tfnp.agreement import take_gradient
from tests.tfnp.kernels.agreement import (
    COMPLEXES,
    MODES,
    assert_agree,
    assert_complexes_agree,
    is_subnormal,
    modulus,
    random_complexes,
    run,
    special_complexes,
)
from tfnp._core import convert
from tfnp._kernels.complex import arithmetic, comparisons, exponentials, powers, trigonometry

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

# The worst distance from longdouble, in any mode and dtype, in ulp of the modulus; measured, and rounded up.
ULPS = {
    arithmetic: {"square": 1.5, "reciprocal": 3},
    exponentials: {"exp": 2.5, "expm1": 6, "log": 4.5, "sqrt": 2},
    trigonometry: {
        "sin": 4.5,
        "cos": 4.5,
        "tan": 6,
        "sinh": 4.5,
        "cosh": 4.5,
        "tanh": 6,
        "arcsin": 4,
        "arccos": 4,
        "arctan": 5,
        "arcsinh": 4,
        "arccosh": 4,
        "arctanh": 5,
    },
}
UNARY = [(module, name, ulps) for module, table in ULPS.items() for name, ulps in table.items()]
COMPARISONS = ["less", "less_equal", "greater", "greater_equal", "maximum", "minimum", "fmax", "fmin"]


def random_complex(dtype):
    return np.concatenate([special_complexes(dtype), random_complexes(dtype)])


def random_pairs(dtype):
    """Pairs of which no product or quotient of parts comes near what is subnormal, which TensorFlow makes zero."""
    special, some = special_complexes(dtype), random_complexes(dtype)
    generator = np.random.default_rng(2)
    x = np.concatenate([generator.choice(special, 20000), some])
    y = np.concatenate([generator.choice(special, 20000), random_complexes(dtype, 3)])
    flushed = np.zeros(x.shape, bool)
    for a in (x.real, x.imag, y.real, y.imag):
        for b in (x.real, x.imag, y.real, y.imag, np.ones_like(a)):
            for c, numerator in ((a * b, a != 0), (b / a, np.isfinite(a))):
                flushed |= is_subnormal(c / 64, c.dtype) | ((c == 0) & (b != 0) & numerator)
    return x[~flushed], y[~flushed]


def has_subnormal(z):
    return is_subnormal(z.real, z.real.dtype) | is_subnormal(z.imag, z.real.dtype)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("module", "name", "ulps"), UNARY)
@pytest.mark.parametrize("dtype", COMPLEXES)
def test_functions_are_numpys(module, name, ulps, dtype):
    z = random_complex(dtype)
    reference = getattr(np, name)
    expected, exact = reference(z), reference(z.astype(np.clongdouble))
    ignored = has_subnormal(z) | has_subnormal(expected)
    for mode in MODES:
        assert_complexes_agree(run(getattr(module, name), mode, z), expected, exact, ulps, ignored)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["exp2", "log2", "log10", "sign"])
@pytest.mark.parametrize("dtype", COMPLEXES)
def test_intermediate_rounding_is_numpys(name, dtype):
    z = random_complex(dtype)
    expected = getattr(np, name)(z)
    module = arithmetic if name == "sign" else exponentials
    ignored = has_subnormal(z) | has_subnormal(expected) | is_subnormal(z.imag * 0.69, z.real.dtype)
    for mode in MODES:
        assert_complexes_agree(run(getattr(module, name), mode, z), expected, expected, 7, ignored)


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", COMPLEXES)
def test_log1p_is_closer_than_numpys(mode, dtype):
    z = random_complex(dtype)
    upcast = z.astype(np.clongdouble)
    exact = np.log1p(upcast)
    near = np.abs(upcast) < 0.25
    exact.real[near] = 0.5 * np.log1p(upcast.real * (2 + upcast.real) + upcast.imag**2)[near]
    actual, expected = run(exponentials.log1p, mode, z), np.log1p(z)
    ignored = has_subnormal(z) | near
    assert_complexes_agree(actual, expected, exact, 5, ignored)
    assert_complexes_agree(actual, exact.astype(dtype), exact, 5, has_subnormal(z) | ~near)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["absolute", "angle"])
@pytest.mark.parametrize("dtype", COMPLEXES)
def test_polar_coordinates_are_numpys(name, dtype):
    z = random_complex(dtype)
    expected, exact = getattr(np, name)(z), getattr(np, name)(z.astype(np.clongdouble))
    for mode in MODES:
        assert_agree(run(getattr(arithmetic, name), mode, z), expected, exact, 4.5, has_subnormal(z))


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", ["isnan", "isinf", "isfinite"])
@pytest.mark.parametrize("mode", MODES)
def test_predicates_are_numpys(name, mode):
    z = random_complex(np.complex64)
    np.testing.assert_array_equal(run(getattr(arithmetic, name), mode, z), getattr(np, name)(z))


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", COMPLEXES)
def test_arithmetic_is_numpys(mode, dtype):
    """Far from the limits against longdouble; near them, where NumPy is inexact itself, against NumPy's classes."""
    x, y = random_pairs(dtype)
    is_zero = np.zeros(x.shape, bool)
    for name in ("multiply", "divide"):
        reference = getattr(np, name)
        expected, exact = reference(x, y), reference(x.astype(np.clongdouble), y.astype(np.clongdouble))
        actual = run(getattr(arithmetic, name), mode, x, y)
        ignored = has_subnormal(expected) | has_subnormal(exact.astype(dtype))
        size = modulus(x) * modulus(y) if name == "multiply" else None
        assert_complexes_agree(actual, expected, expected, 6, ignored, size)
        tame = np.isfinite(x) & np.isfinite(y)
        for part in (x.real, x.imag, y.real, y.imag):
            tame &= (np.abs(part) < 1e9) & (np.abs(part) > 1e-9)
        assert_complexes_agree(actual, expected, exact, 4, is_zero | ~tame)


OPERATIONS = {
    "product": arithmetic.multiply,
    "product, reversed": lambda x, y: arithmetic.multiply(y, x),
    "quotient": arithmetic.divide,
}
STATIC = (2.0, -3.0, 1e10, 1e35, 0.0, -0.0, np.inf, np.nan, 2j, complex(-0.0, -3), complex(2, -0.0), 1j * np.inf)


@pytest.mark.sample(3)
@pytest.mark.parametrize("is_compiled", [False, True], ids=["graph", "xla"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_operands_with_a_static_part_of_zero_change_no_bit(name, is_compiled):
    """A graph leaves out what only matters for products that overflow or are rounded beside another one."""
    operate, x = OPERATIONS[name], tf.constant(special_complexes(np.complex128))
    scalars = np.array(STATIC)

    def run_both(x, dynamic):
        static = [operate(x, convert.as_constant(np.asarray(scalar))) for scalar in scalars]
        return static, [operate(x, scalar) for scalar in tf.unstack(dynamic)]

    results, expected = tf.function(run_both, autograph=False, jit_compile=is_compiled)(x, tf.constant(scalars))
    for scalar, result, other in zip(scalars, results, expected, strict=True):
        actual, right = (np.asarray(z).view(np.float64) for z in (result, other))
        np.testing.assert_array_equal(actual, right, err_msg=str(scalar))
        is_number = ~np.isnan(right)
        np.testing.assert_array_equal(np.signbit(actual)[is_number], np.signbit(right)[is_number], err_msg=str(scalar))


@pytest.mark.parametrize("name", OPERATIONS)
def test_gradients_of_products_and_quotients_take_few_ops(name):
    """Loops over the coefficients of a series unroll them: XLA takes seconds for thousands of ops."""

    def count_ops(differentiated):
        def differentiate(x, y):
            y = y if differentiated == 2 else convert.as_constant(np.array(3.0 + 0j))
            with tf.GradientTape() as tape:
                tape.watch([x, y][:differentiated])
                result = OPERATIONS[name](x, y)
            return tape.gradient(result, [x, y][:differentiated])

        z = tf.TensorSpec((3,), tf.complex128)
        return len(tf.function(differentiate, autograph=False).get_concrete_function(z, z).graph.get_operations())

    assert count_ops(1) < 50
    assert count_ops(2) < (200 if name == "quotient" else 100)


@pytest.mark.full
@pytest.mark.parametrize("dtype", COMPLEXES)
def test_quotients_by_zero_are_those_of_the_parts(dtype):
    x = special_complexes(dtype)
    for zero in (0j, complex(-0.0, 0), complex(0, -0.0)):
        y = np.full(x.shape, zero, dtype)
        for mode in MODES:
            actual = run(arithmetic.divide, mode, x, y)
            assert_complexes_agree(actual, np.divide(x, y), np.divide(x, y), 0, has_subnormal(x))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.parametrize("mode", MODES)
def test_order_is_numpys(name, mode):
    x, y = random_pairs(np.complex64)
    y[::3] = x[::3]
    y.real[1::3] = x.real[1::3]
    x, y = x[~has_subnormal(y)], y[~has_subnormal(y)]
    np.testing.assert_array_equal(run(getattr(comparisons, name), mode, x, y), getattr(np, name)(x, y))


def draw_powers(dtype):
    """Whole powers of special numbers, any powers of zeros, and powers of ordinary numbers."""
    bases = np.array([1, -1, 0.5 - 2j, 3j, np.inf, np.nan, complex(0, np.inf), complex(1, -0.0)])
    integral = [array.ravel() for array in np.meshgrid(bases, np.arange(-9, 10))]
    exponents = special_complexes(dtype)
    exponents = exponents[~has_subnormal(exponents)]
    zeros = np.array([0, complex(-0.0, 0), complex(0, -0.0)])[np.arange(exponents.size) % 3]
    generator = np.random.default_rng(4)
    ordinary = [generator.uniform(-5, 5, 2000) + 1j * generator.uniform(-5, 5, 2000) for _ in range(2)]
    x, y = (np.concatenate(arrays).astype(dtype) for arrays in zip(integral, [zeros, exponents], ordinary, strict=True))
    return x, y, np.arange(x.size) < x.size - 2000


@pytest.mark.full
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", COMPLEXES)
def test_powers_are_numpys(mode, dtype):
    x, y, special = draw_powers(dtype)
    actual, expected = run(powers.power, mode, x, y), np.power(x, y)
    assert_complexes_agree(actual, expected, expected, 3, has_subnormal(expected) | ~special)
    exact = np.power(x.astype(np.clongdouble), y.astype(np.clongdouble))
    errors = np.abs(actual - exact) / np.abs(exact) / (1 + np.abs(y * np.log(x)))
    assert errors[~special].max() < 4 * np.finfo(dtype).eps


@pytest.mark.full
@pytest.mark.parametrize("mode", MODES)
def test_inverses_of_subnormal_powers(mode):
    x = np.array([1e-160 + 1e-160j, 2e-155, 1e-154 + 1e-160j, 1e-155 - 1e-154j, 1e-170j, 3, 0, np.inf, 1e-44 + 1e-45j])
    y = np.array([-2 + 0j] * 8 + [-7])
    actual, expected = run(powers.power, mode, x, y), np.power(x, y)
    for part, other in ((actual.real, expected.real), (actual.imag, expected.imag)):
        np.testing.assert_allclose(part, other, rtol=1e-14)


@pytest.mark.sample(5)
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for module, name, _ in UNARY] + [(exponentials, name) for name in ("exp2", "log1p", "log2")],
)
def test_gradients_are_those_of_holomorphic_functions(module, name, compiled):
    kernel = getattr(module, name)
    z = np.array([0.3 + 0.4j, -0.6 + 0.2j, 2 - 1j, 0.01 - 0.02j])
    step = 1e-6
    reference = getattr(np, name)
    slope = (reference(z.astype(np.clongdouble) + step) - reference(z.astype(np.clongdouble) - step)) / (2 * step)

    def differentiate(z):
        return take_gradient(kernel, z)

    function = tf.function(differentiate, autograph=False) if compiled else differentiate
    np.testing.assert_allclose(function(tf.constant(z)), np.conj(slope.astype(complex)), rtol=1e-7)


@pytest.mark.full
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
def test_gradients_of_powers(compiled):
    x = np.array([0, 0, 2 + 1j, 1j])
    y = np.array([0, 2, 1 - 1j, 3])

    def differentiate(x, y):
        return take_gradient(powers.power, [x, y])

    function = tf.function(differentiate, autograph=False) if compiled else differentiate
    of_x, of_y = function(tf.constant(x), tf.constant(y))
    some = x != 0
    slopes = np.array([0, 0, (1 - 1j) * (2 + 1j) ** -1j, -3])
    np.testing.assert_allclose(of_x, np.conj(slopes), rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(of_y.numpy()[some], np.conj(x[some] ** y[some] * np.log(x[some])), rtol=1e-13)
    assert not of_y.numpy()[~some].any()


ON_CUTS = {
    "arcsin": [complex(2, 0.0), complex(2, -0.0), complex(-2, 0.0), complex(-2, -0.0)],
    "arccos": [complex(2, 0.0), complex(2, -0.0), complex(-2, 0.0), complex(-2, -0.0)],
    "arctanh": [complex(2, 0.0), complex(2, -0.0), complex(-2, 0.0), complex(-2, -0.0)],
    "arcsinh": [complex(0.0, 2), complex(-0.0, 2), complex(0.0, -2), complex(-0.0, -2)],
    "arctan": [complex(0.0, 2), complex(-0.0, 2), complex(0.0, -2), complex(-0.0, -2)],
}


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("name", ON_CUTS)
def test_derivatives_on_branch_cuts_are_those_of_the_side_of_the_zero(name, graph):
    points = np.array(ON_CUTS[name])
    step = 1e-6 if points[0].real else 1e-6j

    def shift(distance):
        """Move along the cut, and leave the signs of zeros as they are."""
        return np.array(
            [complex(p.real + distance, p.imag) if p.real else complex(p.real, p.imag + distance) for p in points]
        )

    expected = (getattr(np, name)(shift(1e-6)) - getattr(np, name)(shift(-1e-6))) / (2 * step)

    def differentiate(z):
        with tf.GradientTape() as tape:
            tape.watch(z)
            result = getattr(trigonometry, name)(z)
        return tf.math.conj(tape.gradient(result, z, output_gradients=tf.ones_like(result)))

    found = (tf.function(differentiate, autograph=False) if graph else differentiate)(tf.constant(points))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)
