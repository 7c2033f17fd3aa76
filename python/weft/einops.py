# SPDX-License-Identifier: Apache-2.0
"""einops' functions, carried out by weft: `import weft.einops as einops`.

>>> from weft import einops
>>> einops.rearrange(np.arange(6).reshape(2, 3), "h w -> w h").shape
(3, 2)
"""

from __future__ import annotations

import re
from typing import Any, Callable, Sequence, Union

from . import _core, _errors
from ._product import einsum as _einsum
from ._typing import Array, Tensor, X, _error, lazy, op

_rearrange, _repeat, _reduce = op("rearrange"), op("repeat_pattern"), op("reduce_pattern")
_reshape, _stack, _concat = op("reshape"), op("stack"), op("concat")

#: One tensor, or a list of them, which is stacked along a new first axis.
TensorOrList = Union[X, Sequence[X]]


class EinopsError(_errors.ParameterError, RuntimeError):
    """What einops calls its errors."""


class NotSupportedError(EinopsError, NotImplementedError):
    """What einops has no meaning for yet, by the class that einops raises there."""


def _one(tensor: Any) -> Any:
    return _stack(tensor, 0) if isinstance(tensor, (list, tuple)) else tensor


def _called(called: _core.Op, tensor: Any, *arguments: Any) -> Any:
    try:
        return called(_one(tensor), *arguments)
    except (_errors.ParameterError, _errors.ShapeError) as error:
        if isinstance(error, EinopsError):
            raise
        raise _error(EinopsError, error.category, str(error)) from error


def rearrange(tensor: TensorOrList[X], pattern: str, **axes_lengths: int) -> X:
    """einops.rearrange.

    >>> rearrange(np.zeros((2, 6)), "a (b c) -> c a b", b=2).shape
    (3, 2, 2)
    """
    return _called(_rearrange, tensor, pattern, " ".join(axes_lengths), list(axes_lengths.values()))


def repeat(tensor: TensorOrList[X], pattern: str, **axes_lengths: int) -> X:
    """einops.repeat.

    >>> repeat(np.arange(2), "a -> (a r)", r=2).tolist()
    [0, 0, 1, 1]
    """
    return _called(_repeat, tensor, pattern, " ".join(axes_lengths), list(axes_lengths.values()))


def reduce(tensor: TensorOrList[X], pattern: str,
           reduction: str | Callable[[Any, tuple[int, ...]], Any], **axes_lengths: int) -> X:
    """einops.reduce, by "sum", "mean", "max", "min", "prod", "any" or "all".

    A function is given a tensor and the axes to reduce, as in einops; "rearrange" and "repeat" are
    those functions.

    >>> reduce(np.arange(6).reshape(2, 3), "a b -> b", "max").tolist()
    [3, 4, 5]
    """
    if callable(reduction):
        return _reduced_by(_one(tensor), pattern, reduction, axes_lengths)
    if reduction in ("rearrange", "repeat"):
        return (rearrange if reduction == "rearrange" else repeat)(tensor, pattern, **axes_lengths)
    return _called(_reduce, tensor, pattern, reduction, " ".join(axes_lengths),
                   list(axes_lengths.values()))


def _reduced_by(x: Any, pattern: str, reduction: Callable[[Any, tuple[int, ...]], Any],
                sizes: dict[str, int]) -> Any:
    """The axes that go to the end, then the function, then what is left."""
    left, _, right = pattern.partition("->")
    kept = _names(right)
    gone = [name for name in _names(left) if name not in kept and name != "1"]
    flat = " ".join(kept + gone)
    spread = _called(_rearrange, x, f"{left} -> {flat}", " ".join(sizes), list(sizes.values()))
    made = reduction(spread, tuple(range(spread.ndim - len(gone), spread.ndim)))
    lengths = {name: spread.shape[k] for k, name in enumerate(kept) if name != "..."}
    if "..." in kept:
        return _called(_rearrange, made, f"{' '.join(kept)} -> {right}", "", [])
    used = {name: size for name, size in lengths.items() if name.isidentifier()}
    return _called(_rearrange, made, f"{' '.join(kept)} -> {right}", " ".join(used),
                   list(used.values()))


def _names(side: str) -> list[str]:
    return [name for name in side.replace("(", " ").replace(")", " ").split() if name != "1"]


def einsum(*tensors_and_pattern: Any) -> Any:
    """einops.einsum: the pattern comes last.

    >>> einsum(np.eye(2), np.eye(2), "i j, j k -> i k").tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    if len(tensors_and_pattern) < 2:
        raise _error(EinopsError, "length_mismatch",
                     "`einops.einsum` takes one tensor or more, and then the pattern")
    if not isinstance(tensors_and_pattern[-1], str):
        raise _error(EinopsError, "bad_pattern",
                     "The last argument of einsum is the pattern, expected a str")
    *tensors, pattern = tensors_and_pattern
    _check_einsum(tensors, pattern)
    try:
        return _einsum(*tensors, pattern)
    except (_errors.ParameterError, _errors.ShapeError) as error:
        raise _error(EinopsError, error.category, str(error)) from error


def _check_einsum(tensors: Sequence[Any], pattern: str) -> None:
    """Refuses what einops refuses, by the words that it begins with."""
    left, arrow, right = pattern.partition("->")
    if not arrow:
        raise _error(EinopsError, "bad_pattern", f'Einsum pattern "{pattern}" has no "->"')
    for side in (left, right):
        _check_einsum_side(pattern, side)
    for axes, x in zip(left.split(","), tensors):
        count = len(axes.split())
        if "..." not in axes and count > len(x.shape):
            raise _error(EinopsError, "bad_rank", f"Too many axes in einsum: \"{axes.strip()}\" names "
                                                  f"{count}, the tensor has rank {len(x.shape)}")
    unknown = sorted(set(right.split()) - set(left.replace(",", " ").split()))
    if unknown:
        raise _error(EinopsError, "bad_pattern", f'Unknown axis {unknown[0]} on the right of "{pattern}"')


def _check_einsum_side(pattern: str, side: str) -> None:
    if "()" in side.replace(" ", ""):
        raise _error(NotSupportedError, "bad_pattern", f'Singleton () axes are not for einsum: "{pattern}"')
    if "(" in side or ")" in side:
        raise _error(NotSupportedError, "bad_pattern",
                     f'Shape rearrangement is for rearrange, before or after einsum: "{pattern}"')
    for name in side.replace("...", " ").replace(",", " ").split():
        if name.isdigit():
            raise _error(NotSupportedError, "bad_pattern",
                         f'Anonymous axes are not for einsum: {name} in "{pattern}"')
        if not _is_name(name):
            raise _error(EinopsError, "bad_pattern", f'Invalid axis identifier {name!r} in "{pattern}"')


def _is_name(name: str) -> bool:
    return name.isidentifier() and not name.startswith("_") and not name.endswith("_")


def parse_shape(x: Any, pattern: str) -> dict[str, int]:
    """einops.parse_shape: the extents by the names of their axes; `_` is left out, `()` is 1.

    >>> parse_shape(np.zeros((2, 3, 4)), "b _ w")
    {'b': 2, 'w': 4}
    """
    names = re.sub(r"\(\s*\)", " 1 ", pattern).split()
    shape = list(x.shape)
    if "..." in names:
        place = names.index("...")
        missing = len(shape) - (len(names) - 1)
        if missing < 0:
            raise _error(EinopsError, "bad_rank",
                         f'parse_shape: "{pattern}" names {len(names) - 1} axes, x has {len(shape)}')
        names[place:place + 1] = ["_"] * missing
    if len(names) != len(shape):
        raise _error(EinopsError, "bad_rank",
                     f'parse_shape: "{pattern}" names {len(names)} axes, x has {len(shape)}')
    found = {}
    for name, extent in zip(names, shape):
        if name == "_":
            continue
        if name.isdigit():
            if int(name) != extent:
                raise _error(EinopsError, "shape_mismatch",
                             f"parse_shape: an axis has extent {extent}, the pattern says {name}")
        elif not _is_name(name) or name in found:
            raise _error(EinopsError, "bad_pattern",
                         f"parse_shape: {name!r} is no name of an axis, or there twice")
        else:
            found[name] = extent
    return found


def _star(pattern: str) -> tuple[int, int]:
    """How many axes are named before and after the star."""
    names = pattern.split()
    if names.count("*") != 1:
        raise _error(EinopsError, "bad_pattern",
                     f'pack: "{pattern}" has {names.count("*")} stars, expected one')
    if len(set(names)) != len(names):
        raise _error(EinopsError, "bad_pattern", f'pack: "{pattern}" names an axis twice')
    for name in names:
        if name != "*" and not _is_name(name):
            raise _error(EinopsError, "bad_pattern", f'pack: {name!r} is no name of an axis')
    return names.index("*"), len(names) - 1 - names.index("*")


def pack(tensors: Sequence[X], pattern: str) -> tuple[X, list[tuple[int, ...]]]:
    """einops.pack: one tensor, in which the axes at the star are one, and their shapes.

    >>> packed, shapes = pack([np.zeros((2, 3)), np.zeros((2, 3, 5))], "i j *")
    >>> packed.shape, shapes
    ((2, 3, 6), [(), (5,)])
    """
    before, after = _star(pattern)
    flat, shapes = [], []
    for x in tensors:
        shape = tuple(x.shape)
        if len(shape) < before + after:
            raise _error(EinopsError, "bad_rank",
                         f'pack: a tensor has shape {list(shape)}, "{pattern}" names '
                         f"{before + after} axes")
        end = len(shape) - after
        shapes.append(shape[before:end])
        count = 1
        for extent in shape[before:end]:
            count *= extent
        flat.append(_called(_reshape, x, [*shape[:before], count, *shape[end:]]))
    if not flat:
        raise _error(EinopsError, "length_mismatch", "pack: no tensors, expected one or more")
    try:
        return _concat(flat, before), shapes
    except (_errors.ShapeError, _errors.ParameterError) as error:
        raise _error(EinopsError, error.category, str(error)) from error


def unpack(tensor: X, packed_shapes: Sequence[Sequence[int]], pattern: str) -> list[X]:
    """einops.unpack: the tensors that pack has packed. One shape may have a -1.

    >>> [x.shape for x in unpack(np.zeros((2, 6)), [(), (5,)], "i *")]
    [(2,), (2, 5)]
    """
    before, after = _star(pattern)
    shape = list(tensor.shape)
    if len(shape) != before + after + 1:
        raise _error(EinopsError, "bad_rank",
                     f'unpack: the tensor has shape {shape}, "{pattern}" has {before + after + 1} axes')
    lengths: list[int] = []
    for extents in packed_shapes:
        count = 1
        for extent in extents:
            count = -1 if extent == -1 or count == -1 else count * extent
        lengths.append(count)
    if lengths.count(-1) > 1:
        raise _error(EinopsError, "shape_mismatch", "unpack: more than one shape has a -1")
    if -1 in lengths:
        lengths[lengths.index(-1)] = shape[before] - sum(n for n in lengths if n != -1)
    try:
        parts = _core.split(tensor, lengths, before)
        return [_reshape(part, [*shape[:before], *extents, *shape[before + 1:]])
                for part, extents in zip(parts, packed_shapes)]
    except (_errors.ShapeError, _errors.ParameterError) as error:
        raise _error(EinopsError, error.category, str(error)) from error


def asnumpy(tensor: Any) -> Array:
    """einops.asnumpy: the elements as an array."""
    return _core.to_numpy(tensor)  # type: ignore[no-any-return]


__all__ = ["EinopsError", "NotSupportedError", "asnumpy", "einsum", "pack", "parse_shape", "rearrange", "reduce",
           "repeat", "unpack"]
