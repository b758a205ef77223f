"""Strategies for functions whose arguments are related in ways that signatures do not say, one file for each topic."""

HOMES = ("", "linalg", "fft", "emath", "ndarray")
"""Namespaces whose every function is drawn, line or no line; of others those that have one."""

_FUNCTION = "makes a function, not an array"

UNDRAWN = {
    "vectorize": _FUNCTION,
    "frompyfunc": _FUNCTION,
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
    "ufunc": "cannot be called",
    "errstate": "process-wide state",
    "geterr": "process-wide state",
    "seterr": "process-wide state",
    "from_dlpack": "needs an object of another library",
    "fromiter": "needs an iterator, which one call uses up",
    "ndarray.__iter__": "answers an iterator, not an array",
    "ldexp.accumulate": "refuses every dtype",
    "ldexp.reduceat": "refuses every dtype",
    "linalg.LinAlgError": "an exception",
}
"""Names without cases, and why."""
