# SPDX-License-Identifier: Apache-2.0
"""weft rearranges tensors, and computes with their elements, in one pass.

Functions called with NumPy arrays compute at once and give arrays. `weft.asarray(a)` borrows an
array, which must not change as long as what is made of it is used (`copy=True` copies it): functions
of a `weft.Tensor` are lazy, and one pass makes the value that is asked for in the end.

>>> weft.roll(np.arange(5), 2)
array([3, 4, 0, 1, 2])
>>> x = weft.asarray(np.arange(6).reshape(2, 3))
>>> print(weft.roll(x.T, 1, axis=0) * 2)
[[ 4 10]
 [ 0  6]
 [ 2  8]]

Names and signatures are the array API standard's, NumPy's where it has none, weft's own otherwise.
Results are read-only arrays of weft's memory; `x.numpy(copy=True)` gives one that is not.
"""

from __future__ import annotations

import math

import numpy as _np

from . import _core
from . import _elementwise, _grow, _pick, _product, _rearrange, _reduce, _shape, _write
from ._create import (arange, asarray, empty, empty_like, eye, from_dlpack, full, full_like,
                      linspace, meshgrid, ones, ones_like, zeros, zeros_like)
from ._elementwise import *
from ._errors import (AxisError, DtypeError, EmptyError, Error, FileError, FormatError,
                      IndexError, InPlaceError, InternalError, MemoryError, OpenError,
                      OverflowError, ParameterError, ShapeError)
from ._gradient import *
from ._grow import *
from ._methods import NAMES as _METHODS
from ._info import __array_namespace_info__, can_cast, finfo, iinfo, isdtype
from ._pick import *
from ._plan import Plan
from ._product import *
from ._program import Dim, Program, placeholder
from ._rearrange import *
from ._reduce import *
from ._shape import *
from ._tensor import Tensor
from ._value import donate, eval, eval_region, explain
from ._write import *

for _name in _METHODS:
    setattr(Tensor, _name, globals()[_name])

e, inf, nan, pi, newaxis = math.e, math.inf, math.nan, math.pi, None

bool = _np.dtype(_np.bool_)
int8, int16, int32, int64 = map(_np.dtype, ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = map(_np.dtype, ("uint8", "uint16", "uint32", "uint64"))
float16, float32, float64 = map(_np.dtype, ("float16", "float32", "float64"))
complex64, complex128 = map(_np.dtype, ("complex64", "complex128"))
#: Taken wherever a dtype is; that of a tensor is ml_dtypes.bfloat16.
bfloat16 = "bfloat16"

__version__ = "0.1.0"
#: The standard whose names and signatures these are; tensors do not claim all of it.
__array_api_version__ = "2025.12"

__all__ = [
    "AxisError", "Dim", "DtypeError", "EmptyError", "Error", "FileError", "FormatError",
    "InPlaceError", "IndexError", "InternalError", "MemoryError", "OpenError", "OverflowError",
    "ParameterError", "Plan", "Program", "ShapeError", "Tensor", "__array_api_version__",
    "__array_namespace_info__", "__version__", "abs", "acos", "acosh", "add", "all", "any",
    "arange", "argmax", "argmin", "asarray", "asin", "asinh", "astype", "atan", "atan2", "atanh",
    "bfloat16", "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "bool", "broadcast_arrays", "broadcast_shapes",
    "broadcast_to", "can_cast", "cbrt", "ceil", "center_crop", "channel_shuffle", "chunk", "clip",
    "complex128", "complex64", "concat", "conj", "copysign", "cos", "cosh", "count_nonzero",
    "crop", "cumulative_prod", "cumulative_sum", "depth_to_space", "diagonal", "diff", "divide",
    "donate", "e", "einsum", "empty", "empty_like", "equal", "erf", "eval", "eval_region", "exp",
    "exp2", "expand_dims", "explain", "expm1", "eye", "fftshift", "finfo", "flatten", "flip",
    "float16", "float32", "float64", "floor", "floor_divide", "fma", "from_dlpack", "full",
    "full_like", "gather", "gather_elements", "gather_nd", "gelu", "gelu_tanh", "grad", "greater",
    "greater_equal", "hypot", "ifftshift", "iinfo", "imag", "index_put", "inf", "int16", "int32",
    "int64", "int8", "isdtype", "isfinite", "isinf", "isnan", "layer_norm", "less", "less_equal",
    "linspace", "log", "log10", "log1p", "log2", "log_softmax", "logaddexp", "logical_and",
    "logical_not", "logical_or", "logical_xor", "logsumexp", "matmul", "matrix_transpose", "max",
    "maximum", "mean", "meshgrid", "min", "minimum", "moveaxis", "multiply", "nan", "narrow",
    "negative", "newaxis", "not_equal", "ones", "ones_like", "outer", "pad", "permute_dims", "pi",
    "pixel_shuffle", "pixel_unshuffle", "placeholder", "positive", "pow", "prod", "real",
    "rearrange", "reciprocal", "reduce_pattern", "relu", "remainder", "repeat", "repeat_pattern",
    "reshape", "result_type", "reverse_sequence", "rms_norm", "roll", "rot90", "round", "rsqrt",
    "scatter_elements", "scatter_nd", "select", "select_scatter", "sigmoid", "sign", "signbit",
    "silu", "sin", "sinh", "slice", "slice_scatter", "softmax", "softplus", "space_to_depth",
    "split", "sqrt", "square", "squeeze", "stack", "std", "stop_gradient", "stored", "subtract",
    "sum", "swapaxes", "take", "take_along_axis", "tan", "tanh", "tensordot", "tile", "transpose",
    "tril", "triu", "trunc", "uint16", "uint32", "uint64", "uint8", "unflatten", "unfold",
    "unstack", "var", "vecdot", "view_as", "vjp", "where", "window_partition", "window_reverse",
    "zeros", "zeros_like",
]
