# SPDX-License-Identifier: Apache-2.0
"""weft's errors, each of which is also the one that Python has for the mistake."""

from __future__ import annotations

import builtins
import os


class Error(Exception):
    """Base of all errors of weft; `category` names the mistake: "bad_axis", "shape_mismatch", ..."""

    category: str = ""


class AxisError(Error, ValueError, builtins.IndexError):
    """An axis that is out of range, is there twice, or is missing."""


class ParameterError(Error, ValueError):
    """A parameter of a wrong length, rank or value."""


class ShapeError(Error, ValueError):
    """Shapes that do not fit one another."""


class FormatError(Error, ValueError):
    """Text that is not in the form it should be in."""


class DtypeError(Error, TypeError):
    """An element type that is not taken there."""


class OverflowError(Error, builtins.OverflowError):
    """More than 2^62 bytes, or a number beyond int64."""


class IndexError(Error, builtins.IndexError):
    """An index that is out of range."""


class MemoryError(Error, builtins.MemoryError):
    """A result that does not fit into memory."""


class FileError(Error, OSError):
    """A file that cannot be read or written; `errno`, `strerror` and `filename` as in OSError."""

    def _tell(self, number: int, path: bytes) -> None:
        self.errno, self.strerror, self.filename = number, os.strerror(number), os.fsdecode(path)

    def __str__(self) -> str:
        return str(self.args[0])


class OpenError(Error, RuntimeError):
    """A value that is not known before a program runs."""


class InPlaceError(Error, RuntimeError):
    """Data that was given up and cannot be written over."""


class EmptyError(Error, RuntimeError):
    """A tensor that was given up."""


class InternalError(Error, RuntimeError):
    """A rule of weft's own that something broke."""
