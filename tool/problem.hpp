// One run of a kernel as a problem to solve and to check: its operands, and what the result has to be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/images.hpp"
#include "tool/kernel_list.hpp"
#include "tool/machines.hpp"
#include "tool/operand_data.hpp"
#include "tool/product_answer.hpp"
#include "tool/progress.hpp"
#include "tool/sizes.hpp"

namespace sectile::tool {

struct problem {
  std::string what;  // "C = A B^T with M = 256, N = 512, K = 64"
  std::vector<operand_data> inputs;
  std::vector<std::vector<std::int64_t>> output_shapes;
  std::vector<float> numbers{};  // one for each of the kernel's scalars, then those of a filter's way
  filter_path path{};            // of a convolution
  std::int64_t reference_steps = 0;
  /// The outputs in float64, from the inputs above.
  std::function<std::vector<answer>(const std::vector<operand_data>& inputs, progress& tick)> reference;
};

/// Throws input_error where `where` gives attention another D than the only one that the kernel takes.
void require_head_dimension(const kernel_facts& kernel, const named_sizes& sizes, std::string_view where);

/// A shape, as `random_problem` takes it, whose run takes a second or two on that machine.
std::string default_shape(const kernel_facts& kernel, machine on);

/// Random operands; `shape` has a size for each mode: "MxNxK", "BxHxSxD", see size_letters(). What has to be sparse is
/// pruned. `numbers` as chosen_numbers() gives them. Throws input_error, and launch_error for sizes that cannot be.
problem random_problem(const kernel_facts& kernel, reading how, const std::string& shape, std::uint64_t seed,
                       const std::vector<float>& numbers);
/// With the numbers that the kernel has unless someone says otherwise.
problem random_problem(const kernel_facts& kernel, reading how, const std::string& shape, std::uint64_t seed);

/// Operands from .npy files, one for each input. `pruned`: A is made sparse first. Throws input_error, also for files
/// that do not fit together, and for an A that has to be sparse and is not.
problem problem_from_files(const kernel_facts& kernel, reading how, const std::vector<std::filesystem::path>& files,
                           bool pruned, const std::vector<float>& numbers);

}  // namespace sectile::tool
