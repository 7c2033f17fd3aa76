# SPDX-License-Identifier: Apache-2.0
"""The frameworks of bench/frameworks.py with what the rows of weft_compute take: arithmetic by Python's operators,
casts, functions, and a part of pictures that is cut out and mirrored."""

import re

import numpy as np

import frameworks
import graph_frameworks
from frameworks import Framework, Unable


class Compute:
    """`library` has functions of NumPy's names."""

    wide = "uint16"  # what the sum of two bytes is made as

    def cast(self, x, dtype): return x.astype(getattr(self.library, dtype))
    def abs(self, x): return self.library.abs(x)
    def sqrt(self, x): return self.library.sqrt(x)
    def tanh(self, x): return self.library.tanh(x)
    def maximum(self, x, least): return self.library.maximum(x, least)
    def minimum(self, x, most): return self.library.minimum(x, most)
    def clip(self, x, least, most): return self.library.clip(x, least, most)
    def shift_right(self, x, count): return x >> count
    def gelu(self, x): raise Unable("has no gelu")

    def mirrored(self, x, rows, columns):
        """A part of [n, height, width, channels], from right to left."""
        return x[:, rows[0]:rows[1], columns[0]:columns[1]][:, :, ::-1]


class NumPy(Compute, frameworks.NumPy):
    library = np

    def cast(self, x, dtype):
        import ml_dtypes
        return x.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


class Torch(Compute, frameworks.Torch):
    wide = "int16"  # u16 has few kernels

    def __init__(self):
        super().__init__()
        self.library = self.torch

    def cast(self, x, dtype): return x.to(getattr(self.torch, dtype))
    def maximum(self, x, least): return x.clamp(min=least)
    def minimum(self, x, most): return x.clamp(max=most)
    def gelu(self, x): return self.torch.nn.functional.gelu(x, approximate="tanh")

    def mirrored(self, x, rows, columns): return x[:, rows[0]:rows[1], columns[0]:columns[1]].flip(2)


class TorchCompile(Torch, frameworks.TorchCompile):
    pass


class Jax(Compute, frameworks.Jax):
    def __init__(self):
        super().__init__()
        self.library = self.jnp

    def gelu(self, x): return self.jax.nn.gelu(x, approximate=True)


class Mlx(Compute, frameworks.Mlx):
    def __init__(self):
        super().__init__()
        self.library = self.mx

    def gelu(self, x):
        import mlx.nn
        return mlx.nn.gelu_approx(x)


class MlxCompile(Mlx):
    compiles = True

    def ready(self, build, inputs):
        compiled = self.mx.compile(lambda *xs: self.mx.contiguous(build(self, *xs)))
        return super().ready(lambda _, *xs: compiled(*xs), inputs)


class Symbol:
    """A value of a framework that has no operators for it; `of` is the framework's own."""

    def __init__(self, ops, of):
        self.ops, self.of = ops, of

    def __add__(self, y): return self.ops.binary("add", self, y)
    def __radd__(self, y): return self.ops.binary("add", y, self)
    def __sub__(self, y): return self.ops.binary("subtract", self, y)
    def __mul__(self, y): return self.ops.binary("multiply", self, y)
    def __rmul__(self, y): return self.ops.binary("multiply", y, self)
    def __truediv__(self, y): return self.ops.binary("divide", self, y)
    def __neg__(self): return self.ops.unary("negative", self)


class Symbolic(Compute):
    """`binary` and `unary` take names of NumPy's."""

    wide = "int32"

    def symbols(self, build):
        return lambda _, *xs: build(self, *(Symbol(self, x) for x in xs)).of

    def abs(self, x): return self.unary("abs", x)
    def sqrt(self, x): return self.unary("sqrt", x)
    def tanh(self, x): return self.unary("tanh", x)
    def maximum(self, x, least): return self.binary("maximum", x, least)
    def minimum(self, x, most): return self.binary("minimum", x, most)


class NumExpr(Symbolic, Framework):
    """What moves is done by NumPy, beforehand at each call."""

    BINARY = {"add": "({} + {})", "subtract": "({} - {})", "multiply": "({} * {})", "divide": "({} / {})",
              "maximum": "maximum({}, {})", "minimum": "minimum({}, {})"}

    def __init__(self):
        import numexpr
        self.numexpr, self.version = numexpr, numexpr.__version__
        numexpr.set_num_threads(2)

    def operand(self, x):
        if isinstance(x, Symbol):
            return x.of
        if isinstance(x, int):
            return str(x)
        self.names[f"k{len(self.names)}"] = np.float32(x)  # a number in the text were f64
        return list(self.names)[-1]

    def binary(self, name, x, y): return Symbol(self, self.BINARY[name].format(self.operand(x), self.operand(y)))
    def unary(self, name, x): return Symbol(self, f"(-{x.of})" if name == "negative" else f"{name}({x.of})")
    def shift_right(self, x, count): return Symbol(self, f"({x.of} >> {count})")

    def clip(self, x, least, most):
        return Symbol(self, f"where({x.of} < {least}, {least}, where({x.of} > {most}, {most}, {x.of}))")

    def cast(self, x, dtype):
        if dtype == "bfloat16":
            raise Unable("has no bf16")
        self.dtype = np.dtype(dtype)  # the last one is that of the result; u8 are computed as i32
        return self.moved(x, lambda array: array.astype(np.float32)) if dtype == "float32" else x

    def moved(self, x, move):
        name = f"m{len(self.moves)}"
        self.moves.append((name, move, x.of))
        return Symbol(self, name)

    def transpose(self, x, order): return self.moved(x, lambda array: np.transpose(array, order))
    def roll(self, x, shift, axes): return self.moved(x, lambda array: np.roll(array, shift, axes))

    def mirrored(self, x, rows, columns): return self.moved(x, lambda array: NumPy().mirrored(array, rows, columns))

    def ready(self, build, inputs):
        self.names = {f"x{i}": x for i, x in enumerate(inputs)}
        self.moves, self.dtype = [], inputs[0].dtype
        if self.dtype == "bfloat16":
            raise Unable("has no bf16")
        text = self.symbols(build)(None, *self.names)
        names, moves, dtype, used = self.names, self.moves, self.dtype, set(re.findall(r"\w+", text))

        def operands():
            values = dict(names)
            for name, move, of in moves:
                values[name] = move(values[of])
            return {name: x for name, x in values.items() if name in used}
        out = np.empty(np.broadcast_shapes(*(np.shape(x) for x in operands().values())), dtype)

        def call():
            return self.numexpr.evaluate(text, operands(), {}, out=out, casting="unsafe")
        return call, lambda y: y


class OpenVino(Symbolic, graph_frameworks.OpenVino):
    TYPES = {"float32": "f32", "bfloat16": "bf16", "uint8": "u8"}
    wide = "float32"  # its shifts of integers take 200 times as long, its divisions ten times

    def binary(self, name, x, y):
        kind = (x if isinstance(x, Symbol) else y).of.output(0).get_element_type()
        x, y = (v.of if isinstance(v, Symbol) else self.ops.constant(v, kind) for v in (x, y))
        return Symbol(self, getattr(self.ops, name)(x, y))

    def unary(self, name, x): return Symbol(self, getattr(self.ops, name)(x.of))
    def clip(self, x, least, most): return Symbol(self, self.ops.clamp(x.of, least, most))
    def gelu(self, x): return Symbol(self, self.ops.gelu(x.of, "tanh"))
    def cast(self, x, dtype): return Symbol(self, self.ops.convert(x.of, self.TYPES[dtype]))
    def shift_right(self, x, count): return self.unary("floor", x * 0.5**count)
    def transpose(self, x, order): return Symbol(self, super().transpose(x.of, order))
    def roll(self, x, shift, axes): return Symbol(self, super().roll(x.of, shift, axes))

    def mirrored(self, x, rows, columns):
        return Symbol(self, self.ops.slice(x.of, self.ints([rows[0], columns[1] - 1]),
                                           self.ints([rows[1], columns[0] - 1]), self.ints([1, -1]), self.ints([1, 2])))

    def ready(self, build, inputs): return super().ready(self.symbols(build), inputs)


class OnnxRuntime(Symbolic, graph_frameworks.OnnxRuntime):
    opset = 20  # the first with Gelu
    OPS = {"add": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div", "maximum": "Max", "minimum": "Min",
           "negative": "Neg", "abs": "Abs", "sqrt": "Sqrt", "tanh": "Tanh"}

    def number(self, value, like):
        name = self.constant(np.asarray(value, self.onnx.helper.tensor_dtype_to_np_dtype(self.types[like])))
        self.shapes[name], self.types[name] = (), self.types[like]
        return name

    def binary(self, name, x, y):
        like = (x if isinstance(x, Symbol) else y).of
        x, y = (v.of if isinstance(v, Symbol) else self.number(v, like) for v in (x, y))
        return Symbol(self, self.node(self.OPS[name], [x, y], np.broadcast_shapes(self.shapes[x], self.shapes[y])))

    def unary(self, name, x): return Symbol(self, self.node(self.OPS[name], [x.of], self.shapes[x.of]))
    def gelu(self, x): return Symbol(self, self.node("Gelu", [x.of], self.shapes[x.of], approximate="tanh"))

    def clip(self, x, least, most):
        bounds = [self.number(bound, x.of) for bound in (least, most)]
        return Symbol(self, self.node("Clip", [x.of, *bounds], self.shapes[x.of]))

    def cast(self, x, dtype):
        to = getattr(self.onnx.TensorProto, {"float32": "FLOAT"}.get(dtype, dtype.upper()))
        return Symbol(self, self.node("Cast", [x.of], self.shapes[x.of], to, to=to))

    def shift_right(self, x, count):  # of numbers that are not below 0; BitShift takes no signed ones
        return self.binary("divide", x, 2**count)

    def transpose(self, x, order): return Symbol(self, super().transpose(x.of, order))
    def roll(self, x, shift, axes): return Symbol(self, super().roll(x.of, shift, axes))

    def mirrored(self, x, rows, columns):
        n, _, _, channels = self.shapes[x.of]
        cut = [self.ints(values) for values in ([rows[0], columns[1] - 1], [rows[1], columns[0] - 1], [1, 2], [1, -1])]
        shape = (n, rows[1] - rows[0], columns[1] - columns[0], channels)
        return Symbol(self, self.node("Slice", [x.of, *cut], shape))

    def ready(self, build, inputs): return super().ready(self.symbols(build), inputs)


FRAMEWORKS = {"NumPy": NumPy, "numexpr": NumExpr, "torch": Torch, "torch.compile": TorchCompile, "JAX": Jax,
              "ONNX Runtime": OnnxRuntime, "OpenVINO": OpenVino, "MLX": Mlx, "mlx.compile": MlxCompile}
