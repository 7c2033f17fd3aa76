#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds one program of the release preset: build_release.sh TARGET. Shows CMake's output if it fails.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
log=build/$1.log
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}
echo "building $1 ..."
if ! { cmake --preset release && cmake --build --preset release -j "$jobs" --target "$1"; } >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
