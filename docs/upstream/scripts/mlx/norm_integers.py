"""mlx.core.linalg.norm of integers wraps: that of int8 [100, 100] is 5.66.

The result is a float32, but squares and their sum are calculated in the integers' own dtype.
"""

# /// upstream
# op = ["mlx.core.linalg.norm"]
# part = "C++, mlx/linalg.cpp"
# modes = ["eager"]
# dtypes = ["int8", "int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["linalg.norm", "linalg.vector_norm"]
# ///

import sys

import mlx.core as mx
import numpy as np

mx.set_default_device(mx.cpu)
x = np.array([100, 100], np.int8)
expected = round(float(np.linalg.norm(x)), 3)
actual = round(mx.linalg.norm(mx.array(x)).item(), 3)
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
