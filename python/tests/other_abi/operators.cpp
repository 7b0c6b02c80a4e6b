// A library of operators of another version, which a package refuses.
#include <sectile/dsl/operator/abi.hpp>

extern "C" __attribute__((visibility("default"))) const sectile::operator_set* sectile_operators() {
  static constexpr sectile::operator_set old{.abi = sectile::operator_abi - 1};
  return &old;
}
