// libpeer_sectile: the kernels of e4m3.
#include <sectile/kernels/gemm_family.hpp>

#include "bench/peers/family.hpp"

std::unique_ptr<sectile::bench::product> sectile::bench::make_e4m3_product(const shape& size) {
  return std::make_unique<family_product<kernels::gemm_e4m3_family, e4m3, bf16>>(size);
}
