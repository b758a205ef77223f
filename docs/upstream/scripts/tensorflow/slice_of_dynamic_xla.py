"""t[-1] and t[-2:] after a boolean mask are wrong under XLA.

The size of the masked tensor depends on data; XLA counts from the end of the buffer, which is as long as the mask,
and returns what lies there.
"""

# /// upstream
# op = ["StridedSlice"]
# part = "XLA bridge, dynamic shapes"
# modes = ["xla"]
# dtypes = ["int32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#110789"]
# state = "open, with a change proposed (tensorflow/tensorflow#126676); about tf.slice"
# workarounds = ["tfnp/_core/dynamic_size.py", "tfnp/_core/layout.py"]
# ///

import sys

import tensorflow as tf

x, mask = tf.range(1, 6), tf.constant([True, True, True, False, False])
FUNCTIONS = {
    "t[-1]": lambda x, mask: tf.boolean_mask(x, mask)[-1],
    "t[-2:]": lambda x, mask: tf.boolean_mask(x, mask)[-2:],
}
expected = {text: f(x, mask).numpy().tolist() for text, f in FUNCTIONS.items()}
actual = {text: tf.function(f, jit_compile=True)(x, mask).numpy().tolist() for text, f in FUNCTIONS.items()}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
