// A kernel's type as a value. The list of a family calls use(kernel_type<K>(), name, summary) for each of its kernels,
// and is read where they are lowered and where they are told about.
#pragma once

namespace sectile::tool {

template <class K>
struct kernel_type {
  using type = K;
};

}  // namespace sectile::tool
