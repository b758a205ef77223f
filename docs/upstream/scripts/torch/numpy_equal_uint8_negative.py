"""torch._numpy: a uint8 255 equals -1.

The Python integer is made uint8, and wraps to 255.
"""

# /// upstream
# op = ["torch._numpy.equal"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["uint8"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["equal"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

expected = bool(np.equal(np.array([255], np.uint8), -1)[0])
actual = bool(tnp.equal(tnp.asarray([255], dtype="uint8"), -1)[0])
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
