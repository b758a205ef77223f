"""float64 log1p under XLA is off by up to 128 units in the last place, and atanh with it.

Near -0.41 the approximation that XLA takes for small arguments seems to be used too far out. Eager mode is within 1
unit of NumPy.
"""

# /// upstream
# op = ["Log1p", "Atanh"]
# part = "XLA, CPU"
# modes = ["xla"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["jax-ml/jax#39707"]
# state = "open for jax; none found for TensorFlow"
# workarounds = ["tfnp/_kernels/real/transcendental.py"]
# names = ["log1p", "arctanh", "atanh"]
# shows = "ulp"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.linspace(-0.5, 0.5, 2001)


def distance(f, exact):
    result = tf.function(f, jit_compile=True)(x).numpy()
    return float(np.max(np.abs(result - exact) / np.spacing(np.abs(exact) + 1e-300)))


expected = "at most 8 units in the last place"
units = [distance(tf.math.log1p, np.log1p(x)), distance(tf.math.atanh, np.arctanh(x))]
actual = expected if max(units) <= 8 else f"log1p: {units[0]:.0f}, atanh: {units[1]:.0f}"
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
