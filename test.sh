#!/usr/bin/env bash
# Builds everything and runs every test. Arguments go to ctest, e.g. ./test.sh -R layouts or ./test.sh -LE slow; with
# -C exhaustive, what takes hours as well.
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=cmake/dependencies.sh
source cmake/dependencies.sh

install_dependencies
mapfile -t wanted < <(page_packages && site_packages && witness_packages && python_packages)
install_if_possible "some tests of the pages, of the explorer, of the protocol and of the Python package" "${wanted[@]}"
install_axe
# To prove a kernel once more and to tell of it is half of what it takes to compile: pages are made of a sample.
pages="gemm_bf16;gemm_fp8;sparse_wide;layer_outputs;attention;ladder"
plain=ON
[[ " $* " != *" exhaustive "* ]] || pages=all plain=OFF
configure_and_build all -DSECTILE_TOOL_KERNELS=all "-DSECTILE_TOOL_RECORDS=$pages" -DSECTILE_TOOL_PROTOCOLS=gemm_bf16 \
  -DSECTILE_TOOL_NEIGHBOURS=gemm_bf16 -DSECTILE_SITE_PLAIN_SOURCES=$plain
ctest --test-dir build --output-on-failure --no-label-summary --no-tests=error \
  -j"${CTEST_PARALLEL_LEVEL:-$(($(nproc) + 1))}" "$@"
