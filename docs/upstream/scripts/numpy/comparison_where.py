"""A comparison with an integer that the dtype does not hold ends the process where `where=` masks it.

numpy.equal(int8 array, 300, where=mask) knows its result, and writes it in a loop that is given other pointers than a
masked loop has. numpy/numpy#28117 is the same for arrays that are buffered.
"""

# /// upstream
# op = ["numpy.equal", "numpy.not_equal", "numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal"]
# part = "ufunc machinery"
# modes = ["eager"]
# dtypes = ["int8"]
# effect = "crash"
# verdict = "defect"
# search = "reported"
# since = "1.26.4 right, 2.0.0 wrong"
# issues = ["numpy/numpy#28117"]
# state = "open"
# names = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
# shows = "where"
# signals = ["SIGSEGV", "SIGABRT"]
# ///

import numpy as np

print("expected [False  True]", flush=True)
out = np.array([True, True])
np.equal(np.array([1, 2], np.int8), 300, where=np.array([True, False]), out=out)
print("actual  ", out)
