"""`numpy.strings`, a name a line: the functions of `tfnp.strings`, lifted."""

from __future__ import annotations

import tfnp
from tfnp.numpy.lifting import lift_function

__all__ = [
    "add",
    "capitalize",
    "center",
    "count",
    "decode",
    "encode",
    "endswith",
    "equal",
    "expandtabs",
    "find",
    "greater",
    "greater_equal",
    "index",
    "isalnum",
    "isalpha",
    "isdecimal",
    "isdigit",
    "islower",
    "isnumeric",
    "isspace",
    "istitle",
    "isupper",
    "less",
    "less_equal",
    "ljust",
    "lower",
    "lstrip",
    "mod",
    "multiply",
    "not_equal",
    "partition",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rstrip",
    "slice",
    "startswith",
    "str_len",
    "strip",
    "swapcase",
    "title",
    "translate",
    "upper",
    "zfill",
]

add = lift_function(tfnp.strings.add)
capitalize = lift_function(tfnp.strings.capitalize)
center = lift_function(tfnp.strings.center)
count = lift_function(tfnp.strings.count)
decode = lift_function(tfnp.strings.decode)
encode = lift_function(tfnp.strings.encode)
endswith = lift_function(tfnp.strings.endswith)
equal = lift_function(tfnp.strings.equal)
expandtabs = lift_function(tfnp.strings.expandtabs)
find = lift_function(tfnp.strings.find)
greater = lift_function(tfnp.strings.greater)
greater_equal = lift_function(tfnp.strings.greater_equal)
index = lift_function(tfnp.strings.index)
isalnum = lift_function(tfnp.strings.isalnum)
isalpha = lift_function(tfnp.strings.isalpha)
isdecimal = lift_function(tfnp.strings.isdecimal)
isdigit = lift_function(tfnp.strings.isdigit)
islower = lift_function(tfnp.strings.islower)
isnumeric = lift_function(tfnp.strings.isnumeric)
isspace = lift_function(tfnp.strings.isspace)
istitle = lift_function(tfnp.strings.istitle)
isupper = lift_function(tfnp.strings.isupper)
less = lift_function(tfnp.strings.less)
less_equal = lift_function(tfnp.strings.less_equal)
ljust = lift_function(tfnp.strings.ljust)
lower = lift_function(tfnp.strings.lower)
lstrip = lift_function(tfnp.strings.lstrip)
mod = lift_function(tfnp.strings.mod)
multiply = lift_function(tfnp.strings.multiply)
not_equal = lift_function(tfnp.strings.not_equal)
partition = lift_function(tfnp.strings.partition)
replace = lift_function(tfnp.strings.replace)
rfind = lift_function(tfnp.strings.rfind)
rindex = lift_function(tfnp.strings.rindex)
rjust = lift_function(tfnp.strings.rjust)
rpartition = lift_function(tfnp.strings.rpartition)
rstrip = lift_function(tfnp.strings.rstrip)
slice = lift_function(tfnp.strings.slice)
startswith = lift_function(tfnp.strings.startswith)
str_len = lift_function(tfnp.strings.str_len)
strip = lift_function(tfnp.strings.strip)
swapcase = lift_function(tfnp.strings.swapcase)
title = lift_function(tfnp.strings.title)
translate = lift_function(tfnp.strings.translate)
upper = lift_function(tfnp.strings.upper)
zfill = lift_function(tfnp.strings.zfill)
