"""The fields of an adapter: what each says of a library, for who writes one."""

from __future__ import annotations

from collections.abc import Mapping

FIELDS: Mapping[str, str] = {
    "imports": "statements that bind `module`, and all names that other texts use, except `np`",
    "module": "the namespace with NumPy's names",
    "array": "the class of its arrays, or a tuple of classes",
    "from_numpy": "how an array is made of one of NumPy's",
    "to_numpy": "how one of NumPy's is made of an array",
    "dtype": "how a dtype is written, from NumPy's name: `torch.{}`",
    "scalars": "whether NumPy's scalars are passed as they are, and not as 0-d arrays",
    "compiled": "by mode, how a function is compiled",
    "scopes": "by mode, the context manager in which eager calls are made",
    "vmap": "how a function is mapped over the first axes of its arguments",
    "grad": "the gradient of a function of a list of arrays that returns a number",
    "devices": "by device, the context manager in which calls are made",
    "environment": "variables that are set before the import",
    "preload": "modules that the library imports when it is first called: once, and not in each worker",
    "siblings": "how many calls share a structure: many for a library that compiles every call",
    "sizes": "what is compiled for a call serves arrays of other sizes: every second call of a structure then has such",
    "views": "its arrays can be written to and have NumPy's views: with `--programs`, programs write through them",
    "tensors": "the library takes and gives TensorFlow's tensors: what else is said here is not used",
    "dtypes": "the dtypes it has; otherwise all that survive the conversion there and back",
    "promotes": "whether dtypes of results are NumPy's; otherwise they are no finding",
    "default_dtype": "what it makes of Python's floats, for the reader of the report",
    "flushes": "subnormal numbers may count as zero",
    "streams": "whether seeded random numbers are NumPy's; otherwise they are judged by their distribution",
    "lacks": "parameters that it does not offer, such as `out`: they are never given",
    "absent": "patterns of names with another meaning than in NumPy",
    "methods": "whether its arrays have NumPy's methods",
    "by_design": "any other difference that it documents",
}
