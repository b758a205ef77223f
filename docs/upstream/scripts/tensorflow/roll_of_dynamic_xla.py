"""tf.roll after a boolean mask is wrong under XLA, and longer than the mask selects.

The whole buffer is rolled, and returned with what lies behind the selected elements.
"""

# /// upstream
# op = ["Roll"]
# part = "XLA bridge, dynamic shapes"
# modes = ["xla"]
# dtypes = ["int32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/routines/manipulation/rearranging.py", "tfnp/_core/dynamic_size.py"]
# names = ["roll"]
# ///

import sys

import tensorflow as tf

x, mask = tf.range(1, 6), tf.constant([True, True, True, False, False])


def f(x, mask):
    return tf.roll(tf.boolean_mask(x, mask), 1, 0)


expected = f(x, mask).numpy().tolist()
actual = tf.function(f, jit_compile=True)(x, mask).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
