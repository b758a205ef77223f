"""Adapter of dask.array, in chunks of two elements, so that every result is assembled from several chunks."""

from oracle import Adapter, ByDesign

DASK = Adapter(
    name="dask.array",
    imports="import dask.array as da",
    module="da",
    array="da.Array",
    from_numpy="da.from_array({}, chunks=2)",
    to_numpy='np.asarray({}.compute(scheduler="sync"))',
    lacks=frozenset({"out", "where", "order", "subok", "like", "casting", "signature"}),
    by_design=(
        ByDesign(
            "errors", "raises classes of its own, and some when it computes", ("different error", "missing error")
        ),
        ByDesign(
            "chunks", "needs other chunks, and says so", ("spurious error",), "(?i)chunk|only supports taking an FFT"
        ),
        ByDesign(
            "arrays only", "takes arrays, no numbers", ("spurious error",), "'(float|int|bool|complex|list)' object"
        ),
        ByDesign(
            "not implemented", "is not implemented, and says so", ("spurious error",), "(?i)not.?(yet )?implemented"
        ),
    ),
)
