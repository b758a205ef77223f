"""tf.pow(3.0, 4.0) of a float32 vector is not 81.

The vectorized kernel is off by a unit in the last place where the result is an exact integer; a scalar is right.
10.0**8 is 99999992.
"""

# /// upstream
# op = ["Pow"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "The error is a unit in the last place."
# search = "not found"
# workarounds = ["tfnp/_kernels/real/binary.py", "tfnp/routines/creation/ranges.py"]
# names = ["power", "pow", "float_power", "logspace"]
# shows = "ulp"
# ///

import sys

import tensorflow as tf

PAIRS = [(3.0, 4.0), (5.0, 8.0), (10.0, 8.0)]
expected = [x**y for x, y in PAIRS]
actual = [float(tf.pow(tf.fill([8], x), tf.fill([8], y))[0]) for x, y in PAIRS]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
