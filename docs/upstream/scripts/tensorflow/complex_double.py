"""z + z in tf.function is nan for an infinite z.

Grappler replaces z + z by (2+0j) * z. The product of the zero with an infinity is nan, so that a part of the result
is lost; signs of zeros change as well.
"""

# /// upstream
# op = ["AddV2"]
# part = "Grappler, arithmetic optimization"
# modes = ["graph"]
# dtypes = ["complex128", "complex64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_kernels/complex/arithmetic.py"]
# names = ["add"]
# shows = "inf"
# ///

import sys

import numpy as np
import tensorflow as tf

z = tf.constant([complex(np.inf, 0)])
expected = (z + z).numpy().tolist()
actual = tf.function(lambda z: z + z)(z).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
