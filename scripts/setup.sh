#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what building, testing and benchmarking weft needs and this machine lacks. Says nothing
# when nothing is missing. Uses apt as root or with a sudo that asks no password; elsewhere it names
# the packages and stops with status 1.
set -euo pipefail

# What shows that it is there (a command or a header), and the packages that bring it.
#     probe                    apt                  dnf                     brew             vcpkg
needs='
  c++                          build-essential      gcc-c++                 gcc              -
  cmake                        cmake                cmake                   cmake            -
  ninja                        ninja-build          ninja-build             ninja            -
  ccache                       ccache               ccache                  ccache           -
  clang-format                 clang-format         clang-tools-extra       clang-format     -
  git                          git                  git                     git              -
  python3                      python3              python3                 python           -
  python3-config               python3-dev          python3-devel           python           -
  ensurepip                    python3-venv         python3                 python           -
  Eigen/Core                   libeigen3-dev        eigen3-devel            eigen            eigen3
  tbb/tbb.h                    libtbb-dev           tbb-devel               tbb              tbb
  fmt/core.h                   libfmt-dev           fmt-devel               fmt              fmt
  hwy/highway.h                libhwy-dev           highway-devel           highway          highway
  doctest/doctest.h            doctest-dev          doctest-devel           doctest          doctest
  nlohmann/json.hpp            nlohmann-json3-dev   json-devel              nlohmann-json    nlohmann-json
  benchmark/benchmark.h        libbenchmark-dev     google-benchmark-devel  google-benchmark benchmark
  valgrind                     valgrind             valgrind                valgrind         -
  CLI/CLI.hpp                  libcli11-dev         cli11-devel             cli11            cli11
  png.h                        libpng-dev           libpng-devel            libpng           libpng
  jpeglib.h                    libjpeg-dev          libjpeg-turbo-devel     jpeg-turbo       libjpeg-turbo
  zlib.h                       zlib1g-dev           zlib-devel              zlib             zlib
'

# Where headers may be: the system's, Homebrew's, vcpkg's, and what CMAKE_PREFIX_PATH names.
IFS=':;' read -ra prefixes <<<"${CMAKE_PREFIX_PATH-}"
prefixes+=(/usr /usr/local /opt/homebrew)
if [[ ${VCPKG_ROOT-} ]]; then prefixes+=("$VCPKG_ROOT"/installed/*); fi

is_there() {
  local prefix
  if [[ $1 == ensurepip ]]; then  # virtual environments
    python3 -c 'import ensurepip' 2>/dev/null
    return
  fi
  if [[ $1 != *.h* && $1 != */* ]]; then
    command -v "$1" >/dev/null
    return
  fi
  for prefix in "${prefixes[@]}"; do
    if [[ -e $prefix/include/$1 || -e $prefix/include/eigen3/$1 ]]; then return 0; fi
  done
  return 1
}

apt=() dnf=() brew=() vcpkg=()
while read -r probe a d b v; do
  if [[ ! $probe ]] || is_there "$probe"; then continue; fi
  apt+=("$a") dnf+=("$d") brew+=("$b")
  if [[ $v != - ]]; then vcpkg+=("$v"); fi
done <<<"$needs"
if [[ ${#apt[@]} == 0 ]]; then exit 0; fi

become=()
if [[ $(id -u) != 0 ]]; then become=(sudo -n); fi
if ! command -v apt-get >/dev/null || ! "${become[@]}" true 2>/dev/null; then
  cat >&2 <<END
weft needs packages that are missing here. Install them, then run this again:
  apt:    apt-get install ${apt[*]}
  dnf:    dnf install ${dnf[*]}
  brew:   brew install ${brew[*]}
END
  if [[ ${#vcpkg[@]} != 0 ]]; then echo "  vcpkg:  vcpkg install ${vcpkg[*]}" >&2; fi
  exit 1
fi

echo "installing ${apt[*]} ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt_get() {
  if ! "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1 </dev/null; then
    tail -n 30 "$log" >&2
    echo "apt-get $1 failed" >&2
    exit 1
  fi
}
apt_get update
apt_get install -y --no-install-recommends "${apt[@]}"
