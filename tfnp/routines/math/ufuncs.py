"""NumPy's universal functions, one definition each: the NumPy ufunc, and the kernels for its loops.

A kernel is a TensorFlow op where it agrees with NumPy in eager mode, graphs and XLA, and else a function of
`tfnp._kernels`.
"""

from __future__ import annotations

import numpy as np

from tfnp._core import ops
from tfnp._core.ufunc.dispatch import ufunc
from tfnp._core.ufunc.gufuncs import gufunc
from tfnp._kernels import bits, integer, logic, text
from tfnp._kernels.complex import arithmetic, comparisons, exponentials, powers, trigonometry
from tfnp._kernels.linalg import contraction
from tfnp._kernels.logic import as_bool_op, as_mixed_op, on_bools
from tfnp._kernels.real import binary, floats, transcendental
from tfnp._kernels.real.floats import via_float32
from tfnp._kernels.reduce import over_axes, scan

# Arithmetic
add = ufunc(
    np.add,
    ops.add,
    bool=ops.logical_or,
    complexes=arithmetic.add,
    text=text.as_text_kernel(ops.add_text),
    associative=True,
    reduce=over_axes.reduce_sum,
    accumulate=scan.cumsum,
)
subtract = ufunc(np.subtract, ops.subtract, unsigned=integer.subtract_unsigned)
multiply = ufunc(
    np.multiply,
    ops.multiply,
    bool=ops.logical_and,
    complexes=arithmetic.multiply,
    text=text.repeat,
    associative=True,
    reduce=over_axes.reduce_prod,
    accumulate=scan.cumprod,
)
divide = ufunc(np.divide, ops.divide, complexes=arithmetic.divide)
floor_divide = ufunc(
    np.floor_divide,
    floats.floor_divide,
    integer=integer.floor_divide,
    half=via_float32(floats.floor_divide),
    traces="f",
)
remainder = ufunc(
    np.remainder, floats.remainder, integer=integer.remainder, half=via_float32(floats.remainder), traces="f"
)
divmod = ufunc(np.divmod, floats.divmod, integer=integer.divmod, half=via_float32(floats.divmod), traces="f")
fmod = ufunc(
    np.fmod, floats.fmod, signed=integer.fmod, unsigned=integer.remainder, half=via_float32(floats.fmod), traces="biuf"
)
power = ufunc(np.power, binary.power, masked_value=1, integer=integer.power, complexes=powers.power)
float_power = ufunc(np.float_power, binary.power, complexes=powers.power)
negative = ufunc(np.negative, ops.negative, unsigned=integer.negative_unsigned)
positive = ufunc(np.positive, floats.return_unchanged)
absolute = ufunc(
    np.absolute,
    ops.absolute,
    bool=floats.return_unchanged,
    unsigned=floats.return_unchanged,
    complexes=arithmetic.absolute,
)
fabs = ufunc(np.fabs, ops.absolute)
sign = ufunc(np.sign, transcendental.sign, unsigned=integer.sign_unsigned, signed=ops.sign, complexes=arithmetic.sign)
square = ufunc(np.square, ops.square, integer=integer.square, complexes=arithmetic.square)
reciprocal = ufunc(np.reciprocal, floats.reciprocal, integer=integer.reciprocal, complexes=arithmetic.reciprocal)
conjugate = ufunc(np.conjugate, floats.return_unchanged, complexes=ops.conj)
heaviside = ufunc(np.heaviside, floats.heaviside, traces="biuf")
gcd = ufunc(np.gcd, integer.gcd, associative=True, traces="biuf")
lcm = ufunc(np.lcm, integer.lcm, traces="biuf")

# Roots, exponentials, logarithms
sqrt = ufunc(np.sqrt, ops.sqrt, complexes=exponentials.sqrt)
cbrt = ufunc(np.cbrt, transcendental.cbrt, traces="biuf")
exp = ufunc(np.exp, ops.exp, complexes=exponentials.exp)
exp2 = ufunc(np.exp2, transcendental.exp2, complexes=exponentials.exp2)
expm1 = ufunc(np.expm1, transcendental.expm1, complexes=exponentials.expm1)
log = ufunc(np.log, ops.log, complexes=exponentials.log)
log2 = ufunc(np.log2, transcendental.log2, complexes=exponentials.log2, traces="biuf")
log10 = ufunc(np.log10, transcendental.log10, complexes=exponentials.log10, traces="biuf")
log1p = ufunc(np.log1p, transcendental.log1p, complexes=exponentials.log1p)
logaddexp = ufunc(np.logaddexp, binary.logaddexp, associative=True, traces="biuf")
logaddexp2 = ufunc(np.logaddexp2, binary.logaddexp2, associative=True, traces="biuf")

# Trigonometry
sin = ufunc(np.sin, ops.sin, complexes=trigonometry.sin)
cos = ufunc(np.cos, ops.cos, complexes=trigonometry.cos)
tan = ufunc(np.tan, ops.tan, complexes=trigonometry.tan)
arcsin = ufunc(np.arcsin, transcendental.arcsin, complexes=trigonometry.arcsin)
arccos = ufunc(np.arccos, transcendental.arccos, complexes=trigonometry.arccos)
arctan = ufunc(np.arctan, ops.atan, complexes=trigonometry.arctan)
arctan2 = ufunc(np.arctan2, binary.arctan2)
hypot = ufunc(np.hypot, binary.hypot, associative=True, traces="biuf")
sinh = ufunc(np.sinh, transcendental.sinh, complexes=trigonometry.sinh)
cosh = ufunc(np.cosh, transcendental.cosh, complexes=trigonometry.cosh)
tanh = ufunc(np.tanh, ops.tanh, complexes=trigonometry.tanh)
arcsinh = ufunc(np.arcsinh, transcendental.arcsinh, complexes=trigonometry.arcsinh)
arccosh = ufunc(np.arccosh, transcendental.arccosh, complexes=trigonometry.arccosh)
arctanh = ufunc(np.arctanh, transcendental.arctanh, complexes=trigonometry.arctanh)
degrees = ufunc(np.degrees, floats.degrees, half=via_float32(floats.degrees))
radians = ufunc(np.radians, floats.radians, half=via_float32(floats.radians))
rad2deg = ufunc(np.rad2deg, floats.degrees, half=via_float32(floats.degrees))
deg2rad = ufunc(np.deg2rad, floats.radians, half=via_float32(floats.radians))

# Rounding, and floats taken apart
rint = ufunc(np.rint, floats.rint, complexes=floats.rint_complex)
floor = ufunc(np.floor, floats.floor, bool=floats.return_unchanged, integer=floats.return_unchanged)
ceil = ufunc(np.ceil, floats.ceil, bool=floats.return_unchanged, integer=floats.return_unchanged)
trunc = ufunc(np.trunc, floats.trunc, bool=floats.return_unchanged, integer=floats.return_unchanged)
modf = ufunc(np.modf, floats.modf, traces="biuf")
frexp = ufunc(np.frexp, bits.frexp, traces="biuf")
ldexp = ufunc(np.ldexp, bits.ldexp, half=bits.ldexp_half, traces="biuf")
copysign = ufunc(np.copysign, bits.copysign, traces="biuf")
signbit = ufunc(np.signbit, bits.signbit)
nextafter = ufunc(np.nextafter, bits.nextafter, float16=bits.nextafter_half, traces="biuf")
spacing = ufunc(np.spacing, bits.spacing, float16=bits.spacing_half, traces="biuf")

# Bits
bitwise_and = ufunc(np.bitwise_and, ops.bitwise_and, signed=bits.and_signed, bool=ops.logical_and, associative=True)
bitwise_or = ufunc(np.bitwise_or, ops.bitwise_or, signed=bits.or_signed, bool=ops.logical_or, associative=True)
bitwise_xor = ufunc(np.bitwise_xor, ops.bitwise_xor, bool=ops.not_equal, associative=True)
invert = ufunc(np.invert, ops.invert, bool=ops.logical_not)
left_shift = ufunc(np.left_shift, bits.left_shift, traces="biuf")
right_shift = ufunc(np.right_shift, bits.right_shift, traces="biuf")
bitwise_count = ufunc(np.bitwise_count, integer.bitwise_count)

# Comparison
equal = ufunc(
    np.equal, ops.equal, mixed=as_mixed_op(ops.equal, first=False, second=False), text=text.as_text_kernel(ops.equal)
)
not_equal = ufunc(
    np.not_equal,
    ops.not_equal,
    mixed=as_mixed_op(ops.not_equal, first=True, second=True),
    text=text.as_text_kernel(ops.not_equal),
)
less = ufunc(
    np.less,
    ops.less,
    bool=as_bool_op(ops.less),
    mixed=as_mixed_op(ops.less, first=True, second=False),
    complexes=comparisons.less,
    text=text.as_text_op(ops.less),
)
less_equal = ufunc(
    np.less_equal,
    ops.less_equal,
    bool=as_bool_op(ops.less_equal),
    mixed=as_mixed_op(ops.less_equal, first=True, second=False),
    complexes=comparisons.less_equal,
    text=text.as_text_op(ops.less_equal),
)
greater = ufunc(
    np.greater,
    ops.greater,
    bool=as_bool_op(ops.greater),
    mixed=as_mixed_op(ops.greater, first=False, second=True),
    complexes=comparisons.greater,
    text=text.as_text_op(ops.greater),
)
greater_equal = ufunc(
    np.greater_equal,
    ops.greater_equal,
    bool=as_bool_op(ops.greater_equal),
    mixed=as_mixed_op(ops.greater_equal, first=False, second=True),
    complexes=comparisons.greater_equal,
    text=text.as_text_op(ops.greater_equal),
)
maximum = ufunc(
    np.maximum,
    ops.maximum,
    bool=ops.logical_or,
    floating=floats.maximum,
    complexes=comparisons.maximum,
    text=text.maximum,
    associative=True,
    reduce=over_axes.reduce_max,
)
minimum = ufunc(
    np.minimum,
    ops.minimum,
    bool=ops.logical_and,
    floating=floats.minimum,
    complexes=comparisons.minimum,
    text=text.minimum,
    associative=True,
    reduce=over_axes.reduce_min,
)
fmax = ufunc(
    np.fmax,
    ops.maximum,
    bool=ops.logical_or,
    floating=floats.fmax,
    complexes=comparisons.fmax,
    associative=True,
    traces="biuf",
)
fmin = ufunc(
    np.fmin,
    ops.minimum,
    bool=ops.logical_and,
    floating=floats.fmin,
    complexes=comparisons.fmin,
    associative=True,
    traces="biuf",
)

# Logic, and classification of floats
logical_and = ufunc(
    np.logical_and, on_bools(ops.logical_and), bool=ops.logical_and, associative=True, reduce=over_axes.reduce_all
)
logical_or = ufunc(
    np.logical_or, on_bools(ops.logical_or), bool=ops.logical_or, associative=True, reduce=over_axes.reduce_any
)
logical_xor = ufunc(np.logical_xor, on_bools(ops.not_equal), bool=ops.not_equal, associative=True, traces="biuf")
logical_not = ufunc(np.logical_not, on_bools(ops.logical_not), bool=ops.logical_not)
isnan = ufunc(
    np.isnan,
    ops.is_nan,
    bool=logic.all_false,
    integer=logic.all_false,
    complexes=arithmetic.isnan,
    text=logic.all_false,
)
isinf = ufunc(np.isinf, ops.is_inf, bool=logic.all_false, integer=logic.all_false, complexes=arithmetic.isinf)
isfinite = ufunc(np.isfinite, ops.is_finite, bool=logic.all_true, integer=logic.all_true, complexes=arithmetic.isfinite)
isnat = ufunc(np.isnat)

# Products
matmul = gufunc(np.matmul, contraction.matmul)
vecdot = gufunc(np.vecdot, contraction.vecdot)
matvec = gufunc(np.matvec, contraction.matvec)
vecmat = gufunc(np.vecmat, contraction.vecmat)

# Aliases
abs = absolute
acos = arccos
acosh = arccosh
asin = arcsin
asinh = arcsinh
atan = arctan
atan2 = arctan2
atanh = arctanh
bitwise_invert = invert
bitwise_left_shift = left_shift
bitwise_not = invert
bitwise_right_shift = right_shift
conj = conjugate
mod = remainder
pow = power
true_divide = divide

__all__ = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "conj",
    "conjugate",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "divide",
    "divmod",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "float_power",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "isnat",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "matvec",
    "maximum",
    "minimum",
    "mod",
    "modf",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "power",
    "rad2deg",
    "radians",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "spacing",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
    "vecdot",
    "vecmat",
]
