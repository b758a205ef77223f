"""Arguments for measuring a function of one or two operands: all values of 16-bit dtypes, hard values of wider ones.

They are the same on every machine: samples come from a fixed seed, and none depends on the functions to be measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
DTYPES = {
    name: np.dtype(getattr(ml_dtypes if name == "bfloat16" else np, name))
    for name in ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")
}
BITS = {2: np.uint16, 4: np.uint32, 8: np.uint64}
SEED = 20
LONGEST = 1 << 18
LIMITS = (math.log(2), 11.1, 16.7, 88.7, 103.3, 709.8, 744.5, 20.0, 31.0, 128.0, 1024.0)
"""Where exponentials of some dtype overflow, underflow, or swallow a one."""


def is_complete(dtype: np.dtype, operands: int) -> bool:
    """Return whether `make_arguments` gives every value of the dtype."""
    return operands == 1 and dtype.itemsize == 2


def make_arguments(dtype: np.dtype, operands: int, samples: int) -> tuple[np.ndarray, ...]:
    """Return an array for each operand, all of one length: every value of a 16-bit dtype, or about `samples` of
    another.
    """
    random = np.random.Generator(np.random.PCG64(SEED))
    if operands == 1:
        found = list_values(dtype) if dtype.itemsize == 2 else draw_hard(dtype, samples, random)
        return (random.permutation(found),)
    if dtype.itemsize == 2:
        pairs = [
            np.concatenate(both) for both in zip(make_grid(dtype), draw_related(dtype, samples, random), strict=True)
        ]
    else:
        pairs = list(draw_related(dtype, samples, random))
    order = random.permutation(pairs[0].size)
    return pairs[0][order], pairs[1][order]


def list_values(dtype: np.dtype) -> np.ndarray:
    """Return all values of a real 16-bit dtype, with one nan for all of them."""
    numbers = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    with np.errstate(invalid="ignore"):
        return np.concatenate([numbers[~np.isnan(numbers)], np.array([math.nan], dtype)])


def make_grid(dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Return every pair of numbers whose fractions are the smallest, the next, a middle or the largest one of any
    exponent.
    """
    numbers = list_values(dtype)
    fraction_bits = 10 if dtype == np.float16 else 7
    fraction = numbers.view(np.uint16) & ((1 << fraction_bits) - 1)
    fractions = [0, 1, (1 << fraction_bits - 1) + 1, (1 << fraction_bits) - 1]
    if dtype == BFLOAT16:
        fractions = [0, (1 << fraction_bits) - 1]
    values = numbers[np.isin(fraction, fractions)]
    first, second = np.meshgrid(values, values)
    return first.ravel(), second.ravel()


def draw_hard(dtype: np.dtype, samples: int, random: np.random.Generator) -> np.ndarray:
    """Return arguments that are hard for implementations.

    Of a complex dtype, they include pairs with modulus near 1, with parts of one size, or near an axis.
    """
    if dtype.kind != "c":
        return _draw_hard_reals(dtype, samples, random)
    real = np.empty(0, dtype).real.dtype
    first, second = (random.permutation(_draw_hard_reals(real, samples // 4, random)) for _ in range(2))
    size = min(first.size, second.size)
    first, second = first[:size], second[:size]
    turns = random.uniform(-math.pi, math.pi, size)
    near = 1 + random.choice([-1.0, 1.0], size) * np.exp2(random.uniform(-60, 0, size))
    with np.errstate(all="ignore"):
        alike = first * np.exp2(random.uniform(-3, 3, size)) * random.choice([-1.0, 1.0], size)
    parts = [
        (first, second),
        (near * np.cos(turns), near * np.sin(turns)),
        (first, alike),
        (random.uniform(-100, 100, size), random.uniform(-100, 100, size)),
    ]
    found = np.empty(len(parts) * size, dtype)
    with np.errstate(all="ignore"):
        found.real, found.imag = (np.concatenate([part[half].astype(real) for part in parts]) for half in (0, 1))
    return found


def _draw_hard_reals(dtype: np.dtype, samples: int, random: np.random.Generator) -> np.ndarray:
    numbers = np.concatenate([part.astype(dtype) for part in _parts(dtype, max(samples // 8, 64), random)])
    with np.errstate(invalid="ignore"):
        return numbers[~np.isnan(numbers)]


def _parts(dtype: np.dtype, count: int, random: np.random.Generator) -> Iterator[np.ndarray]:
    limits = np.finfo(dtype) if dtype != BFLOAT16 else ml_dtypes.finfo(dtype)
    largest, digits = float(limits.max), int(limits.nmant) + 1
    signs = random.choice([-1.0, 1.0], count)
    with np.errstate(all="ignore"):
        yield random.integers(0, 1 << dtype.itemsize * 8, count, np.uint64).astype(BITS[dtype.itemsize]).view(dtype)
        yield signs * np.exp2(random.uniform(-1.5 * digits, 3, count))
        yield random.uniform(-800, 800, count)
        yield random.uniform(-4, 4, count)
        quarters = random.integers(1, 1 << min(digits, 40), count) >> random.integers(0, min(digits, 40), count)
        yield _add_neighbours(signs * quarters * (math.pi / 2), dtype, random)
        yield signs + random.choice([-1.0, 1.0], count) * np.exp2(random.uniform(-digits - 1, 0, count))
        yield _add_neighbours(signs * np.asarray(random.choice(LIMITS, count)), dtype, random)
        yield signs * largest * np.exp2(-np.abs(random.standard_cauchy(count)))
        whole = np.arange(-257, 258) / 2
        yield np.concatenate([whole, np.exp2(np.arange(-40, 41)), 10.0 ** np.arange(-22, 23), [math.inf, -math.inf]])


def _add_neighbours(numbers: np.ndarray, dtype: np.dtype, random: np.random.Generator) -> np.ndarray:
    """Return the numbers and a few representable neighbours of each."""
    steps = random.integers(-4, 5, numbers.size)
    return numbers.astype(dtype).astype(np.float64) * (1 + steps * float(_finfo(dtype).eps))


def _finfo(dtype: np.dtype) -> Any:
    return ml_dtypes.finfo(dtype) if dtype == BFLOAT16 else np.finfo(dtype)


def draw_related(dtype: np.dtype, samples: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of hard numbers: any two; two of about one size; a base and an exponent with a finite power."""
    first = random.permutation(draw_hard(dtype, samples // 3, random))
    second, third = random.permutation(first), random.permutation(first)
    signs = random.choice([-1.0, 1.0], first.size)
    with np.errstate(all="ignore"):
        alike = (_wide(first) * np.exp2(random.uniform(-3, 3, first.size)) * signs).astype(dtype)
        logarithm = np.log(np.abs(_wide(third)))
        largest = math.log(float(_finfo(dtype).max))
        exponents = (random.uniform(-1.05, 1.02, first.size) * largest / logarithm).astype(dtype)
        exponents = np.where(random.random(first.size) < 0.25, np.rint(_wide(exponents)).astype(dtype), exponents)
    bases = np.abs(third) if dtype.kind != "c" else third
    pairs = np.concatenate([first, first, bases]), np.concatenate([second, alike, exponents])
    usable = ~np.isnan(pairs[0]) & ~np.isnan(pairs[1])
    return pairs[0][usable], pairs[1][usable]


def _wide(numbers: np.ndarray) -> np.ndarray:
    return numbers.astype(np.complex128 if numbers.dtype.kind == "c" else np.float64)
