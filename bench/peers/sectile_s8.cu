// libpeer_sectile: the kernels of s8.
#include <sectile/kernels/gemm_family.hpp>

#include "bench/peers/family.hpp"

std::unique_ptr<sectile::bench::product> sectile::bench::make_s8_product(const shape& size) {
  return std::make_unique<family_product<kernels::gemm_s8_family, s8, s32>>(size);
}
