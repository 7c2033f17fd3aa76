#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Python frameworks as rivals: rivals.py [--list] FRAMEWORK FOLDER GROUP...

FOLDER holds what `weft_bench --rivals --json FOLDER/GROUP.json` wrote. What is expected is computed by NumPy and
must have the digest of weft's output; what a framework computes must equal it, and is then timed in turn with
the same two-thread copy that weft_bench times. Writes FOLDER/FRAMEWORK.GROUP.json. $BENCH_LOCK, if set, is a file
that is locked while something is timed."""

import contextlib
import ctypes
import fcntl
import gc
import json
import math
import os
import pathlib
import signal
import statistics
import sys
import time
import zlib

import numpy as np

import frameworks
import graph_frameworks
from workloads import WORKLOADS

FRAMEWORKS = {"numpy": frameworks.NumPy, "torch": frameworks.Torch, "torch.compile": frameworks.TorchCompile,
              "JAX": frameworks.Jax, "OpenVINO": graph_frameworks.OpenVino,
              "ONNX Runtime": graph_frameworks.OnnxRuntime, "tinygrad": frameworks.TinyGrad, "MLX": frameworks.Mlx}
ROUNDS, FEW_ROUNDS, SLOW_SECONDS = 11, 3, 1.0  # who takes longer than that for a call gets fewer rounds
PATIENCE = 60  # seconds for a workload to be prepared, computed once and compared
SEEN_SECONDS = 2e-4  # a sample's time at least
ROOT = pathlib.Path(__file__).resolve().parent.parent


@contextlib.contextmanager
def machine_to_itself():
    if not os.environ.get("BENCH_LOCK"):
        yield
        return
    with open(os.environ["BENCH_LOCK"], "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Differs(Exception):
    """NumPy and weft disagree: nothing may be measured."""


@contextlib.contextmanager
def limited_time():
    def give_up(*_):
        raise frameworks.Unable(f"is not ready after {PATIENCE} s")
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)


class Copy:
    """The two-thread memcpy of weft_bench."""

    def __init__(self, count):
        self.library = ctypes.CDLL(str(ROOT / "build/release/bin/libweft_copy.so"))
        self.library.weft_copy_new.restype = ctypes.c_void_p
        self.library.weft_copy_new.argtypes = [ctypes.c_int64]
        self.library.weft_copy_run.argtypes = self.library.weft_copy_delete.argtypes = [ctypes.c_void_p]
        self.copy = self.library.weft_copy_new(count)

    def __call__(self):
        self.library.weft_copy_run(self.copy)

    def __del__(self):
        self.library.weft_copy_delete(self.copy)


def seconds(call, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def repeats_of(call):
    call()
    repeats = 1
    while repeats < 1000 and seconds(call, repeats) * repeats < SEEN_SECONDS:
        repeats *= 2
    return repeats


def measure(call, output_bytes, slow=SLOW_SECONDS):
    copy = Copy(output_bytes)
    with machine_to_itself():
        repeats, copies = repeats_of(call), repeats_of(copy)
        once = seconds(call, repeats)
        rounds = FEW_ROUNDS if once > slow else ROUNDS
        pairs = [(seconds(copy, copies), seconds(call, repeats)) for _ in range(rounds)]
    ratios = [work / base for base, work in pairs]
    return {"ratio": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios),
            "ms": statistics.median(work for _, work in pairs) * 1e3, "runs": rounds}


def checked_call(framework, group, workload, digest):
    """The call and the bytes of its output; Unable where it cannot, ValueError where it is wrong."""
    inputs = workload.inputs()
    expected = np.ascontiguousarray(workload.build(frameworks.NumPy(), *inputs))
    if zlib.crc32(expected.reshape(-1).view(np.uint8)) != digest:
        raise Differs(f"{group}: NumPy and weft differ")
    if group == "W7.in":
        call, value = framework.in_place(*inputs)
    else:
        call, value = framework.ready(workload.build, inputs)
    got = np.ascontiguousarray(value(call()))
    if got.shape != expected.shape or got.tobytes() != expected.tobytes():
        raise ValueError("computes something else")
    return call, expected.nbytes


def mean(results):
    if len(results) == 1:
        return results[0]
    return {key: min(r[key] for r in results) if key == "runs"
            else math.exp(statistics.fmean(math.log(r[key]) for r in results)) for key in results[0]}


def measured(framework, group, digests):
    if group == "W13" and framework.compiles:
        return {"unable": "is prepared ahead: see W13.p"}
    if group == "W13.p" and not framework.compiles:
        return {"unable": "prepares nothing ahead: see W13"}
    results = []
    for workload, digest in zip(WORKLOADS[group], digests, strict=True):
        try:
            with limited_time():
                call, output_bytes = checked_call(framework, group, workload, digest)
        except frameworks.Unable as reason:
            return {"unable": str(reason)}
        except ValueError as reason:
            return {"wrong": True, "unable": str(reason)}
        except Differs:
            raise
        except Exception as reason:  # whatever a framework throws is the reason to tell
            return {"unable": f"{type(reason).__name__}: {str(reason).strip().splitlines()[0][:200]}"}
        results.append(measure(call, output_bytes))
        del call
        gc.collect()
    return mean(results)


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(FRAMEWORKS))
        return
    name, folder, groups = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    try:
        framework = FRAMEWORKS[name]()
    except Exception as reason:
        print(f"{name}: not measured, {type(reason).__name__}: {str(reason).splitlines()[0]}")
        return
    for group in groups:
        if group not in WORKLOADS:  # another way of weft's to do what is a workload already
            continue
        digests = json.loads((folder / f"{group}.json").read_text())["results"][0]["digests"]
        result = {"name": name, "version": framework.version} | measured(framework, group, digests)
        (folder / f"{name}.{group}.json").write_text(json.dumps(result))
        if "unable" in result:
            print(f"{name:<14} {group:<8} - {result['unable']}", flush=True)
        else:
            print(f"{name:<14} {group:<8} {result['ratio']:8.2f} {result['ratio_min']:8.2f}-{result['ratio_max']:<8.2f}"
                  f" {result['ms']:10.4f} ms, {result['runs']} runs", flush=True)


if __name__ == "__main__":
    main()
