"""tf.cumsum after a boolean mask ends the process under XLA.

Probably memory beyond a buffer is read or written; a few lengths have to be tried.
"""

# /// upstream
# op = ["Cumsum"]
# part = "XLA, dynamic shapes"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "crash"
# verdict = "defect"
# search = "reported"
# issues = ["openxla/xla#44944"]
# state = "closed"
# workarounds = ["tfnp/_core/dynamic_size.py", "tfnp/_core/layout.py"]
# names = ["cumsum", "cumprod"]
# signals = ["SIGSEGV", "SIGABRT"]
# ///

import tensorflow as tf

print("expected a result or a Python exception", flush=True)
try:
    for n in range(1, 40):
        mask = tf.range(50 * n) % 3 == 0
        tf.function(lambda x, mask: tf.cumsum(tf.boolean_mask(x, mask)), jit_compile=True)(tf.ones([50 * n]), mask)
except Exception as error:
    print("actual  ", type(error).__name__)
else:
    print("actual   a result")
