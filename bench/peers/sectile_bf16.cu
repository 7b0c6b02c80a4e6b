// libpeer_sectile: the kernels of bf16.
#include <sectile/kernels/gemm_family.hpp>

#include "bench/peers/family.hpp"

std::unique_ptr<sectile::bench::product> sectile::bench::make_bf16_product(const shape& size) {
  return std::make_unique<family_product<kernels::gemm_bf16_family, bf16, bf16>>(size);
}
