"""numpy.ma.add.reduce and its like do not look at dtype=, unless something is masked.

`_MaskedBinaryOperation.reduce` passes `dtype` to the ufunc only where the array has a mask: `self.f.reduce(t, axis)`
is called otherwise. A difference of unsigned integers wraps although floats are asked for.
"""

# /// upstream
# op = ["numpy.ma.add.reduce", "numpy.ma.subtract.reduce", "numpy.ma.multiply.reduce", "numpy.ma.bitwise_and.reduce"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["uint64", "int64", "float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["*.reduce"]
# shows = "dtype"
# ///

import sys

import numpy as np

x = np.array([0, 1], np.uint64)
expected = [np.subtract.reduce(x, dtype=float).item(), np.add.reduce(x, dtype=bool).item()]
actual = [np.ma.subtract.reduce(x, dtype=float).item(), np.ma.add.reduce(x, dtype=bool).item()]
masked = np.ma.array(x, mask=[False, False])
print("expected", expected)
print("actual  ", actual)
print("with a mask of False:", np.ma.subtract.reduce(masked, dtype=float))
sys.exit(0 if str(actual) == str(expected) else 1)
