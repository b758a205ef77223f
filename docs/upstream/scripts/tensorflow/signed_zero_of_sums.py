"""0.0 - x in tf.function is -0.0 where x is 0, and x + 0.0 keeps -0.0.

Grappler drops the addition of a zero and replaces the subtraction from one by a negation. Both change the sign of a
zero result.
"""

# /// upstream
# op = ["AddV2", "Sub"]
# part = "Grappler, constant folding"
# modes = ["graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "Most compilers keep signs of zeros unless they are told not to; Grappler promises nothing."
# search = "not found"
# workarounds = ["tfnp/_core/convert.py", "tfnp/routines/creation/ranges.py"]
# names = ["add", "subtract"]
# shows = "-0\\.0"
# ///

import sys

import tensorflow as tf

zero = tf.constant([0.0])
FUNCTIONS = {"0.0 - x": (lambda x: zero - x, zero), "x + 0.0": (lambda x: x + tf.constant([0.0]), -zero)}
expected = {text: f(x).numpy().tolist() for text, (f, x) in FUNCTIONS.items()}
actual = {
    "0.0 - x": tf.function(lambda x: tf.constant([0.0]) - x)(zero).numpy().tolist(),
    "x + 0.0": tf.function(lambda x: x + tf.constant([0.0]))(-zero).numpy().tolist(),
}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
