"""(a / b) / c is a / (b * c) under XLA: 1e38 / 1e20 / 1e20 is 0.

The product of the divisors overflows or underflows where no quotient does. The same holds without any constant.
"""

# /// upstream
# op = ["RealDiv"]
# part = "XLA, algebraic simplifier"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_core/reduce_algorithms.py"]
# names = ["divide", "divide.reduce", "true_divide"]
# ///

import sys

import tensorflow as tf

a, b = tf.constant([1e38, 1e-30]), tf.constant([1e20, 1e-30])


def f(a, b, c):
    return (a / b) / c


expected = f(a, b, b).numpy().tolist()
actual = tf.function(f, jit_compile=True)(a, b, tf.identity(b)).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
