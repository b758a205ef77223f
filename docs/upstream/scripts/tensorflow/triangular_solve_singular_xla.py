"""tf.linalg.triangular_solve of a singular matrix is nan under XLA, and infinite in eager mode.

By substitution the first unknown is 1 / 0 = inf and the second -inf.
"""

# /// upstream
# op = ["MatrixTriangularSolve"]
# part = "XLA, CPU"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "A singular system has no solution."
# search = "reported"
# issues = ["openxla/xla#3891"]
# state = "closed; about batches"
# ///

import sys

import tensorflow as tf

a, b = tf.constant([[0.0, 0.0], [1.0, 1.0]]), tf.constant([[1.0], [1.0]])
expected = tf.linalg.triangular_solve(a, b).numpy().tolist()
actual = tf.function(tf.linalg.triangular_solve, jit_compile=True)(a, b).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
