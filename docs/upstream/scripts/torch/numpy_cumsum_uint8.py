"""torch._numpy.cumsum of uint8 wraps.

NumPy's cumsum widens small integers: 200 + 200 is 400.
"""

# /// upstream
# op = ["torch._numpy.cumsum"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["uint8"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["cumsum"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

expected = np.cumsum(np.array([200, 200], np.uint8)).tolist()
actual = tnp.cumsum(tnp.asarray([200, 200], dtype="uint8")).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
