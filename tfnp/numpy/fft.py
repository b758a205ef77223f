"""`numpy.fft`, a name a line: the functions of `tfnp.fft`, lifted."""

from __future__ import annotations

import tfnp
from tfnp.numpy.lifting import lift_function

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
__path__: list[str] = []  # a package, whose private submodules are NumPy's

fft = lift_function(tfnp.fft.fft)
fft2 = lift_function(tfnp.fft.fft2)
fftfreq = lift_function(tfnp.fft.fftfreq)
fftn = lift_function(tfnp.fft.fftn)
fftshift = lift_function(tfnp.fft.fftshift)
hfft = lift_function(tfnp.fft.hfft)
ifft = lift_function(tfnp.fft.ifft)
ifft2 = lift_function(tfnp.fft.ifft2)
ifftn = lift_function(tfnp.fft.ifftn)
ifftshift = lift_function(tfnp.fft.ifftshift)
ihfft = lift_function(tfnp.fft.ihfft)
irfft = lift_function(tfnp.fft.irfft)
irfft2 = lift_function(tfnp.fft.irfft2)
irfftn = lift_function(tfnp.fft.irfftn)
rfft = lift_function(tfnp.fft.rfft)
rfft2 = lift_function(tfnp.fft.rfft2)
rfftfreq = lift_function(tfnp.fft.rfftfreq)
rfftn = lift_function(tfnp.fft.rfftn)
