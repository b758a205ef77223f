"""torch._numpy: an int32 0 equals 4294967296.

The Python integer is made int32, and wraps to 0.
"""

# /// upstream
# op = ["torch._numpy.equal"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["int32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["equal"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

expected = bool(np.array([0], np.int32)[0] == 4294967296)
actual = bool((tnp.asarray([0], dtype="int32") == 4294967296)[0])
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
