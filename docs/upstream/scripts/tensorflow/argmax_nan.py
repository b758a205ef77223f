"""tf.argmax passes over nan, though tf.reduce_max returns it; under XLA it depends on the place.

NumPy gives the index of the first nan, which is the maximum of the elements. Eager mode gives the index of the
greatest number. Under XLA a nan is found if it does not come first, and of several the last.
"""

# /// upstream
# op = ["ArgMax", "ArgMin"]
# part = "CPU kernel; XLA"
# modes = ["eager", "graph", "xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "The documentation says nothing of nan."
# search = "reported"
# issues = ["tensorflow/tensorflow#118177", "tensorflow/tensorflow#120232"]
# state = "open"
# workarounds = ["tfnp/_kernels/sort/argminmax.py"]
# names = ["argmax", "argmin"]
# shows = "nan"
# ///

import sys

import numpy as np
import tensorflow as tf

ROWS = [[1.0, np.nan, 3.0], [np.nan, 0.0], [1.0, np.nan, 3.0, np.nan]]
expected = {mode: [int(np.argmax(row)) for row in ROWS] for mode in ("eager", "xla")}
actual = {
    "eager": [int(tf.argmax(row)) for row in ROWS],
    "xla": [int(tf.function(tf.argmax, jit_compile=True)(tf.constant(row))) for row in ROWS],
}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
