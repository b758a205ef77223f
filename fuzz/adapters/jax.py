"""Adapter of JAX, with 64-bit dtypes enabled. Declared differences link to its page "Sharp bits" by default."""

from oracle import RETURNED, Adapter, ByDesign

JAX = Adapter(
    name="jax.numpy",
    imports='import jax\nimport jax.numpy as jnp\n\njax.config.update("jax_enable_x64", True)',
    module="jnp",
    array="jax.Array",
    from_numpy="jax.device_put({})",
    compiled={"jit": "jax.jit({})"},
    vmap="jax.vmap({})",
    grad="jax.grad({})",
    devices={
        "CPU:0": 'jax.default_device(jax.devices("cpu")[0])',
        "GPU:0": 'jax.default_device(jax.devices("gpu")[0])',
    },
    promotes=False,  # its page "Type promotion semantics"
    flushes=True,
    lacks=frozenset({"out", "order", "subok", "like", "casting", "signature"}),
    by_design=(
        ByDesign(
            "errors", "raises its own error classes, and none for invalid values", ("different error", "missing error")
        ),
        ByDesign(
            "immutable",
            "arrays never change",
            ("spurious error", "structure"),
            f"immutable|cannot operate inplace|{RETURNED}",
        ),
        ByDesign(
            "arrays only",
            "takes arrays and scalars, not lists, text or other objects",
            ("spurious error",),
            "requires ndarray or scalar|Error interpreting argument|Non-hashable static|not a valid JAX (array )?type",
        ),
        ByDesign(
            "refusals",
            "takes fewer dtypes and kinds of arguments than NumPy, and its errors say so",
            ("spurious error",),
            "only supports|positional-only|Accepted dtypes|must be one-dimensional|rank <=|interpreted as an integer",
        ),
        ByDesign(
            "static",
            "values that decide about shapes must be static when a function is traced",
            ("spurious error",),
            "Concret|Tracer|concrete|traced|static|abstract",
            modes=("jit", "vmap", "gradient"),
        ),
        ByDesign("compiled structure", "compiled functions return arrays only", ("structure",), modes=("jit", "vmap")),
        ByDesign(
            "symmetrized",
            "averages a matrix with its transpose first (symmetrize_input)",
            ("value",),
            names=("linalg.eigh", "linalg.eigvalsh", "linalg.cholesky"),
        ),
    ),
    siblings=64,
)
