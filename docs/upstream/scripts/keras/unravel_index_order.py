"""keras.ops.unravel_index(1, (1, 2)) is (1, 0), not (0, 1).

Why was not looked up in the sources.
"""

# /// upstream
# op = ["keras.ops.unravel_index"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["unravel_index"]
# ///

import sys

import numpy as np
from keras import ops

expected = [int(part) for part in np.unravel_index(1, (1, 2))]
actual = [int(part) for part in ops.unravel_index(1, (1, 2))]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
