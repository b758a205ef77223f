"""mlx.core.isclose of integers wraps: int8 127 is close to -1.

The difference is calculated in the integers' own dtype, where 127 - (-1) is -128, and so is its absolute value.
"""

# /// upstream
# op = ["mlx.core.isclose", "mlx.core.allclose"]
# part = "C++, mlx/ops.cpp"
# modes = ["eager"]
# dtypes = ["int8"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["isclose", "allclose"]
# ///

import sys

import mlx.core as mx
import numpy as np

mx.set_default_device(mx.cpu)
x, y = np.array([127], np.int8), np.array([-1], np.int8)
expected = np.isclose(x, y).tolist()
actual = mx.isclose(mx.array(x), mx.array(y)).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
