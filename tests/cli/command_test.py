#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command against NumPy, and against people: command_test.py WEFT [PIPELINES [SEED]]

Random pipelines have NumPy's types, shapes and bytes; what is wrong ends with status 1, at most three lines that begin with
"weft:", and no file; an output that was there is as it was."""

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from more_steps import MORE

WEFT = str(Path(sys.argv[1]).resolve())
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 300
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
LARGEST = 20000  # elements of a value


def weft(*words, cwd, stdin=None):
    return subprocess.run([WEFT, *words], cwd=cwd, input=stdin, capture_output=True, timeout=60)


def listed(values):
    return "[" + ", ".join(str(int(v)) for v in values) + "]"


class Chain:
    """A pipeline as text, and the array that it makes."""

    def __init__(self, rng, x, y):
        self.rng, self.x, self.y, self.steps = rng, x, y, []
        for _ in range(rng.randint(1, 5)):
            name = rng.choice(STEPS)
            made = MORE[name](self) if name in MORE else getattr(self, name)()
            if made is not None and made[1].size <= LARGEST and made[1].ndim <= 6:
                self.steps.append(made[0])
                self.x = made[1]

    def axis(self): return self.rng.randrange(self.x.ndim)

    def roll(self):
        if not self.x.ndim: return None
        axes = self.rng.sample(range(self.x.ndim), self.rng.randint(1, self.x.ndim))
        shift = [self.rng.randint(-9, 9) for _ in axes]
        return f"roll({listed(shift)}, axes={listed(axes)})", np.roll(self.x, shift, axes)

    def transpose(self):
        order = self.rng.sample(range(self.x.ndim), self.x.ndim)
        return f"transpose({listed(order)})", self.x.transpose(order)

    def permute_dims(self):
        order = self.rng.sample(range(self.x.ndim), self.x.ndim)
        return f"permute_dims(axes={listed(order)})", self.x.transpose(order)

    def flip(self):
        if not self.x.ndim: return None
        axis = self.axis()
        return f"flip({axis - self.x.ndim})", np.flip(self.x, axis)

    def slice(self):
        if not self.x.ndim: return None
        axis = self.axis()
        n = self.x.shape[axis]
        start, stop, step = self.rng.randint(0, n), self.rng.randint(0, n), self.rng.choice([1, 1, 2, 3])
        cut = [slice(None)] * self.x.ndim
        cut[axis] = slice(start, stop, step)
        return f"slice([{start}], [{stop}], [{step}], [{axis}])", self.x[tuple(cut)]

    def pad(self):
        widths = [(self.rng.randint(0, 2), self.rng.randint(0, 2)) for _ in range(self.x.ndim)]
        value = self.rng.randint(0, 9)
        if self.x.dtype == bool: value = 1
        before, after = listed(w[0] for w in widths), listed(w[1] for w in widths)
        made = np.pad(self.x, widths, constant_values=value) if self.x.ndim else self.x
        return f"pad({before}, {after}, {value})", made

    def tile(self):
        times = [self.rng.randint(1, 3) for _ in range(self.x.ndim)]
        return f"tile({listed(times)})", np.tile(self.x, times) if times else self.x

    def repeat(self):
        if not self.x.ndim: return None
        axis = self.axis()
        return f"repeat(2, axis={axis})", np.repeat(self.x, 2, axis)

    def reshape(self): return f"reshape([{self.x.size}])", self.x.reshape(-1)

    def flatten(self): return "flatten()" if self.x.ndim else "reshape([1])", self.x.reshape(-1)

    def expand_dims(self):
        axis = self.rng.randint(0, self.x.ndim)
        return f"expand_dims([{axis}])", np.expand_dims(self.x, axis)

    def squeeze(self): return "squeeze", np.squeeze(self.x)

    def moveaxis(self):
        if not self.x.ndim: return None
        a, b = self.axis(), self.axis()
        return f"moveaxis(source={a}, destination={b})", np.moveaxis(self.x, a, b)

    def swapaxes(self):
        if not self.x.ndim: return None
        a, b = self.axis(), self.axis()
        return f"swapaxes({a}, {b})", np.swapaxes(self.x, a, b)

    def concat(self):
        if not self.x.ndim: return None
        axis = self.axis()
        return f"concat(_, flip(_, {axis}), axis={axis})", np.concatenate([self.x, np.flip(self.x, axis)], axis)

    def stack(self):
        axis = self.rng.randint(0, self.x.ndim)
        return f"stack([_, _], axis={axis})", np.stack([self.x, self.x], axis)

    def rot90(self):
        if self.x.ndim < 2: return None
        k = self.rng.randint(-3, 5)
        return f"rot90({k})", np.rot90(self.x, k)

    def triangle(self):
        if self.x.ndim < 2: return None
        k = self.rng.randint(-2, 2)
        name = self.rng.choice(["tril", "triu"])
        return f"{name}({k})", getattr(np, name)(self.x, k)

    def diagonal(self):
        if self.x.ndim < 2: return None
        k = self.rng.randint(-1, 1)
        if min(self.x.shape[0], self.x.shape[1]) < 2: return None
        return f"diagonal(offset={k})", np.diagonal(self.x, k)

    def select(self):
        if not self.x.ndim: return None
        axis = self.axis()
        if not self.x.shape[axis]: return None
        k = self.rng.randrange(self.x.shape[axis])
        return f"select({axis}, {k})", np.take(self.x, k, axis)

    def take(self):
        if not self.x.ndim: return None
        axis = self.axis()
        if not self.x.shape[axis]: return None
        places = [self.rng.randrange(self.x.shape[axis]) for _ in range(3)]
        return f"take({listed(places)}, axis={axis})", np.take(self.x, places, axis)

    def slice_scatter(self):
        if not self.x.ndim: return None
        axis = self.axis()
        half = self.x.shape[axis] // 2
        cut, to = [slice(None)] * self.x.ndim, [slice(None)] * self.x.ndim
        cut[axis], to[axis] = slice(0, half), slice(0, 2 * half, 2)
        made = self.x.copy()
        made[tuple(to)] = self.x[tuple(cut)]
        return f"slice_scatter(_, slice(_, [0], [{half}], [1], [{axis}]), [0], [{2 * half}], [2], [{axis}])", made

    def arithmetic(self):
        if self.x.dtype == bool: return None
        name, sign = self.rng.choice([("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply)])
        number = self.rng.randint(0, 3)
        return f"{name}({number})", sign(self.x, self.x.dtype.type(number))

    def with_itself(self):
        if self.x.dtype == bool: return None
        name, sign = self.rng.choice([("add", np.add), ("maximum", np.maximum), ("minimum", np.minimum)])
        if not self.x.ndim: return None
        return f"{name}(_, flip(_, 0))", sign(self.x, np.flip(self.x, 0))

    def where(self):
        if self.x.dtype == bool: return None
        return "where(greater(_, 3), _, 0)", np.where(self.x > 3, self.x, self.x.dtype.type(0))

    def clip(self):
        if self.x.dtype == bool: return None
        return "clip(1, 7)", np.clip(self.x, 1, 7)

    def astype(self):
        name, dtype = self.rng.choice([("i64", np.int64), ("f64", np.float64), ("i16", np.int16), ("bool", np.bool_)])
        if self.x.dtype.kind == "f" and np.abs(self.x).max(initial=0) > 30000: return None
        return f"astype({name})", self.x.astype(dtype)

    def extreme(self):
        if not self.x.ndim or self.x.dtype == bool: return None
        axis = self.axis()
        if not self.x.shape[axis]: return None
        name = self.rng.choice(["min", "max"])
        return f"{name}([{axis}], keepdims=true)", getattr(np, name)(self.x, axis, keepdims=True)

    def sum(self):
        if not self.x.ndim or self.x.dtype != np.int64: return None
        axis = self.axis()
        return f"sum([{axis}])", self.x.sum(axis)

    def broadcast_to(self): return f"broadcast_to({listed((2,) + self.x.shape)})", np.broadcast_to(self.x, (2,) + self.x.shape)

    def other(self):
        """Of an input by name."""
        if self.x.shape != self.y.shape or self.x.dtype != self.y.dtype: return None
        return "add(y)", self.x + self.y


STEPS = [name for name in vars(Chain) if not name.startswith("_") and name != "axis"] + list(MORE)


def check_pipelines(folder):
    rng, values = random.Random(SEED), np.random.default_rng(SEED)
    used = set()
    for k in range(COUNT):
        shape = tuple(rng.randint(1, 7) for _ in range(rng.randint(1, 4)))
        dtype = rng.choice([np.float32, np.int64, np.uint8, np.float64, np.int32])
        x, y = values.integers(0, 9, shape).astype(dtype), values.integers(0, 9, shape).astype(dtype)
        np.save(folder / "x.npy", np.asfortranarray(x) if rng.random() < 0.3 else x)
        np.save(folder / "y.npy", y)
        chain = Chain(rng, x, y)
        if not chain.steps: continue
        used |= set(re.findall(r"([a-z_0-9]+)(?=\(|$| \|)", " | ".join(chain.steps)))
        text = " | ".join(chain.steps)
        ran = weft("run", text, "x.npy", "--in", "y=y.npy", "-o", "out.npy", cwd=folder)
        assert ran.returncode == 0, (k, text, x.shape, x.dtype, ran.stderr)
        made, expected = np.load(folder / "out.npy"), chain.x
        same = made.dtype == expected.dtype and made.shape == expected.shape and made.tobytes() == expected.tobytes()
        assert same, (k, text, x.shape, x.dtype, made.dtype, made.shape, expected.dtype, expected.shape)
    ops = {line.split("(")[0] for line in weft("ops", cwd=folder).stdout.decode().splitlines()}
    return len(used & ops)


def check_wrong(folder):
    np.save(folder / "x.npy", np.arange(24, dtype=np.float32).reshape(2, 3, 4))
    (folder / "text.npy").write_text("no array")
    (folder / "kept.npy").write_bytes(b"kept")
    pipelines = ["", "|", "roll", "roll(", "roll(1)", "roll(1, 9)", "roll(1, 0) |", "rol(1, 0)", "flip | | flip", "flip('a')",
                 "transpose([0, 0, 1])", "reshape([5])", "add(y)", "add(1.5) | astype(f31)", "concat(_, _, axis=7)", "pad([1], [1])",
                 "slice([0], [1], [0])", "tile([-1, 1, 1])", "tile([1000000, 1000000, 1000000])", "take([9], axis=0)",
                 "sum(axes=[3])", "astype(bool) | add(1)", "rearrange('a b -> b a')", "rearrange('a b c -> a b')", "squeeze([1])",
                 "broadcast_to([2, 2])", "matmul(_)", "einsum('a b, b c -> a c')", "select(0, 7)", "diagonal(axis1=0, axis2=0)"]
    for text in pipelines:
        # Each alone, and behind and before steps that are right.
        for whole in {text, f"flip | {text}", f"{text} | flip"} | {f"roll(1, {k}) | {text}" for k in range(3)}:
            yield ["run", whole, "x.npy", "-o", "kept.npy"]
            yield ["run", whole, "x.npy", "-o", "new.npy"]
    for words in [["run"], ["run", "flip"], [], ["no"], ["run", "flip", "none.npy", "-o", "new.npy"],
                  ["run", "flip", "text.npy", "-o", "new.npy"], ["run", "flip", "x.npy", "-o", "no/new.npy"],
                  ["run", "flip", "x.npy", "-o", "new.what"], ["run", "flip", "x.npy", "--threads", "-1", "-o", "new.npy"],
                  ["run", "flip", "x.npy", "--in", "y", "-o", "new.npy"], ["run", "flip", "x.npy", "--in", "y:=a", "-o", "new.npy"],
                  ["run", "flip", "x.npy", "--in", "y=none.npy", "-o", "new.npy"], ["run", "no.json", "x.npy"],
                  ["run", "flip", "x.npy", "--memory", "much", "-o", "new.npy"], ["info"], ["info", "none.npy"],
                  ["info", "text.npy"], ["ops", "rol"], ["convert", "x.npy"], ["convert", "x.npy", "new.png"],
                  ["explain", "flip("], ["run", "flip", "x.npy", "--dtype", "f33", "-o", "new.npy"],
                  ["run", "flip", "x.npy", "--dtype", "f32", "--shape", "a", "-o", "new.npy"],
                  ["run", "flip", "x.npy:member", "-o", "new.npy"]]:
        yield words


def main():
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root)
        ops = check_pipelines(folder)
        for made in folder.iterdir(): made.unlink()
        wrong = 0
        for words in check_wrong(folder):
            ran = weft(*words, cwd=folder)
            lines = ran.stderr.decode().splitlines()
            told = (words, ran.returncode, ran.stderr)
            assert ran.returncode == 1 and 1 <= len(lines) <= 3 and lines[0].startswith("weft: "), told
            assert not (folder / "new.npy").exists() and (folder / "kept.npy").read_bytes() == b"kept", told
            assert sorted(p.name for p in folder.iterdir()) == ["kept.npy", "text.npy", "x.npy"], told
            wrong += 1
    print(f"{COUNT} pipelines of {ops} ops from seed {SEED} as NumPy's, {wrong} wrong uses told")


if __name__ == "__main__":
    main()
