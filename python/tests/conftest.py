# SPDX-License-Identifier: Apache-2.0
"""What all tests share."""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import weft

# The seed of what fails is in what hypothesis prints (@reproduce_failure).
settings.register_profile("weft", max_examples=200, deadline=None, print_blob=True,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("weft")


@pytest.fixture(autouse=True)
def names_of_examples(doctest_namespace):
    """What the examples in docstrings take as given."""
    doctest_namespace.update(np=np, weft=weft)
