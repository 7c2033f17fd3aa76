# SPDX-License-Identifier: Apache-2.0
"""weft.einops gives what einops gives, for arrays and for tensors."""

import einops
import numpy as np
import pytest
from hypothesis import given, strategies as st

import weft
import weft.einops as ours
from support import arrays, same

IDENTITIES = ["...->...", "a b c d e-> a b c d e", "a b c d e ...-> ... a b c d e",
              "a b c d e ...-> a ... b c d e", "... a b c d e -> ... a b c d e",
              "a ... e-> a ... e", "a ... -> a ... ", "a ... c d e -> a (...) c d e"]
EQUIVALENT = [("a b c d e -> (a b) c d e", "a b ... -> (a b) ... "),
              ("a b c d e -> a b (c d) e", "... c d e -> ... (c d) e"),
              ("a b c d e -> a b c d e", "... -> ... "),
              ("a b c d e -> (a b c d e)", "... ->  (...)"),
              ("a b c d e -> b (c d e) a", "a b ... -> b (...) a"),
              ("a b c d e -> b (a c d) e", "a b ... e -> b (a ...) e")]


def equal(made, expected):
    same(np.array(made), np.array(expected))


@pytest.mark.parametrize("pattern", IDENTITIES + [p for pair in EQUIVALENT for p in pair])
def test_rearrange(pattern):
    x = np.arange(2 * 3 * 4 * 5 * 6).reshape(2, 3, 4, 5, 6)
    equal(ours.rearrange(x, pattern), einops.rearrange(x, pattern))
    equal(ours.rearrange(weft.asarray(x), pattern).numpy(), einops.rearrange(x, pattern))


def test_the_readme_of_einops():
    x = np.random.default_rng(0).standard_normal((6, 4, 6, 3))  # b h w c
    for pattern, sizes in [("b h w c -> b c h w", {}), ("b h w c -> (b h) w c", {}),
                           ("(b1 b2) h w c -> (b1 h) (b2 w) c", {"b1": 2}),
                           ("b (h h1) (w w1) c -> b h w (c h1 w1)", {"h1": 2, "w1": 2}),
                           ("b h w c -> b (h w c)", {}), ("b h w c -> h (b w) c", {})]:
        equal(ours.rearrange(x, pattern, **sizes), einops.rearrange(x, pattern, **sizes))
    equal(ours.repeat(x, "b h w c -> b (h 2) (w 2) c"), einops.repeat(x, "b h w c -> b (h 2) (w 2) c"))
    for reduction in ("max", "min"):
        pattern = "b (h 2) (w 2) c -> b h w c"
        equal(ours.reduce(x, pattern, reduction), einops.reduce(x, pattern, reduction))
    np.testing.assert_allclose(ours.reduce(x, "b h w c -> b c", "mean"),
                               einops.reduce(x, "b h w c -> b c", "mean"), rtol=1e-12)
    np.testing.assert_allclose(ours.einsum(x, x, "b h w c, b i j c -> b h i"),
                               einops.einsum(x, x, "b h w c, b i j c -> b h i"), rtol=1e-10)


def test_lists_are_stacked():
    xs = [np.full((2, 3), k) for k in range(4)]
    equal(ours.rearrange(xs, "b h w -> h (b w)"), einops.rearrange(xs, "b h w -> h (b w)"))
    equal(ours.reduce(xs, "b h w -> h w", "sum"), einops.reduce(xs, "b h w -> h w", "sum"))


def test_reductions_by_functions():
    x = np.arange(24.0).reshape(2, 3, 4)
    for pattern in ("a b c -> a c", "a b c -> c", "a b c -> b 1 a", "a b c -> ()"):
        equal(ours.reduce(x, pattern, np.sum), einops.reduce(x, pattern, np.sum))
    x = x.reshape(2, 12)
    equal(ours.reduce(x, "a (b c) -> b a", np.max, c=3), einops.reduce(x, "a (b c) -> b a", np.max, c=3))


@pytest.mark.parametrize("call", [
    lambda e, x: e.rearrange(x, "a b -> b c"), lambda e, x: e.rearrange(x, "a b c d -> d c b a"),
    lambda e, x: e.rearrange(x, "a (b c) -> a b c"), lambda e, x: e.rearrange(x, "a (b c) -> a b c", b=5),
    lambda e, x: e.rearrange(x, "a b -> a b", c=1), lambda e, x: e.rearrange(x, "a a -> a"),
    lambda e, x: e.rearrange(x, "a b a b"), lambda e, x: e.repeat(x, "a b -> a b c"),
    lambda e, x: e.repeat(x, "a b -> a"), lambda e, x: e.reduce(x, "a b -> a b c", "sum"),
    lambda e, x: e.parse_shape(x, "a b c"), lambda e, x: e.pack([x], "a b"),
    lambda e, x: e.unpack(x, [(5,), (2,)], "a *"),
])
def test_what_einops_refuses_is_refused(call):
    x = np.zeros((2, 6))
    with pytest.raises(Exception):
        call(einops, x)
    with pytest.raises(ours.EinopsError) as caught:
        call(ours, x)
    assert isinstance(caught.value, (ValueError, RuntimeError)) and caught.value.category


@pytest.mark.parametrize("operands", [
    "i () -> i", "a b -> (a b)", "(a b) -> a b", "i 2 -> i", "i 2j -> i", "i j k", "i j -> k",
    "a b c d ->", "i j, j k -> i k", None])
def test_what_einops_refuses_of_einsum_is_refused_by_its_class_and_words(operands):
    call = (np.zeros((5, 1)), operands) if operands else ("i j -> i", np.zeros((5, 1)))
    with pytest.raises(Exception) as expected:
        einops.einsum(*call)
    with pytest.raises(ours.EinopsError) as caught:
        ours.einsum(*call)
    assert isinstance(caught.value, RuntimeError)
    assert isinstance(caught.value, NotImplementedError) == isinstance(expected.value, NotImplementedError)
    with pytest.raises(ours.EinopsError, match="^`einops.einsum` takes"):
        ours.einsum("i ->")
    if operands not in ("a b c d ->", "i j, j k -> i k"):  # there NumPy raises
        assert str(caught.value).split()[0] == str(expected.value).split()[0]


def test_reduce_by_the_name_of_another_function():
    x = np.arange(24).reshape(2, 3, 4)
    equal(ours.reduce(x, "a b c -> c (a b)", "rearrange"), einops.rearrange(x, "a b c -> c (a b)"))
    equal(ours.reduce(x, "a b c -> c a b 2", "repeat"), einops.repeat(x, "a b c -> c a b 2"))
    with pytest.raises(ours.EinopsError):
        ours.reduce(x, "a b c -> c a", "rearrange")


@pytest.mark.parametrize("pattern", ["a b () c", "( ) ..."])
def test_parse_shape_of_axes_of_extent_1(pattern):
    x = np.zeros((1, 3, 1, 4))
    assert ours.parse_shape(x, pattern) == einops.parse_shape(x, pattern)
    with pytest.raises(ours.EinopsError):
        ours.parse_shape(np.zeros((2, 3, 4, 5)), pattern)


@pytest.mark.parametrize("pattern", ["a b c", "_ b _", "a ...", "... c", "a ... c"])
def test_parse_shape(pattern):
    x = np.zeros((2, 3, 4))
    assert ours.parse_shape(x, pattern) == einops.parse_shape(x, pattern)
    assert ours.parse_shape(weft.asarray(x), pattern) == einops.parse_shape(x, pattern)


@given(st.integers(0, 2), st.integers(0, 2), st.integers(1, 3), st.data())
def test_pack_and_unpack(before, after, count, data):
    front, back = [2, 3][:before], [4, 1][:after]
    middles = [tuple(data.draw(st.lists(st.integers(0, 3), max_size=2))) for _ in range(count)]
    xs = [np.arange(np.prod([*front, *m, *back], dtype=int)).reshape((*front, *m, *back))
          for m in middles]
    pattern = " ".join([*"ab"[:before], "*", *"cd"[:after]])
    packed, shapes = ours.pack(xs, pattern)
    expected, expected_shapes = einops.pack(xs, pattern)
    equal(packed, expected)
    assert [tuple(s) for s in shapes] == [tuple(s) for s in expected_shapes]
    for made, x in zip(ours.unpack(packed, shapes, pattern), xs):
        equal(made, x)
    lazy, _ = ours.pack([weft.asarray(x) for x in xs], pattern)
    assert isinstance(lazy, weft.Tensor)


def test_unpack_with_an_open_length():
    x = np.arange(12).reshape(2, 6)
    for made, expected in zip(ours.unpack(x, [(2,), (-1,)], "b *"), einops.unpack(x, [(2,), (-1,)], "b *")):
        equal(made, expected)


def test_asnumpy():
    equal(ours.asnumpy(weft.arange(3)), np.arange(3))
