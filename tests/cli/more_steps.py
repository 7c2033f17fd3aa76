# SPDX-License-Identifier: Apache-2.0
"""More steps of random pipelines, and what NumPy makes of each: what follows a name is called with a chain, and tells the text of a
step and the array, or None where it does not apply.

Left out, for NumPy has other roundings: exp, exp2, expm1, log, log2, log10, log1p, logaddexp, sinh, cosh, tanh, erf, sin, cos, tan,
asin, acos, atan, atan2, cbrt, rsqrt, hypot, sigmoid, silu, gelu, gelu_tanh, softplus, var, std, layer_norm, rms_norm, logsumexp,
softmax, log_softmax, and pow of floats. tests/ops and the Python suite hold those to their tolerances."""

import numpy as np

LETTERS = "abcdef"


def kinds(allowed): return lambda chain: chain.x.dtype.kind in allowed and chain.x.dtype != bool or "b" in allowed and chain.x.dtype == bool


def unary(name, work, allowed, text="{}"):
    fits = kinds(allowed)
    return lambda chain: (text.format(name), work(chain.x)) if fits(chain) else None


def with_number(name, work, allowed, number, others=""):
    fits = kinds(allowed)
    return lambda chain: (f"{name}({number}{others})", work(chain.x, chain.x.dtype.type(number))) if fits(chain) else None


def with_flipped(name, work, allowed):
    fits = kinds(allowed)
    return lambda chain: (f"{name}(_, flip(_, 0))", work(chain.x, np.flip(chain.x, 0))) if fits(chain) and chain.x.ndim else None


def along(name, work, allowed, least=1):
    """Along a random axis."""
    fits = kinds(allowed)

    def step(chain):
        if not chain.x.ndim or not fits(chain): return None
        axis = chain.axis()
        return (f"{name}({axis})", work(chain.x, axis)) if chain.x.shape[axis] >= least else None
    return step


def flat(text, work, allowed="biuf", least=4):
    """Of its elements in one row."""
    fits = kinds(allowed)
    return lambda chain: (f"flatten | {text}", work(chain.x.reshape(-1))) if fits(chain) and chain.x.ndim and chain.x.size >= least else None


def rearrange(chain):
    names = LETTERS[:chain.x.ndim]
    order = chain.rng.sample(range(chain.x.ndim), chain.x.ndim)
    if not order: return None
    turned = " ".join(names[k] for k in order)
    if len(order) > 1 and chain.rng.random() < 0.5:
        made = chain.x.transpose(order)
        return (f"rearrange('{' '.join(names)} -> ({turned})')", made.reshape(-1))
    return f"rearrange('{' '.join(names)} -> {turned}')", chain.x.transpose(order)


def repeat_pattern(chain):
    names = " ".join(LETTERS[:chain.x.ndim])
    return (f"repeat_pattern('{names} -> {names} 2')", np.repeat(chain.x[..., None], 2, -1)) if chain.x.ndim else None


def reduce_pattern(chain):
    if not chain.x.ndim or chain.x.dtype == bool or not chain.x.shape[0]: return None
    names = LETTERS[:chain.x.ndim]
    return f"reduce_pattern('{' '.join(names)} -> {' '.join(names[1:])}', 'max')", chain.x.max(0)


def unfold(chain):
    if not chain.x.ndim: return None
    axis = chain.axis()
    if chain.x.shape[axis] < 2: return None
    made = np.lib.stride_tricks.sliding_window_view(chain.x, 2, axis)
    cut = [slice(None)] * made.ndim
    cut[axis] = slice(None, None, 2)
    return f"unfold({axis}, 2, step=2)", made[tuple(cut)]


def ends(name):
    def step(chain):
        if not chain.x.ndim: return None
        axis = chain.axis()
        n = chain.x.shape[axis]
        if n < 3: return None
        start, length = {"crop": (1, n - 2), "narrow": (1, n - 2), "split": (1, n - 1), "center_crop": ((n - (n - 2)) // 2, n - 2)}[name]
        text = {"crop": f"crop([1], [1], [{axis}])", "narrow": f"narrow({axis}, 1, {n - 2})",
                "split": f"split([1, {n - 1}], {axis}, 1)", "center_crop": f"center_crop([{n - 2}], [{axis}])"}[name]
        return text, np.take(chain.x, range(start, start + length), axis)
    return step


def unflatten(chain):
    if not chain.x.ndim: return None
    axis = chain.axis()
    n = chain.x.shape[axis]
    if n == 0 or n % 2: return None
    return f"unflatten({axis}, [2, {n // 2}])", chain.x.reshape(chain.x.shape[:axis] + (2, n // 2) + chain.x.shape[axis + 1:])


def written(name):
    """The first element along an axis put in the place of the last one."""
    def step(chain):
        if not chain.x.ndim: return None
        axis = chain.axis()
        n = chain.x.shape[axis]
        if n == 0: return None
        made, last = chain.x.copy(), [slice(None)] * chain.x.ndim
        last[axis] = n - 1
        made[tuple(last)] = np.take(chain.x, 0, axis)
        if name == "select_scatter": return f"select_scatter(_, select(_, {axis}, 0), {axis}, {n - 1})", made
        return f"index_put(_, [{n - 1}], slice(_, [0], [1], [1], [{axis}]), axis={axis})", made
    return step


def window_partition(chain):
    if chain.x.ndim != 4: return None
    b, h, w, c = chain.x.shape
    if h % 2 or w % 2 or not chain.x.size: return None
    made = chain.x.reshape(b, h // 2, 2, w // 2, 2, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, 2, 2, c)
    return "window_partition(2)", made


def channel_shuffle(chain):
    if chain.x.ndim < 2 or chain.x.shape[1] == 0 or chain.x.shape[1] % 2: return None
    s = chain.x.shape
    return "channel_shuffle(2)", chain.x.reshape(s[0], 2, s[1] // 2, *s[2:]).swapaxes(1, 2).reshape(s)


def whole(work):
    """Of 64-bit integers, which wrap alike in any order."""
    return lambda chain: work(chain.x) if chain.x.dtype == np.int64 and chain.x.size else None


def product(text, work, ndim):
    return whole(lambda x: (text, work(x)) if x.ndim == ndim and x.size <= 400 else None)


def mean(chain):
    small = chain.x.dtype.kind == "f" and chain.x.ndim and chain.x.size and np.all(np.abs(chain.x) <= 1000) and np.all(np.rint(chain.x) == chain.x)
    axis = chain.axis() if small else 0
    return (f"mean({axis})", chain.x.sum(axis) / chain.x.dtype.type(chain.x.shape[axis])) if small and chain.x.shape[axis] else None


def view_as(chain):
    to = {"f4": ("i32", np.int32), "f8": ("i64", np.int64), "i8": ("f64", np.float64)}.get(chain.x.dtype.str[1:])
    if not to or not chain.x.ndim: return None
    made = np.ascontiguousarray(chain.x).view(to[1])
    return None if made.dtype.kind == "f" and not np.all(np.isfinite(made)) else (f"view_as({to[0]})", made)


MORE = {
    "negative": unary("negative", np.negative, "iuf"), "positive": unary("positive", np.positive, "iuf"),
    "abs": unary("abs", np.abs, "iuf"), "sign": unary("sign", np.sign, "iuf"), "square": unary("square", np.square, "iuf"),
    "relu": unary("relu", lambda x: np.where(x > 0, x, x.dtype.type(0)), "if"),
    "floor": unary("floor", np.floor, "f"), "ceil": unary("ceil", np.ceil, "f"), "round": unary("round", np.rint, "f"),
    "trunc": unary("trunc", np.trunc, "f"), "isnan": unary("isnan", np.isnan, "f"), "isinf": unary("isinf", np.isinf, "f"),
    "isfinite": unary("isfinite", np.isfinite, "f"), "signbit": unary("signbit", np.signbit, "f"),
    "sqrt": unary("sqrt", lambda x: np.sqrt(np.abs(x)), "f", "{}(abs(_))"), "reciprocal": unary("reciprocal", lambda x: x.dtype.type(1) / x, "f"),
    "bitwise_invert": unary("bitwise_invert", np.invert, "biu"), "logical_not": unary("logical_not", np.logical_not, "b"),
    "stored": unary("stored", lambda x: x, "biuf"), "flatten_all": unary("reshape([-1])", lambda x: x.reshape(-1), "biuf"),
    "real": unary("astype(c128) | real", lambda x: x.astype(np.float64), "f"),
    "imag": unary("astype(c128) | imag", lambda x: np.zeros_like(x, np.float64), "f"),
    "conj": unary("astype(c128) | conj | real", lambda x: x.astype(np.float64), "f"),
    "divide": with_number("divide", np.divide, "f", 4), "floor_divide": with_number("floor_divide", np.floor_divide, "iu", 3),
    "remainder": with_number("remainder", np.remainder, "iu", 3),
    "bitwise_and": with_number("bitwise_and", np.bitwise_and, "iu", 5), "bitwise_or": with_number("bitwise_or", np.bitwise_or, "iu", 5),
    "bitwise_xor": with_number("bitwise_xor", np.bitwise_xor, "iu", 5),
    "bitwise_left_shift": with_number("bitwise_left_shift", np.left_shift, "iu", 1),
    "bitwise_right_shift": with_number("bitwise_right_shift", np.right_shift, "iu", 1),
    "equal": with_number("equal", np.equal, "iuf", 4), "not_equal": with_number("not_equal", np.not_equal, "iuf", 4),
    "less": with_number("less", np.less, "iuf", 4), "less_equal": with_number("less_equal", np.less_equal, "iuf", 4),
    "greater": with_number("greater", np.greater, "iuf", 4), "greater_equal": with_number("greater_equal", np.greater_equal, "iuf", 4),
    "logical_and": with_flipped("logical_and", np.logical_and, "b"), "logical_or": with_flipped("logical_or", np.logical_or, "b"),
    "logical_xor": with_flipped("logical_xor", np.logical_xor, "b"), "copysign": with_flipped("copysign", np.copysign, "f"),
    "pow": whole(lambda x: ("pow(2)", np.power(x, 2))), "fma": whole(lambda x: ("fma(_, 3, 1)", x * 3 + 1)),
    "prod": whole(lambda x: ("prod", x.prod())), "cumulative_sum": along("cumulative_sum", np.cumsum, "i", 1),
    "cumulative_prod": along("cumulative_prod", np.cumprod, "i", 1),
    "argmin": along("argmin", np.argmin, "iuf"), "argmax": along("argmax", np.argmax, "iuf"), "any": along("any", np.any, "b", 0),
    "all": along("all", np.all, "b", 0), "count_nonzero": along("count_nonzero", np.count_nonzero, "biuf", 0),
    "fftshift": along("fftshift", np.fft.fftshift, "biuf", 0), "ifftshift": along("ifftshift", np.fft.ifftshift, "biuf", 0),
    "gather_elements": flat("gather_elements([2, 0, 3], 0)", lambda x: x[[2, 0, 3]]),
    "scatter_elements": flat("scatter_elements(_, [2, 0], slice(_, [1], [3]), 0)",
                                                lambda x: np.concatenate([x[2:3], x[1:2], x[1:2], x[3:]])),
    "outer": product("outer(_, _)", lambda x: np.outer(x, x), 1), "vecdot": product("vecdot(_, flip(_, 0))", lambda x: (x * x[::-1]).sum(-1), 2),
    "matmul": product("matmul(_, transpose(_))", lambda x: x @ x.T, 2),
    "tensordot": product("tensordot(_, _, [0], [0])", lambda x: np.tensordot(x, x, ([0], [0])), 2),
    "einsum": product("einsum(_, _, 'a b, c b -> c a')", lambda x: x @ x.T, 2),
    "rearrange": rearrange, "repeat_pattern": repeat_pattern, "reduce_pattern": reduce_pattern, "unfold": unfold,
    "crop": ends("crop"), "narrow": ends("narrow"), "split": ends("split"), "center_crop": ends("center_crop"), "unflatten": unflatten,
    "select_scatter": written("select_scatter"), "index_put": written("index_put"), "window_partition": window_partition,
    "channel_shuffle": channel_shuffle, "mean": mean, "view_as": view_as,
}
