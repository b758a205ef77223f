"""The imaginary part of sin(1e-5j) of complex64 is off by a thousandth under XLA.

sinh of the small imaginary part is the difference of two exponentials, in which nearly all digits cancel.
"""

# /// upstream
# op = ["Sin"]
# part = "XLA, CPU"
# modes = ["xla"]
# dtypes = ["complex64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["jax-ml/jax#9358"]
# state = "closed; about jax"
# workarounds = ["tfnp/_kernels/complex/trigonometry.py"]
# names = ["sin", "cos", "sinh", "cosh"]
# shows = "complex|j"
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([1e-5j], tf.complex64)
expected = float(tf.math.imag(tf.sin(x))[0])
actual = float(tf.function(lambda x: tf.math.imag(tf.sin(x)), jit_compile=True)(x)[0])
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.isclose(actual, expected, rtol=1e-5, atol=0) else 1)
