"""Adapter of Cubed's array API, in chunks of two elements, so that every result is assembled from several chunks."""

from oracle import OTHER_ERRORS, Adapter

CUBED = Adapter(
    name="cubed",
    imports="import cubed\nimport cubed.array_api as xp",
    array="cubed.Array",
    from_numpy="xp.asarray({}, chunks=2)",
    to_numpy="np.asarray({}.compute())",
    scalars=False,
    methods=False,
    by_design=(OTHER_ERRORS,),
)
