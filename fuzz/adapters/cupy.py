"""Adapter of CuPy, on the first GPU."""

from oracle import Adapter, ByDesign

CUPY = Adapter(
    name="cupy",
    imports="import cupy",
    module="cupy",
    array="cupy.ndarray",
    from_numpy="cupy.asarray({})",
    to_numpy="cupy.asnumpy({})",
    streams=False,
    devices={"GPU:0": "cupy.cuda.Device(0)"},
    by_design=(
        ByDesign(
            "errors",
            "raises its own error classes, and accepts calls that NumPy rejects",
            ("different error", "missing error"),
        ),
        ByDesign("arrays only", "takes arrays, not lists", ("spurious error",), "Unsupported type|must be.*ndarray"),
    ),
)
