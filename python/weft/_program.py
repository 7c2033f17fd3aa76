# SPDX-License-Identifier: Apache-2.0
"""Programs: recorded once, run with any sizes and shifts."""

from __future__ import annotations

import os
from typing import Any, Callable, Sequence

from . import _core
from ._plan import Plan
from ._typing import Array, DTypeLike, Operand, Tensor, _error, lazy

Dim = _core.Dim


def placeholder(dtype: DTypeLike, shape: Sequence[int | str | _core.Dim | None] | None = None,
                name: str = "") -> Tensor:
    """An input of a program: extents are known, named, None for any, or a Dim with bounds.

    >>> weft.placeholder(weft.float32, ("batch", 3, None))
    weft.Tensor(f32 [batch, 3, ?], open)
    """
    made: Any = _core.placeholder(dtype, None if shape is None else list(shape), name)
    return made  # type: ignore[no-any-return]


class Program:
    """A function of tensors, recorded once and run again and again.

    >>> program = weft.Program([weft.placeholder(weft.float64, (None, None))], lambda x: x.T)
    >>> program(np.ones((2, 3))).shape
    (3, 2)
    """

    __slots__ = ("_core",)

    def __init__(self, placeholders: Sequence[Tensor],
                 function: Callable[..., Tensor | Sequence[Tensor]]) -> None:
        made = function(*placeholders)
        outputs = [made] if isinstance(made, Tensor) else list(made)
        self._core = _core.Program(list(placeholders), outputs)

    @classmethod
    def _of(cls, core: _core.Program) -> Program:
        made = cls.__new__(cls)
        made._core = core
        return made

    def run(self, *inputs: Tensor | Array) -> Any:
        """The output, or a list of them: arrays where all inputs are, else tensors."""
        made = self._core.run([lazy(x) for x in inputs])
        if not any(isinstance(x, Tensor) for x in inputs):
            made = [_core.to_numpy(x) for x in made]
        return made[0] if len(made) == 1 else made

    __call__ = run

    def explain(self, *inputs: Tensor | Array) -> Plan:
        """What a run with these inputs does."""
        return Plan(self._core.explain([lazy(x) for x in inputs]))

    def to_json(self) -> str:
        """The program as JSON.

        >>> p = weft.Program([weft.placeholder(weft.float64, (2,))], lambda x: x[::-1])
        >>> weft.Program.from_json(p.to_json()) == p
        True
        """
        return self._core.to_json()

    @classmethod
    def from_json(cls, text: str) -> Program:
        """The program that a text tells, which may come from anywhere: it is checked."""
        return cls._of(_core.program_from_json(text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON to a file."""
        self._core.save(os.fsencode(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Program:
        """The program of a file."""
        return cls._of(_core.load_program(os.fsencode(path)))

    @property
    def hits(self) -> int:
        """How many runs found their plans."""
        return self._core.hits

    def __str__(self) -> str:
        return str(self._core)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self._core == other._core

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return Program.from_json, (self.to_json(),)
