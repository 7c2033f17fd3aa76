#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures examples/decoder_layer beside torch and ONNX Runtime: decoder_rivals.py DECODER_LAYER [ROUNDS]

The same layer, weights and tokens (examples/decoder_layer.py), on two threads. What each makes is compared with NumPy first;
then they take turns, ROUNDS times. Prints the table of docs/decoder-layer.md. Needs numpy, torch, onnx and onnxruntime."""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}  # those who wait busily would slow others
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from decoder_layer import LARGE, layer, numbers

PROMPT, CAPACITY = 128, 512
LINES = re.compile(r"^again .*fused ([\d.]+) ms, op by op ([\d.]+) ms$", re.M)


def weights(model, heads, kept_heads, width, hidden, tokens):
    shapes = {"attention_norm": (1, [model], 1), "query": (2, [model, heads * width], 0.125),
              "key": (3, [model, kept_heads * width], 0.125), "value": (4, [model, kept_heads * width], 0.125),
              "output": (5, [heads * width, model], 0.125), "mlp_norm": (6, [model], 1),
              "gate": (7, [model, hidden], 0.125), "up": (8, [model, hidden], 0.125),
              "down": (9, [hidden, model], 0.0625)}
    made = {name: numbers(*how).astype(np.float32) for name, how in shapes.items()}
    made["attention_norm"] += 1
    made["mlp_norm"] += 1
    angles = np.arange(CAPACITY)[:, None] * 10000.0 ** (-2 * (np.arange(width) % (width // 2)) / width)
    return made | {"cosine": np.cos(angles).astype(np.float32), "sine": np.sin(angles).astype(np.float32)}


class Torch:
    """Keys and values in memory of the whole capacity, of which a call reads what there is."""

    def __init__(self, sizes):
        import torch
        torch.set_num_threads(2)
        self.torch, self.sizes = torch, sizes
        self.w = {name: torch.from_numpy(each) for name, each in weights(**sizes).items()}
        self.name = f"torch {torch.__version__.split('+')[0]}"
        self.begin()

    def begin(self):
        shape = self.sizes["kept_heads"], CAPACITY, self.sizes["width"]
        self.keys, self.values, self.position = self.torch.zeros(shape), self.torch.zeros(shape), 0

    def __call__(self, x):
        with self.torch.inference_mode():
            return self.layer(self.torch.from_numpy(x)).numpy()

    def layer(self, x):
        torch, w, s = self.torch, self.w, self.sizes
        functional, count, begin = torch.nn.functional, len(x), self.position
        end = self.position = begin + count
        cosine, sine = w["cosine"][begin:end], w["sine"][begin:end]

        def rotated(x):
            first, second = x.chunk(2, -1)
            return x * cosine + torch.cat([-second, first], -1) * sine

        def of_heads(x, name):
            return (x @ w[name]).view(count, -1, s["width"]).transpose(0, 1)

        normal = functional.rms_norm(x, x.shape[-1:], w["attention_norm"], 1e-5)
        query, key = rotated(of_heads(normal, "query")), rotated(of_heads(normal, "key"))
        self.keys[:, begin:end], self.values[:, begin:end] = key, of_heads(normal, "value")
        mask = torch.arange(end) <= torch.arange(begin, end)[:, None]
        attended = functional.scaled_dot_product_attention(
            query[None], self.keys[None, :, :end], self.values[None, :, :end], attn_mask=mask, enable_gqa=True)[0]
        x = x + attended.transpose(0, 1).reshape(count, -1) @ w["output"]
        inner = functional.rms_norm(x, x.shape[-1:], w["mlp_norm"], 1e-5)
        return x + (functional.silu(inner @ w["gate"]) * (inner @ w["up"])) @ w["down"]


class OnnxRuntime:
    """Keys and values are concatenated, as exported models have it."""

    def __init__(self, sizes):
        import onnxruntime
        self.sizes, self.name = sizes, f"ONNX Runtime {onnxruntime.__version__}"
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = onnxruntime.InferenceSession(self.model().SerializeToString(), options,
                                                    providers=["CPUExecutionProvider"])
        self.begin()

    def begin(self):
        shape = self.sizes["kept_heads"], 0, self.sizes["width"]
        self.keys, self.values, self.position = np.zeros(shape, np.float32), np.zeros(shape, np.float32), 0

    def __call__(self, x):
        end = self.position + len(x)
        positions = np.arange(self.position, end)
        mask = np.where(np.arange(end) <= positions[:, None], np.float32(0), np.float32(-np.inf))
        made, self.keys, self.values = self.session.run(
            None, {"x": x, "positions": positions, "mask": mask, "past_keys": self.keys, "past_values": self.values})
        self.position = end
        return made

    def model(self):
        from onnx import TensorProto, helper, numpy_helper
        s, nodes, constants = self.sizes, [], []

        def constant(value):
            constants.append(numpy_helper.from_array(np.asarray(value), f"c{len(constants)}"))
            return constants[-1].name

        def op(kind, *inputs, outputs=None, **attributes):
            made = outputs or [f"t{len(nodes)}"]
            nodes.append(helper.make_node(kind, list(inputs), made, **attributes))
            return made[0]

        w = {name: constant(each) for name, each in weights(**s).items()}

        def norm(x, weight):
            mean = op("ReduceMean", op("Mul", x, x), constant(np.int64([-1])), keepdims=1)
            root = op("Sqrt", op("Add", mean, constant(np.float32(1e-5))))
            return op("Mul", op("Div", x, root), weight)

        def heads_of(x, name):
            split = op("Reshape", op("MatMul", x, w[name]), constant(np.int64([0, -1, s["width"]])))
            return op("Transpose", split, perm=[1, 0, 2])

        cosine, sine = op("Gather", w["cosine"], "positions"), op("Gather", w["sine"], "positions")
        half, axis = s["width"] // 2, constant(np.int64([2]))

        def rotated(x):
            first = op("Slice", x, constant(np.int64([0])), constant(np.int64([half])), axis)
            second = op("Slice", x, constant(np.int64([half])), constant(np.int64([2 * half])), axis)
            turned = op("Concat", op("Neg", second), first, axis=2)
            return op("Add", op("Mul", x, cosine), op("Mul", turned, sine))

        def shared(x):  # [kept_heads, t, width] to [heads, t, width]
            one = op("Unsqueeze", x, constant(np.int64([1])))
            copies = op("Expand", one, constant(np.int64([1, s["heads"] // s["kept_heads"], 1, 1])))
            return op("Reshape", copies, constant(np.int64([s["heads"], -1, s["width"]])))

        normal = norm("x", w["attention_norm"])
        query, key, value = rotated(heads_of(normal, "query")), rotated(heads_of(normal, "key")), heads_of(normal, "value")
        keys = op("Concat", "past_keys", key, axis=1, outputs=["keys"])
        values = op("Concat", "past_values", value, axis=1, outputs=["values"])
        scores = op("MatMul", query, op("Transpose", shared(keys), perm=[0, 2, 1]))
        scaled = op("Mul", scores, constant(np.float32(s["width"] ** -0.5)))
        shares = op("Softmax", op("Add", scaled, "mask"), axis=-1)
        attended = op("Transpose", op("MatMul", shares, shared(values)), perm=[1, 0, 2])
        x = op("Add", "x", op("MatMul", op("Reshape", attended, constant(np.int64([0, -1]))), w["output"]))
        inner = norm(x, w["mlp_norm"])
        gate = op("MatMul", inner, w["gate"])
        gated = op("Mul", op("Mul", gate, op("Sigmoid", gate)), op("MatMul", inner, w["up"]))
        op("Add", x, op("MatMul", gated, w["down"]), outputs=["made"])

        def value_info(name, shape, kind=TensorProto.FLOAT): return helper.make_tensor_value_info(name, kind, shape)
        kept = [s["kept_heads"], None, s["width"]]
        graph = helper.make_graph(
            nodes, "layer", [value_info("x", [None, s["model"]]), value_info("positions", [None], TensorProto.INT64),
                             value_info("mask", [None, None]), value_info("past_keys", kept), value_info("past_values", kept)],
            [value_info("made", [None, s["model"]]), value_info("keys", kept), value_info("values", kept)], constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def timed(rival, tokens):
    """What the tokens become, and the times of the prompt and of the tokens after it, in ms."""
    rival.begin()
    made, times = [], []
    for part in [tokens[:PROMPT], *tokens[PROMPT:, None]]:
        start = time.perf_counter()
        made.append(rival(part))
        times.append((time.perf_counter() - start) * 1e3)
    return np.concatenate(made), times[0], float(np.median(times[1:]))


def by_weft(program):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        text = subprocess.run([program, "--large", "--out", out], check=True, capture_output=True, text=True).stdout
        prompt, token = ([float(x) for x in found] for found in LINES.findall(text))
        return np.fromfile(out, np.float32), list(zip(prompt, token))


def main(program, rounds=7):
    tokens = numbers(10, [LARGE["tokens"], LARGE["model"]], 2).astype(np.float32)
    expected = layer(**LARGE)
    rivals = [Torch(LARGE), OnnxRuntime(LARGE)]
    times = {}
    for _ in range(int(rounds)):
        made, (fused, op_by_op) = by_weft(program)
        times.setdefault("weft, fused", []).append(fused)
        times.setdefault("weft, op by op", []).append(op_by_op)
        assert np.abs(made.reshape(expected.shape) - expected).max() < 1e-5 * np.abs(expected).max()
        for rival in rivals:
            made, *own = timed(rival, tokens)
            assert np.abs(made - expected).max() < 1e-5 * np.abs(expected).max(), rival.name
            times.setdefault(rival.name, []).append(own)
    print(f"| | a prompt of {PROMPT} tokens | a token |\n| --- | --- | --- |")
    for name, own in times.items():
        prompt, token = np.array(own).T
        print(f"| {name} | {np.median(prompt):.1f} ms ({prompt.min():.1f} to {prompt.max():.1f}) "
              f"| {np.median(token):.2f} ms ({token.min():.2f} to {token.max():.2f}) |")


if __name__ == "__main__":
    main(*sys.argv[1:])
