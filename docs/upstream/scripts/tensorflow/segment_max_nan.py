"""tf.math.segment_max returns nan or not by the place of the nan in its segment.

A nan that comes first in its segment is lost, one that comes last is returned. tf.reduce_max returns it wherever it
is. Of unsorted_segment_max the like is reported.
"""

# /// upstream
# op = ["SegmentMax", "SegmentMin"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#118375"]
# state = "open; about unsorted_segment_max"
# names = ["maximum.reduceat", "minimum.reduceat"]
# shows = "nan"
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([np.nan, 1.0, 2.0, np.nan], tf.float64)
expected = [np.nan, np.nan]
actual = tf.math.segment_max(x, [0, 0, 1, 1]).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
