#!/usr/bin/env bash
# Builds the command-line tool, in a fresh clone with the gemm_bf16 kernel alone, and does one whole job with it: makes a
# pair of matrices, multiplies them, checks the result against a float64 reference, and makes the kernel's tutorial.
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=cmake/dependencies.sh
source cmake/dependencies.sh

install_dependencies
mapfile -t wanted < <(page_packages)
install_if_possible "the tutorial" "${wanted[@]}"
settings=()
[ -e build/CMakeCache.txt ] || settings=(-DSECTILE_TOOL_KERNELS=gemm_bf16) # what was built before stays as it is
configure_and_build sectile_cli "${settings[@]}"

demo=build/demo
mkdir -p "$demo"
if gpu_is_usable; then
  m=4096 n=4096 k=2048
else
  m=256 n=512 k=256
  echo "Left out: $(why_no_gpu). The kernel runs on the CPU model of the machine instead, which gives the same bits."
fi

echo
echo "== C = A B^T with gemm_bf16: A is $m x $k, B is $n x $k, C is $m x $n"
build/sectile random --shape "${m}x${k}" --seed 1 --out "$demo/A.npy"
build/sectile random --shape "${n}x${k}" --seed 2 --out "$demo/B.npy"
build/sectile run gemm_bf16 --a "$demo/A.npy" --b "$demo/B.npy" --out "$demo/C.npy"

echo
echo "== How the kernel works"
build/sectile explain gemm_bf16
if [ -z "$(page_packages)" ]; then
  echo
  build/sectile tutorial gemm_bf16 --out "$demo/tutorial"
fi
echo "The result is in $demo/C.npy"
