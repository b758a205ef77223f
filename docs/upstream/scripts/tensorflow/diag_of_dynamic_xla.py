"""tf.linalg.diag after a boolean mask under XLA has rows of zeros below the matrix.

The number of columns is that of the selected elements, the number of rows that of the mask.
"""

# /// upstream
# op = ["MatrixDiagV3"]
# part = "XLA bridge, dynamic shapes"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_core/dynamic_size.py"]
# names = ["diag"]
# ///

import sys

import tensorflow as tf

x, mask = tf.range(1.0, 5.0), tf.constant([True, False, True, False])


def f(x, mask):
    return tf.linalg.diag(tf.boolean_mask(x, mask))


expected = f(x, mask).numpy().tolist()
actual = tf.function(f, jit_compile=True)(x, mask).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
