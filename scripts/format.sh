#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formats the C++ files in place; with --check only says which ones need it.
# Exit status of --check: 0 all formatted, 1 not, 77 not judged (another clang-format).
set -euo pipefail
cd "$(dirname "$0")/.."

want=14  # Debian 12's; versions disagree about details
have=$(clang-format --version 2>/dev/null | sed -nE 's/.*version ([0-9]+)\..*/\1/p')
if [[ $have != "$want" ]]; then
  echo "format: needs clang-format $want, found ${have:-none}; not checked"
  if [[ ${CI-} ]]; then exit 1; else exit 77; fi
fi

folders=()
for folder in graph ops engine io cli python/src testing tests bench examples; do
  if [[ -d $folder ]]; then folders+=("$folder"); fi
done
mode=(-i)
if [[ ${1-} == --check ]]; then mode=(--dry-run -Werror); fi
{
  find . -maxdepth 1 -name '*.h' -print0
  find "${folders[@]}" \( -name '*.h' -o -name '*.cpp' \) -print0
} | xargs -0 clang-format --style=file "${mode[@]}"
