"""NumPy's functions of arrays, a name a line: those of `tfnp`, lifted."""

from __future__ import annotations

import numpy as np

import tfnp
from tfnp.numpy import floating_errors, memory, viewing
from tfnp.numpy.callbacks import lift_caller
from tfnp.numpy.floating_errors import lift_statistic
from tfnp.numpy.lifting import lift_function, lift_write
from tfnp.numpy.numpy_calls import fall_back
from tfnp.numpy.policy import ANY, SMALL
from tfnp.numpy.viewing import lift_axes, lift_each, lift_split

__all__ = [
    "all",
    "allclose",
    "amax",
    "amin",
    "angle",
    "any",
    "append",
    "apply_along_axis",
    "apply_over_axes",
    "arange",
    "argmax",
    "argmin",
    "argpartition",
    "argsort",
    "argwhere",
    "around",
    "array",
    "array2string",
    "array_equal",
    "array_equiv",
    "array_repr",
    "array_split",
    "array_str",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "astype",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "average",
    "bartlett",
    "base_repr",
    "binary_repr",
    "bincount",
    "blackman",
    "block",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "can_cast",
    "choose",
    "clip",
    "column_stack",
    "common_type",
    "compress",
    "concat",
    "concatenate",
    "convolve",
    "copy",
    "copyto",
    "corrcoef",
    "correlate",
    "count_nonzero",
    "cov",
    "cross",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "delete",
    "diag",
    "diag_indices",
    "diag_indices_from",
    "diagflat",
    "diagonal",
    "diff",
    "digitize",
    "dot",
    "dsplit",
    "dstack",
    "ediff1d",
    "einsum",
    "einsum_path",
    "empty",
    "empty_like",
    "expand_dims",
    "extract",
    "eye",
    "fill_diagonal",
    "finfo",
    "fix",
    "flatnonzero",
    "flip",
    "fliplr",
    "flipud",
    "format_float_positional",
    "format_float_scientific",
    "from_dlpack",
    "frombuffer",
    "fromfile",
    "fromfunction",
    "fromiter",
    "frompyfunc",
    "fromstring",
    "full",
    "full_like",
    "genfromtxt",
    "geomspace",
    "getbufsize",
    "geterr",
    "geterrcall",
    "gradient",
    "hamming",
    "hanning",
    "histogram",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "hsplit",
    "hstack",
    "i0",
    "identity",
    "iinfo",
    "imag",
    "indices",
    "inner",
    "insert",
    "interp",
    "intersect1d",
    "isclose",
    "iscomplex",
    "iscomplexobj",
    "isdtype",
    "isfortran",
    "isin",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "isscalar",
    "issubdtype",
    "iterable",
    "ix_",
    "kaiser",
    "kron",
    "lexsort",
    "linspace",
    "load",
    "loadtxt",
    "logspace",
    "mask_indices",
    "matrix_transpose",
    "max",
    "mean",
    "median",
    "meshgrid",
    "min",
    "min_scalar_type",
    "mintypecode",
    "moveaxis",
    "nan_to_num",
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanpercentile",
    "nanprod",
    "nanquantile",
    "nanstd",
    "nansum",
    "nanvar",
    "ndim",
    "nonzero",
    "ones",
    "ones_like",
    "outer",
    "packbits",
    "pad",
    "partition",
    "percentile",
    "permute_dims",
    "piecewise",
    "place",
    "poly",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "prod",
    "promote_types",
    "ptp",
    "put",
    "put_along_axis",
    "putmask",
    "quantile",
    "ravel",
    "ravel_multi_index",
    "real",
    "real_if_close",
    "repeat",
    "require",
    "reshape",
    "resize",
    "result_type",
    "roll",
    "rollaxis",
    "roots",
    "rot90",
    "round",
    "row_stack",
    "save",
    "savetxt",
    "savez",
    "savez_compressed",
    "searchsorted",
    "select",
    "setbufsize",
    "setdiff1d",
    "seterr",
    "seterrcall",
    "setxor1d",
    "shape",
    "sinc",
    "size",
    "sort",
    "sort_complex",
    "split",
    "squeeze",
    "stack",
    "std",
    "sum",
    "swapaxes",
    "take",
    "take_along_axis",
    "tensordot",
    "tile",
    "trace",
    "transpose",
    "trapezoid",
    "tri",
    "tril",
    "tril_indices",
    "tril_indices_from",
    "trim_zeros",
    "triu",
    "triu_indices",
    "triu_indices_from",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "unpackbits",
    "unravel_index",
    "unstack",
    "unwrap",
    "vander",
    "var",
    "vdot",
    "vsplit",
    "vstack",
    "where",
    "zeros",
    "zeros_like",
]

all = lift_function(tfnp.all, numpy_up_to=SMALL)
allclose = lift_function(tfnp.allclose, is_bool=True, numpy_up_to=SMALL)
angle = lift_function(tfnp.angle)
any = lift_function(tfnp.any, numpy_up_to=SMALL)
append = lift_function(tfnp.append, numpy_up_to=SMALL)
apply_along_axis = lift_caller(tfnp.apply_along_axis, keeps_rank_0=True)
apply_over_axes = lift_caller(tfnp.apply_over_axes)
arange = lift_function(tfnp.arange)
argmax = lift_function(tfnp.argmax, numpy_up_to=ANY)
argmin = lift_function(tfnp.argmin, numpy_up_to=ANY)
argpartition = lift_function(tfnp.argpartition, numpy_up_to=ANY)
argsort = lift_function(tfnp.argsort, numpy_up_to=ANY)
argwhere = lift_function(tfnp.argwhere, numpy_up_to=SMALL)
array = lift_function(tfnp.array, keeps_rank_0=True, is_same=True)
array2string = lift_function(tfnp.array2string)
array_equal = lift_function(tfnp.array_equal, is_bool=True, numpy_up_to=SMALL)
array_equiv = lift_function(tfnp.array_equiv, is_bool=True)
array_repr = lift_function(tfnp.array_repr)
array_split = lift_split(tfnp.array_split, np.array_split)
array_str = lift_function(tfnp.array_str)
asanyarray = memory.lift_converter(tfnp.asanyarray)
asarray = memory.lift_converter(tfnp.asarray)
asarray_chkfinite = lift_function(tfnp.asarray_chkfinite, keeps_rank_0=True, is_same=True)
ascontiguousarray = lift_function(tfnp.ascontiguousarray, keeps_rank_0=True, is_same=True)
asfortranarray = lift_function(tfnp.asfortranarray, keeps_rank_0=True, is_same=True)
astype = lift_function(tfnp.astype, keeps_rank_0=True, is_same=True)
atleast_1d = lift_each(lift_axes(tfnp.atleast_1d, np.atleast_1d))
atleast_2d = lift_each(lift_axes(tfnp.atleast_2d, np.atleast_2d))
atleast_3d = lift_each(lift_axes(tfnp.atleast_3d, np.atleast_3d))
average = lift_function(tfnp.average, numpy_up_to=SMALL)
bartlett = lift_function(tfnp.bartlett)
base_repr = tfnp.base_repr
binary_repr = tfnp.binary_repr
bincount = lift_function(tfnp.bincount, numpy_up_to=ANY)
blackman = lift_function(tfnp.blackman)
block = lift_function(tfnp.block, keeps_rank_0=True)
broadcast_arrays = fall_back(viewing.broadcast_arrays, np.broadcast_arrays)
broadcast_shapes = tfnp.broadcast_shapes
broadcast_to = fall_back(viewing.broadcast_to, np.broadcast_to)
can_cast = lift_function(tfnp.can_cast)
choose = lift_function(tfnp.choose, numpy_up_to=SMALL)
clip = lift_function(tfnp.clip, numpy_up_to=SMALL)
column_stack = lift_function(tfnp.column_stack, numpy_up_to=SMALL)
common_type = lift_function(tfnp.common_type)
compress = lift_function(tfnp.compress, numpy_up_to=SMALL)
concatenate = lift_function(tfnp.concatenate, numpy_up_to=SMALL)
convolve = lift_function(tfnp.convolve, numpy_up_to=SMALL)
copy = lift_function(tfnp.copy, keeps_rank_0=True, numpy_up_to=SMALL)
copyto = lift_write(tfnp.copyto, np.copyto)
corrcoef = lift_function(tfnp.corrcoef, numpy_up_to=SMALL)
correlate = lift_function(tfnp.correlate, numpy_up_to=SMALL)
count_nonzero = lift_function(tfnp.count_nonzero, numpy_up_to=SMALL)
cov = lift_function(tfnp.cov, keeps_rank_0=True, numpy_up_to=SMALL)
cross = lift_function(tfnp.cross, keeps_rank_0=True, numpy_up_to=SMALL)
cumprod = lift_function(tfnp.cumprod, numpy_up_to=SMALL)
cumsum = lift_function(tfnp.cumsum, numpy_up_to=SMALL)
cumulative_prod = lift_function(tfnp.cumulative_prod)
cumulative_sum = lift_function(tfnp.cumulative_sum)
delete = lift_function(tfnp.delete, numpy_up_to=SMALL)
diag = lift_function(tfnp.diag, numpy_up_to=SMALL)
diag_indices = lift_function(tfnp.diag_indices)
diag_indices_from = lift_function(tfnp.diag_indices_from)
diagflat = lift_function(tfnp.diagflat)
diagonal = fall_back(viewing.diagonal, np.diagonal)
diff = lift_function(tfnp.diff, numpy_up_to=SMALL)
digitize = lift_function(tfnp.digitize, numpy_up_to=SMALL)
dot = lift_function(tfnp.dot, numpy_up_to=SMALL)
dsplit = lift_split(tfnp.dsplit, np.dsplit)
dstack = lift_function(tfnp.dstack, numpy_up_to=SMALL)
ediff1d = lift_function(tfnp.ediff1d)
einsum = lift_function(tfnp.einsum, numpy_up_to=SMALL)
einsum_path = lift_function(tfnp.einsum_path)
empty = lift_function(tfnp.empty, keeps_rank_0=True)
empty_like = lift_function(tfnp.empty_like, keeps_rank_0=True)
expand_dims = lift_axes(tfnp.expand_dims, np.expand_dims)
extract = lift_function(tfnp.extract, numpy_up_to=SMALL)
eye = lift_function(tfnp.eye)
fill_diagonal = lift_write(tfnp.fill_diagonal, np.fill_diagonal)
finfo = tfnp.finfo
fix = lift_function(tfnp.fix)
flatnonzero = lift_function(tfnp.flatnonzero, numpy_up_to=SMALL)
flip = lift_axes(tfnp.flip, np.flip)
fliplr = lift_axes(tfnp.fliplr, np.fliplr)
flipud = lift_axes(tfnp.flipud, np.flipud)
format_float_positional = tfnp.format_float_positional
format_float_scientific = tfnp.format_float_scientific
from_dlpack = memory.from_dlpack
frombuffer = memory.frombuffer
fromfile = lift_function(tfnp.fromfile)
fromfunction = lift_caller(tfnp.fromfunction, keeps_rank_0=True)
fromiter = lift_function(tfnp.fromiter, keeps_rank_0=True)
frompyfunc = np.frompyfunc
fromstring = lift_function(tfnp.fromstring)
full = lift_function(tfnp.full, keeps_rank_0=True)
full_like = lift_function(tfnp.full_like, keeps_rank_0=True, numpy_up_to=SMALL)
genfromtxt = memory.genfromtxt
geomspace = lift_function(tfnp.geomspace)
getbufsize = tfnp.getbufsize
geterr = np.geterr
geterrcall = np.geterrcall
gradient = lift_function(tfnp.gradient, numpy_up_to=SMALL)
hamming = lift_function(tfnp.hamming)
hanning = lift_function(tfnp.hanning)
histogram = lift_function(tfnp.histogram, numpy_up_to=SMALL)
histogram2d = lift_function(tfnp.histogram2d)
histogram_bin_edges = lift_function(tfnp.histogram_bin_edges)
histogramdd = lift_function(tfnp.histogramdd)
hsplit = lift_split(tfnp.hsplit, np.hsplit)
hstack = lift_function(tfnp.hstack, numpy_up_to=SMALL)
i0 = lift_function(tfnp.i0)
identity = lift_function(tfnp.identity)
iinfo = tfnp.iinfo
imag = viewing.imag
indices = lift_function(tfnp.indices)
inner = lift_function(tfnp.inner, numpy_up_to=SMALL)
insert = lift_function(tfnp.insert, numpy_up_to=SMALL)
interp = lift_function(tfnp.interp, numpy_up_to=ANY)
intersect1d = lift_function(tfnp.intersect1d)
isclose = lift_function(tfnp.isclose, numpy_up_to=SMALL)
iscomplex = lift_function(tfnp.iscomplex)
iscomplexobj = lift_function(tfnp.iscomplexobj)
isdtype = tfnp.isdtype
isfortran = viewing.isfortran
isin = lift_function(tfnp.isin, keeps_rank_0=True)
isneginf = lift_function(tfnp.isneginf)
isposinf = lift_function(tfnp.isposinf)
isreal = lift_function(tfnp.isreal)
isrealobj = lift_function(tfnp.isrealobj)
isscalar = lift_function(tfnp.isscalar)
issubdtype = tfnp.issubdtype
iterable = lift_function(tfnp.iterable)
ix_ = lift_function(tfnp.ix_)
kaiser = lift_function(tfnp.kaiser)
kron = lift_function(tfnp.kron, numpy_up_to=SMALL)
lexsort = lift_function(tfnp.lexsort)
linspace = lift_function(tfnp.linspace)
load = memory.load
loadtxt = lift_function(tfnp.loadtxt)
logspace = lift_function(tfnp.logspace)
mask_indices = lift_function(tfnp.mask_indices)
matrix_transpose = lift_axes(tfnp.matrix_transpose, np.matrix_transpose)
max = lift_function(tfnp.max, numpy_up_to=SMALL)
mean = lift_statistic(tfnp.mean, np.mean, numpy_up_to=SMALL)
median = lift_statistic(tfnp.median, np.median, numpy_up_to=SMALL)
meshgrid = lift_function(tfnp.meshgrid, numpy_up_to=SMALL)
min = lift_function(tfnp.min, numpy_up_to=SMALL)
min_scalar_type = lift_function(tfnp.min_scalar_type)
mintypecode = tfnp.mintypecode
moveaxis = lift_axes(tfnp.moveaxis, np.moveaxis)
nan_to_num = lift_function(tfnp.nan_to_num, numpy_up_to=SMALL)
nanargmax = lift_function(tfnp.nanargmax, numpy_up_to=SMALL)
nanargmin = lift_function(tfnp.nanargmin, numpy_up_to=SMALL)
nancumprod = lift_function(tfnp.nancumprod)
nancumsum = lift_function(tfnp.nancumsum)
nanmax = lift_statistic(tfnp.nanmax, np.nanmax, numpy_up_to=SMALL)
nanmean = lift_statistic(tfnp.nanmean, np.nanmean, numpy_up_to=SMALL)
nanmedian = lift_statistic(tfnp.nanmedian, np.nanmedian, numpy_up_to=SMALL)
nanmin = lift_statistic(tfnp.nanmin, np.nanmin, numpy_up_to=SMALL)
nanpercentile = lift_statistic(tfnp.nanpercentile, np.nanpercentile)
nanprod = lift_function(tfnp.nanprod, numpy_up_to=SMALL)
nanquantile = lift_statistic(tfnp.nanquantile, np.nanquantile)
nanstd = lift_statistic(tfnp.nanstd, np.nanstd, numpy_up_to=SMALL)
nansum = lift_function(tfnp.nansum, numpy_up_to=SMALL)
nanvar = lift_statistic(tfnp.nanvar, np.nanvar, numpy_up_to=SMALL)
ndim = lift_function(tfnp.ndim)
nonzero = lift_function(tfnp.nonzero, numpy_up_to=SMALL)
ones = lift_function(tfnp.ones, keeps_rank_0=True)
ones_like = lift_function(tfnp.ones_like, keeps_rank_0=True, numpy_up_to=SMALL)
outer = lift_function(tfnp.outer, numpy_up_to=SMALL)
packbits = lift_function(tfnp.packbits)
pad = lift_function(tfnp.pad, numpy_up_to=SMALL)
partition = lift_function(tfnp.partition, numpy_up_to=ANY)
percentile = lift_function(tfnp.percentile, numpy_up_to=SMALL)
piecewise = lift_caller(tfnp.piecewise, keeps_rank_0=True)
place = lift_write(tfnp.place, np.place)
poly = lift_function(tfnp.poly)
polyadd = lift_function(tfnp.polyadd)
polyder = lift_function(tfnp.polyder)
polydiv = lift_function(tfnp.polydiv)
polyfit = lift_function(tfnp.polyfit)
polyint = lift_function(tfnp.polyint)
polymul = lift_function(tfnp.polymul)
polysub = lift_function(tfnp.polysub)
polyval = lift_function(tfnp.polyval, numpy_up_to=SMALL)
prod = lift_function(tfnp.prod, numpy_up_to=SMALL)
promote_types = lift_function(tfnp.promote_types)
ptp = lift_function(tfnp.ptp, numpy_up_to=SMALL)
put = lift_write(tfnp.put, np.put)
put_along_axis = lift_write(tfnp.put_along_axis, np.put_along_axis)
putmask = lift_write(tfnp.putmask, np.putmask)
quantile = lift_function(tfnp.quantile, numpy_up_to=SMALL)
ravel = fall_back(viewing.ravel, np.ravel)
ravel_multi_index = lift_function(tfnp.ravel_multi_index)
real = viewing.real
real_if_close = lift_function(tfnp.real_if_close, keeps_rank_0=True, is_same=True)
repeat = lift_function(tfnp.repeat, numpy_up_to=SMALL)
require = viewing.require
reshape = fall_back(viewing.reshape, np.reshape)
resize = lift_function(tfnp.resize)
result_type = lift_function(tfnp.result_type)
roll = lift_function(tfnp.roll, keeps_rank_0=True, numpy_up_to=SMALL)
rollaxis = lift_axes(tfnp.rollaxis, np.rollaxis)
roots = lift_function(tfnp.roots)
rot90 = lift_axes(tfnp.rot90, np.rot90)
round = lift_function(tfnp.round, numpy_up_to=SMALL)
row_stack = lift_function(tfnp.row_stack)
save = lift_function(tfnp.save)
savetxt = lift_function(tfnp.savetxt)
savez = lift_function(tfnp.savez)
savez_compressed = lift_function(tfnp.savez_compressed)
searchsorted = lift_function(tfnp.searchsorted, numpy_up_to=SMALL)
select = lift_function(tfnp.select, keeps_rank_0=True, numpy_up_to=SMALL)
setbufsize = tfnp.setbufsize
setdiff1d = lift_function(tfnp.setdiff1d)
seterr = floating_errors.seterr
seterrcall = np.seterrcall
setxor1d = lift_function(tfnp.setxor1d)
shape = lift_function(tfnp.shape)
sinc = lift_function(tfnp.sinc)
size = lift_function(tfnp.size)
sort = lift_function(tfnp.sort, numpy_up_to=ANY)
sort_complex = lift_function(tfnp.sort_complex)
split = lift_split(tfnp.split, np.split)
squeeze = fall_back(viewing.squeeze, np.squeeze)
stack = lift_function(tfnp.stack, numpy_up_to=SMALL)
std = lift_statistic(tfnp.std, np.std, numpy_up_to=SMALL)
sum = lift_function(tfnp.sum, numpy_up_to=SMALL)
swapaxes = lift_axes(tfnp.swapaxes, np.swapaxes)
take = lift_function(tfnp.take, numpy_up_to=ANY)
take_along_axis = lift_function(tfnp.take_along_axis, numpy_up_to=SMALL)
tensordot = lift_function(tfnp.tensordot, keeps_rank_0=True, numpy_up_to=SMALL)
tile = lift_function(tfnp.tile, numpy_up_to=SMALL)
trace = lift_function(tfnp.trace, numpy_up_to=SMALL)
transpose = fall_back(viewing.transpose_function, np.transpose)
trapezoid = lift_function(tfnp.trapezoid, numpy_up_to=SMALL)
tri = lift_function(tfnp.tri)
tril = lift_function(tfnp.tril, numpy_up_to=SMALL)
tril_indices = lift_function(tfnp.tril_indices)
tril_indices_from = lift_function(tfnp.tril_indices_from)
trim_zeros = lift_function(tfnp.trim_zeros, keeps_rank_0=True)
triu = lift_function(tfnp.triu, numpy_up_to=SMALL)
triu_indices = lift_function(tfnp.triu_indices)
triu_indices_from = lift_function(tfnp.triu_indices_from)
union1d = lift_function(tfnp.union1d)
unique = lift_function(tfnp.unique, numpy_up_to=SMALL)
unique_all = lift_function(tfnp.unique_all, keeps_rank_0=True)
unique_counts = lift_function(tfnp.unique_counts)
unique_inverse = lift_function(tfnp.unique_inverse, keeps_rank_0=True)
unique_values = lift_function(tfnp.unique_values)
unpackbits = lift_function(tfnp.unpackbits)
unravel_index = lift_function(tfnp.unravel_index)
unstack = viewing.unstack
unwrap = lift_function(tfnp.unwrap)
vander = lift_function(tfnp.vander, numpy_up_to=SMALL)
var = lift_statistic(tfnp.var, np.var, numpy_up_to=SMALL)
vdot = lift_function(tfnp.vdot, numpy_up_to=SMALL)
vsplit = lift_split(tfnp.vsplit, np.vsplit)
vstack = lift_function(tfnp.vstack, numpy_up_to=SMALL)
where = lift_function(tfnp.where, keeps_rank_0=True, numpy_up_to=SMALL)
zeros = lift_function(tfnp.zeros, keeps_rank_0=True)
zeros_like = lift_function(tfnp.zeros_like, keeps_rank_0=True, numpy_up_to=SMALL)
amax = max
amin = min
around = round
concat = concatenate
permute_dims = transpose
