"""How kernels are held against NumPy: inputs that hurt, every mode, and what agreement is."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np
import tensorflow as tf

REALS = (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)
COMPLEXES = (np.complex64, np.complex128)
MODES = ("eager", "graph", "xla")


def run(kernel: Callable, mode: str, *arrays: np.ndarray) -> np.ndarray:
    """A kernel in a mode; in graphs it is traced without knowing so much as the rank."""
    tensors = [tf.constant(array) for array in arrays]
    if mode == "eager":
        return kernel(*tensors).numpy()
    unknown = [tf.TensorSpec(None, tensor.dtype) for tensor in tensors]
    graph = tf.function(kernel, input_signature=unknown, jit_compile=mode == "xla", autograph=False)
    return graph(*tensors).numpy()


def limits(dtype: np.dtype) -> tuple[float, float, float]:
    """The greatest and the least normal number, and eps."""
    info = ml_dtypes.finfo(dtype)
    return float(info.max), float(info.smallest_normal), float(info.eps)


def special_numbers(dtype: np.dtype) -> np.ndarray:
    greatest, least, eps = limits(dtype)
    log = np.log(greatest)
    sizes = [
        0,
        np.inf,
        np.nan,
        greatest,
        greatest / 4,
        np.sqrt(greatest) * 2,
        least,
        least * 16,
        np.sqrt(least) / 2,
        eps,
    ]
    sizes += [1, 1 + eps, 1 - eps / 2, 0.5, 0.7, 2, 2.5, 3, 8, 10, 12, 27, 100, 1e-3, np.pi / 2, np.pi, log * 0.9]
    sizes += [log * (1 + 2 * eps), log + 0.5]
    return np.array(sizes + [-size for size in sizes]).astype(dtype)


def random_numbers(dtype: np.dtype, count: int = 2000) -> np.ndarray:
    generator = np.random.default_rng(0)
    greatest, least, _ = limits(dtype)
    near_one = 1 + np.exp(generator.uniform(-30, 0, count)) * generator.choice([-1, 1], count)
    any_size = np.exp(generator.uniform(np.log(least), np.log(greatest), count)) * generator.choice([-1, 1], count)
    return np.concatenate([generator.uniform(-20, 20, count), near_one, any_size]).astype(dtype)


def complex_numbers(real: np.ndarray, imag: np.ndarray) -> np.ndarray:
    """Numbers of given parts, which arithmetic would make nan."""
    numbers = np.empty(np.broadcast_shapes(real.shape, imag.shape), np.result_type(real, np.complex64))
    numbers.real, numbers.imag = real, imag
    return numbers


def special_complexes(dtype: np.dtype) -> np.ndarray:
    parts = special_numbers(np.empty(0, dtype).real.dtype)
    return complex_numbers(parts[:, None], parts).ravel()


def random_complexes(dtype: np.dtype, seed: int = 0) -> np.ndarray:
    parts = random_numbers(np.empty(0, dtype).real.dtype)
    return complex_numbers(parts, np.random.default_rng(seed).permutation(parts))


def classes(numbers: np.ndarray) -> np.ndarray:
    """What must be the same: nan, an infinity and its sign, a zero and its sign, or another number."""
    numbers = numbers.astype(np.longdouble)
    kinds = [np.isnan(numbers), np.isinf(numbers), numbers == 0]
    return np.select(kinds, [1, 3 + np.sign(numbers), 6 + np.signbit(numbers)], 0)


def spacing(numbers: np.ndarray, dtype: np.dtype) -> np.ndarray:
    info = ml_dtypes.finfo(dtype)
    exponents = np.frexp(np.where(np.isfinite(numbers), numbers, 1))[1] - 1
    return np.ldexp(np.longdouble(1), np.maximum(exponents, int(info.minexp)) - info.nmant)


def is_subnormal(numbers: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """What TensorFlow takes for zero, or makes zero."""
    sizes = np.abs(numbers.astype(np.longdouble))
    return (sizes < limits(dtype)[1]) & (sizes != 0)


def assert_agree(actual: np.ndarray, expected: np.ndarray, exact: np.ndarray, ulps: float, ignored: np.ndarray) -> None:
    """The class is that of `expected`, the value within some ulp of `exact`, in a wider dtype, but where ignored."""
    assert actual.dtype == expected.dtype
    dtype = actual.dtype
    ignored = ignored | is_subnormal(expected, dtype) | is_subnormal(exact, dtype)
    other = (classes(actual) != classes(expected)) & ~ignored
    assert not other.any(), list(zip(actual[other][:5], expected[other][:5], strict=True))
    finite = np.isfinite(expected.astype(np.float64)) & np.isfinite(exact) & ~ignored
    errors = np.where(finite, np.abs(actual.astype(np.longdouble) - exact) / spacing(exact, dtype), 0)
    worst = errors.argmax()
    assert errors[worst] <= ulps, (errors[worst], actual[worst], expected[worst])


def modulus(numbers: np.ndarray) -> np.ndarray:
    return np.hypot(numbers.real.astype(np.longdouble), numbers.imag)


def assert_complexes_agree(
    actual: np.ndarray,
    expected: np.ndarray,
    exact: np.ndarray,
    ulps: float,
    ignored: np.ndarray,
    size: np.ndarray | None = None,
) -> None:
    """As `assert_agree`, but a part is compared against the modulus, or another size of what cancels."""
    assert actual.dtype == expected.dtype
    dtype = actual.real.dtype
    size = modulus(expected) if size is None else size
    for part, expected_part in ((actual.real, expected.real), (actual.imag, expected.imag)):
        close = np.abs(part.astype(np.longdouble) - expected_part) <= 8 * spacing(size, dtype)
        close &= (part != 0) | (expected_part != 0)
        other = (classes(part) != classes(expected_part)) & ~close & ~ignored
        assert not other.any(), list(zip(actual[other][:5], expected[other][:5], strict=True))
    size = modulus(exact)
    finite = np.isfinite(expected) & np.isfinite(actual) & np.isfinite(size) & ~ignored
    finite &= size > limits(dtype)[1] / limits(dtype)[2]
    distance = np.hypot(actual.real - exact.real, actual.imag - exact.imag)
    errors = np.where(finite, distance / spacing(size, dtype), 0)
    worst = errors.argmax()
    assert errors[worst] <= ulps, (errors[worst], actual[worst], expected[worst])
