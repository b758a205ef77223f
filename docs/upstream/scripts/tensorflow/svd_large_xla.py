"""tf.linalg.svd of entries of 1e200 is nan under XLA.

The singular values are within range; the squares of the entries are not.
"""

# /// upstream
# op = ["Svd"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_kernels/linalg/rotations.py"]
# names = ["linalg.svd", "linalg.svdvals", "linalg.cond", "linalg.matrix_rank"]
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([[1e200, 2e200], [2e200, -1e200]], tf.float64)


def f(x):
    return tf.linalg.svd(x, compute_uv=False)


expected = f(x).numpy().tolist()
actual = tf.function(f, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.allclose(actual, expected, rtol=1e-6, atol=0) else 1)
