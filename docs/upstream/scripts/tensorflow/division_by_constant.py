"""x / 2e38 is 0 in tf.function, and x / 49.0 is not 1 where x is 49.

Grappler replaces a division by a constant by a product with the constant's reciprocal. The reciprocal of a huge
number is subnormal, which TensorFlow flushes to zero: then the quotient is 0, whatever x is. Of other numbers it is
rounded, so that x / x is not 1 and its floor is one less. Only for powers of two, whose reciprocal is exact and
normal, are the two the same.
"""

# /// upstream
# op = ["RealDiv"]
# part = "Grappler, constant folding"
# modes = ["graph"]
# dtypes = ["float32", "float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_core/convert.py"]
# names = ["divide", "true_divide", "floor_divide"]
# ///

import sys

import tensorflow as tf

FUNCTIONS = {
    "x / 2e38": (lambda x: x / 2e38, tf.constant([1e38, 3e38])),
    "x / 1.2e308": (lambda x: x / 1.2e308, tf.constant([1e308], tf.float64)),
    "x * 3e38 / 3e38": (lambda x: x * 3e38 / 3e38, tf.constant([2.0])),
    "x / 49": (lambda x: x / 49.0, tf.constant([49.0], tf.float64)),
    "floor(x / 49)": (lambda x: tf.floor(x / 49.0), tf.constant([49.0], tf.float64)),
}
expected = {text: f(x).numpy().tolist() for text, (f, x) in FUNCTIONS.items()}
actual = {text: tf.function(f)(x).numpy().tolist() for text, (f, x) in FUNCTIONS.items()}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
