"""tf.pow(x, -1.0) in tf.function is not 1 where x is 1.

Grappler replaces the power by Reciprocal, whose kernel for float32 vectors is an approximation. The same of `1.0 /
x` is tensorflow/tensorflow#102771, and another rewrite.
"""

# /// upstream
# op = ["Pow"]
# part = "Grappler, arithmetic optimization"
# modes = ["graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["power", "pow"]
# shows = "-1(\\.0)?\\b"
# ///

import sys

import tensorflow as tf

x = tf.constant([1.0] * 8 + [4e37] * 8)


def f(x):
    return tf.pow(x, tf.constant(-1.0))


expected = f(x).numpy()[[0, 8]].tolist()
actual = tf.function(f)(x).numpy()[[0, 8]].tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
