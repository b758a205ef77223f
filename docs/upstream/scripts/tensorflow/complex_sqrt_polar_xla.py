"""sqrt(-0.75) of complex64 under XLA has a real part of -3.8e-8.

XLA goes by the polar form, so that parts that are 0 come out as rounding errors, with a sign that the main branch
does not have.
"""

# /// upstream
# op = ["Sqrt"]
# part = "XLA, CPU"
# modes = ["xla"]
# dtypes = ["complex64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["pearu/functional_algorithms#53"]
# state = "analysed there; none found for TensorFlow"
# workarounds = ["tfnp/_kernels/complex/exponentials.py"]
# names = ["sqrt"]
# shows = "complex|j"
# ///

import sys

import tensorflow as tf

x = tf.constant([-0.75 + 0j], tf.complex64)
expected = tf.sqrt(x).numpy().tolist()
actual = tf.function(tf.sqrt, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
