"""unyt: numpy.frexp gives one array of mantissas and exponents, not two.

Other functions with two results, such as `modf` and `divmod`, give a tuple. An array of one row cannot be unpacked as
two results.
"""

# /// upstream
# op = ["numpy.frexp of unyt_array"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["frexp"]
# ///

import sys

import numpy as np
import unyt

x = unyt.unyt_array([3.0, 8.0], "dimensionless")
expected = [part.tolist() for part in np.frexp(np.asarray(x))]
answer = np.frexp(x)
actual = [part.tolist() for part in answer] if isinstance(answer, tuple) else np.asarray(answer)
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
