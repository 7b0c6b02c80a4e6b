// A kernel's type as a value. The list of a family calls use(kernel_type<K>(), name, summary) for each of its kernels,
// and is read where they are lowered and where they are told about.
#pragma once

#include "tool/formula.hpp"

namespace sectile::tool {

template <class K>
struct kernel_type {
  using type = K;
};

/// What K computes: a product of two matrices, unless an overload for the types of a family says something else.
template <class K>
formula formula_of(kernel_type<K>) {
  return product_formula{};
}

}  // namespace sectile::tool
