# SPDX-License-Identifier: Apache-2.0
"""Values of tensors: several at once, windows of them, what they cost, and giving them up."""

from __future__ import annotations

from typing import Any

from . import _core
from ._plan import Plan
from ._typing import Ints, Tensor, X, composed, lazy


def eval(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Computes several together: what they share is computed once.

    >>> x = weft.arange(4)
    >>> [y.is_stored for y in weft.eval(x + 1, x + 2)]
    [True, True]
    """
    _core.eval_together(list(tensors))
    return tensors


def eval_region(x: X, start: Ints, shape: Ints) -> X:
    """A window of x, of which no other element is computed.

    >>> weft.eval_region(np.arange(10), [4], [3]).tolist()
    [4, 5, 6]
    """
    return composed(x, lambda t: t.eval_region(start, shape))  # type: ignore[no-any-return]


def explain(x: Tensor) -> Plan:
    """What an evaluation of x would do.

    >>> "pass" in weft.explain(weft.arange(10)[::-1])
    True
    """
    return x.explain()


def donate(x: Tensor) -> Tensor:
    """x, given up: what computes with it may write over its memory. Using x itself raises.

    >>> x = weft.arange(3)
    >>> y = weft.donate(x)
    >>> x
    weft.Tensor(given up)
    """
    made: Any = x._donate()
    return made  # type: ignore[no-any-return]
