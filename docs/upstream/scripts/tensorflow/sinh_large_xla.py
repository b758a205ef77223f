"""float64 sinh and cosh of large arguments under XLA are off by 500 units in the last place.

XLA computes exp(x - log 2), and the rounding of that difference is an error relative to x, which exp makes one
relative to the result, times x.
"""

# /// upstream
# op = ["Sinh", "Cosh"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_kernels/real/transcendental.py"]
# names = ["sinh", "cosh"]
# shows = "ulp"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.linspace(600, 710, 200)


def distance(f, exact):
    return float(np.max(np.abs(tf.function(f, jit_compile=True)(x).numpy() - exact) / np.spacing(exact)))


expected = "at most 8 units in the last place"
units = [distance(tf.math.sinh, np.sinh(x)), distance(tf.math.cosh, np.cosh(x))]
actual = expected if max(units) <= 8 else f"sinh: {units[0]:.0f}, cosh: {units[1]:.0f}"
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
