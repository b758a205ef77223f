"""tf.math.digamma(0.0) is nan.

SciPy and C++'s libraries have -inf at +0, and +inf at -0.0.
"""

# /// upstream
# op = ["Digamma"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float64", "float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "It is a pole with two sides."
# search = "reported"
# issues = ["tensorflow/tensorflow#111917", "tensorflow/tensorflow#121498", "tensorflow/tensorflow#59627"]
# state = "open, with changes proposed"
# ///

import sys

import numpy as np
import tensorflow as tf

expected = [-np.inf]
actual = tf.math.digamma(np.zeros(1)).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
