"""tf.vectorized_map raises ValueError for tf.switch_case with two outputs.

The converter of Case merges the outputs of all branches as if each had one. `fallback_to_while_loop` does not help.
"""

# /// upstream
# op = ["Case"]
# part = "Python"
# modes = ["vmap"]
# dtypes = ["float32"]
# effect = "error"
# verdict = "defect"
# search = "not found"
# ///

import sys

import tensorflow as tf


def select(x):
    return tf.switch_case(tf.cast(x, tf.int32), [lambda: (x, x), lambda: (2 * x, 3 * x)])


rows = tf.constant([0.0, 1.0])
print("expected", [[part.numpy().item() for part in select(row)] for row in rows])
try:
    print("actual  ", tf.transpose(tf.vectorized_map(select, rows, warn=False)).numpy().tolist())
except ValueError as error:
    print("actual  ", type(error).__name__, str(error).strip().splitlines()[-1].strip())
    sys.exit(1)
