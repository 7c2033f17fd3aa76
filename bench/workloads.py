# SPDX-License-Identifier: Apache-2.0
"""The workloads of weft_bench, said once over the ops that every framework gives (bench/frameworks.py)."""

import itertools

import numpy as np


class Workload:
    """`inputs()` are NumPy arrays; `build(ops, *inputs)` says the result by the ops of a framework."""

    def __init__(self, inputs, build):
        self.inputs, self.build = inputs, build


def iota(dtype, *shape, start=0):
    return (np.arange(start, start + np.prod(shape), dtype=np.int64).astype(dtype)).reshape(shape)


def transpose(dtype, shape, order):
    return Workload(lambda: [iota(dtype, *shape)], lambda ops, x: ops.transpose(x, order))


def chain(count):
    def build(ops, x):
        for i in range(count):
            x = ops.roll(x, (3 + i, -5), (0, 1)) if i % 2 == 0 else ops.transpose(x, (1, 0, 2))
        return x
    return Workload(lambda: [iota(np.float32, 512, 512, 16)], build)


def window_partition(ops, x):
    x = ops.reshape(ops.roll(x, (-3, -3), (1, 2)), (8, 8, 7, 8, 7, 96))
    return ops.reshape(ops.transpose(x, (0, 1, 3, 2, 4, 5)), (512, 49, 96))


def window_back(ops, x):
    x = ops.transpose(ops.reshape(x, (8, 8, 8, 7, 7, 96)), (0, 1, 3, 2, 4, 5))
    return ops.roll(ops.reshape(x, (8, 56, 56, 96)), (3, 3), (1, 2))


def six_ops(ops, x, updates):
    x = ops.tile(ops.roll(ops.transpose(x, (2, 0, 1)), (5,), (0,)), (1, 2, 1))
    return ops.scatter(ops.transpose(ops.roll(x, (-3,), (1,)), (1, 2, 0)), updates, {0: (0, 2)})


def depth_to_space(ops, x):
    x = ops.transpose(ops.reshape(x, (8, 16, 4, 4, 64, 64)), (0, 1, 4, 2, 5, 3))
    return ops.reshape(x, (8, 16, 256, 256))


def four_ops(ops, x, updates):
    x = ops.tile(ops.transpose(ops.roll(x, (1,), (2,)), (2, 0, 1)), (2, 1, 1))
    return ops.scatter(x, updates, {0: (0, 2)})


def there_and_back(ops, x):
    x = ops.roll(ops.roll(x, (7,), (1,)), (-7,), (1,))
    return ops.transpose(ops.transpose(x, (1, 0)), (1, 0))


def square(updates):
    return [iota(np.float32, 4096, 4096), iota(np.float32, updates, updates, start=1 << 24)]


def step():
    return iota(np.uint16, 8, 32, 1, 128, start=7)


def tiny():
    return [iota(np.float32, 2, 3, 4), iota(np.float32, 4, 2, 3, start=100)]


def framed(ops, x):
    return ops.transpose(ops.roll(ops.pad(x, 64, 1.5), (1000, -700), (0, 1)), (1, 0))


def below_each_other(ops, *squares):
    return ops.concat([ops.transpose(x, (1, 0)) for x in squares])


def f32(*shape):
    return lambda: [iota(np.float32, *shape)]


# A group is a list: its figure is the geometric mean.
WORKLOADS = {
    "W1": [Workload(f32(4096, 4096), lambda ops, x: ops.roll(x, (1000, -700), (0, 1)))],
    "W2.u8": [transpose(np.uint8, (4096, 4096), (1, 0))],
    "W2.u16": [transpose(np.uint16, (4096, 4096), (1, 0))],
    "W2.f32": [transpose(np.float32, (4096, 4096), (1, 0))],
    "W2.f64": [transpose(np.float64, (4096, 4096), (1, 0))],
    "W3": [transpose(np.float32, (32, 64, 112, 112), (0, 2, 3, 1))],
    "W4": [transpose(np.uint8, (32, 224, 224, 3), (0, 3, 1, 2))],
    "W5": [Workload(f32(1024, 1024), lambda ops, x: ops.tile(x, (4, 4)))],
    "W5b": [Workload(f32(64, 3), lambda ops, x: ops.tile(x, (4096, 1)))],
    "W5c": [Workload(f32(3), lambda ops, x: ops.tile(x, (1 << 24,)))],
    # Slices are told as axis: (start, step); their extent is that of the updates.
    "W6": [Workload(lambda: square(2048), lambda ops, x, u: ops.scatter(x, u, {0: (0, 2), 1: (0, 2)}))],
    # The whole of data is replaced, backwards: who knows that writes a flip.
    "W6b": [Workload(lambda: square(4096), lambda ops, x, u: ops.flip(u))],
    "W7": [Workload(lambda: [iota(np.uint16, 8, 32, 4096, 128), step()],
                    lambda ops, x, u: ops.scatter(x, u, {2: (777, 1)}))],
    "W7.in": [Workload(lambda: [np.full((8, 32, 4096, 128), 3, np.uint16), step()],
                       lambda ops, x, u: ops.scatter(x, u, {2: (777, 1)}))],
    "W8": [Workload(f32(8, 56, 56, 96), window_partition)],
    "W8i": [Workload(f32(512, 49, 96), window_back)],
    "W9": [Workload(lambda: [iota(np.float32, 64, 256, 1024), iota(np.float32, 64, 256, 1024, start=1 << 23)],
                    six_ops)],
    **{f"W10.{n}": [chain(n)] for n in (1, 4, 8, 16, 32, 64, 2, 6, 66)},
    "W11": [Workload(f32(4096, 4096), there_and_back)],
    "W12": [Workload(f32(8, 256, 64, 64), depth_to_space)],
    "W13": [Workload(tiny, four_ops)],
    "W13.p": [Workload(tiny, four_ops)],
    "W14": [Workload(f32(3968, 3968), framed)],
    "W15": [Workload(lambda: [iota(np.float32, 512, 512, start=k << 18) for k in range(8)], below_each_other)],
    "H1": [transpose(np.float32, (7, 129, 255, 33), order) for order in itertools.permutations(range(4))],
    "H2": [transpose(np.float32, (8, 9, 10, 11, 12, 13), tuple(map(int, order)))
           for order in ("543210", "305142", "150324", "420513", "024135")],
}
