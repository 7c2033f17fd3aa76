#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs einops' own tests, for NumPy's arrays, on the functions of weft.einops of the build folder; none may fail.
# Usage: einops_suite.sh [FOLDER], where einops is, or is cloned to: by default build/einops.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:-build/einops}
commit=ccb89f27599f26d7140a1bd2703305309fe3a3bd
if [[ ! -d $suite ]]; then
  git clone --quiet https://github.com/arogozhnikov/einops "$suite"
  git -C "$suite" checkout --quiet "$commit"
fi
[[ $(git -C "$suite" rev-parse HEAD) == "$commit" ]] || { echo "$suite is not at $commit"; exit 2; }
python=${PYTHON:-build/venv/bin/python}
[[ -x $python ]] || bash scripts/python_venv.sh build/venv
export PYTHONPATH=$PWD/build/release/python:$PWD/scripts EINOPS_TEST_BACKENDS=numpy
python=$(realpath --no-symlinks "$python")
cd "$suite"
"$python" -B -m pytest -q -p no:cacheprovider -p einops_door -rs einops/tests
