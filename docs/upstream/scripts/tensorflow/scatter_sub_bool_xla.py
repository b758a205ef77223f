"""TensorScatterSub of bools under XLA ends the process.

There is no kernel for it in eager mode, which raises; the XLA bridge probably builds a subtraction of bools, which
does not exist, and goes on.
"""

# /// upstream
# op = ["TensorScatterSub"]
# part = "XLA bridge"
# modes = ["xla"]
# dtypes = ["bool"]
# effect = "crash"
# verdict = "defect"
# search = "not found"
# signals = ["SIGSEGV", "SIGABRT"]
# ///

import tensorflow as tf

print("expected a result or a Python exception", flush=True)
try:
    x = tf.constant([True, False])
    tf.function(lambda x: tf.tensor_scatter_nd_sub(x, [[0]], [True]), jit_compile=True)(x)
except Exception as error:
    print("actual  ", type(error).__name__)
else:
    print("actual   a result")
