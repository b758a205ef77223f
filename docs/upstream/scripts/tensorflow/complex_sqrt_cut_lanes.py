"""tf.sqrt of a complex number on the branch cut hangs on how many elements there are.

sqrt(-4 - 0j) is -2j, as C, NumPy and the kernel for vectors have it. The elements that are left after the last full
vector go through another function, which gives 2j: one tensor holds both answers for the same number.
"""

# /// upstream
# op = ["Sqrt"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["complex64", "complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# shows = "expected [(]?(0[.0]*)?-[0-9.e+]+j[)]?, got [(]?(0[.0]*[+])?[0-9.e+]+j"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.full(5, complex(-4, -0.0), np.complex64)
expected = np.sqrt(x).tolist()
actual = tf.sqrt(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
