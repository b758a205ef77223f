"""Matrices of all kinds that make linear algebra hard."""

from __future__ import annotations

import numpy as np


def random(seed, n=4, dtype=np.float64, m=None):
    source = np.random.default_rng(seed)
    a = source.standard_normal((n if m is None else m, n))
    return (a + 1j * source.standard_normal(a.shape) if np.dtype(dtype).kind == "c" else a).astype(dtype)


def orthonormal(seed, n=4, dtype=np.float64):
    return np.linalg.qr(random(seed, n, dtype))[0]


def with_condition(condition, seed, n=4, dtype=np.float64):
    sizes = np.geomspace(1, 1 / condition, n)
    return (orthonormal(seed, n, dtype) * sizes) @ orthonormal(seed + 100, n, dtype)


def definite(condition, seed, n=4, dtype=np.float64):
    q = orthonormal(seed, n, dtype)
    a = (q * np.geomspace(1, 1 / condition, n)) @ q.conj().T
    return (a + a.conj().T) / 2


def graded(seed, n=4, range_=300):
    powers = np.linspace(-range_ / 2, range_ / 2, n)
    scale = 10.0 ** (powers / 2)
    return random(seed, n) * scale[:, None] * scale


HILBERT = 1.0 / (np.arange(5)[:, None] + np.arange(5) + 1)
INTEGERS = np.array([[2, -1, 0, 3], [4, 1, 7, -2], [0, 5, 6, 1], [-3, 2, 2, 8]])
SINGULAR = np.array([[1.0, 2, 3], [3, 6, 9], [7, 14, 21.3]])
RANK_ONE = np.outer([1.0, 3, 7], [0.1, 0.7, 0.3])
DEFECTIVE = np.array([[2.0, 1, 0], [0, 2, 1], [0, 0, 2]])
TURNED_DEFECTIVE = orthonormal(7, 3) @ DEFECTIVE @ orthonormal(7, 3).T
EXAMPLES = {
    "random": random(1),
    "complex": random(2, dtype=np.complex128),
    "single": random(3, dtype=np.float32),
    "complex single": random(4, dtype=np.complex64),
    "integers": INTEGERS,
    "hilbert": HILBERT,
    "condition 1e8": with_condition(1e8, 5),
    "condition 1e14": with_condition(1e14, 6),
    "complex condition 1e12": with_condition(1e12, 7, dtype=np.complex128),
    "single condition 1e5": with_condition(1e5, 8).astype(np.float32),
    "graded": graded(9),
    "small": random(10) * 1e-150,
    "large": random(11) * 1e150,
    "triangular": np.triu(random(12)),
    "permutation": np.eye(4)[[2, 0, 3, 1]],
    "defective": DEFECTIVE,
    "turned defective": TURNED_DEFECTIVE,
    "one": np.array([[3.0]]),
    "none": np.zeros((0, 0)),
}
REGULAR = {name: a for name, a in EXAMPLES.items() if name != "none"}
