"""tf.sqrt of -inf-0j has the wrong sign in its imaginary part.

C99 and NumPy: sqrt(conj(z)) is conj(sqrt(z)), also where the imaginary part is -0.0 and the real part infinite.
"""

# /// upstream
# op = ["Sqrt"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_kernels/complex/exponentials.py"]
# names = ["sqrt"]
# shows = "inf"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.array([complex(-np.inf, -0.0), complex(-np.inf, 1.5)])
expected = np.sqrt(x).tolist()
actual = tf.sqrt(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
