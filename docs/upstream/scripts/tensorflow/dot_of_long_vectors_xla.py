"""The product of two long vectors under XLA is wrong in the fourth digit.

The terms are added one after another, so that the rounding error grows with their number. In eager mode, and for
`tf.reduce_sum(x * y)` under XLA, partial sums keep it within some units in the last place.
"""

# /// upstream
# op = ["MatMul", "BatchMatMulV2"]
# part = "XLA, CPU"
# modes = ["xla"]
# dtypes = ["float32", "float64"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "a product has no promised accuracy, but eager mode and NumPy are 1,000 times as accurate, and faster"
# search = "not found"
# workarounds = ["tfnp/_kernels/linalg/contraction.py"]
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random(1_000_000, np.float32)


def multiply(x):
    return tf.linalg.matmul(x[None], x[:, None])[0, 0]


exact = float(x.astype(np.float64) @ x.astype(np.float64))
results = {"eager": multiply(tf.constant(x)), "xla": tf.function(multiply, jit_compile=True)(tf.constant(x))}
actual = {mode: bool(abs(float(result) / exact - 1) < 1e-5) for mode, result in results.items()}
expected = {"eager": True, "xla": True}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if actual == expected else 1)
