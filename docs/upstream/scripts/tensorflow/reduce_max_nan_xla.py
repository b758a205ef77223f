"""tf.reduce_max and tf.maximum under XLA drop nan.

In eager mode, NumPy and the definition of XLA's own Maximum, the result is nan.
"""

# /// upstream
# op = ["Max", "Min", "Maximum", "Minimum"]
# part = "XLA, CPU"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#116992", "tensorflow/tensorflow#118077", "openxla/xla#49174"]
# state = "open"
# workarounds = ["tfnp/_kernels/real/floats.py", "tfnp/_kernels/reduce/over_axes.py"]
# names = ["max", "amax", "min", "amin", "maximum", "minimum", "clip", "ptp"]
# shows = "nan"
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([1.0, np.nan, 0.0])
FUNCTIONS = {
    "reduce_max": tf.reduce_max,
    "reduce_min": tf.reduce_min,
    "maximum": lambda x: tf.maximum(x, x[::-1] + np.nan),
}
expected = {name: f(x).numpy().tolist() for name, f in FUNCTIONS.items()}
actual = {name: tf.function(f, jit_compile=True)(x).numpy().tolist() for name, f in FUNCTIONS.items()}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
