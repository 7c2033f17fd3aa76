# SPDX-License-Identifier: Apache-2.0
"""What all tests share."""

import os

from hypothesis import HealthCheck, settings

# The seed of what fails is in what hypothesis prints (@reproduce_failure).
settings.register_profile("weft", max_examples=int(os.environ.get("WEFT_EXAMPLES", "200")), deadline=None, print_blob=True,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("weft")


def pytest_sessionfinish(session, exitstatus):
    """What is skipped was not tested."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and reporter.stats.get("skipped") and exitstatus == 0:
        session.exitstatus = 1
