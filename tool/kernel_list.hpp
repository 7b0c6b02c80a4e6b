// The kernels that the tool knows by name: what they compute, and on what.
#pragma once

#include <sectile/dsl/plan/plan.hpp>
#include <span>
#include <string_view>

#include "tool/reference.hpp"

namespace sectile::tool {

enum class kernel_family { gemm, attention };

struct kernel_facts {
  std::string_view name;
  std::string_view summary;  // one line
  kernel_family family = kernel_family::gemm;
  attention_mask mask = attention_mask::none;  // of attention
  const plan* planned = nullptr;

  const operand_facts& output() const { return planned->operand[planned->epilogue.operand].facts; }
  /// Of attention: the only D that the kernel takes.
  int head_dimension() const { return output().cols(); }
};

/// All of them. A kernel's place in the list is its number everywhere in the tool.
std::span<const kernel_facts> kernel_list();

/// The number of the kernel of that name. Throws input_error with the names that come nearest.
int find_kernel(std::string_view name);

}  // namespace sectile::tool
