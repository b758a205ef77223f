"""Integer power under XLA takes the exponent modulo 64: 3**65 is 3.

The powers are computed by squaring, for the lowest six bits of the exponent only. 3**65 modulo 2**64 is another
number, and 2**64 of int32 is 0.
"""

# /// upstream
# op = ["Pow"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["int64", "int32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#62294", "jax-ml/jax#5987"]
# state = "stale; open for jax"
# workarounds = ["tfnp/_kernels/integer.py"]
# names = ["power", "pow"]
# shows = "int|\\d"
# ///

import sys

import tensorflow as tf

PAIRS = [(3, 65, tf.int64), (2, 64, tf.int32)]
expected, actual = [], []
for x, y, dtype in PAIRS:
    arguments = tf.constant([x], dtype), tf.constant([y], dtype)
    expected += tf.pow(*arguments).numpy().tolist()
    actual += tf.function(tf.pow, jit_compile=True)(*arguments).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
