#include "tool/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

#include "tool/args.hpp"

namespace sectile::tool {
namespace {

/// Rounding a result to bf16, 8 bits, costs 2^-9 at most. With an f32 result each instruction along K may drop a unit
/// of the last place, because wgmma truncates the terms of a sum as it aligns them.
double gemm_bar(const element& out, std::int64_t k) {
  constexpr double unit = 1.0 / (1 << 23);
  return out.bits == 16 ? 4e-3 : std::max(1e-5, unit * static_cast<double>((k + 15) / 16));
}

/// Probabilities are rounded to bf16 before they are multiplied by V, and the result is rounded again.
constexpr double attention_bar = 1e-2;

/// The operands as floats and once more as the kernel takes them; of the result, the reference in float64 as well.
void require_run_memory(double inputs, double outputs) {
  require_memory(6 * inputs + 16 * outputs, "the operands, the result and its float64 reference");
}

problem gemm_problem(const kernel_facts& kernel, gemm_shape s, std::vector<operand_data> inputs) {
  return {.what = fmt::format("C = A B^T with M = {}, N = {}, K = {}", s.m, s.n, s.k),
          .inputs = std::move(inputs),
          .output_shape = {s.m, s.n},
          .bar = gemm_bar(kernel.output().type, s.k),
          .reference_steps = reference_steps(s),
          .reference = [s](const std::vector<operand_data>& in, progress& tick) {
            return reference_gemm(in[0].values, in[1].values, s, &tick);
          }};
}

problem attention_problem(const kernel_facts& kernel, attention_shape s, std::vector<operand_data> inputs) {
  const bool causal = kernel.mask == attention_mask::causal;
  return {.what = fmt::format("O = softmax(Q K^T / sqrt(D)) V{} with B = {}, H = {}, S = {}, D = {}",
                              causal ? ", causal," : "", s.batch, s.heads, s.sequence, s.dimension),
          .inputs = std::move(inputs),
          .output_shape = {s.batch, s.heads, s.sequence, s.dimension},
          .number = static_cast<float>(std::numbers::log2e / std::sqrt(static_cast<double>(s.dimension))),
          .bar = attention_bar,
          .reference_steps = reference_steps(s),
          .reference = [s, mask = kernel.mask](const std::vector<operand_data>& in, progress& tick) {
            return reference_attention(in[0].values, in[1].values, in[2].values, s, mask, &tick);
          }};
}

void require_head_dimension(const kernel_facts& kernel, std::int64_t dimension, std::string_view where) {
  if (dimension == kernel.head_dimension()) return;
  std::vector<std::string_view> right;
  std::vector<int> dimensions;
  for (const kernel_facts& other : kernel_list()) {
    if (other.family != kernel_family::attention || other.mask != kernel.mask) continue;
    dimensions.push_back(other.head_dimension());
    if (other.head_dimension() == dimension) right.push_back(other.name);
  }
  const std::string hint = right.empty() ? fmt::format("there are kernels for D = {}", fmt::join(dimensions, " and "))
                                         : fmt::format("use {}", right.front());
  throw input_error(
      fmt::format("{} has D = {}, {} takes D = {}; {}", where, dimension, kernel.name, kernel.head_dimension(), hint));
}

double product(const std::vector<std::int64_t>& shape) {
  double result = 1;
  for (const std::int64_t size : shape) result *= static_cast<double>(size);
  return result;
}

operand_data random_bf16(std::vector<std::int64_t> shape, std::uint64_t seed) {
  operand_data data = random_data(std::move(shape), seed);
  round_to_bf16(data.values);
  return data;
}

}  // namespace

problem random_problem(const kernel_facts& kernel, const std::string& shape, std::uint64_t seed) {
  std::vector<operand_data> inputs;
  if (kernel.family == kernel_family::gemm) {
    const std::vector<std::int64_t> s = parse_shape(shape, "MNK");
    require_run_memory(product({s[0] + s[1], s[2]}), product({s[0], s[1]}));
    inputs.push_back(random_bf16({s[0], s[2]}, seed));
    inputs.push_back(random_bf16({s[1], s[2]}, seed + 1));
    return gemm_problem(kernel, {s[0], s[1], s[2]}, std::move(inputs));
  }
  const std::vector<std::int64_t> s = parse_shape(shape, "BHSD");
  require_head_dimension(kernel, s[3], "shape '" + shape + "'");
  require_run_memory(3 * product(s), product(s));
  for (std::uint64_t i = 0; i < 3; ++i) inputs.push_back(random_bf16(s, seed + i));
  return attention_problem(kernel, {s[0], s[1], s[2], s[3]}, std::move(inputs));
}

problem problem_from_files(const kernel_facts& kernel, const std::vector<std::filesystem::path>& files) {
  std::vector<operand_data> inputs;
  if (kernel.family == kernel_family::gemm) {
    inputs.push_back(read_bf16(files[0], 2, "A, M x K"));
    inputs.push_back(read_bf16(files[1], 2, "B, N x K"));
    const std::vector<std::int64_t>&a = inputs[0].shape, &b = inputs[1].shape;
    if (a[1] != b[1]) {
      throw input_error(
          fmt::format("{} is {} and {} is {}: A is M x K and B is N x K, so both need the same K, not {} "
                      "and {}",
                      files[0].string(), shape_text(a), files[1].string(), shape_text(b), a[1], b[1]));
    }
    const gemm_shape s{a[0], b[0], a[1]};
    require_run_memory(product({s.m + s.n, s.k}), product({s.m, s.n}));
    return gemm_problem(kernel, s, std::move(inputs));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    inputs.push_back(read_bf16(files[i], 4, fmt::format("{}, B x H x S x D", std::string_view("QKV").substr(i, 1))));
    if (inputs[i].shape != inputs[0].shape) {
      throw input_error(fmt::format("{} is {} and {} is {}: Q, K and V need the same shape, B x H x S x D",
                                    files[0].string(), shape_text(inputs[0].shape), files[i].string(),
                                    shape_text(inputs[i].shape)));
    }
  }
  const std::vector<std::int64_t>& s = inputs[0].shape;
  require_head_dimension(kernel, s[3], files[0].string());
  return attention_problem(kernel, {s[0], s[1], s[2], s[3]}, std::move(inputs));
}

}  // namespace sectile::tool
