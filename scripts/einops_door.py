# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest that puts weft's functions where einops has its own, for einops' own tests."""

import einops
import einops.einops
import einops.layers._einmix  # noqa: F401  what it raises stays einops' own
import einops.packing

import weft.einops

for _name in weft.einops.__all__:
    for _module in (einops, einops.einops, einops.packing):
        if callable(getattr(_module, _name, None)) and _name != "EinopsError":
            setattr(_module, _name, getattr(weft.einops, _name))

# einops' parser is its own, and tested there, too: an error of either is what a test asks for.
einops.EinopsError = einops.einops.EinopsError = (einops.EinopsError, weft.einops.EinopsError)
