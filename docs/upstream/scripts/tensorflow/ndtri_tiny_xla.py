"""tf.math.ndtri(1.2e-38) is -inf under XLA.

1.2e-38 is a normal float32, whose quantile is -12.9.
"""

# /// upstream
# op = ["Ndtri"]
# part = "XLA bridge"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([1.2e-38])
expected = tf.math.ndtri(x).numpy().tolist()
actual = tf.function(tf.math.ndtri, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.allclose(actual, expected, rtol=1e-5, atol=0) else 1)
