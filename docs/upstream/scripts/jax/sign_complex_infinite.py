"""jnp.sign(inf+1j) is nan.

The sign is x / abs(x), which is inf / inf. NumPy's is 1: the direction of the number.
"""

# /// upstream
# op = ["jax.numpy.sign"]
# part = "XLA"
# modes = ["eager", "jit"]
# dtypes = ["complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "wrong in every release tried, 0.4.26 to 0.10.2"
# names = ["sign"]
# ///

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

expected = str(np.sign(complex(np.inf, 1.0)))
actual = str(complex(jnp.sign(complex(np.inf, 1.0))))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
