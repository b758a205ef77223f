"""unyt: numpy.nan_to_num with nan= in another unit gives its unit to all elements: 1 m becomes 1 cm.

The replacement is not converted, and the result has the unit of the replacement.
"""

# /// upstream
# op = ["numpy.nan_to_num of unyt_array"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["nan_to_num"]
# ///

import sys

import numpy as np
import unyt

x = unyt.unyt_array([np.nan, 1.0], "m")
fill = unyt.unyt_quantity(50.0, "cm")
expected = np.where(np.isnan(x), fill.to("m"), x).to("cm").tolist()
actual = np.nan_to_num(x, nan=fill).to("cm").tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
