"""tf.argsort(stable=True) under XLA takes -0.0 for less than 0.0, and so is not stable.

XLA sorts floats by the total order of their bits, in which -0.0 comes first; -0.0 equals 0.0 in eager mode, Python
and NumPy.
"""

# /// upstream
# op = ["TopKV2"]
# part = "XLA bridge"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["jax-ml/jax#2124"]
# state = "mended in jax; none found for TensorFlow"
# workarounds = ["tfnp/_kernels/sort/sort_keys.py"]
# names = ["argsort", "sort"]
# shows = "-0\\.0"
# ///

import sys

import tensorflow as tf

x = tf.constant([0.0, -0.0])


def f(x):
    return tf.argsort(x, stable=True)


expected = f(x).numpy().tolist()
actual = tf.function(f, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
