"""0 - x of unsigned integers in tf.function fails: there is no kernel for Neg.

Grappler replaces `0 - x` by `-x` for any dtype. Neg has no kernels for unsigned integers, so that a function that
is right in eager mode does not run as a graph.
"""

# /// upstream
# op = ["Sub"]
# part = "Grappler, constant folding"
# modes = ["graph"]
# dtypes = ["uint8"]
# effect = "error"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_kernels/integer.py"]
# names = ["negative", "subtract"]
# shows = "Neg"
# ///

import sys

import tensorflow as tf

x = tf.constant([1, 2], tf.uint8)


def negate(x):
    return tf.constant(0, tf.uint8) - x


expected = negate(x).numpy().tolist()
try:
    actual = tf.function(negate)(x).numpy().tolist()
except tf.errors.OpError as error:
    reason = error.message[error.message.find("Value for attr") :].splitlines()[0]
    actual = f"{type(error).__name__}: {reason}"
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
