#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Python frameworks beside the rows of weft_compute: compute_rivals.py WEFT_COMPUTE [ROWS [ROUNDS]]

ROWS are letters, as abk; all unless told. What a framework computes is compared with NumPy first. Then all of them,
weft_compute among them, take turns, ROUNDS times; prints tables of medians as Markdown.

All have huge pages, as weft and NumPy ask for by themselves: else most of what some take is pages that are new."""

import os
import re
import statistics
import subprocess
import sys
import time

os.environ |= {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive",  # those who wait busily would slow others
               "THP_MEM_ALLOC_ENABLE": "1",  # torch's word for huge pages
              "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1"}
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])

import numpy as np

from compute_frameworks import FRAMEWORKS, NumPy
from frameworks import Unable
from rivals import limited_time, repeats_of, seconds

WEFT_ROUNDS = 3  # of weft_compute in a turn of it
LINE = re.compile(r"^(.{34}) +([\d.]+) us +([\d.]+) \[.*?\](?: +([\d.]+) \[)?")
TOLERANCES = {"float32": (1e-5, 1e-5), "bfloat16": (2**-7, 1e-5), "uint8": (0, 0)}  # relative, absolute


class Row:
    def __init__(self, inputs, build):
        self.inputs, self.build = inputs, build


def floats(*shape):
    """From -2 to 2, in steps that f32 has."""
    return (np.random.default_rng(1).integers(0, 1 << 24, shape, dtype=np.int32) / np.float32(1 << 22)
            - np.float32(2)).astype(np.float32)


def bytes_of(*shape): return np.random.default_rng(2).integers(0, 256, shape, dtype=np.uint8)


def squares(count): return lambda: [floats(4096, 4096) for _ in range(count)]


def planes(dtype):
    def inputs():
        return [bytes_of(16, 1080, 1920, 3), np.float32([0.017, 0.0175, 0.0174]).reshape(3, 1, 1),
                np.float32([-2.1, -2.0, -1.8]).reshape(3, 1, 1)]

    def build(ops, x, scale, shift):
        cut = ops.transpose(ops.mirrored(x, (28, 1052), (64, 1856)), (0, 3, 1, 2))
        made = ops.cast(cut, "float32") * scale + shift
        return made if dtype == "float32" else ops.cast(made, dtype)
    return Row(inputs, build)


def gelu_spelled_out(ops, x):
    return 0.5 * x * (1.0 + ops.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def halves():
    import ml_dtypes
    return [floats(16 << 20).astype(ml_dtypes.bfloat16), floats(16 << 20)[::-1].astype(ml_dtypes.bfloat16)]


def sixteen(ops, x):
    t = ops.sqrt(ops.abs(x * 1.5 + 0.25)) - 0.5
    t = ops.maximum(t * x, -1.0) + x
    t = -(ops.minimum(t, 6.0) * 0.75 + 1.0)
    return ops.maximum((t * t + 0.125) * x, 0.0)


def six(*shape):
    return Row(lambda: [floats(*shape), floats(*shape), floats(shape[-1])],
               lambda ops, x, y, z: (((x + y) * z + y) * x + z) * y)


def average(ops, a, b):
    total = ops.cast(a, ops.wide) + ops.cast(b, ops.wide)
    return ops.clip(ops.cast(ops.shift_right(total, 1), "uint8"), 16, 235)


# As weft_compute prints them; None is what it measures of weft alone.
ROWS = {
    "a": [planes("float32"), planes("bfloat16")],
    "b": [Row(squares(3), lambda ops, a, b, c: a * b + c),
          Row(squares(3), lambda ops, a, b, c: a * ops.transpose(b, (1, 0)) + c),
          Row(squares(3), lambda ops, a, b, c: a * ops.roll(b, (5,), (1,)) + c)],
    "c": [Row(squares(1), lambda ops, x: ops.gelu(x)), Row(squares(1), gelu_spelled_out)],
    "g": [Row(halves, lambda ops, a, b: a + b)],
    "h": [Row(lambda: [floats(4096)], sixteen), Row(lambda: [floats(16 << 20)], sixteen)],
    "i": [six(2, 3, 4), None, six(64, 64), None],
    "k": [Row(lambda: [bytes_of(95 << 20), bytes_of(95 << 20)[::-1].copy()], average)],
}


def weft_times(program, letter):
    """Of each row: its name, and the seconds of weft, of a copy and of loops by hand."""
    printed = subprocess.run([program, letter, str(WEFT_ROUNDS)], capture_output=True, text=True, check=True).stdout
    rows = []
    for name, us, copies, loops in (LINE.match(line).groups() for line in printed.splitlines()[1:]):
        ours = float(us) / 1e6
        rows.append((name.strip(), {"weft": ours, "copy": ours / float(copies)} |
                     ({"by hand": ours / float(loops)} if loops else {})))
    return rows


def checked(framework, build, inputs, expected):
    """A call, how often a sample repeats it, and the seconds until there was a first result."""
    start = time.perf_counter()
    call, value = framework.ready(build, inputs)
    result = call()
    first = time.perf_counter() - start
    got, (relative, absolute) = value(result), TOLERANCES[str(expected.dtype)]
    if got.shape != expected.shape or got.dtype != expected.dtype:
        raise ValueError(f"computes {got.dtype}{got.shape}")
    if not np.allclose(got.astype(np.float32), expected.astype(np.float32), relative, absolute):
        raise ValueError("computes something else")
    return call, repeats_of(call), first


def prepared(frameworks, name, row, failures):
    """The calls of a row by framework; what cannot be done goes into `failures`."""
    inputs = row.inputs()
    try:
        expected = np.ascontiguousarray(row.build(NumPy(), *inputs))
    except Unable:  # by name
        expected = np.ascontiguousarray(gelu_spelled_out(NumPy(), *inputs))
    calls = {}
    for key, framework in frameworks.items():
        try:
            with limited_time():
                calls[key] = checked(framework, row.build, inputs, expected)
        except Exception as reason:  # whatever a framework throws is the reason to tell
            kind = "" if isinstance(reason, Unable) else f"{type(reason).__name__}: "
            failures.append(f"{name}: {key} {kind}{(str(reason).strip().splitlines() or [''])[0][:160]}")
    return calls


def medians(rounds, ours, calls):
    """Seconds by contender; `ours` measures those of weft, `calls` are as checked() gives them."""
    times = {}
    for _ in range(rounds):
        of_round = ours() | {key: seconds(call, repeats) for key, (call, repeats, _) in calls.items()}
        for key, value in of_round.items():
            times.setdefault(key, []).append(value)
    return {key: statistics.median(values) for key, values in times.items()}


def measure(program, frameworks, letter, rounds, failures):
    """Of each row: its name, medians by contender, and the seconds until first results."""
    for i, (name, _) in enumerate(weft_times(program, letter)):
        row = ROWS[letter][i]
        calls = prepared(frameworks, name, row, failures) if row else {}
        times = medians(rounds, lambda: weft_times(program, letter)[i][1], calls)
        yield name, times, {key: first for key, (_, _, first) in calls.items()}


def started():
    """The frameworks that are here, each of which has computed something small."""
    frameworks = {}
    for name, kind in FRAMEWORKS.items():
        try:
            frameworks[name] = kind()
            frameworks[name].ready(lambda ops, x: x * 2.0, [floats(8)])[0]()
        except Exception as reason:
            print(f"{name}: not measured, {type(reason).__name__}: {str(reason).splitlines()[0]}", file=sys.stderr)
            frameworks.pop(name, None)
    return frameworks


def told(time):
    if time is None:
        return "-"
    unit, scale = next((unit, scale) for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6))
                       if time * scale >= 0.9 or unit == "us")
    value = time * scale
    return f"{value:.0f} {unit}" if value >= 99.5 else f"{value:.1f} {unit}" if value >= 9.95 else f"{value:.2f} {unit}"


def table(columns, rows):
    lines = [f"| | {' | '.join(columns)} |", "| --- |" + " --- |" * len(columns)]
    return "\n".join(lines + [f"| {name} | {' | '.join(told(of.get(key)) for key in columns)} |" for name, of in rows])


def processor():
    about = dict(line.split(":", 1) for line in
                 subprocess.run(["lscpu"], capture_output=True, text=True).stdout.splitlines() if ":" in line)
    name, family, model = (about.get(key, "?").strip() for key in ("Model name", "CPU family", "Model"))
    return f"{name} (family {family}, model {model}), {len(os.sched_getaffinity(0))} cores"


def have_huge_pages():
    """Starts the program again unless malloc was told to ask for them."""
    if "GLIBC_TUNABLES" not in os.environ:
        os.environ["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
        os.execv(sys.executable, [sys.executable, *sys.argv])


def main():
    have_huge_pages()
    program, letters, rounds = sys.argv[1], (sys.argv[2:] or [ROWS])[0], int((sys.argv[3:] or ["9"])[0])
    frameworks, failures, rows = started(), [], []
    for letter in letters:
        rows += measure(program, frameworks, letter, rounds, failures)
        print(letter, "done", file=sys.stderr)
    print(f"{processor()}; medians of {rounds} rounds; "
          f"{', '.join(f'{name} {framework.version}' for name, framework in frameworks.items())}\n")
    print(table(["weft", "copy", "by hand", *frameworks], [(name, times) for name, times, _ in rows]))
    print("\nUntil there was a first result:\n")
    print(table(list(frameworks), [(name, firsts) for name, _, firsts in rows if firsts]))
    if failures:
        print("\n" + "\n".join(f"- {failure}" for failure in failures))


if __name__ == "__main__":
    main()
