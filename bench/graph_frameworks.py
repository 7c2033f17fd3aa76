# SPDX-License-Identifier: Apache-2.0
"""Rivals that run a graph which was built ahead: OpenVINO and ONNX Runtime."""

import numpy as np

from frameworks import Framework, bfloat16s


class OpenVino(Framework):
    compiles = True

    def __init__(self):
        import openvino
        from openvino import opset15
        self.ov, self.ops, self.version = openvino, opset15, openvino.__version__.split("-")[0]

    def ints(self, values): return self.ops.constant(np.asarray(values, np.int64))
    def roll(self, x, shift, axes): return self.ops.roll(x, self.ints(shift), self.ints(axes))
    def transpose(self, x, order): return self.ops.transpose(x, self.ints(order))
    def reshape(self, x, shape): return self.ops.reshape(x, self.ints(shape), False)
    def tile(self, x, repeats): return self.ops.tile(x, self.ints(repeats))
    def concat(self, parts): return self.ops.concat(parts, 0)

    def pad(self, x, width, value):
        widths = self.ints([width] * len(x.output(0).get_shape()))
        return self.ops.pad(x, widths, widths, "constant", self.ops.constant(np.float32(value)))

    def flip(self, x):
        n = [int(extent) for extent in x.output(0).get_shape()] if hasattr(x, "output") else list(x.shape)
        axes = range(len(n))
        return self.ops.slice(x, self.ints([-1] * len(n)), self.ints([-extent - 1 for extent in n]),
                              self.ints([-1] * len(n)), self.ints(axes))

    def scatter(self, x, updates, where):
        shape, u = x.output(0).get_shape(), updates.output(0).get_shape()
        cut = self.slices(shape, u, where)
        axes = list(where)
        return self.ops.slice_scatter(x, updates, self.ints([cut[k].start for k in axes]),
                                      self.ints([cut[k].stop for k in axes]),
                                      self.ints([cut[k].step for k in axes]), self.ints(axes))

    def tensor(self, x):
        if x.dtype == "bfloat16":
            return self.ov.Tensor(x.view(np.uint16), self.ov.Shape(x.shape), self.ov.Type.bf16)
        return self.ov.Tensor(x, shared_memory=True)

    def value(self, request):
        y = request.get_output_tensor(0)
        return bfloat16s(y.data) if y.element_type == self.ov.Type.bf16 else y.data

    def ready(self, build, inputs):
        tensors = [self.tensor(x) for x in inputs]
        parameters = [self.ops.parameter(list(x.shape), x.element_type) for x in tensors]
        model = self.ov.Model([build(self, *parameters)], parameters)
        options = {"INFERENCE_NUM_THREADS": 2, "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1,
                   "INFERENCE_PRECISION_HINT": "f32"}  # else f32 is computed as bf16 where the machine can
        request = self.ov.Core().compile_model(model, "CPU", options).create_infer_request()
        for i, x in enumerate(tensors):
            request.set_input_tensor(i, x)

        def call(_kept=inputs):  # the request does not keep them
            request.infer()
            return request
        return call, self.value


class OnnxRuntime(Framework):
    compiles = True
    opset = 18

    def __init__(self):
        import onnx
        import onnxruntime
        self.onnx, self.ort, self.version = onnx, onnxruntime, onnxruntime.__version__
        self.clear()

    def clear(self):
        self.nodes, self.constants, self.shapes, self.types = [], [], {}, {}

    def constant(self, values):
        name = f"c{len(self.constants)}"
        self.constants.append(self.onnx.numpy_helper.from_array(np.asarray(values), name))
        return name

    def ints(self, values): return self.constant(np.ascontiguousarray(values, np.int64))

    def node(self, op, inputs, shape, type=None, **attributes):
        """The name of its result, which is of the first input's type unless told."""
        name = f"t{len(self.nodes)}"
        self.types[name] = type or self.types[inputs[0]]
        self.nodes.append(self.onnx.helper.make_node(op, inputs, [name], **attributes))
        self.shapes[name] = tuple(shape)
        return name

    def slice_axis(self, x, axis, start, stop, step=1):
        shape = list(self.shapes[x])
        shape[axis] = len(range(start, stop, step))
        return self.node("Slice", [x, *(self.ints([n]) for n in (start, stop, axis, step))], shape)

    def roll(self, x, shift, axes):  # ONNX has no Roll
        for s, axis in zip(shift, axes):
            n = self.shapes[x][axis]
            cut = (n - s) % n
            parts = [self.slice_axis(x, axis, cut, n), self.slice_axis(x, axis, 0, cut)]
            x = self.node("Concat", parts, self.shapes[x], axis=axis)
        return x

    def transpose(self, x, order):
        return self.node("Transpose", [x], [self.shapes[x][k] for k in order], perm=list(order))

    def reshape(self, x, shape): return self.node("Reshape", [x, self.ints(shape)], shape)

    def tile(self, x, repeats):
        return self.node("Tile", [x, self.ints(repeats)], np.multiply(self.shapes[x], repeats))

    def concat(self, parts, axis=0):
        shape = list(self.shapes[parts[0]])
        shape[axis] = sum(self.shapes[x][axis] for x in parts)
        return self.node("Concat", parts, shape, axis=axis)

    def pad(self, x, width, value):
        shape = self.shapes[x]
        widths = self.ints([width] * 2 * len(shape))
        return self.node("Pad", [x, widths, self.constant(np.float32(value))], [n + 2 * width for n in shape])

    def flip(self, x):
        n = self.shapes[x]
        minus = self.ints([-1] * len(n))
        return self.node("Slice", [x, minus, self.ints([-extent - 1 for extent in n]),
                                   self.ints(range(len(n))), minus], n)

    def scatter(self, x, updates, where):
        """ScatterND, with an index for each run behind the last axis that is cut."""
        depth = max(where) + 1
        cut = self.slices(self.shapes[x], self.shapes[updates], where)
        axes = [np.arange(n)[c] for n, c in zip(self.shapes[x][:depth], cut)]
        indices = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        return self.node("ScatterND", [x, self.ints(indices), updates], self.shapes[x])

    def ready(self, build, inputs):
        self.clear()
        helper = self.onnx.helper
        infos = []
        for i, x in enumerate(inputs):
            self.shapes[f"x{i}"], self.types[f"x{i}"] = x.shape, helper.np_dtype_to_tensor_dtype(x.dtype)
            infos.append(helper.make_tensor_value_info(f"x{i}", self.types[f"x{i}"], x.shape))
        y = build(self, *(f"x{i}" for i in range(len(inputs))))
        shape = [int(n) for n in self.shapes[y]]
        result = helper.make_tensor_value_info(y, self.types[y], shape)
        graph = helper.make_graph(self.nodes, "g", infos, [result], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=9)
        options = self.ort.SessionOptions()
        options.intra_op_num_threads = 2
        # Workers that wait busily would slow the copy that is measured next.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = self.ort.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        out = np.empty(shape, helper.tensor_dtype_to_np_dtype(self.types[y]))
        binding = session.io_binding()
        for i, x in enumerate(inputs):
            binding.bind_input(f"x{i}", "cpu", 0, self.types[f"x{i}"], x.shape, x.ctypes.data)
        binding.bind_output(y, "cpu", 0, self.types[y], out.shape, out.ctypes.data)

        def call(_kept=inputs):
            session.run_with_iobinding(binding)
            return out
        return call, lambda result: result
