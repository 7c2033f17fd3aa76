#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a virtual environment with what building and testing the Python package needs, or does nothing
# where it is there. Usage: python_venv.sh FOLDER [PYTHON]
set -euo pipefail
folder=$1 python=${2:-python3}
needed=('nanobind>=3.1,<4' 'nanobind-backend>=1,<2' numpy pytest hypothesis einops ml_dtypes mypy)
if [[ $(cat "$folder/needed" 2>/dev/null) == "${needed[*]}" ]]; then exit 0; fi
"$python" -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "${needed[@]}"
echo "${needed[*]}" >"$folder/needed"
