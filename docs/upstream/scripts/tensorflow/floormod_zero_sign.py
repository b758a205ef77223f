"""tf.math.floormod(-0.0, 1.0) is -0.0.

In Python and NumPy a remainder has the sign of the divisor, a zero included.
"""

# /// upstream
# op = ["FloorMod"]
# part = "CPU kernel; XLA"
# modes = ["eager", "graph", "xla"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "C's fmod keeps the dividend's sign, and the documentation names no sign of a zero."
# search = "not found"
# workarounds = ["tfnp/_kernels/real/floats.py"]
# names = ["remainder", "mod", "divmod"]
# shows = "-0\\.0"
# ///

import sys

import tensorflow as tf

expected = -0.0 % 1.0
actual = float(tf.math.floormod(tf.constant(-0.0, tf.float64), 1.0))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
