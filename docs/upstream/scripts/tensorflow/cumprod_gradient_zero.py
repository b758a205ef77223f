"""The gradient of tf.math.cumprod is nan or wrong where an element is zero.

It is computed by a division by the element. The derivative is a product of the other elements and always finite.
"""

# /// upstream
# op = ["Cumprod"]
# part = "Python, gradients"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "wrong gradient"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#119430"]
# state = "mended after 2.21 by tensorflow/tensorflow#120282"
# workarounds = ["tfnp/_kernels/reduce/prod_gradient.py"]
# names = ["cumprod", "prod", "multiply.accumulate"]
# ///

import sys

import tensorflow as tf

x = tf.constant([2.0, 0.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(tf.math.cumprod(x))
expected = [1.0, 8.0, 0.0]  # of x0 + x0 x1 + x0 x1 x2
actual = tape.gradient(y, x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
