#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds weft_bench in release and runs it with the given arguments (--rivals, --also, --json FILE,
# --isa avx2, ...). `bench.sh --all` measures everything, the Python frameworks that $PYTHON has too,
# and makes bench/RESULTS.md and bench/results.svg. On a machine that is shared, $BENCH_LOCK names a
# file that is locked while something is timed.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh
bash scripts/build_release.sh weft_bench
bash scripts/build_release.sh weft_copy
bench=build/release/bin/weft_bench

# Two threads for everybody; threads of OpenMP that wait busily would slow what is measured next.
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
if [[ ${1-} != --all ]]; then exec "$bench" "$@"; fi

prefix=()
if [[ ${BENCH_LOCK-} ]]; then prefix=(flock -x "$BENCH_LOCK"); fi
measured=build/measured
rm -rf "$measured" && mkdir -p "$measured/avx2"
groups=$("$bench" --benchmark_list_tests | grep . | sed -E "s:/.*::" | uniq)
for group in $groups; do
  "${prefix[@]}" "$bench" --rivals --benchmark_filter="^$group/" --json "$measured/$group.json" >"$measured/$group.log" ||
    echo "$group failed; see $measured/$group.log" >&2
  sed -n '/^id /,/^ratio:/{/^ratio:/d;p}' "$measured/$group.log"
  "${prefix[@]}" "$bench" --isa avx2 --benchmark_filter="^$group/" --json "$measured/avx2/$group.json" >/dev/null ||
    echo "$group failed with AVX2" >&2
done
"${prefix[@]}" "$bench" --also --benchmark_filter=none --json "$measured/also.json" >"$measured/also.log"
sed -n '/^W10.64/,$p' "$measured/also.log"

python=${PYTHON:-python3}
if "$python" -c 'import numpy' 2>/dev/null; then
  mapfile -t frameworks < <("$python" bench/rivals.py --list)
  for framework in "${frameworks[@]}"; do
    # shellcheck disable=SC2086  # the groups are words
    "$python" bench/rivals.py "$framework" "$measured" $groups 2>"$measured/$framework.log" ||
      echo "$framework failed; see $measured/$framework.log" >&2
  done
else
  echo "$python has no numpy: no Python frameworks measured"
fi
python3 bench/results.py "$measured"
