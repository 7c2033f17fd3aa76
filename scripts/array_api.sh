#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the array API standard's own suite on the Python package of the build folder, and holds what fails
# to the list in docs/array-api.md. Usage: array_api.sh [FOLDER], where the suite is, or is cloned to:
# by default build/array-api-tests. EXAMPLES (200) are drawn a test; PYTHON is one that has what the package needs.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:-build/array-api-tests}
commit=55fcc60179efa2680ddd6cd926ddf17b83530e2b
if [[ ! -d $suite ]]; then
  git clone --quiet https://github.com/data-apis/array-api-tests "$suite"
  git -C "$suite" checkout --quiet "$commit"
  git -C "$suite" submodule --quiet update --init
fi
[[ $(git -C "$suite" rev-parse HEAD) == "$commit" ]] || { echo "$suite is not at $commit"; exit 2; }
python=${PYTHON:-build/venv/bin/python}
[[ -x $python ]] || bash scripts/python_venv.sh build/venv
"$python" -m pip install --quiet --disable-pip-version-check -r "$suite/requirements.txt"
python=$(realpath --no-symlinks "$python")

report=$PWD/build/array-api.txt
package=$PWD/build/release/python
(cd "$suite" && ARRAY_API_TESTS_MODULE=weft ARRAY_API_TESTS_VERSION=2025.12 PYTHONPATH=$package \
  "$python" -B -m pytest -q -p no:cacheprovider -rfE --tb=no --max-examples "${EXAMPLES:-200}" \
  --hypothesis-seed=0 array_api_tests) >"$report" || true
tail -n 1 "$report"
"$python" scripts/array_api_list.py docs/array-api.md "$report"
