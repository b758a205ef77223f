"""tf.range(2**62) under XLA ends the process.

In eager mode it is a ResourceExhaustedError.
"""

# /// upstream
# op = ["Range"]
# part = "XLA, CPU"
# modes = ["xla"]
# dtypes = ["int64"]
# effect = "crash"
# verdict = "defect"
# search = "not found"
# names = ["arange"]
# signals = ["SIGSEGV", "SIGABRT"]
# ///

import tensorflow as tf

print("expected a result or a Python exception", flush=True)
try:
    tf.function(lambda: tf.range(tf.constant(2**62, tf.int64)), jit_compile=True)()
except Exception as error:
    print("actual  ", type(error).__name__)
else:
    print("actual   a result")
