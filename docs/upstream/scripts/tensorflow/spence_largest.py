"""tf.math.special.spence of the largest float32 is nan.

The kernel inverts the argument; the inverse is subnormal and flushed to zero, so that a wrong branch is taken. In
the top two binades all results are nan. The same port of Cephes is in jax.
"""

# /// upstream
# op = ["Spence"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["jax-ml/jax#40652"]
# state = "open for jax; none found for TensorFlow"
# ///

import sys

import numpy as np
import tensorflow as tf

expected = [float(np.float32(-3937.5156))]
actual = tf.math.special.spence([3.4028235e38]).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.allclose(actual, expected, rtol=1e-6) else 1)
