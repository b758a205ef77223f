"""ConjugateTranspose of floats under XLA makes zeros of other signs: 0 becomes -0.0.

The conjugate of a real number is the number. The result under XLA has -0.0 in the place of one zero.
"""

# /// upstream
# op = ["ConjugateTranspose"]
# part = "XLA bridge"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# ///

import sys

import tensorflow as tf

x = tf.reshape(tf.range(6.0), [2, 3])


def f(x):
    return tf.raw_ops.ConjugateTranspose(x=x, perm=[1, 0])


expected = f(x).numpy().tolist()
actual = tf.function(f, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
