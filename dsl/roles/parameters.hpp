// What a kernel is launched with: tensor maps, the work, and the arguments of its body.
#pragma once
#include <sectile/dsl/roles/work.hpp>

namespace sectile {

template <class K, class Machine>
struct kernel_parameters {
  typename Machine::tensor_map map[operand_count<K>]{};  // of scalars: unused
  work_grid work{};
  body_arguments<K> arguments{};
};

}  // namespace sectile
