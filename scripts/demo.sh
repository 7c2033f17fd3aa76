#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds weft_demo in release and runs it: demo.sh [PICTURE]. The pictures it makes are in build/demo.
set -euo pipefail
picture=$(realpath "${1:-$(dirname "$0")/../examples/cat.png}")
cd "$(dirname "$0")/.."
bash scripts/setup.sh
bash scripts/build_release.sh weft_demo
mkdir -p build/demo
exec build/release/bin/weft_demo "$picture" build/demo
