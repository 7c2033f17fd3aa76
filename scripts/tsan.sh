#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests that use threads under ThreadSanitizer, with a TBB that is instrumented as well, so
# that races between the tasks of a pass show: tsan.sh TBB_SOURCE [CTEST_ARGUMENTS...]
# TBB_SOURCE is oneTBB's source tree, as `apt-get source onetbb` unpacks it.
set -euo pipefail
tbb=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
bash scripts/setup.sh

jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}
root=$PWD/build/tsan-tbb
cmake -S "$tbb" -B "$root" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTBB_SANITIZE=thread \
  -DTBB_TEST=OFF -DTBB_EXAMPLES=OFF -DTBBMALLOC_BUILD=OFF -DTBB_STRICT=OFF \
  -DTBB_DISABLE_HWLOC_AUTOMATIC_SEARCH=ON
cmake --build "$root" -j "$jobs"
cmake --install "$root" --prefix "$root/installed" >/dev/null

cmake --preset tsan -DTBB_DIR="$root/installed/lib/cmake/TBB"
cmake --build --preset tsan -j "$jobs" --target weft_tests weft_fuzz
# TBB's own suppressions, none of weft's: nothing is hidden here.
export TSAN_OPTIONS="halt_on_error=1 suppressions=$tbb/cmake/suppressions/tsan.suppressions"
ctest --test-dir build/tsan --output-on-failure --no-tests=error "$@"
