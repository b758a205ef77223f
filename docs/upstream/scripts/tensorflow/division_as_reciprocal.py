"""1.0 / x in tf.function is not 1 where x is 1, and 1 / 4e37 is off by thousands of ulp.

Grappler replaces the division of a constant one by Reciprocal, whose kernel for float32 vectors is an
approximation. Eager mode divides and is right.
"""

# /// upstream
# op = ["RealDiv"]
# part = "Grappler, constant folding"
# modes = ["graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#102771"]
# state = "closed; mended after 2.21 by tensorflow/tensorflow#126208"
# workarounds = ["tfnp/_kernels/real/transcendental.py", "tfnp/_core/convert.py"]
# names = ["divide", "true_divide", "reciprocal"]
# shows = "divide\\(1(\\.0)?,|ulp|reciprocal"
# ///

import sys

import tensorflow as tf

x = tf.constant([1.0] * 8 + [4e37] * 8)


def f(x):
    return 1.0 / x


expected = f(x).numpy()[[0, 8]].tolist()
actual = tf.function(f)(x).numpy()[[0, 8]].tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
