# SPDX-License-Identifier: Apache-2.0
"""Python frameworks as rivals: each gives the ops of bench/workloads.py and a way to run them on two threads."""

import os

import numpy as np


class Unable(Exception):
    """What a framework cannot do, said so that it can be printed."""


def bfloat16s(array):
    """An array of 16-bit numbers, seen as bf16, which NumPy itself has not."""
    import ml_dtypes
    return array.view(ml_dtypes.bfloat16)


class Framework:
    """`ready(build, inputs)` gives a call without arguments and a way to see its result as a NumPy array."""

    compiles = False  # whether the expression is prepared ahead and run again

    def in_place(self, data, updates):
        raise Unable("has no update in place")

    @staticmethod
    def slices(shape, updates_shape, where):
        """Python slices of axis: (start, step)."""
        return tuple(slice(where[k][0], where[k][0] + updates_shape[k] * where[k][1], where[k][1])
                     if k in where else slice(None) for k in range(len(shape)))


class NumPy(Framework):
    def __init__(self):
        self.version = np.__version__
        self.out = None

    def roll(self, x, shift, axes): return np.roll(x, shift, axes)
    def transpose(self, x, order): return np.transpose(x, order)
    def reshape(self, x, shape): return np.reshape(x, shape)
    def tile(self, x, repeats): return np.tile(x, repeats)
    def flip(self, x): return np.flip(x)
    def pad(self, x, width, value): return np.pad(x, width, constant_values=value)
    def concat(self, parts, axis=0): return np.concatenate(parts, axis)

    def scatter(self, x, updates, where):
        self.buffer(x.shape, x.dtype)
        np.copyto(self.out, x)
        self.out[self.slices(x.shape, updates.shape, where)] = updates
        return self.out

    def buffer(self, shape, dtype):
        if self.out is None or self.out.shape != shape or self.out.dtype != dtype:
            self.out = np.empty(shape, dtype)

    def ready(self, build, inputs):
        def call():
            y = build(self, *inputs)
            if y.flags.c_contiguous:
                return y
            self.buffer(y.shape, y.dtype)  # a view is written out into memory used again
            np.copyto(self.out, y)
            return self.out
        return call, lambda y: y

    def in_place(self, data, updates):
        def call():
            data[:, :, 777:778] = updates
            return data
        return call, lambda y: y


class Torch(Framework):
    def __init__(self):
        import torch
        self.torch, self.version = torch, torch.__version__
        torch.set_num_threads(2)
        torch.set_grad_enabled(False)
        self.out = None

    def roll(self, x, shift, axes): return self.torch.roll(x, shift, axes)
    def transpose(self, x, order): return x.permute(order)
    def reshape(self, x, shape): return x.reshape(shape)
    def tile(self, x, repeats): return self.torch.tile(x, repeats)
    def flip(self, x): return self.torch.flip(x, list(range(x.dim())))
    def pad(self, x, width, value): return self.torch.nn.functional.pad(x, [width] * 2 * x.dim(), value=value)
    def concat(self, parts, axis=0): return self.torch.cat(parts, axis)

    def scatter(self, x, updates, where):
        y = x.clone(memory_format=self.torch.contiguous_format)
        y[self.slices(x.shape, updates.shape, where)] = updates
        return y

    def tensor(self, x):
        if x.dtype == "bfloat16":
            return self.torch.from_numpy(x.view(np.int16)).view(self.torch.bfloat16)
        # u16 has few kernels; i16 are the same bytes.
        return self.torch.from_numpy(x.view(np.int16) if x.dtype == np.uint16 else x)

    def value(self, y):
        return bfloat16s(y.view(self.torch.int16).numpy()) if y.dtype == self.torch.bfloat16 else y.numpy()

    def run(self, build, tensors):
        y = build(self, *tensors)
        if y.is_contiguous():
            return y
        if self.out is None or self.out.shape != y.shape or self.out.dtype != y.dtype:
            self.out = self.torch.empty(y.shape, dtype=y.dtype)
        return self.out.copy_(y)

    def ready(self, build, inputs):
        tensors = [self.tensor(x) for x in inputs]
        return lambda: self.run(build, tensors), self.value

    def in_place(self, data, updates):
        data, updates = self.tensor(data), self.tensor(updates)

        def call():
            data[:, :, 777:778] = updates
            return data
        return call, lambda y: y.numpy()


class TorchCompile(Torch):
    compiles = True

    def ready(self, build, inputs):
        self.torch._dynamo.reset()
        tensors = [self.tensor(x) for x in inputs]
        compiled = self.torch.compile(lambda *xs: build(self, *xs).contiguous(), dynamic=False)
        return lambda: compiled(*tensors), self.value

    def in_place(self, data, updates):
        raise Unable("updates in place as eager torch does")


class Jax(Framework):
    compiles = True

    def __init__(self):
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        jax.config.update("jax_enable_x64", True)
        self.jax, self.jnp, self.version = jax, jax.numpy, jax.__version__

    def roll(self, x, shift, axes): return self.jnp.roll(x, shift, axes)
    def transpose(self, x, order): return self.jnp.transpose(x, order)
    def reshape(self, x, shape): return self.jnp.reshape(x, shape)
    def tile(self, x, repeats): return self.jnp.tile(x, repeats)
    def flip(self, x): return self.jnp.flip(x)
    def pad(self, x, width, value): return self.jnp.pad(x, width, constant_values=value)
    def concat(self, parts): return self.jnp.concatenate(parts)

    def scatter(self, x, updates, where):
        return x.at[self.slices(x.shape, updates.shape, where)].set(updates)

    def ready(self, build, inputs):
        arrays = [self.jnp.asarray(x) for x in inputs]
        compiled = self.jax.jit(lambda *xs: build(self, *xs))
        return lambda: compiled(*arrays).block_until_ready(), np.asarray

    def in_place(self, data, updates):
        step = self.jnp.asarray(updates)
        donated = self.jax.jit(lambda x, u: x.at[:, :, 777:778].set(u), donate_argnums=0)
        kept = [self.jnp.asarray(data)]

        def call():
            kept[0] = donated(kept[0], step).block_until_ready()
            return kept[0]
        return call, np.asarray


class TinyGrad(Framework):
    compiles = True

    def __init__(self):
        os.environ.setdefault("DEV", "CPU")
        os.environ.setdefault("NUM_CPU_THREADS", "2")
        import importlib.metadata
        import tinygrad
        self.tinygrad, self.version = tinygrad, importlib.metadata.version("tinygrad")

    def roll(self, x, shift, axes): return x.roll(shift, axes)
    def transpose(self, x, order): return x.permute(order)
    def reshape(self, x, shape): return x.reshape(shape)
    def tile(self, x, repeats): return x.repeat(repeats)
    def flip(self, x): return x.flip(tuple(range(x.ndim)))
    def pad(self, x, width, value): return x.pad(((width, width),) * x.ndim, value=value)
    def concat(self, parts): return parts[0].cat(*parts[1:])

    def spread(self, u, shape, where):
        """The updates where they belong, zeros around them."""
        for axis, (start, step) in where.items():
            extent, sizes = u.shape[axis] * step, list(u.shape)
            if step > 1:
                wide = u.reshape(*sizes[:axis + 1], 1, *sizes[axis + 1:])
                pads = [None] * wide.ndim
                pads[axis + 1] = (0, step - 1)
                sizes[axis] = extent
                u = wide.pad(tuple(pads)).reshape(*sizes)
            pads = [None] * u.ndim
            pads[axis] = (start, shape[axis] - start - extent)
            u = u.pad(tuple(pads))
        return u

    def scatter(self, x, updates, where):
        ones = updates.full_like(True, dtype=self.tinygrad.dtypes.bool)
        return self.spread(ones, x.shape, where).where(self.spread(updates, x.shape, where), x)

    def ready(self, build, inputs):
        tensors = [self.tinygrad.Tensor(x).contiguous().realize() for x in inputs]
        compiled = self.tinygrad.TinyJit(lambda *xs: build(self, *xs).contiguous().realize())

        def call():
            y = compiled(*tensors)
            self.tinygrad.Device[y.device].synchronize()
            return y
        try:
            for _ in range(3):  # it captures what the second call does
                call()
        except self.tinygrad.engine.jit.JitError:  # nothing to compute: the input itself
            raise Unable("has a value that is an alias of its input; TinyJit refuses it") from None
        return call, lambda y: y.numpy()


class Mlx(Framework):
    def __init__(self):
        import importlib.metadata
        import mlx.core as mx
        mx.set_default_device(mx.cpu)
        self.mx, self.version = mx, importlib.metadata.version("mlx")

    def roll(self, x, shift, axes): return self.mx.roll(x, list(shift), list(axes))
    def transpose(self, x, order): return self.mx.transpose(x, order)
    def reshape(self, x, shape): return self.mx.reshape(x, shape)
    def tile(self, x, repeats): return self.mx.tile(x, repeats)
    def flip(self, x): return x[tuple(slice(None, None, -1) for _ in x.shape)]
    def pad(self, x, width, value): return self.mx.pad(x, width, constant_values=value)
    def concat(self, parts): return self.mx.concatenate(parts)

    def scatter(self, x, updates, where):
        y = self.mx.array(x)
        y[self.slices(x.shape, updates.shape, where)] = updates
        return y

    def array(self, x):
        if x.dtype == "bfloat16":
            return self.mx.array(x.view(np.uint16)).view(self.mx.bfloat16)
        # Without a type it makes f32 of f64.
        return self.mx.array(x, dtype=getattr(self.mx, str(x.dtype)))

    def value(self, y):
        return bfloat16s(np.array(y.view(self.mx.uint16))) if y.dtype == self.mx.bfloat16 else np.array(y)

    def ready(self, build, inputs):
        arrays = [self.array(x) for x in inputs]

        def call():
            y = self.mx.contiguous(build(self, *arrays))
            self.mx.eval(y)
            return y
        return call, self.value
