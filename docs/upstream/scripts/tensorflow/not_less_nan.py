"""not (x < y) in tf.function becomes x >= y, which is wrong for nan.

Grappler replaces the negation of a comparison by the opposite comparison. For nan both are false, so the negation
is true and the opposite false. Equal and NotEqual are each other's negation and may be replaced.
"""

# /// upstream
# op = ["LogicalNot", "Less", "LessEqual", "Greater", "GreaterEqual"]
# part = "Grappler, arithmetic optimization"
# modes = ["graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["logical_not", "less", "less_equal", "greater", "greater_equal"]
# shows = "nan"
# workarounds = ["tfnp/_core/ops.py"]
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([np.nan, 1.0])
FUNCTIONS = {
    "not (x < 0)": lambda x: tf.logical_not(x < 0.0),
    "not (x <= 0)": lambda x: tf.logical_not(x <= 0.0),
    "not (x > 0)": lambda x: tf.logical_not(x > 0.0),
    "not (x >= 0)": lambda x: tf.logical_not(x >= 0.0),
}
expected = {text: f(x).numpy().tolist() for text, f in FUNCTIONS.items()}
actual = {text: tf.function(f)(x).numpy().tolist() for text, f in FUNCTIONS.items()}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
