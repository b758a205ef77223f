"""numpy.power.reduce([1.5, 2, 3]) is 1.5**3: the last element is joined with the first alone.

The same holds for arctan2 of float64 and float32. The loop for processors with AVX-512 reads several numbers at once,
and seems not to look whether its output is an operand, as that of a reduction is (a guess). With
NPY_DISABLE_CPU_FEATURES=X86_V4 the result is right, as is that of `accumulate`.
"""

# /// upstream
# op = ["numpy.power", "numpy.arctan2"]
# part = "loops for AVX-512"
# modes = ["eager"]
# dtypes = ["float64", "float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# since = "1.23.5 right, 1.24.0 wrong"
# names = ["power.reduce", "power.reduceat", "arctan2.reduce", "arctan2.reduceat"]
# ///

import sys

import numpy as np

x = np.array([1.5, 2.0, 3.0])
expected = [float(np.power.accumulate(x)[-1]), float(np.arctan2(np.arctan2(1.5, 2.0), 3.0))]
actual = [float(np.power.reduce(x)), float(np.arctan2.reduce(x))]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.allclose(actual, expected, 1e-12) else 1)
