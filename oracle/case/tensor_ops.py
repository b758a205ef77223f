"""TensorFlow's own ops as cases: names that begin with `tf.`, by tolerance family, and what their arguments may be.

An array is an input of the program, a read-only one a constant of the graph; a text `tf.NAME` is an op that a loop
calls. The table is closed, because cases may come from files: no op in it uses files, networks, variables or Python
functions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Protocol

import numpy as np

from oracle.case.decoding import Undecodable
from oracle.case.vocabulary import quote

PREFIX = "tf."
GRADIENT = "tf.gradient"
"""The name of a case that is no op: the gradient of the sum of its argument's first tensor, by its floating inputs."""

SUBSCRIPT = "Tensor.__getitem__"
"""Square brackets: the second argument is an index; of an op that gives several tensors, the number of one."""

EXACT = "exact"
ELEMENTARY = "elementary"
SPECIAL = "special"
SUM = "sum"
NORMWISE = "normwise"
CONDITIONED = "conditioned"
RANDOM = "random"

_BY_FAMILY: dict[str, str] = {
    # correctly rounded, or no arithmetic at all
    EXACT: """
        math.add math.subtract math.multiply math.divide math.truediv math.divide_no_nan math.multiply_no_nan
        math.floordiv math.floormod truncatediv truncatemod math.maximum math.minimum math.sqrt
        math.squared_difference math.square math.negative math.abs math.sign math.ceil math.floor math.rint math.round
        math.nextafter math.less math.less_equal math.greater math.greater_equal math.equal math.not_equal
        math.logical_and math.logical_or math.logical_xor math.logical_not math.is_nan math.is_inf math.is_finite
        math.real math.imag math.conj math.reduce_max math.reduce_min math.reduce_any math.reduce_all
        math.count_nonzero math.argmax math.argmin math.top_k math.bincount raw_ops.ApproximateEqual
        math.segment_max math.segment_min math.unsorted_segment_max math.unsorted_segment_min math.add_n
        math.invert_permutation math.is_non_decreasing math.is_strictly_increasing math.zero_fraction
        bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor bitwise.invert bitwise.left_shift
        bitwise.right_shift raw_ops.PopulationCount raw_ops.ConjugateTranspose raw_ops.Reciprocal
        raw_ops.OnesLike raw_ops.Mod raw_ops.RealDiv
        raw_ops.ClipByValue raw_ops.DivNoNan raw_ops.Inv
        where clip_by_value sort argsort searchsorted unique unique_with_counts reshape transpose expand_dims squeeze
        concat stack tile pad reverse roll slice broadcast_to repeat one_hot range gather
        gather_nd   tensor_scatter_nd_max tensor_scatter_nd_min
        tensor_scatter_nd_update boolean_mask sequence_mask cast saturate_cast bitcast dtypes.complex shape size rank
        zeros_like ones_like reverse_sequence identity linalg.diag linalg.diag_part linalg.band_part
        linalg.matrix_transpose linalg.adjoint linalg.tensor_diag linalg.tensor_diag_part Tensor.__getitem__
        signal.fftshift
        nn.relu nn.relu6 nn.leaky_relu nn.max_pool1d nn.max_pool2d nn.max_pool3d nn.crelu nn.bias_add unstack
        split meshgrid eye dynamic_partition dynamic_stitch histogram_fixed_width linalg.set_diag math.in_top_k
        nn.space_to_depth signal.frame ensure_shape
        signal.ifftshift
    """,
    ELEMENTARY: """
        math.rsqrt math.reciprocal math.reciprocal_no_nan math.exp math.expm1 math.log math.log1p math.sin math.cos
        math.tan math.sinh math.cosh math.tanh math.asin math.acos math.atan math.asinh math.acosh math.atanh math.atan2
        math.sigmoid math.log_sigmoid math.softplus math.pow math.angle math.xlogy math.xlog1py math.xdivy
        nn.elu nn.selu nn.gelu nn.silu nn.softsign linspace nn.softplus
        nn.sigmoid_cross_entropy_with_logits nn.weighted_cross_entropy_with_logits nn.log_poisson_loss
        raw_ops.Rsqrt raw_ops.Xlogy raw_ops.Softsign map_fn vectorized_map signal.hann_window signal.hamming_window
    """,
    SPECIAL: """
        math.erf math.erfc math.erfinv math.ndtri math.lgamma math.digamma math.igamma math.igammac math.betainc
        math.polygamma math.zeta math.lbeta math.special.dawsn math.special.expint math.special.fresnel_cos
        math.special.fresnel_sin math.special.spence math.bessel_i0 math.bessel_i0e math.bessel_i1 math.bessel_i1e
        math.special.bessel_j0 math.special.bessel_j1 math.special.bessel_k0 math.special.bessel_k0e
        math.special.bessel_k1 math.special.bessel_k1e math.special.bessel_y0 math.special.bessel_y1 math.erfcinv
    """,
    SUM: """
        tensor_scatter_nd_add tensor_scatter_nd_sub
        math.reduce_sum math.reduce_mean math.reduce_prod math.cumsum math.cumprod math.segment_sum math.segment_mean
        math.segment_prod math.unsorted_segment_sum math.unsorted_segment_mean math.unsorted_segment_prod
        math.unsorted_segment_sqrt_n math.reduce_logsumexp math.cumulative_logsumexp math.reduce_euclidean_norm
        norm nn.l2_loss nn.avg_pool1d nn.avg_pool2d linalg.trace linalg.cross linalg.matmul linalg.matvec einsum
        tensordot nn.conv1d nn.conv2d nn.depthwise_conv2d scatter_nd scan foldl foldr signal.overlap_and_add
        math.l2_normalize nn.softmax nn.log_softmax
    """,
    NORMWISE: """
        math.reduce_variance math.reduce_std nn.moments signal.fft signal.ifft signal.fft2d signal.ifft2d signal.rfft
        signal.irfft signal.dct signal.idct nn.lrn linalg.normalize linalg.expm
        nn.softmax_cross_entropy_with_logits nn.sparse_softmax_cross_entropy_with_logits nn.batch_normalization
        signal.fft3d signal.rfft2d signal.irfft2d signal.stft image.resize
    """,
    CONDITIONED: """
        linalg.cholesky linalg.inv linalg.det linalg.logdet linalg.slogdet linalg.solve linalg.triangular_solve
        linalg.eigvalsh linalg.svd linalg.pinv linalg.sqrtm linalg.logm linalg.cholesky_solve linalg.matrix_rank
        linalg.lu linalg.qr linalg.eigh linalg.lstsq
    """,
    RANDOM: """
        random.stateless_uniform random.stateless_normal random.stateless_truncated_normal random.stateless_poisson
        random.stateless_binomial random.stateless_gamma random.stateless_categorical
        random.experimental.stateless_shuffle
    """,
}

FAMILY_OF: dict[str, str] = {name: family for family, names in _BY_FAMILY.items() for name in names.split()}
"""The family of each op."""

OPS = frozenset(FAMILY_OF)

SEVERAL = frozenset({
    "math.top_k", "unique", "unique_with_counts", "nn.moments", "linalg.slogdet", "linalg.lu", "linalg.qr",
    "linalg.normalize", "unstack", "split", "meshgrid", "dynamic_partition", "linalg.eigh",
})  # fmt: skip
"""Ops that give several tensors."""

DTYPES = frozenset({
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
    "float64", "complex64", "complex128",
})  # fmt: skip

WORDS = frozenset({
    "left", "right", "ASCENDING", "DESCENDING", "CONSTANT", "REFLECT", "SYMMETRIC", "VALID", "SAME", "ortho",
    "euclidean", "fro", "reflect", "symmetric", "bilinear", "nearest", "bicubic", "area",
    "...ij,...jk->...ik", "...ij->...ji", "...ii->...i", "...ii->...", "...ij,...ij->...", "...ij,...kj->...ki",
    "...ij->...",
})  # fmt: skip
"""The strings that an argument may be."""

FUNCTIONS = frozenset({
    "math.exp", "math.negative", "math.square", "math.sqrt", "math.reduce_max", "math.cumsum", "nn.relu6",
    "math.argmax", "math.add", "math.multiply", "math.maximum", "math.minimum", "math.subtract",
})  # fmt: skip
"""The ops that may be an argument: what loops call."""

LOOPS = frozenset({"map_fn", "vectorized_map", "scan", "foldl", "foldr"})
"""The ops that call another one, whose name they are given."""

MOST_CALLS = 32


class Call(Protocol):
    """Protocol: a call of a case."""

    @property
    def name(self) -> str: ...
    @property
    def args(self) -> Sequence[Any]: ...
    @property
    def kwargs(self) -> Mapping[str, Any]: ...


def is_of_ops(case: Call) -> bool:
    """Return whether a case is a program of TensorFlow's ops: `tf.math.add`, not `add`."""
    return case.name.startswith(PREFIX)


def find_op(case: Call) -> str:
    """Return the op that a case calls, as the tables name it: `math.add`; of a gradient, the op differentiated."""
    return (case.args[0] if case.name == GRADIENT else case).name.removeprefix(PREFIX)


def is_choice(call: Call) -> bool:
    """Return whether a call takes one of the tensors that an op gives: `tf.math.top_k(x)[1]`."""
    owner = call.args[0] if find_op(call) == SUBSCRIPT else None
    return isinstance(owner, type(call)) and find_op(owner) in SEVERAL


def is_constant(call: Call, array: np.ndarray) -> bool:
    """Return whether an argument of a call is a constant of the graph."""
    return not array.flags.writeable and is_of_ops(call)


def has_name(name: str) -> bool:
    """Return whether a case may have a name that begins with `tf.`."""
    return name == GRADIENT or (name.startswith(PREFIX) and name.removeprefix(PREFIX) in OPS)


def look_up_op(tensorflow: Any, name: str) -> Callable[..., Any]:
    """Return the function of a name that begins with `tf.`. Raises AttributeError for a name that no case may have."""
    op = name.removeprefix(PREFIX)
    if op not in OPS:
        raise AttributeError(f"no op {quote(name)}")
    if op == SUBSCRIPT:
        return operator.getitem
    function: Callable[..., Any] = attrgetter(op)(tensorflow)
    if op not in LOOPS:
        return function

    def call(*args: Any, **kwargs: Any) -> Any:
        def find(value: Any) -> Any:
            return look_up_op(tensorflow, value) if isinstance(value, str) else value

        return function(*map(find, args), **{key: find(value) for key, value in kwargs.items()})

    return call


def check_ops(case: Call, calls: Sequence[Call]) -> None:
    """Raise Undecodable if some of the calls of a case are ops, and not all, or have arguments that no op takes."""
    if not any(map(is_of_ops, calls)):
        return
    if len(calls) > MOST_CALLS:
        raise Undecodable(f"more than {MOST_CALLS} calls of ops")
    for call in calls:
        if not is_of_ops(call) or (call.name == GRADIENT) != (call is case and case.name == GRADIENT):
            raise Undecodable(f"{quote(call.name)} amid a program of ops")
        if call.name == GRADIENT:
            _check_gradient(call)
        elif find_op(call) == SUBSCRIPT:
            _check_subscript(call)
        else:
            _check_values([*call.args, *call.kwargs.values()], type(call))
    if not is_of_ops(case):
        raise Undecodable(f"{quote(case.name)} of ops")


def _check_gradient(call: Call) -> None:
    if len(call.args) != 1 or call.kwargs or not isinstance(call.args[0], type(call)):
        raise Undecodable(f"{quote(GRADIENT)} takes one call")


def _check_subscript(call: Call) -> None:
    if len(call.args) != 2 or call.kwargs:
        raise Undecodable("no subscript of one index")
    owner, index = call.args
    if not is_choice(call):
        _check_values([owner], type(call))
    entries = index if isinstance(index, tuple) else (index,)
    parts = [part for entry in entries for part in _list_parts(entry)]
    if not all(part is None or part is Ellipsis or type(part) is int for part in parts):
        raise Undecodable("no index of integers, slices, None and Ellipsis")
    if is_choice(call) and (type(index) is not int or index < 0):
        raise Undecodable("no number of a tensor of several")


def _list_parts(entry: Any) -> tuple[Any, ...]:
    return (entry.start, entry.stop, entry.step) if isinstance(entry, slice) else (entry,)


def _check_values(values: Sequence[Any], kind: type[Any]) -> None:
    for value in values:
        if isinstance(value, list):
            _check_values(value, kind)
        elif isinstance(value, np.ndarray | np.dtype):
            check_dtype(value.dtype if isinstance(value, np.ndarray) else value)
        elif isinstance(value, str):
            _check_text(value)
        elif isinstance(value, kind):
            if value.name == "last":
                raise Undecodable("'last' amid a program of ops")
            if find_op(value) in SEVERAL:
                raise Undecodable(f"no number of a tensor of {quote(value.name)}")
        elif not (value is None or type(value) in (bool, int, float, complex)):
            raise Undecodable(f"no argument of an op: {quote(value)}")


def check_dtype(dtype: np.dtype) -> None:
    """Raise Undecodable for a dtype that is not one of TensorFlow's numbers."""
    if dtype.name not in DTYPES or not dtype.isnative:
        raise Undecodable(f"no dtype of TensorFlow's: {quote(dtype.name)}")


def _check_text(text: str) -> None:
    if text not in WORDS and not (text.startswith(PREFIX) and text.removeprefix(PREFIX) in FUNCTIONS):
        raise Undecodable(f"no word that an op takes: {quote(text)}")
