"""Adapters of arrays with units, on which NumPy's own functions are called: all are dimensionless."""

from oracle import Adapter, ByDesign

PRINTED = ("array2string", "array_repr", "array_str")
"""Functions whose text names the unit."""

UNYT = Adapter(
    name="unyt",
    imports="import unyt",
    module="np",
    array="unyt.unyt_array",
    from_numpy="unyt.unyt_array({}, 'dimensionless')",
    to_numpy="np.asarray({})",
    absent=PRINTED,
    by_design=(
        ByDesign(
            "floats",
            "an array of integers that is written to becomes one of floats, which can hold other units",
            ("dtype", "changed dtype"),
            r"expected (u?int\d+|bool), got float",
        ),
    ),
)

PINT = Adapter(
    name="pint",
    imports="import pint\n\nQuantity = pint.UnitRegistry().Quantity",
    module="np",
    array="Quantity",
    from_numpy="Quantity({}, 'dimensionless')",
    to_numpy="np.asarray({}.m)",
    absent=(*PRINTED, "polynomial.*", "random.*"),  # which do not ask arrays to take over
    dtypes=frozenset({"bool", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64))})
    | {"float16", "float32", "float64", "complex64", "complex128"},
)
