"""Adapter of MLX on the CPU (`pip install "mlx[cpu]"`), where it has float64. Arrays keep NumPy's dtype."""

from oracle import OTHER_ERRORS, RETURNED, Adapter, ByDesign

IMPORTS = """import mlx.core as mx

mx.set_default_device(mx.cpu)


def to_dtype(name):
    return getattr(mx, {"bool": "bool_"}.get(name, name))


def to_mlx(x):
    return mx.array(x, dtype=to_dtype(x.dtype.name))
"""

MLX = Adapter(
    name="mlx.core",
    imports=IMPORTS,
    module="mx",
    array="mx.array",
    from_numpy="to_mlx({})",
    to_numpy="np.array({})",
    dtype="to_dtype('{}')",
    scalars=False,
    compiled={"compile": "mx.compile({})"},
    vmap="mx.vmap({})",
    grad="mx.grad({})",
    promotes=False,  # its page "Data types"
    lacks=frozenset({"out", "where", "order", "subok", "like", "casting", "signature", "initial"}),
    methods=False,
    by_design=(
        OTHER_ERRORS,
        ByDesign(
            "types of arguments",
            "functions have typed signatures, take fewer types and dtypes than NumPy's, and their errors say so",
            ("spurious error",),
            "incompatible function arguments|[Ii]nvalid type|must be (an array|arrays) or|Arrays must have type|"
            "must promote to",
        ),
        ByDesign("returned", "put_along_axis returns a new array", ("structure",), RETURNED, ("put_along_axis",)),
    ),
)
