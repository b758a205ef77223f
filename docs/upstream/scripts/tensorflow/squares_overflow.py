"""tf.norm of [3e30, 4e30] is inf, and so is tf.math.reduce_std of [1e20, -1e20].

Both square without scaling first; the results are within the range of float32.
"""

# /// upstream
# op = ["tf.norm", "tf.math.reduce_std", "EuclideanNorm"]
# part = "Python"
# modes = ["eager", "graph", "xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "NumPy overflows as well; LAPACK's norms do not."
# search = "not found"
# names = ["linalg.norm", "linalg.vector_norm", "std"]
# ///

import sys

import numpy as np
import tensorflow as tf

expected = [5e30, 1e20]
actual = [float(tf.norm([3e30, 4e30])), float(tf.math.reduce_std([1e20, -1e20]))]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.allclose(actual, expected, rtol=1e-6) else 1)
