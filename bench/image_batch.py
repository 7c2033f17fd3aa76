#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures examples/image_batch beside torch, torch.compile and OpenCV: image_batch.py IMAGE_BATCH [ROUNDS]

What they make is compared with NumPy first. Then they take turns, ROUNDS times, all with huge pages; prints the
table of docs/image-batch.md."""

import re
import subprocess
import sys

import numpy as np

from compute_frameworks import NumPy, Torch, TorchCompile
from compute_rivals import bytes_of, checked, have_huge_pages, medians, processor, table

SHAPES = [(64, 256, 256), (16, 1080, 1920)]
MEAN, DEVIATION = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])
LINE = re.compile(r"^(\w+) +fused +([\d.]+) ms \(at first +([\d.]+) ms\), op by op +([\d.]+) ms, the same bits$", re.M)
FIRST = "{}, until its first result"
DTYPES = {"f32": "float32", "bf16": "bfloat16"}


def part(extent):
    """Where the middle 7/8 of an axis begin and end, as center_crop has them."""
    size = extent * 7 // 8
    return (extent - size) // 2, (extent - size) // 2 + size


def normalised(dtype):
    def build(ops, batch, mean, deviation):
        mirrored = ops.mirrored(batch, part(batch.shape[1]), part(batch.shape[2]))
        even = (ops.cast(mirrored, "float32") / 255 - mean) / deviation
        return ops.transpose(ops.cast(even, dtype), (0, 3, 1, 2))
    return build


class OpenCv:
    """An image after the other: mirrored, made f32 less the mean, scaled, and split into planes of the result."""

    def __init__(self):
        import cv2
        self.cv, self.version = cv2, cv2.__version__
        cv2.setNumThreads(2)

    def ready(self, _, inputs):
        batch = inputs[0]
        (top, bottom), (left, right) = part(batch.shape[1]), part(batch.shape[2])
        out = np.empty((len(batch), 3, bottom - top, right - left), np.float32)
        mean, scale = (255 * MEAN).tolist(), (1 / (255 * DEVIATION)).tolist()
        mirrored = np.empty((bottom - top, right - left, 3), np.uint8)
        even = np.empty(mirrored.shape, np.float32)

        def call():
            for image, planes in zip(batch, out):
                self.cv.flip(image[top:bottom, left:right], 1, mirrored)
                self.cv.subtract(mirrored, (*mean, 0), even, dtype=self.cv.CV_32F)
                self.cv.multiply(even, (*scale, 0), even)
                self.cv.split(even, list(planes))
            return out
        return call, lambda y: y


FRAMEWORKS = {"torch": Torch, "torch.compile": TorchCompile, "OpenCV, an image at a time": OpenCv}


def weft_times(program, shape):
    """Of each type: the seconds fused, of the first such pass, and op by op."""
    words = [program, *map(str, shape), "3"]
    printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return {name: {"weft, one pass": float(one) / 1e3, "weft, op by op": float(many) / 1e3,
                   FIRST.format("weft"): float(first) / 1e3}
            for name, one, first, many in LINE.findall(printed)}


def measure(program, frameworks, shape, kind, rounds):
    """Medians by contender, and the seconds until there were first results."""
    build, inputs = normalised(DTYPES[kind]), [bytes_of(*shape, 3), MEAN, DEVIATION]
    expected = np.ascontiguousarray(build(NumPy(), *inputs))
    calls = {name: checked(framework, build, inputs, expected) for name, framework in frameworks.items()
             if not (isinstance(framework, OpenCv) and kind == "bf16")}  # which it has not
    times = medians(rounds, lambda: weft_times(program, shape)[kind], calls)
    times[FIRST.format("weft")] = times.pop(FIRST.format("weft"))  # after the others
    return times | {FIRST.format("torch.compile"): calls["torch.compile"][2]}


def main():
    have_huge_pages()
    program, rounds = sys.argv[1], int((sys.argv[2:] or ["9"])[0])
    frameworks = {name: kind() for name, kind in FRAMEWORKS.items()}
    frameworks["torch.compile"].ready(lambda ops, x: x * 2.0, [np.ones(8, np.float32)])[0]()  # starts its compiler
    columns = {}
    for shape in SHAPES:
        for kind in DTYPES:
            column = f"{' x '.join(map(str, shape))}, {kind}"
            columns[column] = measure(program, frameworks, shape, kind, rounds)
            print(column, "done", file=sys.stderr)
    print(f"{processor()}; medians of {rounds} rounds; torch {frameworks['torch'].version}, "
          f"OpenCV {frameworks['OpenCV, an image at a time'].version}\n")
    names = next(iter(columns.values()))
    print(table(list(columns), [(name, {column: times.get(name) for column, times in columns.items()})
                                for name in names]))


if __name__ == "__main__":
    main()
