"""1 // 0 of integers is -1 under XLA, where eager mode raises.

Nothing that depends on data can raise under XLA; NumPy's result would be 0.
"""

# /// upstream
# op = ["FloorDiv"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["int32"]
# effect = "wrong value"
# verdict = "by design"
# reason = "XLA defines the quotient by zero as -1, and cannot raise."
# search = "reported"
# issues = ["tensorflow/tensorflow#61965", "jax-ml/jax#11990"]
# state = "closed as stale"
# workarounds = ["tfnp/_kernels/integer.py"]
# names = ["floor_divide", "divmod"]
# shows = "0"
# ///

import sys

import tensorflow as tf

x, zero = tf.constant([1]), tf.constant([0])
expected = "InvalidArgumentError, as in eager mode, or [0]"
actual = tf.function(lambda x, y: x // y, jit_compile=True)(x, zero).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if actual == [0] else 1)
