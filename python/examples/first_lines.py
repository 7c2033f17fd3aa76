# SPDX-License-Identifier: Apache-2.0
"""Arrays in and out, a lazy chain, a program: what mypy --strict knows of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import weft
from weft import einops


def windows(images: NDArray[np.float32], size: int) -> NDArray[Any]:
    """Images [b, h, w, c], rolled by half a window and cut into windows, in one pass."""
    x = weft.asarray(images)
    rolled = weft.roll(x, (-(size // 2), -(size // 2)), axis=(1, 2))
    cut: weft.Tensor = einops.rearrange(rolled, "b (h p) (w q) c -> (b h w) (p q) c", p=size, q=size)
    return cut.numpy()


def standardised(x: weft.Tensor) -> weft.Tensor:
    """Rows less their mean, over their deviation."""
    mean = x.mean(axis=-1, keepdims=True)
    return (x - mean) / weft.sqrt(weft.var(x, axis=-1, keepdims=True) + 1e-5)


def main() -> None:
    images = np.arange(2 * 8 * 8 * 3, dtype=np.float32).reshape(2, 8, 8, 3)
    print(windows(images, 4).shape)

    rows = weft.placeholder(weft.float32, ("rows", 4), name="rows")
    program = weft.Program([rows], standardised)
    print(program(images.reshape(-1, 4)).shape)

    eager: NDArray[Any] = weft.flip(weft.concat([images, images], axis=0), axis=-1)
    lazy: weft.Tensor = weft.where(weft.asarray(images) > 5, weft.asarray(images), 0.0)
    print(eager.shape, lazy[0, :2, ::-1].shape, float(lazy.max()))


if __name__ == "__main__":
    main()
