// A family, small enough to be compiled for a test: the product of the examples in two configurations.
#pragma once
#include "examples/scaled_product.hpp"

struct two_products : scaled_product {
  static constexpr auto how = sectile::configurations(
      sectile::configuration{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 4, .consumers = 1},
      scaled_product::how);
};
