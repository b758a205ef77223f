"""square(x - y) of int8 in tf.function fails: there is no kernel for SquaredDifference.

Grappler replaces the square of a difference by SquaredDifference without a look at its kernels, which exist for
int32 and int64 only among the integers.
"""

# /// upstream
# op = ["Square", "Sub"]
# part = "Grappler, arithmetic optimization"
# modes = ["graph"]
# dtypes = ["int8", "int16"]
# effect = "error"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_kernels/integer.py"]
# names = ["square"]
# shows = "SquaredDifference"
# ///

import sys

import tensorflow as tf

x = tf.constant([3, 4], tf.int8)


def f(x, y):
    return tf.square(x - y)


expected = f(x, -x).numpy().tolist()
try:
    actual = tf.function(f)(x, -x).numpy().tolist()
except tf.errors.OpError as error:
    reason = error.message[error.message.find("Value for attr") :].splitlines()[0]
    actual = f"{type(error).__name__}: {reason}"
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
