"""The gradient of tf.pow(x, 0.0) at x = 0 is nan.

The function is constant. The gradient is computed as y * x**(y - 1), which is 0 times infinity.
"""

# /// upstream
# op = ["Pow"]
# part = "Python, gradients"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "wrong gradient"
# verdict = "arguable"
# reason = "At this point the function of two arguments has no limit."
# search = "reported"
# issues = ["tensorflow/tensorflow#35011"]
# state = "closed as stale; about higher derivatives"
# workarounds = ["tfnp/_kernels/real/binary.py"]
# names = ["power", "pow"]
# ///

import sys

import tensorflow as tf

x = tf.constant(0.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.pow(x, tf.constant(0.0))
expected = 0.0
actual = float(tape.gradient(y, x))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
