"""tf.linalg.eigvalsh of complex matrices is wrong under XLA.

The real eigenvalues are read as the parts of complex numbers, two at a time, and behind them comes what is in
memory.
"""

# /// upstream
# op = ["SelfAdjointEigV2"]
# part = "XLA bridge"
# modes = ["xla"]
# dtypes = ["complex128", "complex64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#117864"]
# state = "open"
# workarounds = ["tfnp/_kernels/linalg/rotations.py"]
# names = ["linalg.eigh", "linalg.eigvalsh"]
# shows = "complex|j"
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([[2, -1j], [1j, 5]], tf.complex128)
expected = tf.linalg.eigvalsh(x).numpy().tolist()
actual = tf.function(tf.linalg.eigvalsh, jit_compile=True)(x).numpy().tolist()[:1]
print("expected", expected)
print("actual  ", actual, "and what is in memory")
sys.exit(0 if np.allclose(actual[0], expected[0]) else 1)
