# SPDX-License-Identifier: Apache-2.0
"""Functions of complex numbers, made of functions of their parts; the special values are C's (Annex G).

Each takes the parts x and y, and gives those of the result. Branches are chosen element by element.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ._complex import joined
from ._typing import Tensor, op

Parts = tuple[Any, Any]

_abs, _atan2, _copysign, _cos, _cosh = op("abs"), op("atan2"), op("copysign"), op("cos"), op("cosh")
_divide, _equal, _exp, _expm1, _hypot = op("divide"), op("equal"), op("exp"), op("expm1"), op("hypot")
_imag, _isfinite, _isinf, _log, _log1p = op("imag"), op("isfinite"), op("isinf"), op("log"), op("log1p")
_maximum, _minimum, _real, _sin, _sinh = op("maximum"), op("minimum"), op("real"), op("sin"), op("sinh")
_sqrt, _tan, _where = op("sqrt"), op("tan"), op("where")


def of_parts(function: Callable[[Any, Any], Parts]) -> Callable[[Tensor], Any]:
    """That function of complex numbers."""

    def of_complex(z: Tensor) -> Any:
        return joined(*function(_real(z), _imag(z)))

    return of_complex


def _both_odd(x: Any, y: Any) -> Any:
    """An infinite x, and a y that no circle has."""
    return _isinf(x) & ~_isfinite(y)


def exp(x: Any, y: Any) -> Parts:
    half = _exp(x / 2)  # twice, for e ** x may be out of range where the product is not
    odd = _both_odd(x, y)
    real = _where(odd, _where(x > 0, x, 0.0), half * _cos(y) * half)
    imag = _where(_equal(y, 0), y, _where(odd & (x < 0), 0.0, half * _sin(y) * half))
    return real, imag


def expm1(x: Any, y: Any) -> Parts:
    real, imag = exp(x, y)
    near = _expm1(x) * _cos(y) - 2 * (_sin(y / 2) * _sin(y / 2)) + 0.0  # the standard has no -0 here
    return _where((_abs(x) < 40) & _isfinite(y), near, real - 1), imag


def _log_of_length(x: Any, y: Any) -> Any:
    longer, shorter = _maximum(_abs(x), _abs(y)), _minimum(_abs(x), _abs(y))
    length = _hypot(x, y)
    near = _log1p((longer - 1) * (longer + 1) + shorter * shorter) / 2  # next to 1 log loses all
    far = _where(_isinf(length), _log(_hypot(x / 4, y / 4)) + math.log(4), _log(length))
    return _where((length > 0.7) & (length < 1.4), near, far)


def log(x: Any, y: Any) -> Parts:
    return _log_of_length(x, y), _atan2(y, x)


def pow(x: Any, y: Any, c: Any, d: Any) -> Parts:
    """(x + yi) ** (c + di); to the power 0 it is 1, and 0 to a power that is not above 0 NaN."""
    a, b = log(x, y)
    real, imag = exp(a * c - b * d, a * d + b * c)
    of_zero, to_zero = _equal(x, 0) & _equal(y, 0), _equal(c, 0) & _equal(d, 0)
    real, imag = (_where(of_zero, _where(c > 0, 0.0, part * math.nan), part) for part in (real, imag))
    return _where(to_zero, 1.0, real), _where(to_zero, 0.0, imag)


def log_to(base: float) -> Callable[[Any, Any], Parts]:
    """The logarithm to a base."""

    def function(x: Any, y: Any) -> Parts:
        real, imag = log(x, y)
        return real / math.log(base), imag / math.log(base)

    return function


def log1p(x: Any, y: Any) -> Parts:
    small = _maximum(_abs(x), _abs(y)) < 0.5
    real = _where(small, _log1p(x * (x + 2) + y * y) / 2, _log_of_length(x + 1, y))
    return real, _atan2(y, x + 1)


def sqrt(x: Any, y: Any) -> Parts:
    largest = _maximum(_abs(x), _abs(y))
    limits = np.finfo(x.dtype)
    shrinks, grows = largest > float(limits.max) / 8, largest < float(limits.tiny) * 2.0 ** 60
    factor = _where(shrinks, 1 / 16, _where(grows, 2.0 ** 60, largest * 0 + 1))
    factor = _where(_isfinite(largest), factor, 1.0)
    back = _where(shrinks, 4.0, _where(grows, 2.0 ** -30, largest * 0 + 1))
    back = _where(_isfinite(largest), back, 1.0)
    a, b = _abs(x) * factor, y * factor
    longer = _sqrt((a + _hypot(a, b)) / 2)
    shorter = _where(_equal(longer, 0), longer, _abs(b) / (longer * 2)) * back
    longer = longer * back
    real, imag = _where(x < 0, shorter, longer), _copysign(_where(x < 0, longer, shorter), y)
    return _where(_isinf(y), _abs(y), real), _where(_isinf(y), y, imag)


def sinh(x: Any, y: Any) -> Parts:
    real = _where(_equal(x, 0) | _both_odd(x, y), x, _sinh(x) * _cos(y))
    return real, _where(_equal(y, 0), y, _cosh(x) * _sin(y))


def cosh(x: Any, y: Any) -> Parts:
    real = _where(_both_odd(x, y), _abs(x), _cosh(x) * _cos(y))
    imag = _where(_equal(x, 0) & ~_isfinite(y), x, _sinh(x) * _sin(y))
    return real, _where(_equal(y, 0), y * _copysign(1.0, x), imag)


def tanh(x: Any, y: Any) -> Parts:
    """Kahan's, of tan(y) and sinh(x), which does not cancel."""
    slope, s = _tan(y), _sinh(x)
    b = 1 + slope * slope
    divisor = 1 + b * s * s
    far = _abs(x) > 18
    small = _exp(-2 * _abs(x))
    real = _where(far, _copysign(1.0, x), b * _sqrt(1 + s * s) * s / divisor)
    imag = _where(far, 4 * _sin(y) * _cos(y) * small, slope / divisor)
    real = _where(_equal(x, 0), x, _where(far & ~_isfinite(y) & _isfinite(x), y - y, real))
    imag = _where(_equal(y, 0), y, _where(_isinf(x), _copysign(0.0, y), imag))
    return real, imag


def turned(function: Callable[[Any, Any], Parts]) -> Callable[[Any, Any], Parts]:
    """f(iz) / i: sin of sinh, tan of tanh."""

    def made(x: Any, y: Any) -> Parts:
        real, imag = function(-y, x)
        return imag, -real

    return made


sin, tan = turned(sinh), turned(tanh)


def cos(x: Any, y: Any) -> Parts:
    return cosh(-y, x)


def real_asinh(x: Any) -> Any:
    size = _abs(x)
    near = _log1p(size + size * size / (1 + _sqrt(size * size + 1)))
    return _copysign(_where(size > 1e9, _log(size) + math.log(2), near), x)


def real_acosh(x: Any) -> Any:
    near = _log1p(x - 1 + _sqrt((x - 1) * (x + 1)))
    return _where(x < 1, math.nan, _where(x > 1e9, _log(x) + math.log(2), near))


def real_atanh(x: Any) -> Any:
    size = _abs(x)
    return _copysign(_log1p(2 * size / (1 - size)) / 2, x)


def asinh(x: Any, y: Any) -> Parts:
    """Kahan's, by the square roots of 1 - iz and 1 + iz."""
    (a, b), (c, d) = sqrt(1 + y, -x), sqrt(1 - y, x)
    real = _where(_isinf(y), _copysign(math.inf, x), real_asinh(a * d - b * c))
    angle = _where(_isinf(x), math.pi / 4, _where(_isfinite(x), math.pi / 2, x))
    imag = _where(_isinf(y), _copysign(angle, y), _atan2(y, a * c - b * d))
    return real, _where(_equal(y, 0), y, imag)


def acos(x: Any, y: Any) -> Parts:
    """Kahan's, by the square roots of 1 - z and 1 + z."""
    (a, b), (c, d) = sqrt(1 - x, -y), sqrt(1 + x, y)
    corner = math.pi / 2 - _copysign(math.pi / 4, x)
    real = _where(_isinf(x) & _isinf(y), corner, 2 * _atan2(a, c))
    real = _where(_equal(x, 0) & ~_isfinite(y), math.pi / 2, _where(_isfinite(x) | _isinf(x), real, x))
    imag = _where(_isinf(x) & ~_isfinite(y) & ~_isinf(y), math.inf, real_asinh(c * b - d * a))
    return real, imag


def acosh(x: Any, y: Any) -> Parts:
    angle, length = acos(x, y)
    return _abs(length), _copysign(angle, y)


def atanh(x: Any, y: Any) -> Parts:
    size, odd = _abs(x), _isinf(x) | _isinf(y)
    away = _hypot(1 - size, y)  # from the pole, where its square may be 0
    near = (_log(_hypot(1 + size, y)) - _log(away)) / 2
    far = _log1p(4 * size / ((1 - size) * (1 - size) + y * y)) / 4
    real = _copysign(_where(away < 1e-3, near, far), x)
    real = _where(_equal(x, 0), x, _where(odd, _copysign(0.0, x), real))
    imag = _atan2(2 * y, (1 - size) * (1 + size) - y * y) / 2
    return real, _where(odd & (_isfinite(y) | _isinf(y)), _copysign(math.pi / 2, y), imag)


asin, atan = turned(asinh), turned(atanh)

__all__ = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1", "log", "log1p", "log_to",
           "of_parts", "pow", "real_acosh", "real_asinh", "real_atanh", "sin", "sinh", "sqrt", "tan", "tanh"]
