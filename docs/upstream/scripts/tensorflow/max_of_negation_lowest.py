"""tf.reduce_max(-x) of integers in tf.function is another number than in eager if x has the least integer.

Grappler makes it -tf.reduce_min(x), for negation falls monotonically. That of two's complement does not: the negative
of the least integer is the least integer, so that -x has a greater maximum than the negative of the minimum.
"""

# /// upstream
# op = ["Max", "Min"]
# part = "Grappler, arithmetic optimization"
# modes = ["graph"]
# dtypes = ["int32", "int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# shows = "negative.*-(2147483648|9223372036854775808|128|32768)"
# ///

import sys

import tensorflow as tf

x = tf.constant([0, -(2**31)], tf.int32)


def largest(x):
    return tf.reduce_max(-x)


expected = int(largest(x))
actual = int(tf.function(largest)(x))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if actual == expected else 1)
