"""The table of ops and their parameters: a row has the role of each argument, and the dtypes of the first one.

A parameter is written as its role, after its name if it is given by keyword. Roles are drawn in `arguments`. Dtypes are
letters of `values.GROUPS`: f floating, d those of 32 and 64 bits, c complex, i signed, u unsigned, b bool.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

_ROWS = """
fc    x | sqrt rsqrt reciprocal exp expm1 log log1p sin cos tan : math
fc    x | sinh cosh tanh asin acos atan asinh acosh atanh sigmoid : math
f     x | log_sigmoid softplus erf erfc lgamma digamma ceil floor : math
f     x | rint is_nan is_inf is_finite bessel_i0 bessel_i0e bessel_i1 bessel_i1e : math
f     x | special.dawsn special.expint special.fresnel_cos special.fresnel_sin : math
f     x | special.spence special.bessel_j0 special.bessel_j1 : math
f     x | special.bessel_k0 special.bessel_k0e special.bessel_k1 : math
f     x | special.bessel_k1e special.bessel_y0 special.bessel_y1 : math
d     x:unit | erfinv ndtri erfcinv : math
fc    x | reciprocal_no_nan : math
fi    x | round : math
fci   x | sign abs negative square : math
c     x | real imag conj angle : math
f     x | elu selu gelu silu softsign leaky_relu softplus : nn
fi    x | relu relu6 crelu : nn
iu    x | bitwise.invert raw_ops.PopulationCount:x= raw_ops.OnesLike:x=
fc    x | raw_ops.Inv:x= raw_ops.Reciprocal:x=
b     x | logical_not : math
fciub x | zeros_like ones_like identity shape size rank
fciu  x y | add subtract multiply divide equal not_equal : math
fci   x y | truediv squared_difference : math
fc    x y | divide_no_nan multiply_no_nan xdivy xlogy xlog1py : math
fci   x y | pow : math
fciu  x const | add subtract multiply divide : math
fciu  const x | add subtract multiply divide : math
fci   x const | pow squared_difference : math
fiu   x const | maximum minimum less less_equal greater greater_equal floordiv floormod : math
fiu   x y | floordiv floormod maximum minimum less less_equal greater greater_equal : math
iu    x y | truncatediv truncatemod
f     x y | truncatemod math.atan2
d     x y | nextafter igamma igammac zeta : math
d     number dtype | cast
d     order x | polygamma : math
d     x y x:unit | betainc : math
f     x python | add subtract multiply divide atan2 pow floordiv : math
b     x y | logical_and logical_or logical_xor : math
iu    x y | bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor
iu    x shift | bitwise.left_shift bitwise.right_shift
fciu  same3 | math.add_n
f     x y | nn.sigmoid_cross_entropy_with_logits nn.log_poisson_loss
fciub mask x same | where
b     x:any | where
fciu  x:any | where
fiu   x const const | clip_by_value
fciu  x axis:axes keepdims:flag | reduce_sum reduce_prod reduce_mean : math
fiu   x axis:axes keepdims:flag | reduce_max reduce_min : math
fcib  x axis:axes keepdims:flag | count_nonzero : math
b     x axis:axes keepdims:flag | reduce_any reduce_all : math
f     x axis:axes keepdims:flag | reduce_logsumexp reduce_variance reduce_std reduce_euclidean_norm : math
f     x axis:axis | norm
f     x:nonempty axes1 | nn.moments
f     x axis:axis | math.l2_normalize nn.softmax nn.log_softmax
f     x | nn.l2_loss math.zero_fraction
fiu   x:nonempty axis:axis | math.argmax math.argmin
fciu  x axis:axis exclusive:flag reverse:flag | math.cumsum math.cumprod
f     x axis:axis exclusive:flag reverse:flag | math.cumulative_logsumexp
fiu   x:nonempty k | math.top_k
fiu   x axis:axis direction:direction | sort
fiu   x axis:axis direction:direction stable:flag | argsort
fi    x:sorted fresh1 side:side | searchsorted
fciub x:1d | unique unique_with_counts
fciu  x:nonempty segments | segment_sum segment_prod segment_mean : math
fiu   x:nonempty segments | segment_max segment_min : math
fciu  x:nonempty unsorted num | unsorted_segment_sum unsorted_segment_prod unsorted_segment_mean : math
fiu   x:nonempty unsorted num | unsorted_segment_max unsorted_segment_min : math
f     x:nonempty unsorted num | unsorted_segment_sqrt_n : math
fciub x:nonempty rows updates | tensor_scatter_nd_add tensor_scatter_nd_sub tensor_scatter_nd_update
fiub  x:nonempty rows updates | tensor_scatter_nd_max tensor_scatter_nd_min
fciub x:nonempty index axis:zero | gather
fciub x:nonempty rows | gather_nd
fciub x newshape | reshape
fciub x perm | transpose raw_ops.ConjugateTranspose:x=,perm=
fciub x axis:axis | expand_dims
fciub x:1d | squeeze
fciub pair axis:axis | concat
fciub pair axis:zero | stack
fciub x:nonempty multiples | tile
fci   x paddings mode:padmode | pad
fciub x axislist | reverse
fciub x:nonempty amount axis:axis | roll
fciub x:nonempty begin sizes | slice
fciub x:nonempty subscript | Tensor.__getitem__ Tensor.__getitem__ Tensor.__getitem__
fciub x:1d wideshape | broadcast_to
fciub x repeats axis:axis | repeat
i     x depth | one_hot
id    limit | range
d     x same0 count | linspace
fciub x:1dmask mask1 | boolean_mask boolean_mask boolean_mask boolean_mask
fciub x dtype | cast cast cast cast saturate_cast
iuf   x bitdtype | bitcast
d     x same | dtypes.complex
fciub x:1d | linalg.diag linalg.tensor_diag
fciub x:square | linalg.diag_part linalg.matrix_transpose linalg.tensor_diag_part
fci   x:square | linalg.adjoint linalg.trace
fciub x:square band band | linalg.band_part
fciub x:nonempty lengths | reverse_sequence
fci   x:square same | linalg.matmul
fc    x:square | linalg.inv linalg.det linalg.eigvalsh linalg.lu linalg.qr linalg.sqrtm linalg.slogdet
fc    x:spd | linalg.cholesky linalg.logdet linalg.eigvalsh linalg.inv linalg.logm
fc    x:square | linalg.cholesky linalg.expm
fc    x:square compute_uv:false | linalg.svd
d     x:square | linalg.pinv linalg.matrix_rank
fc    x:square same | linalg.solve linalg.triangular_solve linalg.matmul
fci   x:three same | linalg.cross
c     x | fft ifft : signal
c     x:square | fft2d ifft2d : signal
d     x fftlength | signal.rfft
c     x fftlength | signal.irfft
fciub x | signal.fftshift signal.ifftshift
d     x | signal.dct
f     x:image two two padding | nn.max_pool2d nn.avg_pool2d
f     x:sequence two two padding | nn.max_pool1d nn.avg_pool1d
f     x:volume two two padding | nn.max_pool3d
f     x:image filter2 strides:one padding:padding | nn.conv2d
f     x:image filter2 strides:ones padding:padding | nn.depthwise_conv2d
f     x:sequence filter1 stride:one padding:padding | nn.conv1d
f     x:image size2 method | image.resize
fciub x:image two | nn.space_to_depth
d     x same same same same epsilon | nn.batch_normalization
f     x:square classes | nn.sparse_softmax_cross_entropy_with_logits:logits=,labels=
d     x:square classes k1 | math.in_top_k:predictions=,targets=,k=
fci   equation2 x:square same | einsum
fciub equation1 x:square | einsum
fci   x:square same contracted | tensordot
fc    x:square vector | linalg.matvec
fciub x:square diagonal | linalg.set_diag
fc    x:square | linalg.eigh
d     x:square same | linalg.lstsq
fci   x:nonempty unary | map_fn:elems=,fn= vectorized_map:elems=,fn=
fiu   x:nonempty binary | scan:elems=,fn= foldl:elems=,fn= foldr:elems=,fn=
fciub x:nonempty count0 axis:zero | split
fciub x:1d same | meshgrid
fciub x:nonempty places bigshape | scatter_nd:updates=,indices=,shape=
fciub x:nonempty partition two | dynamic_partition
fciub x:nonempty order1 | dynamic_stitch:data=[],indices=[]
d     x:nonempty range nbins:count | histogram_fixed_width
fi    count | eye
fciub x sameshape | ensure_shape
f     x:nonempty | math.lbeta
c     x:cube | signal.fft3d
d     x:square | signal.rfft2d
c     x:square | signal.irfft2d
f     x:1d two one | signal.frame
f     x:square one | signal.overlap_and_add
d     x:1d two one | signal.stft
f     count | signal.hann_window signal.hamming_window
d     x:square count seed | random.stateless_categorical
i     x:counts | math.bincount sequence_mask
i     x:permutation | math.invert_permutation
d     shape1 seed | random.stateless_normal random.stateless_uniform random.stateless_truncated_normal
d     shape1 seed x:any | random.stateless_poisson
d     shape1 seed x:any probability | random.stateless_binomial
d     shape1 seed alpha:x | random.stateless_gamma
fi    x seed | random.experimental.stateless_shuffle
f     x:square same | nn.softmax_cross_entropy_with_logits
f     x:nonempty bias | nn.bias_add
f     x y | raw_ops.ApproximateEqual:x=,y=
fiu   x | math.is_non_decreasing math.is_strictly_increasing
fciub x:nonempty num:count0 | unstack
fiu   x const const | raw_ops.ClipByValue:t=,clip_value_min=,clip_value_max=
fc    x y | raw_ops.DivNoNan:x=,y= raw_ops.RealDiv:x=,y= raw_ops.Xlogy:x=,y=
iu    x y | raw_ops.Mod:x=,y=
fc    x | raw_ops.Rsqrt:x=
f     x | raw_ops.Softsign:features=
d     x:square same | linalg.cholesky_solve
f     x y pos_weight:const | nn.weighted_cross_entropy_with_logits
d     x | signal.idct
f     x:nonempty | linalg.normalize
f     x:image | nn.lrn
"""


@dataclass(frozen=True)
class OpRow:
    """An op: its name, the letters of its first argument's dtypes, and its parameters as pairs of keyword and role."""

    op: str
    dtypes: str
    parameters: tuple[tuple[str, str], ...]


@cache
def read_table() -> tuple[OpRow, ...]:
    """Return the rows, one for each op and set of parameters."""
    rows = []
    for line in _ROWS.strip().splitlines():
        head, _, tail = line.partition("|")
        names, _, module = tail.partition(" : ")
        dtypes, *roles = head.split()
        for name in names.split():
            op, _, keywords = name.partition(":")
            keys = [key.replace("=", "") for key in keywords.split(",")] if keywords else []
            rows.append(OpRow(f"{module.strip()}.{op}" if module else op, dtypes, _parameters(roles, keys)))
    return tuple(rows)


def _parameters(roles: list[str], keys: list[str]) -> tuple[tuple[str, str], ...]:
    found = []
    for index, role in enumerate(roles):
        key, colon, rest = role.partition(":")
        if key in ("x", "y") or not colon:
            key, rest = "", role
        found.append((keys[index] if index < len(keys) else key, rest))
    return tuple(found)


@cache
def list_consumers() -> tuple[OpRow, ...]:
    """Return the rows whose first argument may be any tensor of their dtypes, which can follow other steps."""
    return tuple(row for row in read_table() if row.parameters and row.parameters[0][1] in TAKERS)


LISTED = "[]"
"""What ends the key of a parameter that takes a list with the argument as its one item."""

TAKERS = frozenset({"x", "x:nonempty", "x:1d", "x:square", "x:any", "const", "x:1dmask", "x:sorted"})
"""Roles of a first argument that may be the result of an earlier step."""
