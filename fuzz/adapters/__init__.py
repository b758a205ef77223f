"""Adapters for other libraries as subjects, by name: `--subject jax.numpy`. Importing this imports none of them."""

from fuzz.adapters.array_api import ARRAY_API_STRICT
from fuzz.adapters.autograd import AUTOGRAD
from fuzz.adapters.cubed import CUBED
from fuzz.adapters.cupy import CUPY
from fuzz.adapters.dask import DASK
from fuzz.adapters.jax import JAX
from fuzz.adapters.mlx import MLX
from fuzz.adapters.mutable import MUTABLE
from fuzz.adapters.numba import NUMBA
from fuzz.adapters.pytensor import PYTENSOR
from fuzz.adapters.quantities import PINT, UNYT
from fuzz.adapters.scipy import SCIPY
from fuzz.adapters.tensorflow import KERAS, STOCK
from fuzz.adapters.tinygrad import TINYGRAD
from fuzz.adapters.torch import TORCH, TORCH_NUMPY
from oracle import register

ADAPTERS = (
    *(JAX, TORCH, TORCH_NUMPY, KERAS, DASK, ARRAY_API_STRICT, CUPY, MUTABLE, STOCK),
    *(NUMBA, MLX, PYTENSOR, TINYGRAD, CUBED, UNYT, PINT, AUTOGRAD, SCIPY),
)

REQUIREMENTS = {
    "array_api_strict": ("array-api-strict",),
    "autograd.numpy": ("autograd",),
    "bottleneck": ("bottleneck",),
    "cubed": ("cubed",),
    "dask.array": ("dask[array]",),
    "jax.numpy": ("jax",),
    "keras.ops": ("keras", "tensorflow"),
    "mlx.core": ("mlx[cpu]",),
    "numba": ("numba", "scipy"),
    "pint": ("pint",),
    "pytensor.tensor": ("pytensor",),
    "scipy": ("scipy",),
    "sparse": ("sparse",),
    "tensorflow.experimental.numpy": ("tensorflow",),
    "tinygrad": ("tinygrad",),
    "torch": ("torch", "array-api-compat"),
    "torch._numpy": ("torch",),
    "unyt": ("unyt",),
}
"""The packages with which a subject is installed, beside NumPy: the library's own is the first."""

register(ADAPTERS)
