# SPDX-License-Identifier: Apache-2.0
"""What all tests share."""

import importlib
import importlib.util
import os

from hypothesis import HealthCheck, settings

# The seed of what fails is in what hypothesis prints (@reproduce_failure).
settings.register_profile("weft", max_examples=int(os.environ.get("WEFT_EXAMPLES", "200")), deadline=None, print_blob=True,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("weft")


#: The frameworks whose arrays are tested, by name.
FRAMEWORKS = {name: importlib.import_module(name) for name in ("torch", "jax")
              if importlib.util.find_spec(name)}


def pytest_terminal_summary(terminalreporter):
    for name in ("torch", "jax"):
        told = f"{FRAMEWORKS[name].__version__} tested" if name in FRAMEWORKS else "missing, its arrays not tested"
        terminalreporter.write_line(f"{name}: {told}")


def pytest_sessionfinish(session, exitstatus):
    """What is skipped was not tested."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and reporter.stats.get("skipped") and exitstatus == 0:
        session.exitstatus = 1
