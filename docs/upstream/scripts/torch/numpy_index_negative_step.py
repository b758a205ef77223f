"""torch._numpy: x[3:0:-1] has other elements, and x[None, ::-1] is reversed along another axis.

`ndarray.__getitem__` flips the axis whose number is the position of the slice in the index, although `None` and `...`
stand before it, and then takes `stop + 1` to `start + 1` of the flipped array, where `n - 1 - start` to `n - 1 -
stop` would be meant. Without bounds, and with nothing before it, a negative step is right.
"""

# /// upstream
# op = ["torch._numpy.ndarray.__getitem__"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["float64", "int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["ndarray.__getitem__"]
# shows = "-1"
# ///

import sys

import numpy as np
import torch._numpy as tnp

x, y = np.arange(4), np.arange(6).reshape(2, 3)
expected = [x[3:0:-1].tolist(), y[None, ::-1].tolist()]
actual = [tnp.asarray(x)[3:0:-1].tensor.tolist(), tnp.asarray(y)[None, ::-1].tensor.tolist()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
