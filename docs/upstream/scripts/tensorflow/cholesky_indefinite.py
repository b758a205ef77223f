"""tf.linalg.cholesky of an indefinite matrix returns uninitialised memory above the diagonal.

The documentation asks for a positive definite matrix. For this one nothing is raised; the lower triangle of the
result has nans, the strict upper triangle, which is zero of a valid factor, has what was in memory before.
"""

# /// upstream
# op = ["Cholesky"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#61916"]
# state = "closed as stale"
# workarounds = ["tfnp/_kernels/linalg/triangular.py"]
# names = ["linalg.cholesky"]
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 4.0], [3.0, 4.0, 1.0]])
expected = "an error, or nan and zeros above the diagonal"
actual = expected
for _ in range(20):
    np.full((64, 64), 7.0)  # something else in memory
    upper = tf.linalg.cholesky(x).numpy()[np.triu_indices(3, 1)]
    if not np.all((upper == 0) | np.isnan(upper)):
        actual = "other numbers above the diagonal"
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
