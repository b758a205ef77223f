"""tf.pow of a float64 vector takes exponents beyond 3.2e18 for infinite.

0.9999999999999999 to the power of -5.7e18 is 6.8e274; the vectorized kernel gives inf, that of a scalar is right.
"""

# /// upstream
# op = ["Pow"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["oracle/accepted_differences/known_issues.py"]
# names = ["power", "pow", "float_power"]
# shows = "e18|e\\+18"
# ///

import sys

import numpy as np
import tensorflow as tf

x, y = np.full(16, 0.9999999999999999), np.full(16, -5.7e18)
expected = float(np.power(x, y)[0])
actual = float(tf.pow(x, y)[0])
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.isclose(actual, expected, rtol=1e-6) else 1)
