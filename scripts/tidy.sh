#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy (.clang-tidy) over the sources, or over those given: tidy.sh [FILE...]
# Its last line counts: `N files, N findings`. docs/long-runs.md says when it was run last, and what it found.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh
cmake --preset release >/dev/null

files=("$@")
if ((${#files[@]} == 0)); then
  mapfile -t files < <(find graph ops engine io testing -name '*.cpp' | sort)
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# It says of how many warnings of other people's headers it was silent: that is left out.
printf '%s\0' "${files[@]}" |
  xargs -0 -n 4 -P "${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}" \
    clang-tidy --quiet -p build/release >"$log" 2>/dev/null || true
cat "$log"
findings=$(grep -cE '^[^ ].*(warning|error): ' "$log" || true)
printf '\n%d files, %d findings\n' "${#files[@]}" "$findings"
((findings == 0))
