"""Raw ops as calls of ops, so that a node of any graph can be compared with NumPy, within its tolerance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.tensor_ops import OPS, PREFIX

_SAME_ARGUMENTS = {
    **{
        name: f"math.{op}"
        for name, op in {
            "AddV2": "add", "Add": "add", "Sub": "subtract", "Mul": "multiply", "RealDiv": "divide",
            "FloorDiv": "floordiv", "FloorMod": "floormod", "Maximum": "maximum", "Minimum": "minimum",
            "SquaredDifference": "squared_difference", "Neg": "negative", "ComplexAbs": "abs", "Inv": "reciprocal",
            "NextAfter": "nextafter", "LessEqual": "less_equal", "GreaterEqual": "greater_equal",
            "NotEqual": "not_equal", "LogicalAnd": "logical_and", "LogicalOr": "logical_or",
            "LogicalNot": "logical_not", "IsNan": "is_nan", "IsInf": "is_inf", "IsFinite": "is_finite",
            "DivNoNan": "divide_no_nan", "MulNoNan": "multiply_no_nan", "BesselI0e": "bessel_i0e",
            "BesselI1e": "bessel_i1e",
        }.items()
    },
    **{
        name: f"math.{name.lower()}"
        for name in (
            "Square", "Abs", "Sign", "Ceil", "Floor", "Rint", "Round", "Less", "Greater", "Equal", "Real", "Imag",
            "Conj", "Angle", "Sqrt", "Rsqrt", "Reciprocal", "Exp", "Expm1", "Log", "Log1p", "Sin", "Cos", "Tan",
            "Sinh", "Cosh", "Tanh", "Asin", "Acos", "Atan", "Asinh", "Acosh", "Atanh", "Atan2", "Pow", "Sigmoid",
            "Softplus", "Xlogy", "Xlog1py", "Xdivy", "Erf", "Erfc", "Erfinv", "Lgamma", "Digamma", "Ndtri", "Igamma",
            "Igammac", "Zeta", "Betainc", "Polygamma",
        )
    },
    "TruncateDiv": "truncatediv", "TruncateMod": "truncatemod",
    "BitwiseAnd": "bitwise.bitwise_and", "BitwiseOr": "bitwise.bitwise_or", "BitwiseXor": "bitwise.bitwise_xor",
    "Invert": "bitwise.invert", "LeftShift": "bitwise.left_shift", "RightShift": "bitwise.right_shift",
    "SelectV2": "where", "ClipByValue": "clip_by_value", "Cholesky": "linalg.cholesky",
    "Relu": "nn.relu", "Relu6": "nn.relu6", "Elu": "nn.elu", "Selu": "nn.selu", "Softsign": "nn.softsign",
    "SegmentMax": "math.segment_max", "SegmentMin": "math.segment_min", "SegmentSum": "math.segment_sum",
    "UnsortedSegmentMax": "math.unsorted_segment_max", "UnsortedSegmentMin": "math.unsorted_segment_min",
    "UnsortedSegmentSum": "math.unsorted_segment_sum", "TensorScatterUpdate": "tensor_scatter_nd_update",
    "TensorScatterAdd": "tensor_scatter_nd_add", "TensorScatterSub": "tensor_scatter_nd_sub",
    "TensorScatterMax": "tensor_scatter_nd_max", "TensorScatterMin": "tensor_scatter_nd_min",
}  # fmt: skip
_REDUCTIONS = {
    "Sum": "reduce_sum", "Prod": "reduce_prod", "Mean": "reduce_mean", "Max": "reduce_max", "Min": "reduce_min",
    "Any": "reduce_any", "All": "reduce_all", "EuclideanNorm": "reduce_euclidean_norm",
}  # fmt: skip
_SCANS = {"Cumsum": "cumsum", "Cumprod": "cumprod", "CumulativeLogsumexp": "cumulative_logsumexp"}

MOVING = frozenset({
    "BroadcastTo", "Cast", "ConcatV2", "DiagV2", "ExpandDims", "Fill", "GatherNd", "GatherV2", "Identity", "IdentityN",
    "MatrixBandPart", "MatrixDiagPartV3", "MatrixDiagV3", "OneHot", "Pack", "Pad", "PadV2", "Range", "Rank",
    "ReadVariableOp", "Reshape", "ReverseV2", "Roll", "Shape", "Size", "Slice", "Snapshot", "Split", "SplitV",
    "Squeeze", "StopGradient", "StridedSlice", "Tile", "Transpose", "Unpack", "Where", "ZerosLike", "OnesLike",
    "BroadcastArgs", "PreventGradient", "EnsureShape", "Assert", "AssignVariableOp", "VarHandleOp",
})  # fmt: skip
"""Raw ops that move elements, or tell of shapes, and compute none."""


def make_call(type_: str, arrays: Sequence[np.ndarray], attribute: Callable[[str], Any]) -> Case | None:
    """Return the call equivalent to a raw op, with arrays as operands; None if no op of the table is."""
    if type_ in _SAME_ARGUMENTS:
        op = _SAME_ARGUMENTS[type_]
        if type_.startswith("UnsortedSegment"):
            return Case(PREFIX + op, (*arrays[:2], int(arrays[2])))
        return Case(PREFIX + op, tuple(arrays)) if op in OPS else None
    if type_ in _REDUCTIONS:
        axis = [int(one) for one in np.ravel(arrays[1])]
        keywords = {"axis": axis, "keepdims": attribute("keep_dims")}
        return Case(f"tf.math.{_REDUCTIONS[type_]}", (arrays[0],), keywords)
    if type_ in _SCANS:
        flags = {name: attribute(name) for name in ("exclusive", "reverse")}
        return Case(f"tf.math.{_SCANS[type_]}", (arrays[0],), {"axis": int(arrays[1]), **flags})
    if type_ in ("ArgMax", "ArgMin"):
        return Case(f"tf.math.{type_.lower()}", (arrays[0],), {"axis": int(arrays[1])})
    if type_ == "Cast":
        return Case("tf.cast", (arrays[0], np.dtype(attribute("DstT").as_numpy_dtype)))
    if type_ in ("BatchMatMulV2", "MatMul"):
        adjoints = ("transpose_a", "transpose_b") if type_ == "MatMul" else ("adj_x", "adj_y")
        return None if any(map(attribute, adjoints)) else Case("tf.linalg.matmul", tuple(arrays))
    return None
