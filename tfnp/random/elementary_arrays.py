"""Elementary functions of ordinary numbers in arrays: the operations of `elementary`, in the same order, with few
results in memory. That takes half the time, since blocks stay in the cache.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

_EXPONENT_BIAS: Final = 1023
_ABOVE_ROOT: Final = int(np.float64(math.sqrt(0.5)).view(np.int64)) + 1
_REDUCTION: Final = 1 / math.log(2)


def evaluate_polynomial(x: np.ndarray, coefficients: Sequence[float]) -> np.ndarray:
    """Return the value of a polynomial, given its coefficients from the lowest degree on."""
    result = x * coefficients[-1]
    result += coefficients[-2]
    for coefficient in coefficients[-3::-1]:
        result *= x
        result += coefficient
    return result


def log(x: np.ndarray, series: Sequence[float], high: float, low: float) -> np.ndarray:
    """Return the logarithms of positive normal numbers; log(2) is the sum of `high` and `low`."""
    bits = x.view(np.int64)
    exponent = bits - _ABOVE_ROOT  # those of numbers between the roots of 1/2 and 2 are 0
    exponent >>= 52
    e = exponent.astype(np.float64)
    exponent <<= 52
    f = np.subtract(bits, exponent, out=exponent).view(np.float64)
    f -= 1.0
    s = f + 2.0
    np.divide(f, s, out=s)
    z = s * s
    tail = evaluate_polynomial(z, series)
    tail *= z
    np.subtract(f, tail, out=tail)
    tail *= s
    tail -= np.multiply(e, low, out=z)
    tail -= f
    e *= high
    e -= tail
    return e


def exp(x: np.ndarray, series: Sequence[float], high: float, low: float) -> np.ndarray:
    """Return the exponentials of numbers for which they are normal; log(2) is the sum of `high` and `low`."""
    k = np.rint(x * _REDUCTION)
    r = k * high
    np.subtract(x, r, out=r)
    r -= k * low
    result = evaluate_polynomial(r, series)
    result *= r * r
    result += r
    result += 1.0
    exponent = k.astype(np.int64)
    exponent += _EXPONENT_BIAS
    exponent <<= 52
    result *= exponent.view(np.float64)
    return result


def cos_turns(x: np.ndarray, sines: Sequence[float], cosines: Sequence[float]) -> np.ndarray:
    """Return the cosines of angles in full turns."""
    a = x * 4.0
    k = np.rint(a)
    a -= k
    a *= math.pi / 2
    squared = a * a
    sine, cosine = evaluate_polynomial(squared, sines), evaluate_polynomial(squared, cosines)
    sine *= a
    index, bits = k.astype(np.int64), cosine.view(np.int64)
    bits ^= (bits ^ sine.view(np.int64)) & -(index & 1)  # of odd quarters the sine
    index += 1
    index &= 2
    index <<= 62
    bits ^= index  # the sign of the second and third quarter
    return cosine
