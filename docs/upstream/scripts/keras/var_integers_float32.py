"""keras.ops.var of integers is calculated in float32 even where floatx is float64.

Why was not looked up in the sources.
"""

# /// upstream
# op = ["keras.ops.var"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "integers are made float32, whatever floatx is"
# search = "not searched"
# names = ["var"]
# ///

import sys

import keras
import numpy as np
from keras import ops

keras.config.set_floatx("float64")
expected = round(float(np.var([0, 0, 1])), 12)
actual = round(float(ops.var(np.array([0, 0, 1]))), 12)
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
