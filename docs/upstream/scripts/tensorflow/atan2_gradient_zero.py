"""The gradient of tf.math.atan2 at (0, 0) is nan.

Both derivatives are divided by x*x + y*y. A nan here spoils all gradients of a batch, also where the result is not
used.
"""

# /// upstream
# op = ["Atan2"]
# part = "Python, gradients"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "wrong gradient"
# verdict = "arguable"
# reason = "There is no derivative; 0 is the choice of other libraries."
# search = "reported"
# issues = ["tensorflow/tensorflow#50854"]
# state = "closed; about tf.math.angle"
# workarounds = ["tfnp/_kernels/real/binary.py"]
# names = ["arctan2", "angle"]
# ///

import sys

import tensorflow as tf

y = tf.constant(0.0)
with tf.GradientTape() as tape:
    tape.watch(y)
    angle = tf.math.atan2(y, tf.constant(0.0))
expected = 0.0
actual = float(tape.gradient(angle, y))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
