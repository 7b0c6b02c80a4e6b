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
  have_header nlohmann/json.hpp || echo nlohmann-json3-dev
}

# The interpreter that runs docs/generator: Debian's, whose modules apt-get installs.
have_module() { /usr/bin/python3 -c "import $1" >/dev/null 2>&1; }

# page_packages: what tutorials are made with. Without it everything else works.
page_packages() {
  have_module jinja2 || echo python3-jinja2
  have_module markdown_it || echo python3-markdown-it
  have_module pygments || echo python3-pygments
}

# site_packages: what compiles the explorer to WebAssembly, and what the tests look at the pages with. They are large,
# and what needs them is left out where they are missing.
site_packages() {
  have_command em++ || echo emscripten
  have_command chromium || echo chromium
  have_command chromedriver || echo chromium-driver
  have_module selenium || echo python3-selenium
  have_module html5lib || echo python3-html5lib
  /usr/bin/python3 -m pip --version >/dev/null 2>&1 || echo python3-pip
  have_command tidy || echo tidy
}

# python_packages: what the Python package is built with, and its tests are run by.
python_packages() {
  compgen -G '/usr/include/python3.*/Python.h' >/dev/null || echo python3-dev
  have_module pytest || echo python3-pytest
  have_module numpy || echo python3-numpy
}

# witness_packages: programs that look at the same things as the tests and share no code with them.
witness_packages() {
  have_command spin || echo spin
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

# can_install: whether there is an apt-get here and the right to use it; else why_not says what is missing.
can_install() {
  if ! have_command apt-get; then
    why_not="this machine has no apt-get to do it with"
  elif [ "$(id -u)" -ne 0 ] && ! have_command sudo; then
    why_not="there is no sudo to do it with"
  else
    return 0
  fi
  return 1
}

# apt_install PACKAGE...: quietly; the last lines of what apt-get said if it fails.
apt_install() {
  local log status=0
  log=$(mktemp)
  as_root apt-get -qq update >"$log" 2>&1 || true # old lists may do; the install below decides
  as_root apt-get -qq install -y --no-install-recommends "$@" >>"$log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || tail -n 5 "$log" >&2
  rm -f "$log"
  return "$status"
}

# install_dependencies: what the build cannot do without.
install_dependencies() {
  local missing
  mapfile -t missing < <(missing_packages)
  if [ "${#missing[@]}" -gt 0 ]; then
    can_install || refuse "please install (Debian's names): ${missing[*]}; $why_not."
    echo "Installing ${missing[*]} ..."
    apt_install "${missing[@]}" ||
      refuse "apt-get could not install ${missing[*]}; please install them by hand and start this again."
  fi
  require_version cmake 3.25 "$(cmake --version | head -n 1)"
  require_version g++ 12 "g++ $(g++ -dumpfullversion)"
}

# install_if_possible WHAT PACKAGE...: where they cannot be installed, says that WHAT is left out, and goes on.
install_if_possible() {
  local what=$1
  shift
  [ "$#" -gt 0 ] || return 0
  why_not="apt-get could not install them"
  if can_install && echo "Installing $* ..." && apt_install "$@"; then return 0; fi
  echo "Left out: $what, for want of $* ($why_not)."
}

# install_axe: axe-core, which reads pages as those do who cannot see them, into the build folder.
install_axe() {
  [ ! -d build/python/axe_core_python ] || return 0
  /usr/bin/python3 -m pip -q install --root-user-action=ignore --no-deps --target build/python axe-core-python==0.1.0 \
    >/dev/null 2>&1 || echo "Left out: the test of the pages' accessibility (pip could not install axe-core-python)."
}

# require_version NAME LEAST TEXT: TEXT ends in the version that is there.
require_version() {
  local found=${3##* }
  [ "$(printf '%s\n%s\n' "$2" "$found" | sort -V | head -n 1)" = "$2" ] ||
    refuse "$1 $found is too old: $2 is the oldest that builds this (Debian 12 and Ubuntu 24.04 have newer ones)."
}

# configure_and_build TARGET SETTING...: release, into build/.
configure_and_build() {
  local target=$1
  shift
  cmake --preset release "$@"
  cmake --build build --target "$target"
}

built_with_cuda() { grep -q '^CMAKE_CUDA_COMPILER:[A-Z]*=/' build/CMakeCache.txt; }
gpu_is_there() { [ -e /dev/nvidia0 ] || { have_command nvidia-smi && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }; }
gpu_is_usable() { built_with_cuda && gpu_is_there; }

# why_no_gpu: one clause that says what is missing for a run on the GPU.
why_no_gpu() {
  if gpu_is_there; then
    echo "the GPU: there is one, but no nvcc to compile the kernels for it (CUDA toolkit 12.0 or newer)"
  elif built_with_cuda; then
    echo "the run on a GPU: this machine has none, so no kernel was compiled for one"
  else
    echo "the GPU: this machine has neither a GPU nor nvcc"
  fi
}
