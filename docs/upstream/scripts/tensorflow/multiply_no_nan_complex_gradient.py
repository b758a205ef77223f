"""The gradient of tf.math.multiply_no_nan of complex numbers is not conjugated.

TensorFlow's gradient of a product x * y with respect to x is conj(y), as tf.multiply has it. For multiply_no_nan it
is y.
"""

# /// upstream
# op = ["MulNoNan"]
# part = "Python, gradients"
# modes = ["eager", "graph"]
# dtypes = ["complex128"]
# effect = "wrong gradient"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#127713"]
# state = "open: a change that mends it"
# workarounds = ["tfnp/_kernels/reduce/prod_gradient.py"]
# ///

import sys

import tensorflow as tf

x, y = tf.constant([1 + 2j]), tf.constant([3 - 1j])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    product, product_no_nan = tf.multiply(x, y), tf.math.multiply_no_nan(x, y)
expected = tape.gradient(product, x).numpy().tolist()
actual = tape.gradient(product_no_nan, x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
