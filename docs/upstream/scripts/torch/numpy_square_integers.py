"""torch._numpy.square and reciprocal of integers are floats: square(uint8 16) is 256.0, reciprocal(2) 0.5.

Both are listed with the functions that calculate in floating point (`_fp_unary`), as is `trunc`. NumPy has loops for
integers: a square wraps, and keeps integers above 2**53 exact.
"""

# /// upstream
# op = ["torch._numpy.square", "torch._numpy.reciprocal", "torch._numpy.trunc"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["uint8", "int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["square", "reciprocal", "trunc"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

x = np.array([3037000499])
expected = [np.square(x).tolist(), np.reciprocal(np.array([2])).tolist()]
actual = [tnp.square(tnp.asarray(x)).tensor.tolist(), tnp.reciprocal(tnp.asarray([2])).tensor.tolist()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
