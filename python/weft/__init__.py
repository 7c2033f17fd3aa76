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
