"""Adapter of dask.array, in chunks of two elements, so that every result is assembled from several chunks."""

from oracle import Adapter, ByDesign

DASK = Adapter(
    name="dask.array",
    imports="import dask.array as da",
    module="da",
    array="da.Array",
    from_numpy="da.from_array({}, chunks=2)",
    to_numpy='np.asarray({}.compute(scheduler="sync"))',
    absent=("linalg.cholesky",),  # the upper factor by default, as its parameter `lower` says
    streams=False,  # one for each chunk
    lacks=frozenset({"out", "where", "order", "subok", "like", "casting", "signature"}),
    by_design=(
        ByDesign(
            "errors",
            "raises its own error classes, some of them only when it computes",
            ("different error", "missing error"),
        ),
        ByDesign(
            "chunks",
            "needs other chunks, and its error says so",
            ("spurious error",),
            "(?i)chunk|only supports taking an FFT",
        ),
        ByDesign(
            "arrays only", "takes arrays, not scalars", ("spurious error",), "'(float|int|bool|complex|list)' object"
        ),
    ),
)
