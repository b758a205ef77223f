"""tf.math.cumulative_logsumexp loses a leading nan.

[nan, 0, 1] gives -inf, 0, 1.31: as if the first element were not there.
"""

# /// upstream
# op = ["CumulativeLogsumexp"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#111383"]
# state = "open"
# names = ["logaddexp.accumulate"]
# shows = "nan"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.array([np.nan, 0.0, 1.0])
expected = np.logaddexp.accumulate(x).tolist()
actual = tf.math.cumulative_logsumexp(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
