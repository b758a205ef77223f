"""mlx.core.full of a number does not look at dtype=: full([2], 2.7, dtype=int32) has float32.

The manual says that the dtype of the number counts only if `dtype` is not given. A bool or an integer is converted
rightly.
"""

# /// upstream
# op = ["mlx.core.full"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["int32", "bool"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["full"]
# shows = "dtype"
# ///

import sys

import mlx.core as mx
import numpy as np

mx.set_default_device(mx.cpu)
expected = np.full([2], 2.7, np.int32).tolist()
actual = mx.full([2], 2.7, dtype=mx.int32).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
