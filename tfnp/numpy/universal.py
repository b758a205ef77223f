"""NumPy's ufuncs, a name a line: those of `tfnp`, lifted."""

from __future__ import annotations

import tfnp
from tfnp.numpy.ufuncs import ufunc

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

absolute = ufunc(tfnp.absolute)
add = ufunc(tfnp.add)
arccos = ufunc(tfnp.arccos)
arccosh = ufunc(tfnp.arccosh)
arcsin = ufunc(tfnp.arcsin)
arcsinh = ufunc(tfnp.arcsinh)
arctan = ufunc(tfnp.arctan)
arctan2 = ufunc(tfnp.arctan2)
arctanh = ufunc(tfnp.arctanh)
bitwise_and = ufunc(tfnp.bitwise_and)
bitwise_count = ufunc(tfnp.bitwise_count)
bitwise_or = ufunc(tfnp.bitwise_or)
bitwise_xor = ufunc(tfnp.bitwise_xor)
cbrt = ufunc(tfnp.cbrt)
ceil = ufunc(tfnp.ceil)
conjugate = ufunc(tfnp.conjugate)
copysign = ufunc(tfnp.copysign)
cos = ufunc(tfnp.cos)
cosh = ufunc(tfnp.cosh)
deg2rad = ufunc(tfnp.deg2rad)
degrees = ufunc(tfnp.degrees)
divide = ufunc(tfnp.divide)
divmod = ufunc(tfnp.divmod)
equal = ufunc(tfnp.equal)
exp = ufunc(tfnp.exp)
exp2 = ufunc(tfnp.exp2)
expm1 = ufunc(tfnp.expm1)
fabs = ufunc(tfnp.fabs)
float_power = ufunc(tfnp.float_power)
floor = ufunc(tfnp.floor)
floor_divide = ufunc(tfnp.floor_divide)
fmax = ufunc(tfnp.fmax)
fmin = ufunc(tfnp.fmin)
fmod = ufunc(tfnp.fmod)
frexp = ufunc(tfnp.frexp)
gcd = ufunc(tfnp.gcd)
greater = ufunc(tfnp.greater)
greater_equal = ufunc(tfnp.greater_equal)
heaviside = ufunc(tfnp.heaviside)
hypot = ufunc(tfnp.hypot)
invert = ufunc(tfnp.invert)
isfinite = ufunc(tfnp.isfinite)
isinf = ufunc(tfnp.isinf)
isnan = ufunc(tfnp.isnan)
isnat = ufunc(tfnp.isnat)
lcm = ufunc(tfnp.lcm)
ldexp = ufunc(tfnp.ldexp)
left_shift = ufunc(tfnp.left_shift)
less = ufunc(tfnp.less)
less_equal = ufunc(tfnp.less_equal)
log = ufunc(tfnp.log)
log10 = ufunc(tfnp.log10)
log1p = ufunc(tfnp.log1p)
log2 = ufunc(tfnp.log2)
logaddexp = ufunc(tfnp.logaddexp)
logaddexp2 = ufunc(tfnp.logaddexp2)
logical_and = ufunc(tfnp.logical_and)
logical_not = ufunc(tfnp.logical_not)
logical_or = ufunc(tfnp.logical_or)
logical_xor = ufunc(tfnp.logical_xor)
matmul = ufunc(tfnp.matmul)
matvec = ufunc(tfnp.matvec)
maximum = ufunc(tfnp.maximum)
minimum = ufunc(tfnp.minimum)
modf = ufunc(tfnp.modf)
multiply = ufunc(tfnp.multiply)
negative = ufunc(tfnp.negative)
nextafter = ufunc(tfnp.nextafter)
not_equal = ufunc(tfnp.not_equal)
positive = ufunc(tfnp.positive)
power = ufunc(tfnp.power)
rad2deg = ufunc(tfnp.rad2deg)
radians = ufunc(tfnp.radians)
reciprocal = ufunc(tfnp.reciprocal)
remainder = ufunc(tfnp.remainder)
right_shift = ufunc(tfnp.right_shift)
rint = ufunc(tfnp.rint)
sign = ufunc(tfnp.sign)
signbit = ufunc(tfnp.signbit)
sin = ufunc(tfnp.sin)
sinh = ufunc(tfnp.sinh)
spacing = ufunc(tfnp.spacing)
sqrt = ufunc(tfnp.sqrt)
square = ufunc(tfnp.square)
subtract = ufunc(tfnp.subtract)
tan = ufunc(tfnp.tan)
tanh = ufunc(tfnp.tanh)
trunc = ufunc(tfnp.trunc)
vecdot = ufunc(tfnp.vecdot)
vecmat = ufunc(tfnp.vecmat)
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
