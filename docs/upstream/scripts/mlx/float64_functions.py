"""mlx.core.exp, sin and cos of float64 are right to seven digits only.

The kernels of the processor convert their argument to float32.
"""

# /// upstream
# op = ["mlx.core.exp", "mlx.core.sin", "mlx.core.cos"]
# part = "C++, mlx/backend/cpu/simd/math.h"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["ml-explore/mlx#3047", "ml-explore/mlx#4158"]
# state = "open"
# names = ["exp", "sin", "cos"]
# ///

import sys

import mlx.core as mx
import numpy as np

mx.set_default_device(mx.cpu)
x = mx.array(1.0, mx.float64)
expected = [float(f(1.0)) for f in (np.exp, np.sin, np.cos)]
actual = [f(x).item() for f in (mx.exp, mx.sin, mx.cos)]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.allclose(actual, expected, rtol=1e-14, atol=0.0) else 1)
