"""tf.linalg.eigvalsh of entries of 1e200 is wrong under XLA.

Probably the off-diagonal elements are squared to see whether they are small enough; the overflow ends the sweeps at
once, and the diagonal is returned.
"""

# /// upstream
# op = ["SelfAdjointEigV2"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#117807"]
# state = "open"
# workarounds = ["tfnp/_kernels/linalg/rotations.py"]
# names = ["linalg.eigh", "linalg.eigvalsh"]
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([[1e200, 2e200], [2e200, -1e200]], tf.float64)
expected = tf.linalg.eigvalsh(x).numpy().tolist()
actual = tf.function(tf.linalg.eigvalsh, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.allclose(actual, expected, rtol=1e-6, atol=0) else 1)
