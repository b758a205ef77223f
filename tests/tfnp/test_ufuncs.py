"""Every ufunc over every dtype and the values that hurt, against NumPy, eager and in one graph of unknown shapes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tables import check_each
from tests.tfnp.agreement import take_gradient

DTYPES = [*"?bhilBHILefdFD"]
INTEGERS = [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 100, -1, -2, -7, -64]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 0.1, 10.0, 100.0, np.inf, -np.inf, np.nan]

# How many units in the last place apart the two libraries may be; where nothing is said, none.
EXPONENTIALS = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt", "hypot", "logaddexp", "logaddexp2"]
TRIGONOMETRY = [
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "arctan2",
    "degrees",
    "radians",
    "deg2rad",
    "rad2deg",
]
HYPERBOLICS = ["sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"]
ULPS = dict.fromkeys([*EXPONENTIALS, *TRIGONOMETRY, *HYPERBOLICS, "absolute"], 8) | {"power": 32, "float_power": 32}
UFUNCS = sorted({getattr(np, name).__name__ for name in dir(np) if isinstance(getattr(np, name), np.ufunc)})
ELEMENTWISE = [name for name in UFUNCS if getattr(np, name).signature is None and name != "isnat"]


def values(code: str) -> np.ndarray:
    dtype = np.dtype(code)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        fitting = {value for value in INTEGERS if info.min <= value <= info.max}
        return np.array(sorted(fitting | {info.min, info.max, info.max - 1}), dtype)
    if dtype.kind == "c":
        return np.array([complex(real, imag) for real in FLOATS[:6] for imag in FLOATS[:6]], dtype)
    return np.array([*FLOATS, ml_dtypes.finfo(dtype).max, -ml_dtypes.finfo(dtype).smallest_normal], dtype)


def operands(name: str, code: str) -> list[np.ndarray]:
    if getattr(np, name).nin == 1:
        return [values(code)]
    x, y = (part.ravel() for part in np.meshgrid(values(code), values(code)))
    if name == "power" and np.dtype(code).kind == "i":
        x, y = x[y >= 0], y[y >= 0]
    return [x, y.astype(np.int32) if name == "ldexp" and np.dtype(code).kind == "f" else y]


def cases(name: str) -> list[tuple[list[np.ndarray], tuple[np.ndarray, ...]]]:
    found = []
    for code in DTYPES:
        with np.errstate(all="ignore"):
            try:
                arrays = operands(name, code)
                result = getattr(np, name)(*arrays)
            except TypeError:
                with pytest.raises(TypeError):
                    getattr(tfnp, name)(*[tf.constant(array) for array in operands(name, code)])
                continue
        found.append((arrays, result if isinstance(result, tuple) else (result,)))
    return found


def agree(name: str, result: np.ndarray, expected: np.ndarray) -> None:
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(result, expected)
        return
    if expected.dtype.kind == "c":
        np.testing.assert_array_equal(np.isnan(result), np.isnan(expected))
    part = np.finfo(expected.dtype)
    tolerance = ULPS.get(name, 4 if expected.dtype.kind == "c" else 0) * part.eps
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(result, expected, rtol=tolerance, atol=2 * part.smallest_normal)
    if expected.dtype.kind == "f" and name not in {"maximum", "minimum", "fmax", "fmin"}:
        zeros = (expected == 0) & (result == 0)
        np.testing.assert_array_equal(np.signbit(result[zeros]), np.signbit(expected[zeros]))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_every_dtype_and_value_agrees_with_numpy(name):
    function, known = getattr(tfnp, name), cases(name)
    flat = [tf.constant(array) for arrays, _ in known for array in arrays]

    def run(*tensors):
        rest = iter(tensors)
        return [function(*[next(rest) for _ in arrays]) for arrays, _ in known]

    unknown = [tf.TensorSpec([None], tensor.dtype) for tensor in flat]
    graph = tf.function(run, input_signature=unknown, autograph=False)
    for results in (run(*flat), graph(*flat)):
        for (_, expected), result in zip(known, results, strict=True):
            for one, other in zip(result if isinstance(result, tuple) else (result,), expected, strict=True):
                agree(name, one.numpy(), other)


@pytest.mark.parametrize("nin", [1, 2])
def test_every_dtype_and_value_agrees_with_numpy_in_eager_mode(nin):
    def check(name):
        for arrays, expected in cases(name):
            result = getattr(tfnp, name)(*map(tf.constant, arrays))
            for one, other in zip(result if isinstance(result, tuple) else (result,), expected, strict=True):
                agree(name, one.numpy(), other)

    check_each([name for name in ELEMENTWISE if getattr(np, name).nin == nin], check)


@pytest.mark.full
@pytest.mark.parametrize(
    "name", ["floor_divide", "remainder", "power", "left_shift", "gcd", "maximum", "sign", "multiply"]
)
def test_xla_agrees_where_its_own_kernels_do_not(name):
    function, known = getattr(tfnp, name), [case for case in cases(name) if case[0][0].dtype.char in "?bLfdF"]
    flat = [tf.constant(array) for arrays, _ in known for array in arrays]

    @tf.function(jit_compile=True, autograph=False)
    def run(*tensors):
        rest = iter(tensors)
        return [function(*[next(rest) for _ in arrays]) for arrays, _ in known]

    for (_, expected), result in zip(known, run(*flat), strict=True):
        agree(name, result.numpy(), expected[0])


def test_mixed_64_bit_integers_are_compared_exactly():
    signed, unsigned = (
        np.array([-1, 0, 2**53 + 1, 2**63 - 1]),
        np.array([0, 2**53, 2**53 + 1, 2**63, 2**64 - 1], np.uint64),
    )
    x, y = signed[:, None], unsigned
    for name in ("less", "less_equal", "equal", "not_equal", "greater", "greater_equal"):
        for pair in ((x, y), (y, x)):
            np.testing.assert_array_equal(getattr(tfnp, name)(*pair).numpy(), getattr(np, name)(*pair))


def test_a_negative_exponent_is_an_error_of_the_graph_and_defined_under_xla():
    x, y = tf.constant([2, 1, -1, 0, 3]), tf.constant([-1, -2, -3, -1, 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative integer powers"):
        tf.function(tfnp.power, autograph=False)(x, y)
    assert tf.function(tfnp.power, jit_compile=True, autograph=False)(x, y).numpy().tolist() == [0, 1, -1, 0, 9]


def test_nothing_is_raised_to_a_negative_exponent():
    for run in (tfnp.power, tf.function(tfnp.power, autograph=False)):
        assert run(tf.zeros(0, tf.int64), tf.constant([-1], tf.int64)).shape == (0,)
        assert run(2, -1, out=tf.Variable(tf.zeros((0, 2), tf.int64))).shape == (0, 2)


@pytest.mark.parametrize("exponent", [np.array([-1, 2, -3]), -1])
def test_negative_exponents_that_where_leaves_out_are_not_looked_at(exponent):
    mask = np.array([False, np.ndim(exponent) > 0, False])
    out = tf.Variable([7, 7, 7], dtype=tf.int64)
    for run in (tfnp.power, tf.function(tfnp.power, autograph=False)):
        run(np.arange(3), exponent, out=out, where=mask)
        assert out.numpy().tolist() == [7, 1 if mask[1] else 7, 7]


def test_powers_of_two_beyond_the_range_are_reached_in_steps():
    x, exponent = np.array([0.0, 1e-300, 1e300, -np.inf]), np.array([1448, 2000, -2000, 1448])
    for compiled in (False, True):
        run = tf.function(tfnp.ldexp, jit_compile=compiled, autograph=False)
        np.testing.assert_array_equal(run(tf.constant(x), tf.constant(exponent)).numpy(), np.ldexp(x, exponent))


@pytest.mark.parametrize(
    ("name", "point", "expected"),
    [
        ("hypot", (0.0, 0.0), (0.0, 0.0)),
        ("power", (0.0, 2.0), (0.0, 0.0)),
        ("remainder", (7.0, 2.0), (1.0, -3.0)),
        ("fmod", (-7.0, 2.0), (1.0, 3.0)),
        ("copysign", (2.0, -1.0), (-1.0, None)),
        ("logaddexp", (0.0, 0.0), (0.5, 0.5)),
    ],
)
def test_gradients_are_finite_where_the_true_ones_are(name, point, expected):
    for mode in (lambda function: function, lambda function: tf.function(function, autograph=False)):

        def gradients(x, y):
            return [0.0 if slope is None else slope for slope in take_gradient(getattr(tfnp, name), [x, y])]

        found = mode(gradients)(*[tf.constant(value, tf.float64) for value in point])
        np.testing.assert_allclose([float(slope) for slope in found], [value or 0.0 for value in expected])


@pytest.mark.parametrize("where", [0, 2.5, np.float64(0), np.int64(1), [1, 0], "a"], ids=repr)
def test_where_reads_truths_in_what_is_no_array(where):
    out = tf.Variable(np.zeros(2))
    expected = np.add(np.ones(2), 2.0, where=where, out=np.zeros(2))
    assert tfnp.add(np.ones(2), 2.0, where=where, out=out).numpy().tolist() == expected.tolist()
    with pytest.raises(TypeError, match="Cannot cast array data from dtype\\('int64'\\) to dtype\\('bool'\\)"):
        tfnp.add(np.ones(2), 2.0, where=np.array(1), out=out)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64], ids=str)
def test_a_graph_subtracts_unsigned_integers_from_a_zero_that_it_knows(dtype):
    y = np.array([0, 1, 200], dtype)
    for zero in (0, False, np.zeros(3, dtype)):
        actual = tf.function(lambda y, zero=zero: tfnp.subtract(zero, y), autograph=False)(y)
        np.testing.assert_array_equal(actual, np.subtract(zero, y))
        assert actual.dtype == dtype
