"""abs(nan+infj) is nan under XLA.

The modulus of a number with an infinite part is infinite, whatever the other part: C99, Annex G, NumPy and eager
mode.
"""

# /// upstream
# op = ["ComplexAbs"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["jax-ml/jax#37817", "tensorflow/tensorflow#116300"]
# state = "mended in jax; a change for XLA was closed"
# workarounds = ["tfnp/_kernels/complex/arithmetic.py"]
# names = ["abs", "absolute"]
# shows = "inf"
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([complex(np.nan, np.inf), complex(np.inf, np.nan)])
expected = tf.abs(x).numpy().tolist()
actual = tf.function(tf.abs, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
