"""tf.math.nextafter(-denorm_min, 0) is 0.0, where C has -0.0.

The neighbour toward zero of the least negative number is a zero with its sign.
"""

# /// upstream
# op = ["NextAfter"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "Only the sign of a zero is concerned."
# search = "not found"
# names = ["nextafter"]
# shows = "-"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.array([-5e-324])
expected = np.nextafter(x, 0.0).tolist()
actual = tf.math.nextafter(x, np.zeros(1)).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
