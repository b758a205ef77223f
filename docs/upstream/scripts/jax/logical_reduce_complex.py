"""jnp.logical_and.reduce([1j]) is False: the imaginary part is dropped.

jnp.all([1j]) is True, as is NumPy's. ufunc.reduce casts to bool by the real part.
"""

# /// upstream
# op = ["jax.numpy.logical_and.reduce", "jax.numpy.logical_or.reduce"]
# part = "Python"
# modes = ["eager", "jit", "vmap"]
# dtypes = ["complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["logical_*.reduce"]
# ///

import sys

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

expected = [True, True]
actual = [bool(jnp.logical_and.reduce(jnp.asarray([1j]))), bool(jnp.logical_or.reduce(jnp.asarray([1j])))]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
