"""tf.pow(0j, 0j) is nan.

It is computed as exp(y log x), also where x is 0. NumPy and XLA give 1.
"""

# /// upstream
# op = ["Pow"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["complex128", "complex64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#117802", "tensorflow/tensorflow#25752"]
# state = "open, with a change proposed (tensorflow/tensorflow#126876)"
# workarounds = ["tfnp/_kernels/complex/powers.py"]
# names = ["power", "pow", "float_power"]
# shows = "complex|j"
# ///

import sys

import numpy as np
import tensorflow as tf

x, y = np.array([0j, 0j]), np.array([0j, 2 + 0j])
expected = np.power(x, y).tolist()
actual = (tf.pow(x, y).numpy() + 0).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
