"""TensorFlow's raw ops as positional functions, without dispatch and conversions. No other module takes them.

Each is the function behind a keyword-only wrapper of `tf.raw_ops`, which costs another Python frame. It is named as in
TensorFlow's public API, or as the op. Operands must be tensors of the right dtypes. `scalar` makes constants for
kernels.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from tensorflow import raw_ops as _raw
from tensorflow.compiler.tf2xla.ops import gen_xla_ops as _xla

from tfnp._core.eager_tensors import eager_tensor, executing_eagerly
from tfnp._core.vectorization import register_converters

absolute = _raw.Abs.__wrapped__
acos = _raw.Acos.__wrapped__
acosh = _raw.Acosh.__wrapped__
add = _raw.AddV2.__wrapped__
add_text = _raw.Add.__wrapped__
argmax = _raw.ArgMax.__wrapped__
argmin = _raw.ArgMin.__wrapped__
asin = _raw.Asin.__wrapped__
asinh = _raw.Asinh.__wrapped__
assign_variable = _raw.AssignVariableOp.__wrapped__
atan = _raw.Atan.__wrapped__
atan2 = _raw.Atan2.__wrapped__
atanh = _raw.Atanh.__wrapped__
bitwise_and = _raw.BitwiseAnd.__wrapped__
bitwise_or = _raw.BitwiseOr.__wrapped__
bitwise_xor = _raw.BitwiseXor.__wrapped__
broadcast_gradient_args = _raw.BroadcastGradientArgs.__wrapped__
broadcast_to = _raw.BroadcastTo.__wrapped__
cast_to_enum = _raw.Cast.__wrapped__
ceil = _raw.Ceil.__wrapped__
cholesky = _raw.Cholesky.__wrapped__
complex_abs = _raw.ComplexAbs.__wrapped__
concat = _raw.ConcatV2.__wrapped__
conj = _raw.Conj.__wrapped__
cos = _raw.Cos.__wrapped__
cosh = _raw.Cosh.__wrapped__
cumprod = _raw.Cumprod.__wrapped__
cumsum = _raw.Cumsum.__wrapped__
dense_bincount = _raw.DenseBincount.__wrapped__
divide = _raw.RealDiv.__wrapped__
dynamic_partition = _raw.DynamicPartition.__wrapped__
eig = _raw.Eig.__wrapped__
eigh = _raw.SelfAdjointEigV2.__wrapped__
equal = _raw.Equal.__wrapped__
exp = _raw.Exp.__wrapped__
expand_dims = _raw.ExpandDims.__wrapped__
expm1 = _raw.Expm1.__wrapped__
fft = _raw.FFT.__wrapped__
fill = _raw.Fill.__wrapped__
floor = _raw.Floor.__wrapped__
floor_div = _raw.FloorDiv.__wrapped__
floor_mod = _raw.FloorMod.__wrapped__
gather = _raw.GatherV2.__wrapped__
gather_nd = _raw.GatherNd.__wrapped__
greater = _raw.Greater.__wrapped__
greater_equal = _raw.GreaterEqual.__wrapped__
identity_n = _raw.IdentityN.__wrapped__
ifft = _raw.IFFT.__wrapped__
imag = _raw.Imag.__wrapped__
invert = _raw.Invert.__wrapped__
invert_permutation = _raw.InvertPermutation.__wrapped__
irfft = _raw.IRFFT.__wrapped__
is_finite = _raw.IsFinite.__wrapped__
is_inf = _raw.IsInf.__wrapped__
is_nan = _raw.IsNan.__wrapped__
left_shift = _raw.LeftShift.__wrapped__
less = _raw.Less.__wrapped__
less_equal = _raw.LessEqual.__wrapped__
log = _raw.Log.__wrapped__
log1p = _raw.Log1p.__wrapped__
log_matrix_determinant = _raw.LogMatrixDeterminant.__wrapped__
logical_and = _raw.LogicalAnd.__wrapped__
logical_or = _raw.LogicalOr.__wrapped__
lower_bound = _raw.LowerBound.__wrapped__
make_complex = _raw.Complex.__wrapped__
matmul = _raw.BatchMatMulV2.__wrapped__
matrix_solve = _raw.MatrixSolve.__wrapped__
matrix_triangular_solve = _raw.MatrixTriangularSolve.__wrapped__
maximum = _raw.Maximum.__wrapped__
minimum = _raw.Minimum.__wrapped__
multiply = _raw.Mul.__wrapped__
multiply_no_nan = _raw.MulNoNan.__wrapped__
negative = _raw.Neg.__wrapped__
not_equal = _raw.NotEqual.__wrapped__
nth_element = _raw.NthElement.__wrapped__
ones_like = _raw.OnesLike.__wrapped__
pad = _raw.PadV2.__wrapped__
population_count = _raw.PopulationCount.__wrapped__
power = _raw.Pow.__wrapped__
qr = _raw.Qr.__wrapped__
read_variable = _raw.ReadVariableOp.__wrapped__
real = _raw.Real.__wrapped__
reduce_all = _raw.All.__wrapped__
reduce_any = _raw.Any.__wrapped__
reduce_max = _raw.Max.__wrapped__
reduce_mean = _raw.Mean.__wrapped__
reduce_min = _raw.Min.__wrapped__
reduce_prod = _raw.Prod.__wrapped__
reduce_sum = _raw.Sum.__wrapped__
reshape = _raw.Reshape.__wrapped__
resource_scatter_nd_update = _raw.ResourceScatterNdUpdate.__wrapped__
resource_strided_slice_assign = _raw.ResourceStridedSliceAssign.__wrapped__
reverse = _raw.ReverseV2.__wrapped__
rfft = _raw.RFFT.__wrapped__
right_shift = _raw.RightShift.__wrapped__
rint = _raw.Round.__wrapped__
roll = _raw.Roll.__wrapped__
select = _raw.SelectV2.__wrapped__
shape = _raw.Shape.__wrapped__
sigmoid = _raw.Sigmoid.__wrapped__
sign = _raw.Sign.__wrapped__
sin = _raw.Sin.__wrapped__
sinh = _raw.Sinh.__wrapped__
split = _raw.Split.__wrapped__
split_v = _raw.SplitV.__wrapped__
slice_from = _raw.Slice.__wrapped__
sqrt = _raw.Sqrt.__wrapped__
square = _raw.Square.__wrapped__
squeeze = _raw.Squeeze.__wrapped__
stack = _raw.Pack.__wrapped__
stateful_partitioned_call = _raw.StatefulPartitionedCall.__wrapped__
stateless_random_normal = _raw.StatelessRandomNormalV2.__wrapped__
stateless_random_uniform = _raw.StatelessRandomUniformV2.__wrapped__
stateless_random_uniform_full_int = _raw.StatelessRandomUniformFullIntV2.__wrapped__
stateless_random_uniform_int = _raw.StatelessRandomUniformIntV2.__wrapped__
stop_gradient = _raw.StopGradient.__wrapped__
strided_slice = _raw.StridedSlice.__wrapped__
string_format = _raw.StringFormat.__wrapped__
subtract = _raw.Sub.__wrapped__
svd = _raw.Svd.__wrapped__
tan = _raw.Tan.__wrapped__
tanh = _raw.Tanh.__wrapped__
tensor_scatter_add = _raw.TensorScatterAdd.__wrapped__
tensor_scatter_max = _raw.TensorScatterMax.__wrapped__
tensor_scatter_min = _raw.TensorScatterMin.__wrapped__
tensor_scatter_sub = _raw.TensorScatterSub.__wrapped__
tensor_scatter_update = _raw.TensorScatterUpdate.__wrapped__
tensor_strided_slice_update = _raw.TensorStridedSliceUpdate.__wrapped__
tile = _raw.Tile.__wrapped__
top_k = _raw.TopKV2.__wrapped__
transpose = _raw.Transpose.__wrapped__
truncate_mod = _raw.TruncateMod.__wrapped__
unstack = _raw.Unpack.__wrapped__
upper_bound = _raw.UpperBound.__wrapped__
xla_dynamic_update_slice = _xla.xla_dynamic_update_slice
where = _raw.Where.__wrapped__
zeros_like = _raw.ZerosLike.__wrapped__

_logical_not = _raw.LogicalNot.__wrapped__


def cast(x: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Return a tensor cast to a dtype, by its enum, which is faster for an eager op than a DType."""
    return cast_to_enum(x, dtype.as_datatype_enum)


# Upstream bug: tensorflow-not-less-nan
def logical_not(x: tf.Tensor) -> tf.Tensor:
    """Return booleans negated. Grappler turns a negated comparison into the opposite one, which is wrong for nan."""
    return _logical_not(x) if executing_eagerly() else not_equal(x, tf.constant(True))


def register_vectorization() -> None:
    """Have `tf.vectorized_map` convert the ops that we use."""
    register_converters(tensor_strided_slice_update, xla_dynamic_update_slice)


def bitcast(x: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Return the bits of a tensor as another dtype. In a graph, `tf.vectorized_map` can convert this op from now on."""
    if not executing_eagerly():
        register_vectorization()
    return _raw_bitcast(x, dtype)


_raw_bitcast = _raw.Bitcast.__wrapped__


# Upstream bug: tensorflow-scalar-cache-zero
def scalar(value: complex, like: tf.Tensor | tf.DType) -> tf.Tensor:
    """Return a constant of the dtype of a tensor, cached in eager mode.

    TensorFlow's own cache of Python scalars confuses 0.0 with -0.0, and grows with every nan.
    """
    dtype = like if isinstance(like, tf.DType) else like.dtype
    if not executing_eagerly():
        return tf.constant(dtype.as_numpy_dtype(value))
    key = (value if value and value == value else str(value), dtype)  # noqa: PLR0124 - nan is not itself
    constant = _constants.get(key)
    if constant is None:
        constant = _constants[key] = eager_tensor(np.array(value, dtype.as_numpy_dtype))
    return constant


_constants: dict[tuple[complex | str, tf.DType], tf.Tensor] = {}
