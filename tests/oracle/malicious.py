"""Case files that mean harm: what they name, how much they hold, how they are written. All of them are refused."""

from __future__ import annotations

import json
from functools import cache

PAYLOAD = "touch PWNED"


def _words(text):
    return text.split()


RUNNING = _words(
    """lib._npyio_impl.os.system lib._npyio_impl.os.popen f2py.os.system f2py.subprocess.run f2py.main f2py.compile
    ctypeslib.ctypes.CDLL ctypeslib.load_library ctypeslib.os.execv testing.rundocs testing.runstring
    testing._private.utils.exec_command testing._private.utils.os.system lib._datasource.os.system core.os.system
    random._pickle.os.system os.system sys.exit builtins.eval eval exec compile __import__ __builtins__.exec
    __config__.show __loader__.set_data __loader__.exec_module __spec__.loader.exec_module __class__.__init__
    sum.__globals__ sum.__globals__.get sum.__code__.replace mean.__wrapped__ mean.__class__ vectorize.__call__
    ndarray.__reduce__ ndarray.__reduce_ex__ ndarray.__setstate__ ndarray.__array_function__ ndarray.__class__
    add.__reduce__ add.__class__.__base__.__subclasses__ ufunc.__subclasses__ linalg._linalg.os.system
    linalg.__loader__.set_data random.mtrand._pickle polynomial.polyutils.os strings.__builtins__.eval
    errstate.__init__ r_.__class__ dtype.__init_subclass__ exceptions.__builtins__ show_runtime show_config test
    linalg.test fft.test random.test seterrcall setbufsize"""
)
WRITING = _words(
    """save savez savez_compressed savetxt ndarray.tofile ndarray.dump ndarray.dumps memmap lib.format.write_array
    lib.npyio.DataSource DataSource lib._datasource.DataSource lib.format.open_memmap rec.fromfile
    __loader__.path_stats set_printoptions lib.npyio.NpzFile"""
)
READING = _words(
    """load loadtxt genfromtxt fromfile fromregex DataSource.open lib.npyio.NpzFile lib.format.read_array memmap.flush
    ma.core.pickle.loads ma.loads lib._npyio_impl.pickle.loads lib.recfunctions.np.load matrix matlib.rand bmat
    lib.stride_tricks.as_strided lib.array_utils.byte_bounds lib.add_docstring lib.introspect.opt_func_info nditer
    char.add rec.array recarray chararray flatiter nested_iters in1d"""
)
ODD_NAMES = ["", ".", "add.", ".add", "..add", "add.reduce.reduce", "np.add", "numpy.add", "add\n", "add ", "ADD"]
ODD_NAMES += ["a" * 5000, "add;import os", "\x1b[2Jadd", "é", "\udc80"]

FUNCTIONS = _words(
    """lib._npyio_impl.os.system f2py.os.system load save fromfile testing.runstring ndarray.tofile eval
    sum.__globals__ ctypeslib.load_library __builtins__.exec random.seterr linalg.nothing ndarray.__getitem__ float64
    vectorize errstate memmap e c_ _NoValue add.__class__"""
)
TYPES = _words(
    """np.memmap np.matrix np.recarray np.record np.lib._npyio_impl.os.system np.vectorize np.nditer
    np.errstate np.ufunc np.dtype np.f2py np.sum type eval memoryview bytearray dict set frozenset open os.system
    __import__ Exception np.broadcast np.__loader__ np.ndarray.__class__ float16"""
)
DTYPES = [
    *("i4,f8", "(1000000,)f8", "3f4", "f8, i4", "float64", "object", "O", "<O8", "i4", "S", "|S", "<U-1", "T", "<T16"),
    *("<f3", "<i9", "|S99999999999", "<M8[99999999999999D]", "<M8[D", "<m8[bogus]", "{'names': ['a']}", "<f4 "),
    *("\n<f4", "<i4\x00", "=f8", ">b1", "<b1", "bfloat17", "np.float64", "a" * 9000, "{}" * 100, "<V" + "9" * 40),
]
OBJECT_DTYPES = [{"names": ["a"], "formats": ["O"]}, ["f8"], 5, None, True, [["a", "<f8"]], {}]


def array(dtype="<f8", shape=(1,), values=None, **others):
    return {"array": dtype, "shape": list(shape), "values": ["0x1p0"] if values is None else values} | others


def call(*args, name="add", **kwargs):
    return {"case": name, "args": list(args), "kwargs": kwargs}


def nested(levels, inner, around):
    for _ in range(levels):
        inner = around(inner)
    return inner


def shared(levels):
    """A call of a call of a call ..., each twice: two to the power of `levels` when it is written out."""
    inner = call(array())
    for level in range(levels):
        inner = call(inner, {"same": 1 + level})
    return inner


ARRAYS = {
    "4 GB of text": array("|S1000000000", [4], ["a", "b", "c", "d"]),
    "4 GB of characters": array("<U250000000", [4], ["a", "b", "c", "d"]),
    "a scalar of 1 GB": {"scalar": "|S999999999", "values": "61"},
    "a wide character scalar": {"scalar": "<U99999999", "values": ["a"]},
    "a void of 1 GB": {"scalar": "|V999999999", "values": ""},
    "nothing, 10**9 times": array("|V0", [10**9], ""),
    "nothing, in 3 dimensions": array("|V0", [2000, 2000, 2000], ""),
    "nothing, of text": array("<U0", [10**8], [""]),
    "one missing side": array(shape=[-1]),
    "a negative side": array(shape=[-1, -1]),
    "a side of 2**62": array(shape=[0, 2**52]),
    "sides that overflow": array(shape=[2**31, 2**31, 2**31], values=[]),
    "65 dimensions": array(shape=[1] * 65),
    "100000 dimensions": array(shape=[2] * 100_000),
    "a shape of floats": array(shape=["1"]),
    "a shape of truths": array(shape=[True]),
    "a shape that is a number": array() | {"shape": 1},
    "no shape": {"array": "<f8", "values": ["0x1p0"]},
    "no values": {"array": "<f8", "shape": [1]},
    "too few values": array(shape=[3]),
    "too many values": array(values=["0x1p0"] * 3),
    "values in a text": array(shape=[2], values="12"),
    "values in an object": array(values={"0": "0x1p0"}),
    "a value too large": array("|i1", values=[300]),
    "a value too small": array("|u1", values=[-1]),
    "text for integers": array("<i8", values=["5"]),
    "truth for integers": array("<i8", values=[True]),
    "null for truth": array("|b1", values=[None]),
    "lists for integers": array("<i8", values=[[1, 2]]),
    "numbers for text": array("<U1", values=[5]),
    "odd hexadecimal": array("|S2", values="616"),
    "short hexadecimal": array("<M8[D]", values="00"),
    "no hexadecimal": array("|V1", values="zz"),
    "Python objects": array("|O", values="0000000000000000"),
    "a list of Python objects": array("|O", values=[1]),
    "no Python objects": array("|O", [0], ""),
    "a float too large": array(values=["0x1p99999"]),
    "a float that is none": array(values=["one"]),
    "a float that is a number": array(values=[1]),
    "half a complex number": array("<c16", values=["0x1p0"]),
    "far apart": array("|i1", [2], [1, 2], layout={"strides": [99999999999], "shift": 0}),
    "64 MiB apart": array("|i1", [2], [1, 2], layout={"strides": [1 << 26], "shift": 0}),
    "far apart backwards": array("|i1", [2], [1, 2], layout={"strides": [-(2**52)], "shift": 0}),
    "a shift past the end": array("|i1", [2], [1, 2], layout={"strides": [1], "shift": 4000}),
    "a shift before the start": array("<f8", [2], ["0x1p0"] * 2, layout={"strides": [8], "shift": -64}),
    "a shift of truth": array("<f8", layout={"strides": [8], "shift": True}),
    "windows that disagree": array(
        "<f8", [2, 2], ["0x1p0", "0x1p1", "0x1p0", "0x1p1"], layout={"strides": [8, 8], "shift": 0}
    ),
    "elements that overlap": array("<f8", [2], ["0x1p0", "nan"], layout={"strides": [3], "shift": 0}),
    "too few strides": array("<f8", layout={"strides": [], "shift": 0}),
    "strides of text": array("<f8", layout={"strides": ["8"], "shift": 0}),
    "no strides": array("<f8", layout={"shift": 0}),
    "a layout that is none": array("<f8", layout=[8]),
    "more than an array has": array(object=1),
    "many arrays": [array("|S60000", values="61" * 60000) for _ in range(1200)][:30] * 40,
    "many elements": [array("|b1", [40_000], [True] * 40_000)] * 14,
}
VALUES = {
    "no kind": {"unheard": 1},
    "an empty object": {},
    "two kinds": {"int": "0x1", "float": "0x1p0"},
    "a pickle": {"pickle": "gASVIgAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjAh0b3VjaCBYlIWUUpQu"},
    "python": {"python": "__import__('os').system('touch PWNED')"},
    "an integer that is none": {"int": 3},
    "an integer of code": {"int": "__import__('os')"},
    "an integer of 4 million digits": {"int": "0x" + "f" * 4_000_000},
    "an integer of 4301 digits": {"int": hex(10**4300)},
    "a plain integer beyond 2**53": 2**53 + 1,
    "a float in decimal": {"float": 1},
    "a float that is none": {"float": "one"},
    "a float too large": {"float": "0x1p99999"},
    "half a complex number": {"complex": ["0x1p0"]},
    "a slice of two": {"slice": [1, 2]},
    "a slice of an object": {"slice": {"start": 1}},
    "a list as a key": {"dict": [[[1], 2]]},
    "an array as a key": {"dict": [[array(), 2]]},
    "an entry of three": {"dict": [[1, 2, 3]]},
    "entries in an object": {"dict": {"a": 1}},
    "equal hashes": {"dict": [[{"int": hex(key * (2**61 - 1))}, 0] for key in range(2000)]},
    "bytes that are none": {"bytes": "zz"},
    "bytes of a list": {"bytes": [1]},
    "nothing earlier": {"same": 0},
    "something later": {"same": 10**15},
    "something before the first": [array(), {"same": -1}],
    "the same as truth": [array(), array(), {"same": True}],
    "the same as text": {"same": "0"},
    "a call within itself": {"case": "add", "args": [{"same": 0}], "kwargs": {}},
    "a tuple that is none": {"tuple": 5},
    "60 levels": nested(70, 1, lambda inner: [inner]),
    "900 levels": nested(300, 1, lambda inner: {"tuple": [inner]}),
    "calls within calls": nested(80, 1, call),
    "shared calls": shared(40),
    "many shared arrays": [array("|b1", [1000], [True] * 1000), *[{"same": 0}] * 1000],
    "many arguments": [0] * 70_000,
    "many lists": [[]] * 70_000,
    "many empty dictionaries": [{"dict": []}] * 70_000,
}
KEYWORDS = ["", "a b", "a=1", "x); import os; os.system('touch PWNED') #", "lambda", "1", "\n", "\x1b[2J", "é", "a.b"]
KEYWORDS += ["_x", "a" * 99]
CONFUSED = {
    "a generator that is text": ["PWNED", 1],
    "a generator that is an array": [array("<u8", [32], [0x4141414141414141] * 32), 1],
    "a generator that is bytes": [{"bytes": "41" * 256}, 1],
    "a generator that is a class": [{"type": "float"}, 1],
    "a generator that is another call": [call(1), 1],
    "no generator": [],
}
TEXTS = {
    "nothing": "",
    "blank": " \n\t ",
    "half an object": "{",
    "a list": "[]",
    "a number": "3",
    "null": "null",
    "text": '"add"',
    "a comment": '// add\n{"case": "add"}',
    "two objects": '{"case": "pi"} {"case": "pi"}',
    "single quotes": "{'case': 'add'}",
    "Python": "Case('add', (1, 2))",
    "a pickle": "cos\nsystem\n(S'touch PWNED'\ntR.",
    "YAML": "!!python/object/apply:os.system ['touch PWNED']",
    "a byte order mark": '\ufeff{"case": "pi", "args": [], "kwargs": {}}',
    "a key twice": '{"case": "pi", "case": "add", "args": [1, 2]}',
    "an argument twice": '{"case": "sum", "args": [1], "kwargs": {"axis": 0, "axis": 0}}',
    "NaN": '{"case": "abs", "args": [NaN]}',
    "Infinity": '{"case": "abs", "args": [-Infinity]}',
    "a decimal": '{"case": "abs", "args": [1.5]}',
    "a large decimal": '{"case": "abs", "args": [1e999]}',
    "5000 digits": '{"case": "abs", "args": [' + "9" * 5000 + "]}",
    "200000 levels": '{"case": "abs", "args": ' + "[" * 200_000 + "]" * 200_000 + "}",
    "900 levels": '{"case": "abs", "args": ' + "[" * 900 + "]" * 900 + "}",
    "9 MiB": '{"case": "abs", "args": ["' + "a" * (9 << 20) + '"]}',
    "9 MiB of blanks": '{"case": "abs", "args": []}' + " " * (9 << 20),
    "many objects": '{"case": "abs", "args": [' + "{}," * 1_000_000 + "1]}",
    "many small objects": '{"case": "abs", "args": [' + '{"a":0},' * 700_000 + "1]}",
    "many lists": '{"case": "abs", "args": [' + "[]," * 1_000_000 + "1]}",
    "many numbers": '{"case": "abs", "args": [' + "0," * 2_000_000 + "1]}",
    "many texts": '{"case": "abs", "args": [' + '"ab",' * 1_200_000 + "1]}",
    "many keywords": '{"case": "abs", "kwargs": {' + ",".join(f'"k{key}":0' for key in range(90_000)) + "}}",
    "many floats": '{"case": "abs", "args": [{"array":"<f8","shape":[900000],"values":[' + '"1",' * 899_999 + '"1"]}]}',
    "unescaped control characters": '{"case": "abs", "args": ["\x00"]}',
    "a case of a list": '{"case": ["add"], "args": []}',
    "a case of a number": '{"case": 3}',
    "arguments of an object": '{"case": "add", "args": {}}',
    "keywords of a list": '{"case": "add", "args": [], "kwargs": []}',
    "more than a case has": '{"case": "pi", "args": [], "kwargs": {}, "subject": "this"}',
    "an array": '{"array":"<f8","shape":[1],"values":["0x1p0"]}',
    "a finding": '{"id": "f-0123456789", "case": "cases/f-0123456789.json", "modes": ["eager"]}',
}


@cache
def texts() -> dict[str, str]:
    """Every text, by what is wrong with it."""
    found = dict(TEXTS)
    for name in (*RUNNING, *WRITING, *READING, *ODD_NAMES):
        found[f"a call of {name[:40]!r}"] = json.dumps(call(PAYLOAD, name=name))
        found[f"an inner call of {name[:40]!r}"] = json.dumps(call(call(PAYLOAD, name=name), 1))
    for key, names in (("function", FUNCTIONS), ("type", TYPES)):
        for name in (*names, *OBJECT_DTYPES):
            found[f"the {key} {str(name)[:40]!r}"] = json.dumps(call({key: name}, 1, name="apply_along_axis"))
    for name in (*DTYPES, *OBJECT_DTYPES):
        found[f"the dtype {str(name)[:40]!r}"] = json.dumps(call({"dtype": name}))
        found[f"an array of {str(name)[:40]!r}"] = json.dumps(call(array(name)))
    for what, value in (ARRAYS | VALUES).items():
        found[f"an argument: {what}"] = json.dumps(call(value, 1))
    for what, args in CONFUSED.items():
        for name in ("normal", "integers", "shuffle", "spawn"):
            found[f"{what}: {name}"] = json.dumps(call(*args, name=f"random.Generator.{name}"))
    for word in KEYWORDS:
        found[f"the keyword {word[:40]!r}"] = json.dumps(call(1, **{word: 1}))
    return found
