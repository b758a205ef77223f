"""tf.math.cumulative_logsumexp of two infinities is nan.

The difference of the infinities is formed; the sum of an infinity and anything that is no nan is infinite.
"""

# /// upstream
# op = ["CumulativeLogsumexp"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#115554"]
# state = "mended after 2.21 by that change"
# names = ["logaddexp.accumulate"]
# shows = "inf"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.array([np.inf, 0.0, np.inf])
expected = np.logaddexp.accumulate(x).tolist()
actual = tf.math.cumulative_logsumexp(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
