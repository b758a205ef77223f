"""torch.fft.irfft2 with s=[1, -1] gives four columns for three.

A size of -1 is said to leave the dimension as it is; the last is made 2 * (n - 1) long.
"""

# /// upstream
# op = ["torch.fft.irfft2"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "-1 may mean the default of a transform of real numbers"
# search = "not searched"
# names = ["fft.irfft2"]
# ///

import sys

import torch

expected = [1, 3]
actual = list(torch.fft.irfft2(torch.zeros(1, 3), s=[1, -1]).shape)
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
