"""tf.math.log of a complex64 vector is nan for numbers beyond 1.8e19.

The vectorized kernel squares the parts without scaling; a scalar is right. So it is for complex128 beyond 1.3e154.
"""

# /// upstream
# op = ["Log"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["complex64", "complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#118034"]
# state = "open"
# workarounds = ["tfnp/_kernels/complex/exponentials.py"]
# names = ["log", "log2", "log10"]
# shows = "complex|j"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.full(8, 1e20 + 0j, np.complex64)
expected = np.log(x)[0]
actual = tf.math.log(x).numpy()[0]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.isclose(actual, expected, rtol=1e-6) else 1)
