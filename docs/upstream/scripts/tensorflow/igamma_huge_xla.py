"""tf.math.igamma(1e30, 1e30) never returns under XLA.

Probably the series is summed until a term is small beside the sum, which takes as many terms as the argument is
large.
"""

# /// upstream
# op = ["Igamma"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["float64"]
# effect = "hang"
# verdict = "defect"
# search = "not found"
# seconds = 8
# ///

import tensorflow as tf

print("expected a result or a Python exception", flush=True)
x = tf.constant([1e30], tf.float64)
tf.function(tf.math.igamma, jit_compile=True)(x, x)
print("actual   a result")
