"""scipy.special ufuncs with `where=` write to other elements of `out`, and past its end.

The loops of functions from xsf advance the pointers that NumPy gave them, in NumPy's own array, so that the second run
of selected elements begins at a wrong address. Where `out` has no room behind it, the process may end with "free():
invalid next size".
"""

# /// upstream
# op = ["scipy.special.expm1", "scipy.special.log1p", "scipy.special.gamma", "scipy.special.erf"]
# part = "xsf, ufunc loops"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# since = "1.15.3 right, 1.16.0 wrong, 1.18.1 right"
# issues = ["scipy/scipy#25127"]
# state = "closed; mended after 1.17.1 by scipy/scipy#25127"
# names = ["expm1", "log1p", "exp2", "cbrt"]
# shows = "where="
# ///

import sys

import numpy as np
import scipy.special

selected = np.array([[True], [False], [True]])
expected = np.where(selected, np.expm1(np.ones((3, 2))), 0.0).round(6).tolist()
print("expected", expected)
out = np.zeros((9, 2))[:3]  # with room for what is written past its end
actual = scipy.special.expm1(np.ones((3, 2)), out=out, where=selected).round(6).tolist()
print("actual  ", actual)
sys.exit(0 if actual == expected else 1)
