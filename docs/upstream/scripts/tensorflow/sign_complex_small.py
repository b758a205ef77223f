"""tf.sign of a small complex number is 0.

The modulus is squared on the way, which underflows: z / abs(z) is 1 for 1e-25+0j in complex64.
"""

# /// upstream
# op = ["Sign"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["complex64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#116945"]
# state = "open; a change was merged after 2.21 (tensorflow/tensorflow#117023)"
# names = ["sign"]
# shows = "complex|j"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.array([1e-25, 1.0], np.complex64)
expected = np.sign(x).tolist()
actual = tf.sign(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
