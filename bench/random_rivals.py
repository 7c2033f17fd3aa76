#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""NumPy, torch and ONNX Runtime on the random chains that `weft_bench --random=N --seed=S --json FILE` measured:
random_rivals.py FILE [FRAMEWORK...]

Each takes the chains that it can, and must compute what NumPy does; it is timed in turn with the same two-thread copy
as weft_bench times, its result in memory that is used again. Prints how many chains of each weft is faster on, and
those that it is not, the slowest first."""

import json
import sys

import numpy as np

import frameworks
import graph_frameworks
from rivals import limited_time, measure

LARGE = 256 * 1024
SLOW_SECONDS = 0.02
TOLD = 20
TYPES = {"u8": "u1", "u16": "u2", "f16": "f2", "f32": "f4", "f64": "f8", "c128": "c16", "struct of 3 bytes": "V3",
         "struct of 12 bytes": "V12"}


class Sliced:
    def slice(self, x, axis, start, stop, step): return x[(slice(None),) * axis + (slice(start, stop, step),)]


class NumPy(Sliced, frameworks.NumPy):
    def flip(self, x, axis): return np.flip(x, axis)
    def pad(self, x, before, after): return np.pad(x, list(zip(before, after)))
    def repeat(self, x, count, axis): return np.repeat(x, count, axis)


class Torch(Sliced, frameworks.Torch):
    def flip(self, x, axis): return self.torch.flip(x, [axis])
    def repeat(self, x, count, axis): return self.torch.repeat_interleave(x, count, axis)

    def pad(self, x, before, after):  # told from the last axis on
        widths = [width for pair in zip(reversed(before), reversed(after)) for width in pair]
        return self.torch.nn.functional.pad(x, widths)

    def tensor(self, x):
        if x.dtype.kind == "V":
            raise frameworks.Unable("has no structs")
        return super().tensor(x)


class OnnxRuntime(graph_frameworks.OnnxRuntime):
    def flip(self, x, axis): return self.slice_axis(x, axis, -1, -self.shapes[x][axis] - 1, -1)
    def slice(self, x, axis, start, stop, step): return self.slice_axis(x, axis, start, stop, step)

    def pad(self, x, before, after):
        shape = np.array(self.shapes[x]) + before + after
        return self.node("Pad", [x, self.ints([*before, *after])], shape)

    def repeat(self, x, count, axis):
        shape = self.shapes[x]
        spread = self.reshape(x, [*shape[:axis + 1], 1, *shape[axis + 1:]])
        times = [1] * (len(shape) + 1)
        times[axis + 1] = count
        return self.reshape(self.tile(spread, times), [*shape[:axis], shape[axis] * count, *shape[axis + 1:]])


FRAMEWORKS = {"NumPy": NumPy, "torch": Torch, "ONNX Runtime": OnnxRuntime}


def apply(ops, x, op, arguments):
    """What bench/random/random_chain.h calls so."""
    match op, arguments:
        case "roll", [shifts, axes]: return ops.roll(x, shifts, axes)
        case "transpose", [order]: return ops.transpose(x, order)
        case "reshape", [shape]: return ops.reshape(x, shape)
        case "tile", [repeats]: return ops.tile(x, repeats)
        case "flip", [[axis]]: return ops.flip(x, axis)
        case "slice", [[start], [stop], [step], [axis]]: return ops.slice(x, axis, start, stop, step)
        case "pad", [before, after]: return ops.pad(x, before, after)
        case "repeat", [[count], [axis]]: return ops.repeat(x, count, axis)
        case "concat", [[axis]]: return ops.concat([x, x], axis)
        case "slice_scatter", [[0], [stop], [2], [axis]]:
            updates = ops.slice(x, axis, 0, stop // 2, 1)
            return ops.scatter(x, updates, {axis: (0, 2)})
    raise ValueError(f"{op} {arguments}: an op that is not known here")


def build(chain):
    def built(ops, x):
        for each in chain["ops"]:
            x = apply(ops, x, each["op"], each["arguments"])
        return x
    return built


def ratio(framework, chain, x, expected):
    """Copies that it takes; Unable where it cannot."""
    try:
        with limited_time():
            call, value = framework.ready(build(chain), [x])
            got = np.ascontiguousarray(value(call()))
    except Exception as reason:  # whatever a framework throws is why it cannot
        raise frameworks.Unable(str(reason)) from None
    if got.shape != expected.shape or got.tobytes() != expected.tobytes():
        raise frameworks.Unable("computes something else")
    return measure(call, expected.nbytes, SLOW_SECONDS)["ratio"]


def text(chain):
    steps = " | ".join(f"{each['op']}({', '.join(map(str, each['arguments']))})" for each in chain["ops"])
    return f"{chain['type']} {chain['shape']}: {steps}"


def tell(name, found):
    """`found`: chains and how much longer weft takes."""
    for what, some in (("from 256 KiB up", [each for each in found if each[0]["bytes"] >= LARGE]),
                       ("below", [each for each in found if each[0]["bytes"] < LARGE])):
        behind = [each for each in some if each[1] > 1]
        print(f"{name}, {what}: weft is faster on {len(some) - len(behind)} of {len(some)}, "
              f"more than twice slower on {sum(each[1] > 2 for each in some)}")
    for chain, longer in sorted(found, key=lambda each: -each[1])[:TOLD]:
        if longer > 1:
            print(f"  seed {chain['seed']}, {longer:.2f} times as long, {chain['weft_us']:.1f} us, "
                  f"{chain['bytes'] / 1024:.0f} KiB, {text(chain)}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        chains = json.load(file)
    ready = {name: FRAMEWORKS[name]() for name in sys.argv[2:] or FRAMEWORKS}
    found = {name: [] for name in ready}
    numpy = NumPy()
    for chain in chains:
        dtype = np.dtype(TYPES[chain["type"]])
        count = int(np.prod(chain["shape"]))
        data = np.random.default_rng(chain["seed"]).integers(0, 100, count * dtype.itemsize, np.uint8)
        x = data.view(dtype).reshape(chain["shape"])
        expected = np.ascontiguousarray(build(chain)(numpy, x))
        if np.may_share_memory(expected, x):  # nothing has to move
            continue
        expected = expected.copy()
        own = chain["weft_us"] / chain["copy_us"]
        for name, framework in ready.items():
            try:
                found[name].append((chain, own / ratio(framework, chain, x, expected)))
            except frameworks.Unable as reason:
                print(f"{name}, seed {chain['seed']}: {str(reason).strip().splitlines()[0][:150]}", file=sys.stderr)
    for name, some in found.items():
        tell(name, some)


if __name__ == "__main__":
    main()
