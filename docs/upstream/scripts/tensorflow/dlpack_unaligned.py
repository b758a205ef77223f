"""An op on an array that from_dlpack took over unaligned ends the process.

The kernels require aligned memory and check it by an assertion. NumPy's slices are often not aligned; a copy, or an
exception, would do.
"""

# /// upstream
# op = ["tf.experimental.dlpack.from_dlpack"]
# part = "CPU kernels"
# modes = ["eager"]
# dtypes = ["float32"]
# effect = "crash"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/routines/creation/from_data.py"]
# names = ["from_dlpack"]
# signals = ["SIGABRT"]
# ///

import numpy as np
import tensorflow as tf

print("expected a result or a Python exception", flush=True)
try:
    array = np.empty(9, np.float32)[1:]
    for _ in range(8):
        x = tf.experimental.dlpack.from_dlpack(array.__dlpack__())
        tf.matmul(x[None], x[:, None])
        tf.reduce_sum(x + x)
except Exception as error:
    print("actual  ", type(error).__name__)
else:
    print("actual   a result")
