#!/usr/bin/env bash
# Sourced by run.sh and test.sh: installs what the build needs and the machine lacks, and nothing else; then builds.
# Every need is tested by what the build would look for, so that a package from elsewhere counts as well.

have_header() { printf '#include <%s>\n' "$1" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1; }
# g++ answers with a path where it finds the file, and with the bare name where it does not.
have_library() { [[ "$(g++ -print-file-name="lib$1.so")$(g++ -print-file-name="lib$1.a")" == */* ]]; }
have_command() { command -v "$1" >/dev/null 2>&1; }

# missing_packages: the Debian packages of everything that is not there, one per line.
missing_packages() {
  have_command g++ || echo g++
  have_command cmake || echo cmake
  have_command ninja || echo ninja-build
  have_header boost/version.hpp || echo libboost-dev
  { have_header boost/context/fiber.hpp && have_library boost_context; } || echo libboost-context-dev
  have_header doctest/doctest.h || echo doctest-dev
  have_header CLI/CLI.hpp || echo libcli11-dev
  have_header fmt/format.h || echo libfmt-dev
}

refuse() {
  printf 'sectile: %s\n' "$1" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

install_dependencies() {
  local missing log
  mapfile -t missing < <(missing_packages)
  if [ "${#missing[@]}" -gt 0 ]; then
    have_command apt-get ||
      refuse "please install (Debian's names): ${missing[*]}; this machine has no apt-get to do it with."
    [ "$(id -u)" -eq 0 ] || have_command sudo ||
      refuse "please install as root: apt-get install ${missing[*]}; there is no sudo to do it with."
    echo "Installing ${missing[*]} ..."
    log=$(mktemp)
    as_root apt-get -qq update >"$log" 2>&1 || true # old lists may do; the install below decides
    if ! as_root apt-get -qq install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
      tail -n 5 "$log" >&2
      rm -f "$log"
      refuse "apt-get could not install ${missing[*]}; please install them by hand and start this again."
    fi
    rm -f "$log"
  fi
  require_version cmake 3.25 "$(cmake --version | head -n 1)"
  require_version g++ 12 "g++ $(g++ -dumpfullversion)"
}

# require_version NAME LEAST TEXT: TEXT ends in the version that is there.
require_version() {
  local found=${3##* }
  [ "$(printf '%s\n%s\n' "$2" "$found" | sort -V | head -n 1)" = "$2" ] ||
    refuse "$1 $found is too old: $2 is the oldest that builds this (Debian 12 and Ubuntu 24.04 have newer ones)."
}

# configure_and_build TARGET: release, into build/.
configure_and_build() {
  cmake --preset release
  cmake --build build --target "$1"
}

built_with_cuda() { grep -q '^CMAKE_CUDA_COMPILER:[A-Z]*=/' build/CMakeCache.txt; }
gpu_is_there() { [ -e /dev/nvidia0 ] || { have_command nvidia-smi && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }; }
gpu_is_usable() { built_with_cuda && gpu_is_there; }

# why_no_gpu: one clause that says what is missing for a run on the GPU.
why_no_gpu() {
  if gpu_is_there; then
    echo "the GPU: there is one, but no nvcc to compile the kernels for it (CUDA toolkit 12.0 or newer)"
  elif built_with_cuda; then
    echo "the run on a GPU: the kernels are compiled for it, but this machine has none"
  else
    echo "the GPU: this machine has neither a GPU nor nvcc"
  fi
}
