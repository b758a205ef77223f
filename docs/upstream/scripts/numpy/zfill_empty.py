"""numpy.strings.zfill of an empty array raises ValueError: zero-size array to reduction operation maximum.

The width of the result is the maximum of the widths, broadcast to no elements. `ljust`, `rjust` and `center` have the
same fault.
"""

# /// upstream
# op = ["numpy.strings.zfill", "numpy.strings.ljust", "numpy.strings.rjust", "numpy.strings.center"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["str"]
# effect = "error"
# verdict = "defect"
# search = "not found"
# since = "2.0.2 right, 2.1.0 wrong"
# names = ["strings.zfill", "strings.ljust", "strings.rjust", "strings.center"]
# ///

import sys

import numpy as np

empty = np.array([], "U1")
functions = np.strings.zfill, np.strings.ljust, np.strings.rjust, np.strings.center
print("expected", [(0,)] * len(functions))
shapes = []
for function in functions:
    try:
        shapes.append(function(empty, 3).shape)
    except ValueError as error:
        shapes.append(repr(error))
print("actual  ", shapes)
sys.exit(0 if shapes == [(0,)] * len(functions) else 1)
