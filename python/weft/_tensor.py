# SPDX-License-Identifier: Apache-2.0
"""Tensor: a value or an expression for one, with NumPy's operators and methods."""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _core, _errors
from ._methods import Methods
from ._plan import Plan

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

Array = np.ndarray[Any, Any]
#: What an elementwise function takes beside a tensor or array.
Operand: TypeAlias = Union["Tensor", Array, "np.generic", bool, int, float, complex]

_ops = {name: _core.op(name) for name in _core.op_names()}


def op(name: str) -> _core.Op:
    """The op of that name, or an error that the extension and the package do not fit."""
    return _ops[name]


def _power(x1: Any, x2: Any) -> Any:
    from ._elementwise import pow

    return pow(x1, x2)


def _called(name: str) -> Callable[[Any, Any], Any]:
    return _power if name == "pow" else op(name)


def _binary(name: str) -> Callable[[Tensor, Operand], Tensor]:
    called = _called(name)

    def method(self: Tensor, other: Any) -> Any:
        if not isinstance(other, _OPERANDS):
            return NotImplemented
        return called(self, other)

    return method


def _reflected(name: str) -> Callable[[Tensor, Operand], Tensor]:
    called = _called(name)

    def method(self: Tensor, other: Any) -> Any:
        if not isinstance(other, _OPERANDS):
            return NotImplemented
        return called(other, self)

    return method


class Tensor(Methods):
    """A value or an expression for one: nothing is computed until a value is asked for.

    Made by `weft.asarray` and by the functions of weft from other tensors.

    >>> x = weft.asarray(np.arange(6.0).reshape(2, 3))
    >>> y = x.T + 1
    >>> y
    weft.Tensor(f64 [3, 2], lazy)
    >>> print(y)
    [[1. 4.]
     [2. 5.]
     [3. 6.]]
    """

    __slots__ = ()
    # NumPy's operators leave mixed expressions to ours.
    __array_ufunc__ = None

    # --- what it is ---

    @property
    def T(self) -> Tensor:
        """The axes in reverse order.

        >>> weft.zeros((2, 3)).T.shape
        (3, 2)
        """
        return _as_tensor(op("transpose")(self, None))

    @property
    def mT(self) -> Tensor:
        """The last two axes exchanged.

        >>> weft.zeros((2, 3, 4)).mT.shape
        (2, 4, 3)
        """
        if self.ndim < 2:
            raise _error(_errors.ParameterError, "bad_rank",
                         f"mT: the tensor has rank {self.ndim}, expected 2 or more")
        return _as_tensor(op("swapaxes")(self, -1, -2))

    @property
    def device(self) -> str:
        """Where the elements are: always "cpu"."""
        return "cpu"

    def to_device(self, device: str, /, *, stream: None = None) -> Tensor:
        """The same tensor: there is one device, "cpu"."""
        if str(device) != "cpu" or stream is not None:
            raise _error(_errors.ParameterError, "bad_device",
                         f"to_device: device {device} with stream {stream}, expected cpu without one")
        return self

    def __repr__(self) -> str:
        if not self.has_value:
            return "weft.Tensor(given up)"
        state = "open" if self.is_open else "stored" if self.is_stored else "lazy"
        return f"weft.Tensor({self._type_text()}, {state})"

    def __str__(self) -> str:
        return repr(self) if self.is_open else self._text()

    def __format__(self, format: str) -> str:
        return self._text(format) if format else str(self)

    # --- values ---

    def eval(self, *, threads: int = 0, memory_limit: int = 0, in_place: bool = False) -> Tensor:
        """Computes the value, keeps it, and returns the same tensor.

        >>> weft.ones((2, 2)).eval().is_stored
        True
        """
        self._eval(threads, memory_limit, in_place)
        return self

    def numpy(self, *, copy: bool | None = None) -> Array:
        """The elements as an array: read-only, of weft's memory, or with `copy` one's own.

        >>> weft.arange(3).numpy()
        array([0, 1, 2])
        """
        return self._numpy(bool(copy))

    def eval_region(self, start: Any, shape: Any) -> Tensor:
        """Computes a window of the result, and no other element.

        >>> print(weft.arange(10).eval_region([4], [3]))
        [4 5 6]
        """
        return _as_tensor(self._region(start, shape))

    def explain(self) -> Plan:
        """What an evaluation would do: passes, boxes, kernels, bytes. Moves nothing.

        >>> "pass" in weft.arange(10)[::-1].explain()
        True
        """
        return Plan(self._explain())

    def item(self) -> Any:
        """The only element, as a number of Python.

        >>> weft.asarray(np.float32(2.5)).item()
        2.5
        """
        if self.size != 1:
            raise _error(_errors.ShapeError, "shape_mismatch",
                         f"item: the tensor has shape {list(self.shape)}, expected one element")
        return self.numpy().item()

    def tolist(self) -> Any:
        """The elements as lists of lists.

        >>> weft.arange(4).reshape((2, 2)).tolist()
        [[0, 1], [2, 3]]
        """
        return self.numpy().tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self._numpy(bool(copy))
        if dtype is None or np.dtype(dtype) == array.dtype:
            return array
        if copy is False:
            raise _error(_errors.ParameterError, "copy_needed",
                         f"__array__: elements of {array.dtype} are {dtype} only in a copy, and "
                         "copy=False was given")
        return array.astype(dtype)

    def __dlpack__(self, *, stream: None = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[enum.Enum | int, int] | None = None,
                   copy: bool | None = None) -> Any:
        if stream is not None:
            raise _error(_errors.ParameterError, "bad_device",
                         f"__dlpack__: stream is {stream}, the CPU has none")
        if dl_device is not None and tuple(map(int, dl_device)) != (1, 0):  # type: ignore[arg-type]
            raise BufferError(f"__dlpack__: device {dl_device} was asked for, weft is on the CPU")
        versioned = max_version is not None and max_version[0] >= 1
        # Without versions nothing says that the memory is not to be written: it is a copy then.
        if not versioned and copy is False:
            raise BufferError("__dlpack__: the elements are read-only, which a capsule without a "
                              "version cannot say; copy=False was given")
        # torch refuses strides below 0: those are for who will have no copy.
        return self._dlpack(versioned, copy is True or not versioned, copy is False)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def _scalar(self, what: str) -> Any:
        if self.size != 1 or self.ndim != 0:
            raise TypeError(f"{what}: the tensor has shape {list(self.shape)}, expected rank 0")
        return self._numpy(False)[()]

    def __float__(self) -> float:
        return float(self._scalar("float"))

    def __int__(self) -> int:
        return int(self._scalar("int"))

    def __complex__(self) -> complex:
        return complex(self._scalar("complex"))

    def __index__(self) -> int:
        return operator.index(self._scalar("index"))

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(f"the truth of a tensor of shape {list(self.shape)} is ambiguous; "
                             "any() and all() say what is meant")
        return bool(self._numpy(False).reshape(()))

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("len() of a tensor of rank 0")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Tensor]:
        if self.ndim == 0:
            raise TypeError("iteration over a tensor of rank 0")
        return iter(_core.unstack(self, None, 0))

    def __contains__(self, value: Any) -> bool:
        return bool(op("any")(op("equal")(self, value), None, False))

    def __reduce__(self) -> Any:
        return _unpickled, (self._numpy(True),)

    def __copy__(self) -> Tensor:
        return _as_tensor(_core.tensor_from(self, None))

    def __deepcopy__(self, memo: Any) -> Tensor:
        return _as_tensor(_core.tensor_from(self, True))

    def _repr_svg_(self) -> str:
        return self.explain()._repr_svg_()

    # --- methods that take their arguments one by one, too; the others are in _methods.py ---

    def reshape(self, *shape: Any) -> Tensor:
        """The same elements in another shape, as in NumPy: `x.reshape(2, -1)`, `x.reshape((2, -1))`."""
        return _as_tensor(op("reshape")(self, shape[0] if len(shape) == 1 else shape))

    def transpose(self, *axes: Any) -> Tensor:
        """Axes in another order, as in NumPy; without arguments in reverse order."""
        return _as_tensor(op("transpose")(self, _one_by_one(axes)))

    def permute_dims(self, *axes: Any) -> Tensor:
        """Axes in another order."""
        return _as_tensor(op("permute_dims")(self, _one_by_one(axes)))

    def where(self, condition: Any, other: Operand) -> Tensor:
        """Elements of this where the condition holds, of the other elsewhere."""
        return _as_tensor(op("where")(condition, self, other))

    # --- parts ---

    def __getitem__(self, key: Any) -> Tensor:
        from ._indexing import picked

        return picked(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise _error(_errors.InPlaceError, "not_in_place",
                     "x[...] = y: a tensor does not change; weft.slice_scatter(x, y, start, stop, "
                     "step, axis=axis) makes a copy with a slice replaced, weft.index_put one with "
                     "positions replaced")

    # --- operators ---

    __add__, __radd__ = _binary("add"), _reflected("add")
    __sub__, __rsub__ = _binary("subtract"), _reflected("subtract")
    __mul__, __rmul__ = _binary("multiply"), _reflected("multiply")
    __truediv__, __rtruediv__ = _binary("divide"), _reflected("divide")
    __floordiv__, __rfloordiv__ = _binary("floor_divide"), _reflected("floor_divide")
    __mod__, __rmod__ = _binary("remainder"), _reflected("remainder")
    __pow__, __rpow__ = _binary("pow"), _reflected("pow")
    __matmul__, __rmatmul__ = _binary("matmul"), _reflected("matmul")
    __and__, __rand__ = _binary("bitwise_and"), _reflected("bitwise_and")
    __or__, __ror__ = _binary("bitwise_or"), _reflected("bitwise_or")
    __xor__, __rxor__ = _binary("bitwise_xor"), _reflected("bitwise_xor")
    __lshift__, __rlshift__ = _binary("bitwise_left_shift"), _reflected("bitwise_left_shift")
    __rshift__, __rrshift__ = _binary("bitwise_right_shift"), _reflected("bitwise_right_shift")
    __lt__, __le__ = _binary("less"), _binary("less_equal")
    __gt__, __ge__ = _binary("greater"), _binary("greater_equal")
    __eq__ = _binary("equal")  # type: ignore[assignment]
    __ne__ = _binary("not_equal")  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self) -> Tensor:
        return _as_tensor(op("negative")(self))

    def __pos__(self) -> Tensor:
        return _as_tensor(op("positive")(self))

    def __abs__(self) -> Tensor:
        return _as_tensor(op("abs")(self))

    def __invert__(self) -> Tensor:
        return _as_tensor(op("bitwise_invert")(self))


_OPERANDS = (Tensor, np.ndarray, np.generic, bool, int, float, complex)
_core.set_tensor_class(Tensor)


def _as_tensor(made: Any) -> Tensor:
    assert isinstance(made, Tensor)
    return made


def _one_by_one(axes: tuple[Any, ...]) -> Any:
    if len(axes) == 0:
        return None
    return axes[0] if len(axes) == 1 and not isinstance(axes[0], (int, np.integer)) else axes


def _error(kind: type[_errors.Error], category: str, message: str) -> _errors.Error:
    error = kind(message)
    error.category = category
    return error


def _unpickled(array: Array) -> Tensor:
    return _as_tensor(_core.tensor_from(array, None))
