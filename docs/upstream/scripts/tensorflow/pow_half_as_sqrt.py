"""tf.pow(x, 0.5) in tf.function becomes sqrt: nan for -inf, -0.0 for -0.0.

Grappler replaces pow(x, 0.5) by sqrt(x) and pow(x, -0.5) by rsqrt(x). C and NumPy have pow(-inf, 0.5) = inf and
pow(-0.0, 0.5) = 0.0, where a square root is nan and -0.0.
"""

# /// upstream
# op = ["Pow"]
# part = "Grappler, arithmetic optimization"
# modes = ["graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "Two arguments are concerned, for which compilers do the same under their looser modes."
# search = "not found"
# names = ["power", "pow", "float_power"]
# shows = "inf|-0\\.0"
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([-np.inf, -0.0])
FUNCTIONS = {
    "pow(x, 0.5)": lambda x: tf.pow(x, tf.constant([0.5, 0.5])),
    "pow(x, -0.5)": lambda x: tf.pow(x, tf.constant(-0.5)),
}
expected = {text: f(x).numpy().tolist() for text, f in FUNCTIONS.items()}
actual = {text: tf.function(f)(x).numpy().tolist() for text, f in FUNCTIONS.items()}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
