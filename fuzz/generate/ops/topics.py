"""Topics of ops: of which the later calls of a program are, each as often as any other."""

from __future__ import annotations

from collections.abc import Callable

ARITHMETIC = frozenset(
    f"math.{name}"
    for name in (
        *("add", "subtract", "multiply", "divide", "pow", "square", "sqrt", "negative", "logical_not", "reduce_max"),
        *("reduce_min", "squared_difference", "maximum", "minimum", "floor", "less", "greater", "abs", "reciprocal"),
        *("reduce_sum", "exp", "log", "conj", "less_equal", "greater_equal", "equal", "tanh", "rsqrt", "argmax"),
    )
) | {"cast", "transpose", "reshape"}
"""What compilers rewrite most."""

TOPICS: dict[str, Callable[[str], bool]] = {
    "arithmetic": lambda op: op in ARITHMETIC,
    "bitwise": lambda op: op.startswith(("bitwise.", "math.logical_")),
    "reductions": lambda op: op.startswith(("math.reduce_", "math.arg", "math.cum", "math.count", "norm")),
    "shapes": lambda op: "." not in op and op not in ("cast", "sort", "argsort", "where", "saturate_cast"),
    "sorting": lambda op: op in ("sort", "argsort", "searchsorted", "math.top_k", "unique", "where", "clip_by_value"),
    "segments": lambda op: "segment" in op or "scatter" in op,
    "casts": lambda op: op in ("cast", "bitcast", "saturate_cast"),
    "linalg": lambda op: op.startswith("linalg."),
    "layers": lambda op: op.startswith(("nn.", "signal.")),
    "functions": lambda op: op.startswith("math.") and op not in ARITHMETIC,
}
