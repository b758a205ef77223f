"""Adapter of Autograd: NumPy's arrays, and the gradients of its functions."""

from oracle import Adapter, ByDesign

AUTOGRAD = Adapter(
    name="autograd.numpy",
    imports="import autograd\nimport autograd.numpy as anp",
    module="anp",
    array="np.ndarray",
    from_numpy="{}",
    to_numpy="{}",
    grad="autograd.grad({})",
    by_design=(
        ByDesign("no derivative", "some functions have no derivative, and the error says so", ("gradient",), "VJP of"),
    ),
)
