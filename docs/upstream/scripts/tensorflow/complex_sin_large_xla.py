"""sin(100j) of complex64 is nan+infj under XLA.

The real part is the product of a zero and an infinity. From imaginary parts of 88 on, also results that fit into
float32 are lost.
"""

# /// upstream
# op = ["Sin", "Cos"]
# part = "XLA, CPU"
# modes = ["xla"]
# dtypes = ["complex64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#116944"]
# state = "open, with a change proposed (tensorflow/tensorflow#124480)"
# workarounds = ["tfnp/_kernels/complex/trigonometry.py"]
# names = ["sin", "cos"]
# shows = "complex|j"
# ///

import sys

import tensorflow as tf

x = tf.constant([100j], tf.complex64)
expected = tf.sin(x).numpy().tolist()
actual = tf.function(tf.sin, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
