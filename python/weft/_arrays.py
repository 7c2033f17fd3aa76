# SPDX-License-Identifier: Apache-2.0
"""What the extension asks NumPy to do with arrays that cannot be borrowed as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _errors

Array = np.ndarray[Any, Any]


def native(array: Any) -> Array:
    """A copy in the machine's byte order, aligned, row-major."""
    given = np.asarray(array)
    order = given.dtype if given.dtype.names is not None else given.dtype.newbyteorder("=")
    return np.array(given, dtype=order, order="C", copy=True)


def seen(thing: Any, must_borrow: bool) -> Array:
    """An array over a buffer; of lists and numbers a new one."""
    try:
        view = memoryview(thing)
    except TypeError:
        if must_borrow:
            error = _errors.ParameterError(
                f"asarray: {type(thing).__name__} has no memory to borrow, so it has to be copied; "
                "copy=False was given"
            )
            error.category = "copy_needed"
            raise error from None
        try:
            return np.asarray(thing)
        except ValueError:
            error = _errors.ShapeError("asarray: rows differ in length, expected all of one length")
            error.category = "shape_mismatch"
            raise error from None
    return np.asarray(view)
