"""Eigenvectors and singular vectors of float64 matrices are right to six digits only under XLA.

The product of the factors is off by 1e-7 to 1e-6 of the matrix; in eager mode by 1e-15. The rotations end at a
fixed tolerance that seems to be meant for float32.
"""

# /// upstream
# op = ["SelfAdjointEigV2", "Svd"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_kernels/linalg/rotations.py", "tfnp/routines/poly1d/fitting.py"]
# names = ["linalg.eigh", "linalg.svd", "linalg.pinv"]
# shows = "ulp|relative"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).normal(size=(20, 20))
x += x.T


def rebuild(x):
    values, vectors = tf.linalg.eigh(x)
    return tf.matmul(vectors * values, vectors, transpose_b=True)


def rebuild_from_svd(x):
    values, left, right = tf.linalg.svd(x)
    return tf.matmul(left * values, right, transpose_b=True)


errors = [float(np.max(np.abs(tf.function(f, jit_compile=True)(x) - x))) for f in (rebuild, rebuild_from_svd)]
expected = "errors of less than 1e-12"
digits = " and ".join(f"1e{np.log10(error):.0f}" for error in errors)
actual = expected if max(errors) < 1e-12 else f"errors of {digits}"
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
