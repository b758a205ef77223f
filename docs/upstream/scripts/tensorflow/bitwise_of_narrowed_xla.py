"""Bitwise and, or of integers that a cast has narrowed from int64 end the process under XLA.

The compiler for the CPU dies. Which lengths are concerned depends on how the loop is vectorized, so several are
tried.
"""

# /// upstream
# op = ["BitwiseAnd", "BitwiseOr"]
# part = "XLA, CPU compiler"
# modes = ["xla"]
# dtypes = ["int32", "int8"]
# effect = "crash"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_kernels/bits.py"]
# names = ["bitwise_and", "bitwise_or"]
# signals = ["SIGSEGV", "SIGABRT"]
# ///

import tensorflow as tf

print("expected a result or a Python exception", flush=True)
try:
    for dtype, op in ((tf.int32, tf.bitwise.bitwise_and), (tf.int8, tf.bitwise.bitwise_or)):
        for n in (1, 4, 8, 16, 100):
            x = tf.ones([n], tf.int64)
            f = tf.function(lambda x, y, op=op, t=dtype: op(tf.cast(x, t), tf.cast(y, t)), jit_compile=True)
            f(x, x)
except Exception as error:
    print("actual  ", type(error).__name__)
else:
    print("actual   a result")
