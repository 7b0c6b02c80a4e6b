// The machine code of a kernel, read out of this very program by NVIDIA's disassembler, where there is one.
#pragma once

#include <string>
#include <string_view>

#include "tool/kernel_list.hpp"

namespace sectile::tool {

/// What `cuobjdump` says of the kernel: all of it, or how often each instruction occurs that multiplies, orders
/// products or copies tiles; or a sentence that says what is missing for that.
std::string sass_text(const kernel_facts& kernel, bool all);

/// Instructions of a listing by `cuobjdump -sass` that belong to the tensor cores and TMA, with their numbers, and how
/// many touch local memory.
std::string count_tensor_instructions(std::string_view listing);

/// The symbol of `sectile::hopper::run` for a kernel of this type (as typeid has it) among those of a listing by
/// `cuobjdump -symbols`, or "".
std::string find_kernel_symbol(std::string_view listing, std::string_view type_name);

}  // namespace sectile::tool
