// libpeer_sectile: Sectile's families as products.
#include "bench/peers/family.hpp"

namespace sectile::bench {

std::unique_ptr<product> make_product(product_type type, const shape& size) {
  switch (type) {
    case product_type::bf16:
      return make_bf16_product(size);
    case product_type::e4m3:
      return make_e4m3_product(size);
    case product_type::s8:
      return make_s8_product(size);
    case product_type::sparse_bf16:
      return make_sparse_product(size);
  }
  return nullptr;
}
std::string library_name() { return "Sectile"; }

}  // namespace sectile::bench
