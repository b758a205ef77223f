"""Ufuncs of long arrays, which have kernels of their own in eager mode: against NumPy, and against short arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tfnp._core.traces import MAX_SIZE
from tfnp._kernels import bits as kernels_of_bits
from tfnp._kernels import select_rare

RANDOM = np.random.default_rng(23)
LENGTH = 4 * MAX_SIZE
UNARY = ("exp2", "log2", "log10", "cbrt")
BY_NUMPY = ("frexp", "spacing", "trunc")
BINARY = ("hypot", "arctan2", "nextafter", "floor_divide", "remainder", "divmod", "power")
ULPS = {"exp2": 2, "log2": 2, "log10": 2, "cbrt": 1, "hypot": 1, "arctan2": 4}
SHARES = (0, 1e-3, 0.5)
"""Shares of elements that need special treatment: none, a few, which are gathered, and many."""


def usual(dtype: str) -> np.ndarray:
    return (RANDOM.standard_normal(LENGTH) * 2.0 ** RANDOM.integers(-5, 6, LENGTH)).astype(dtype)


def edges(dtype: str) -> np.ndarray:
    info = np.finfo(dtype)
    sizes = [
        0, 1, 0.1, 0.5, 3, 7.5, 125.5, 126, 127.5, 128, 149, 1021, 1022, 1022.5, 1023, 1023.5, 1024, 1074, 1075, np.inf,
        info.tiny, info.smallest_subnormal, 3 * info.smallest_subnormal, info.tiny / 2, info.max, info.max / 2,
        float(info.max) ** 0.5, float(info.tiny) ** 0.5, 2.0**-24, 1 + info.eps,
    ]  # fmt: skip
    sizes = np.array(sizes).astype(dtype)
    return np.concatenate([sizes, -sizes, np.array([np.nan], dtype)])


def with_edges(dtype: str, share: float) -> np.ndarray:
    return np.where(RANDOM.random(LENGTH) < share, RANDOM.choice(edges(dtype), LENGTH), usual(dtype))


def parts(result: Any) -> list[np.ndarray]:
    return [part.numpy() for part in (result if isinstance(result, tuple) else (result,))]


def in_pieces(name: str, *arrays: np.ndarray) -> list[np.ndarray]:
    """Return the results for the same elements in short arrays."""
    pieces = zip(*(np.split(array, LENGTH // MAX_SIZE) for array in arrays), strict=True)
    results = [parts(getattr(tfnp, name)(*map(tf.constant, piece))) for piece in pieces]
    return [np.concatenate(part) for part in zip(*results, strict=True)]


def check_close(actual: np.ndarray, expected: np.ndarray, ulps: int) -> None:
    """Check the distance in units in the last place, and the signs of zeros; nan is nan."""
    nan = np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(actual), nan)
    np.testing.assert_array_equal(np.signbit(actual)[~nan], np.signbit(expected)[~nan])
    bits = [part[~nan].view(f"i{part.dtype.itemsize}").astype(object) for part in (actual, expected)]
    assert max(abs(bits[0] - bits[1]), default=0) <= ulps


@pytest.mark.sample(21)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("dtype", ["e", "f", "d"])
@pytest.mark.parametrize("name", [*UNARY, *BY_NUMPY, *BINARY])
def test_elements_are_those_of_short_arrays(name: str, dtype: str, share: float) -> None:
    arrays = [with_edges(dtype, share) for _ in range(getattr(np, name).nin)]
    if share == 0 and name.startswith(("log", "power")):
        arrays[0] = np.abs(arrays[0]) + 1
    for actual, expected in zip(
        parts(getattr(tfnp, name)(*map(tf.constant, arrays))), in_pieces(name, *arrays), strict=True
    ):
        check_close(actual, expected, {"cbrt": 1, "exp2": 2 if dtype == "f" else 0}.get(name, 0))


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", [*UNARY, "hypot", "nextafter"])
def test_elements_are_those_of_numpy(name: str, dtype: str) -> None:
    """Of all bits, but for subnormal numbers, which some of TensorFlow's kernels take for zeros."""
    integer = np.dtype(f"u{np.dtype(dtype).itemsize}")
    arrays = [
        RANDOM.integers(0, np.iinfo(integer).max, 10**5, integer, endpoint=True).view(dtype)
        for _ in range(getattr(np, name).nin)
    ]
    arrays = [np.where(np.abs(array) < np.finfo(dtype).tiny, 1, array) for array in arrays]
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(*arrays)
        if name == "cbrt":  # where a processor has no AVX-512, NumPy's is wrong by up to four ulp
            expected = np.cbrt(arrays[0].astype(np.longdouble)).astype(dtype)
    actual = getattr(tfnp, name)(*map(tf.constant, arrays)).numpy()
    normal = ~(np.abs(expected) < np.finfo(dtype).tiny) | (name == "nextafter")
    check_close(actual[normal], expected[normal], ULPS.get(name, 0) + (2 if dtype == "f" else 0))


@pytest.mark.parametrize("name", [*BY_NUMPY, "nextafter"])
def test_numpy_calculates_what_takes_several_ops(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("no number is selected")

    monkeypatch.setattr(kernels_of_bits.ops, "select", fail)
    arrays = [with_edges("d", 0.5) for _ in range(getattr(np, name).nin)]
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(*arrays)
    for actual, part in zip(
        parts(getattr(tfnp, name)(*arrays)), expected if name == "frexp" else [expected], strict=True
    ):
        np.testing.assert_array_equal(actual, part)


def test_signed_numbers_are_shifted_right_in_one_pass() -> None:
    """Counts are replaced where they are out of range, not results."""
    specs = tf.TensorSpec((100, 3), tf.int64), tf.TensorSpec((3,), tf.int64)
    graph = tf.function(tfnp.right_shift, autograph=False).get_concrete_function(*specs).graph
    outputs = {op.type for op in graph.get_operations() if op.outputs and op.outputs[0].shape == (100, 3)}
    assert "RightShift" in outputs
    assert outputs <= {"RightShift", "Placeholder", "Identity"}
    x, counts = np.array([[-(2**63), -1, 5]] * 3), np.array([[-1] * 3, [64] * 3, [63, 0, 2]])
    np.testing.assert_array_equal(tfnp.right_shift(x, counts), np.right_shift(x, counts))


def test_powers_of_two_are_exact() -> None:
    exponents = np.resize(np.arange(-1022, 1024), LENGTH).astype(float)
    np.testing.assert_array_equal(tfnp.exp2(exponents), np.ldexp(1.0, exponents.astype(int)))
    np.testing.assert_array_equal(tfnp.log2(np.ldexp(1.0, exponents.astype(int))), exponents)


def test_exact_powers_are_exact() -> None:
    x = np.arange(1, LENGTH + 1, dtype=np.float32)
    for exponent in (2, 3):  # many squares lie in the middle of two numbers of float32
        expected = (x.astype(float) ** exponent).astype(np.float32)
        np.testing.assert_array_equal(tfnp.power(x, np.full(LENGTH, exponent, np.float32)), expected)


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_quotients_near_integers_are_rounded_down_as_exact_ones(dtype: str) -> None:
    divisors = usual(dtype)
    counts = RANDOM.integers(1, 1000, LENGTH) * RANDOM.choice([-1, 1], LENGTH)
    dividends = np.nextafter(
        (divisors * counts).astype(dtype), RANDOM.choice([-np.inf, 0, np.inf], LENGTH).astype(dtype)
    )
    huge = (dividends * 2.0 ** RANDOM.integers(0, 60, LENGTH)).astype(dtype)
    for x in (dividends, huge, np.rint(huge)):
        np.testing.assert_array_equal(tfnp.floor_divide(x, divisors), np.floor_divide(x, divisors))
        np.testing.assert_array_equal(tfnp.divmod(x, divisors)[0], np.floor_divide(x, divisors))


@pytest.mark.parametrize("name", BINARY)
def test_operands_broadcast(name: str) -> None:
    x, y = with_edges("d", 0.2)[: 2 * MAX_SIZE, None], with_edges("d", 0.2)[: MAX_SIZE + 1]
    for first, second in ((x[:5], y), (y, x[:5]), (y, np.float64(0.0)), (y, np.float64(np.nan)), (y[:, None], x[:1])):
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(first, second)
        for actual, part in zip(
            parts(getattr(tfnp, name)(tf.constant(first), tf.constant(second))),
            expected if isinstance(expected, tuple) else (expected,),
            strict=True,
        ):
            assert actual.shape == part.shape
    first, second = x[:5, 0], y[: LENGTH // 8]
    expected = parts(getattr(tfnp, name)(tf.constant(np.tile(first[:, None], len(second))), tf.constant(second)))
    for actual, part in zip(
        parts(getattr(tfnp, name)(tf.constant(first[:, None]), tf.constant(second))), expected, strict=True
    ):
        check_close(actual, part, 0)


def slopes(function: Any, *arrays: np.ndarray) -> list[np.ndarray]:
    """Return first and second derivatives."""
    tensors = [tf.constant(array) for array in arrays]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(tensors)
        with tf.GradientTape() as inner:
            inner.watch(tensors)
            result = function(*tensors)
        first = inner.gradient(result, tensors)
    second = [outer.gradient(slope, tensors[0]) for slope in first]
    return [tf.convert_to_tensor(slope).numpy() for slope in (*first, *second) if slope is not None]


@pytest.mark.parametrize("name", [*UNARY, "hypot", "arctan2", "nextafter", "remainder", "power"])
def test_gradients_are_those_of_short_arrays(name: str) -> None:
    arrays = [np.abs(usual("d")) + 0.1 for _ in range(getattr(np, name).nin)]
    function = getattr(tfnp, name)
    expected = [slopes(function, *piece) for piece in zip(*(np.split(a, 4) for a in arrays), strict=True)]
    actual = slopes(function, *arrays)
    assert len(actual) >= len(arrays)
    for one, pieces in zip(actual, zip(*expected, strict=True), strict=True):
        np.testing.assert_allclose(one, np.concatenate(pieces), 1e-13)


@pytest.mark.parametrize("count", [0, 1, LENGTH // 8, LENGTH // 8 + 1, LENGTH])
def test_replaced_elements(count: int) -> None:
    mask = np.arange(LENGTH).reshape(4, -1) < count
    x, y = RANDOM.random(mask.shape), RANDOM.random(mask.shape[1])
    seen = []

    def special(*operands: tf.Tensor) -> tf.Tensor:
        seen.extend(operands)
        return tf.subtract(*operands)

    result = select_rare.replace_few(tf.constant(x), tf.constant(mask), special, tf.constant(x), tf.constant(y))
    np.testing.assert_array_equal(result, np.where(mask, x - y, x))
    if 0 < count <= LENGTH // 8:
        assert [one.shape for one in seen] == [(count,)] * 2


def test_bounds_of_elements() -> None:
    x = tf.constant([[1.0, -2.0], [3.0, 0.0]])
    assert select_rare.lies_within(x, -2, 3)
    assert not select_rare.lies_within(x, -1, 3)
    assert not select_rare.lies_within(x, -2, 2.5)
    for value in (np.nan, np.inf):
        assert not select_rare.lies_within(tf.constant([0.0, value, 1.0] * 50), -5, 5)


@pytest.mark.parametrize("name", ["left_shift", "right_shift"])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "uint64"])
def test_shifts(name: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bits = 8 * np.dtype(dtype).itemsize
    x = RANDOM.integers(0, 100, LENGTH).astype(dtype)
    usual_counts = RANDOM.integers(0, bits, LENGTH).astype(dtype)
    others = np.where(RANDOM.random(LENGTH) < 0.01, np.array(bits, dtype), usual_counts)
    function, reference = getattr(tfnp, name), getattr(np, name)
    for counts in (others, usual_counts, np.array(bits, dtype), np.array(3, dtype)):
        np.testing.assert_array_equal(function(x, counts), reference(x, counts))
    if np.dtype(dtype).kind == "i":
        np.testing.assert_array_equal(function(-x, -usual_counts), reference(-x, -usual_counts))
    monkeypatch.setattr(kernels_of_bits, "_shift_count", None)  # usual counts need no selection
    np.testing.assert_array_equal(function(x, usual_counts), reference(x, usual_counts))
