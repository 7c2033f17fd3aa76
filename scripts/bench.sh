#!/usr/bin/env bash
# Builds weft_bench in release and runs it with the given arguments (--json FILE, ...).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
bash "$root/scripts/setup.sh"
bash "$root/scripts/build_release.sh" weft_bench
exec "$root/build/release/bin/weft_bench" "$@"
