#include "tool/problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <sectile/layouts/sparse.hpp>
#include <string_view>
#include <utility>

#include "tool/args.hpp"
#include "tool/error_bar.hpp"
#include "tool/memory.hpp"
#include "tool/sparse_data.hpp"

namespace sectile::tool {
namespace {

/// The operands as floats and once more as the kernel takes them; of the result, the reference in float64 as well.
void require_run_memory(double inputs, double outputs) {
  require_memory(8 * inputs + 24 * outputs, "the operands, the result and its float64 reference");
}

problem gemm_problem(const kernel_facts& kernel, reading how, gemm_shape s, signs of_products,
                     std::vector<operand_data> inputs) {
  const wgmma_instruction& w = kernel.declared->products.at[0].instruction;
  const bool exact = family_of(w).sum == summation::integer;
  // Older tensor cores may add half as many products at once as wgmma.
  const std::int64_t rounded = how == reading::wmma ? 2 * s.k : s.k;
  const overflow rule = w.saturate ? overflow::clamps : overflow::wraps;
  return {.what = fmt::format("C = A B^T{} with M = {}, N = {}, K = {}", w.sparse ? ", A sparse," : "", s.m, s.n, s.k),
          .inputs = std::move(inputs),
          .output_shape = {s.m, s.n},
          .bar = sum_error_bar(w, kernel.output().type, rounded, of_products),
          .reference_steps = reference_steps(s),
          .reference = [s, exact, rule, step = w.k](const std::vector<operand_data>& in, progress& tick) {
            return exact ? reference_integer_gemm(in[0].values, in[1].values, s, rule, step, &tick)
                         : reference_gemm(in[0].values, in[1].values, s, &tick);
          }};
}

problem attention_problem(const kernel_facts& kernel, attention_shape s, std::vector<operand_data> inputs) {
  const bool causal = kernel.mask == attention_mask::causal;
  return {.what = fmt::format("O = softmax(Q K^T / sqrt(D)) V{} with B = {}, H = {}, S = {}, D = {}",
                              causal ? ", causal," : "", s.batch, s.heads, s.sequence, s.dimension),
          .inputs = std::move(inputs),
          .output_shape = {s.batch, s.heads, s.sequence, s.dimension},
          .number = static_cast<float>(std::numbers::log2e / std::sqrt(static_cast<double>(s.dimension))),
          .bar = attention_error_bar,
          .reference_steps = reference_steps(s),
          .reference = [s, mask = kernel.mask](const std::vector<operand_data>& in, progress& tick) {
            return reference_attention(in[0].values, in[1].values, in[2].values, s, mask, &tick);
          }};
}

/// Makes A sparse, and says so.
void prune_left(const kernel_facts& kernel, operand_data& a, const std::string& what) {
  prune(kernel.input(0).type, a);
  const bool pairs = sparse_group(kernel.input(0).type.bits) == 2;
  a.note +=
      fmt::format("{}{}: of every {} neighbours along a row the {} in magnitude {} kept", a.note.empty() ? "" : "; ",
                  what, pairs ? "two" : "four", pairs ? "larger" : "two largest", pairs ? "is" : "are");
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

}  // namespace

std::string default_shape(const kernel_facts& kernel, machine on) {
  if (kernel.family == kernel_family::gemm && kernel.input(0).type.bits == 1)
    return on == machine::gpu ? "4096x4096x4096" : "256x512x2048";
  if (kernel.family == kernel_family::gemm) return on == machine::gpu ? "4096x4096x1024" : "256x512x256";
  return (on == machine::gpu ? "2x8x2048x" : "1x2x384x") + std::to_string(kernel.head_dimension());
}

problem random_problem(const kernel_facts& kernel, reading how, const std::string& shape, std::uint64_t seed) {
  std::vector<operand_data> inputs;
  if (kernel.family == kernel_family::gemm) {
    const std::vector<std::int64_t> s = parse_shape(shape, "MNK");
    require_run_memory(product({s[0] + s[1], s[2]}), product({s[0], s[1]}));
    inputs.push_back(random_operand(kernel.input(0).type, {s[0], s[2]}, seed));
    inputs.push_back(random_operand(kernel.input(1).type, {s[1], s[2]}, seed + 1));
    if (kernel.is_sparse()) prune_left(kernel, inputs[0], "A");
    return gemm_problem(kernel, how, {s[0], s[1], s[2]}, signs::random, std::move(inputs));
  }
  const std::vector<std::int64_t> s = parse_shape(shape, "BHSD");
  require_head_dimension(kernel, s[3], "shape '" + shape + "'");
  require_run_memory(3 * product(s), product(s));
  for (int i = 0; i < 3; ++i)
    inputs.push_back(random_operand(kernel.input(i).type, s, seed + static_cast<std::uint64_t>(i)));
  return attention_problem(kernel, {s[0], s[1], s[2], s[3]}, std::move(inputs));
}

problem problem_from_files(const kernel_facts& kernel, reading how, const std::vector<std::filesystem::path>& files,
                           bool pruned) {
  std::vector<operand_data> inputs;
  if (kernel.family == kernel_family::gemm) {
    inputs.push_back(read_operand(kernel.input(0).type, files[0], 2, "A, M x K"));
    inputs.push_back(read_operand(kernel.input(1).type, files[1], 2, "B, N x K"));
    const std::vector<std::int64_t>&a = inputs[0].shape, &b = inputs[1].shape;
    if (a[1] != b[1]) {
      throw input_error(
          fmt::format("{} is {} and {} is {}: A is M x K and B is N x K, so both need the same K, not {} "
                      "and {}",
                      files[0].string(), shape_text(a), files[1].string(), shape_text(b), a[1], b[1]));
    }
    const gemm_shape s{a[0], b[0], a[1]};
    if (pruned) prune_left(kernel, inputs[0], files[0].string());
    if (kernel.is_sparse()) require_sparse(kernel.input(0).type, inputs[0], files[0].string());
    require_run_memory(product({s.m + s.n, s.k}), product({s.m, s.n}));
    return gemm_problem(kernel, how, s, signs::any, std::move(inputs));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string meaning = fmt::format("{}, B x H x S x D", std::string_view("QKV").substr(i, 1));
    inputs.push_back(read_operand(kernel.input(static_cast<int>(i)).type, files[i], 4, meaning));
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
