#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fails where weft has become slower, or plans in more instructions, than bench/recorded.json says,
# and where something grows faster than its size.
# After a change that is meant: guard.sh --record.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh
bash scripts/build_release.sh weft_bench
bash scripts/build_release.sh weft_count
bash scripts/build_release.sh weft_slopes
steep=0
build/release/bin/weft_slopes --coarse || steep=1
python3 bench/guard.py build/release/bin "$@"
exit "$steep"
