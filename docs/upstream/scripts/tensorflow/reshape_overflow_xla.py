"""Reshape to a shape whose size overflows ends the process under XLA.

In eager mode it is an InvalidArgumentError. Of tf.pad the same was mended (tensorflow/tensorflow#127324).
"""

# /// upstream
# op = ["Reshape"]
# part = "XLA bridge"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "crash"
# verdict = "defect"
# search = "not found"
# names = ["reshape"]
# signals = ["SIGABRT"]
# ///

import tensorflow as tf

print("expected a result or a Python exception", flush=True)
try:
    shape = tf.constant([2**40, 2**40], tf.int64)
    tf.function(lambda x: tf.reshape(x, shape), jit_compile=True)(tf.zeros([0]))
except Exception as error:
    print("actual  ", type(error).__name__)
else:
    print("actual   a result")
