"""jnp.abs(complex(nan, inf)) is nan.

C99 and NumPy say that the absolute value of a complex number with an infinite part is infinite, whatever the other
part is.
"""

# /// upstream
# op = ["jax.numpy.abs"]
# part = "XLA"
# modes = ["eager", "jit"]
# dtypes = ["complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["jax-ml/jax#37817"]
# names = ["absolute"]
# ///

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

expected = float(np.abs(complex(np.nan, np.inf)))
actual = float(jnp.abs(complex(np.nan, np.inf)))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
