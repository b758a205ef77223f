"""Vocabulary of ops that a program may call, by tolerance family.

The table is closed, because programs may come from files: no op in it uses files, networks, variables or Python
functions.
"""

from __future__ import annotations

SUBSCRIPT = "getitem"
"""Square brackets: the second argument is a subscript."""

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
        math.floordiv math.floormod math.truncatediv math.truncatemod math.maximum math.minimum math.sqrt
        math.squared_difference math.square math.negative math.abs math.sign math.ceil math.floor math.rint math.round
        math.nextafter math.less math.less_equal math.greater math.greater_equal math.equal math.not_equal
        math.logical_and math.logical_or math.logical_xor math.logical_not math.is_nan math.is_inf math.is_finite
        math.real math.imag math.conj math.reduce_max math.reduce_min math.reduce_any math.reduce_all
        math.count_nonzero math.argmax math.argmin math.top_k math.bincount math.approximate_equal
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
        linalg.matrix_transpose linalg.adjoint linalg.tensor_diag linalg.tensor_diag_part getitem signal.fftshift
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
