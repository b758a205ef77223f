"""numpy.diagonal of a 1 x 1 array with offset -2147483648 has an element, read from outside of the array.

An offset below the matrix has no diagonal, and NumPy returns an empty array for -2147483647. The smallest C integer has
no negative of its type: the offset stays negative where its size is wanted. `diag` and `trace` do the same; some calls
end the process.
"""

# /// upstream
# op = ["numpy.diagonal", "numpy.diag", "numpy.trace"]
# part = "C"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "wrong in every release tried, 1.23.2 to 2.4.6"
# names = ["diagonal", "diag", "trace"]
# shows = "-2147483648"
# ///

import sys

import numpy as np

x = np.zeros((1, 1))
expected = np.diagonal(x, -2147483647).shape
actual = np.diagonal(x, -2147483648).shape
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if actual == expected else 1)
