"""What the signatures do not say: a line for each function whose arguments relate, a file a topic."""

HOMES = ("", "linalg", "fft")
"""Namespaces whose every function is drawn, line or no line; of others those that have one."""

_CHANGES = "changes its first argument: drawn once a case can say which array may change"
_FUNCTION = "takes a function, which a case cannot hold"

UNDRAWN = {
    "apply_along_axis": _FUNCTION,
    "apply_over_axes": _FUNCTION,
    "vectorize": _FUNCTION,
    "frompyfunc": _FUNCTION,
    "fromfunction": _FUNCTION,
    "mask_indices": _FUNCTION,
    "copyto": _CHANGES,
    "fill_diagonal": _CHANGES,
    "place": _CHANGES,
    "put": _CHANGES,
    "put_along_axis": _CHANGES,
    "putmask": _CHANGES,
    "c_": "called by brackets",
    "r_": "called by brackets",
    "s_": "called by brackets",
    "index_exp": "called by brackets",
    "mgrid": "called by brackets",
    "ogrid": "called by brackets",
    "ndarray": "without an array to hold, its contents are what memory held before",
    "broadcast": "answers an iterator, not an array",
    "ndenumerate": "answers an iterator, not an array",
    "ndindex": "answers an iterator, not an array",
    "einsum_path": "answers a plan of its own making, no array",
    "poly1d": "a class with a life of its own",
    "ufunc": "cannot be called",
    "errstate": "process-wide state",
    "geterr": "process-wide state",
    "seterr": "process-wide state",
    "from_dlpack": "needs an object of another library",
    "fromiter": "needs an iterator, which one call uses up",
    "linalg.LinAlgError": "an exception",
}
"""Names without cases, and why."""
