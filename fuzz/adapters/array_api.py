"""Adapter of array_api_strict, which offers exactly what the array API standard specifies."""

from oracle import Adapter, ByDesign

ARRAY_API_STRICT = Adapter(
    name="array_api_strict",
    imports="import array_api_strict as xp",
    array="type(xp.asarray(0))",
    dtype="xp.{}",
    scalars=False,
    by_design=(
        ByDesign(
            "strict",
            "rejects what the standard leaves open, with its own error classes",
            ("spurious error", "missing error", "different error"),
        ),
        ByDesign("structure", "dtypes are objects of its own", ("structure",)),
    ),
)
