"""Adapter of Numba: NumPy's functions compiled by `numba.njit`, as they are, in parallel, and with fast mathematics.

Eager mode is NumPy itself. Declared differences link to Numba's page "Supported NumPy features" by default.
"""

from oracle import OTHER_ERRORS, Adapter, ByDesign

COMPILED = ("njit", "parallel", "fastmath")

NUMBA = Adapter(
    name="numba",
    imports="import numba",
    module="np",
    array="np.ndarray",
    from_numpy="{}",
    to_numpy="{}",
    dtype="np.{}",
    compiled={
        "njit": "numba.njit({})",
        "parallel": "numba.njit(parallel=True)({})",
        "fastmath": "numba.njit(fastmath=True)({})",
    },
    promotes=False,
    lacks=frozenset({"out", "where", "order", "subok", "like", "casting", "signature"}),
    absent=("polynomial.*", "random.*", "strings.*", "char.*", "emath.*", "lib.*", "*.at", "*.outer", "*.reduceat"),
    methods=False,
    by_design=(
        OTHER_ERRORS,
        ByDesign(
            "subset",
            "has a part of NumPy's functions, arguments and dtypes, and its errors say so",
            ("spurious error",),
            # NotImplementedError: keywords of ufuncs, which Numba refuses while it compiles
            r"TypingError|UnsupportedError|LoweringError|NumbaNotImplementedError|NotImplementedError|NumbaTypeError"
            r"|NumbaValueError",
        ),
        ByDesign("scalars", "returns Python's numbers", ("structure",), r"got -?\(?[\dTFni]", modes=COMPILED),
    ),
    siblings=16,
    sizes=True,
)
