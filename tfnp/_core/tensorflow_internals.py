"""All of TensorFlow's internals that are used, which are not public: one file shows what a release has moved."""

from tensorflow.python import pywrap_tfe
from tensorflow.python.autograph.core import ag_ctx
from tensorflow.python.autograph.operators import conditional_expressions, control_flow, logical, py_builtins
from tensorflow.python.autograph.operators.variables import Undefined, UndefinedReturnValue
from tensorflow.python.eager import context, execute, record
from tensorflow.python.eager.core import _FallbackException as FallbackException
from tensorflow.python.framework import ops as framework_ops
from tensorflow.python.framework import tensor_conversion_registry, type_spec, type_spec_registry
from tensorflow.python.framework.func_graph import FuncGraph
from tensorflow.python.ops import while_v2
from tensorflow.python.ops.cond_v2 import _CondGradFuncGraph as CondGradFuncGraph
from tensorflow.python.ops.parallel_for import pfor
from tensorflow.python.ops.resource_variable_ops import ResourceVariable
from tensorflow.python.ops.while_v2 import _WhileBodyGradFuncGraph as WhileBodyGradFuncGraph
from tensorflow.python.trackable.base import Trackable
from tensorflow.python.types.internal import NativeObject

__all__ = [
    "CondGradFuncGraph",
    "FallbackException",
    "FuncGraph",
    "NativeObject",
    "ResourceVariable",
    "Trackable",
    "Undefined",
    "UndefinedReturnValue",
    "WhileBodyGradFuncGraph",
    "ag_ctx",
    "conditional_expressions",
    "context",
    "control_flow",
    "execute",
    "framework_ops",
    "logical",
    "pfor",
    "py_builtins",
    "pywrap_tfe",
    "record",
    "tensor_conversion_registry",
    "type_spec",
    "type_spec_registry",
    "while_v2",
]
