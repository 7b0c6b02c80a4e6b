// Kernels with a mistake do not pass. A kernel that takes other numbers than it is given stands for one that computes
// something else: it runs on the model on operands that were changed, and is held against the answer for the right
// ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "tool/verdict.hpp"

namespace {

using namespace sectile;
using namespace sectile::tool;

std::string shape_for(const kernel_facts& kernel) {
  // Three groups with rows; of K three blocks, two squares.
  if (kernel.name.find("_block_scaled") != std::string::npos) return "4x72x136x272";
  const auto* product = std::get_if<product_formula>(&kernel.computes);
  if (kernel.output().is_scattered()) return "4x36x136x72x72";
  if (product && product->ends > 0) return kernel.input(0).is_gathered() ? "4x72x136x30x72" : "4x72x136x72";
  if (kernel.input(0).tile.rank > 2) return "70x3x88";               // a row in three parts
  if (kernel.name.starts_with("block_scaled")) return "70x136x264";  // three blocks, two squares
  return product && kernel.inputs() > 2 ? "70x136x72" : "70x264";
}

/// What a run has left, and what is said of it.
struct spoiled_run {
  const kernel_facts& kernel;
  problem right, given;
  std::vector<verdict> said;

  template <class Spoil>
  spoiled_run(const char* name, Spoil spoil)
      : kernel(find_kernel(name)), right(random_problem(kernel, reading::wgmma, shape_for(kernel), 1)), given(right) {
    spoil(given);
    operand_buffers operands(kernel, given);
    run_on_model(kernel, reading::wgmma, operands.arguments, {});
    said = check_results(operands, right);
  }
};

/// Which outputs are right: "1" of one that is, "10" of two of which the second is wrong.
template <class Spoil>
std::string outcome_of(const char* name, Spoil spoil) {
  std::string all;
  for (const verdict& v : spoiled_run(name, spoil).said) all += v.right ? '1' : '0';
  return all;
}

/// Where the number of largest magnitude is.
float& largest(operand_data& x) {
  return *std::ranges::max_element(x.values, {}, [](float v) { return std::fabs(v); });
}

constexpr auto nothing = [](problem&) {};
/// A column that is left out of everything, as where the last tile ends too early.
constexpr auto last_column_lost = [](problem& p) {
  for (std::size_t i = 263; i < p.inputs[0].values.size(); i += 264) p.inputs[0].values[i] = 0;
};
/// Numbers of one operand that stand one place further, as where a vector is read at the wrong column.
constexpr auto turned = [](std::size_t operand) {
  return [operand](problem& p) { std::ranges::rotate(p.inputs[operand].values, p.inputs[operand].values.begin() + 1); };
};
constexpr auto other_number = [](std::size_t number, float value) {
  return [=](problem& p) { p.numbers[number] = value; };
};
/// The next larger number of bf16.
float next_bf16(float x) { return static_cast<float>(bf16(x * (1 + 0x1.8p-8F))); }

}  // namespace

TEST_CASE("kernels without a mistake pass") {
  for (const char* name : {"softmax_bf16", "rms_norm_bf16", "layer_norm_bf16", "long_layer_norm_bf16",
                           "transposed_copy_bf16", "scaled_sum_bf16"})
    CHECK_MESSAGE(outcome_of(name, nothing) == "1", name);
  for (const char* name : {"cast_amax_bf16_e4m3", "linear_gelu_aux_bf16"})
    CHECK_MESSAGE(outcome_of(name, nothing) == "11", name);
}

TEST_CASE("mistakes in rows are found") {
  CHECK(outcome_of("softmax_bf16", last_column_lost) == "0");
  CHECK(outcome_of("softmax_bf16", [](problem& p) { p.inputs[0].values[300] = 9; }) == "0");
  CHECK(outcome_of("rms_norm_bf16", last_column_lost) == "0");
  CHECK(outcome_of("rms_norm_bf16", turned(1)) == "0");
  CHECK(outcome_of("rms_norm_bf16", other_number(0, 0.1F)) == "0");
  CHECK(outcome_of("layer_norm_bf16", last_column_lost) == "0");
  CHECK(outcome_of("layer_norm_bf16", turned(1)) == "0");
  CHECK(outcome_of("layer_norm_bf16", turned(2)) == "0");
  CHECK(outcome_of("layer_norm_bf16", other_number(0, 0.1F)) == "0");
  CHECK(outcome_of("long_layer_norm_bf16", turned(2)) == "0");
}

TEST_CASE("mistakes in long rows are found, and what has none passes" * doctest::test_suite("exhaustive")) {
  for (const char* name : {"long_softmax_bf16", "long_rms_norm_bf16"})
    CHECK_MESSAGE(outcome_of(name, nothing) == "1", name);
  CHECK(outcome_of("long_softmax_bf16", last_column_lost) == "0");
  CHECK(outcome_of("long_rms_norm_bf16", turned(1)) == "0");
  CHECK(outcome_of("long_layer_norm_bf16", last_column_lost) == "0");
  CHECK(outcome_of("long_layer_norm_bf16", turned(1)) == "0");
}

TEST_CASE("mistakes in elements are found, in a single one, too") {
  CHECK(outcome_of("transposed_copy_bf16", turned(0)) == "0");
  CHECK(outcome_of("transposed_copy_bf16", [](problem& p) {
          float& x = p.inputs[0].values[777];
          x = next_bf16(x);
        }) == "0");
  CHECK(outcome_of("cast_amax_bf16_e4m3", [](problem& p) { p.inputs[1].values[0] *= 1.02F; }) == "01");
  CHECK(outcome_of("cast_amax_bf16_e4m3", [](problem& p) {
          float& x = largest(p.inputs[0]);
          x = next_bf16(x);
        }).back() == '0');
  CHECK(outcome_of("cast_amax_bf16_e4m3", [](problem& p) { largest(p.inputs[0]) = 0; }) == "00");
}

TEST_CASE("mistakes in scales of blocks are found, and in what makes them") {
  const char* const product = "block_scaled_gemm_e4m3";
  CHECK(outcome_of(product, nothing) == "1");
  CHECK(outcome_of(product, turned(2)) == "0");
  CHECK(outcome_of(product, turned(3)) == "0");
  CHECK(outcome_of(product, [](problem& p) { std::swap(p.inputs[3].values[1], p.inputs[3].values[4]); }) == "0");
  const char* const cast = "quantized_blocks_bf16_e4m3";
  CHECK(outcome_of(cast, nothing) == "11");
  CHECK(outcome_of(cast, [](problem& p) {
          float& x = largest(p.inputs[0]);
          x = next_bf16(x);
        }).back() == '0');
  CHECK(outcome_of(cast, [](problem& p) { largest(p.inputs[0]) = 0; }) == "00");
}

TEST_CASE("mistakes in groups are found") {
  for (const char* kernel : {"grouped_gemm_bf16", "masked_gemm_bf16", "grouped_inputs_bf16", "grouped_weights_bf16"}) {
    CAPTURE(kernel);
    CHECK(outcome_of(kernel, nothing) == "1");
    CHECK(outcome_of(kernel, [](problem& p) { p.inputs[2].values[0] += 1; }) == "0");
    CHECK(outcome_of(kernel, turned(1)) == "0");
  }
  for (const char* kernel : {"gated_experts_bf16", "weighted_experts_bf16"}) {
    CAPTURE(kernel);
    CHECK(outcome_of(kernel, nothing) == "1");
    CHECK(outcome_of(kernel, [](problem& p) { p.inputs[3].values[0] += 1; }) == "0");
    for (const std::size_t operand : {1, 2}) CHECK(outcome_of(kernel, turned(operand)) == "0");
  }
  CHECK(outcome_of("gathered_experts_bf16", nothing) == "1");
  CHECK(outcome_of("gathered_experts_bf16", [](problem& p) { p.inputs[1].values[0] += 1; }) == "0");
  CHECK(outcome_of("gathered_experts_bf16", [](problem& p) { p.inputs[4].values[0] += 1; }) == "0");
  CHECK(outcome_of("scattered_experts_bf16", nothing) == "1");
  CHECK(outcome_of("scattered_experts_bf16",
                   [](problem& p) { std::swap(p.inputs[3].values[0], p.inputs[3].values[5]); }) == "0");
  CHECK(outcome_of("scattered_experts_bf16", [](problem& p) { p.inputs[4].values[0] += 1; }) == "0");
  for (const char* kernel : {"grouped_block_scaled_gemm_e4m3", "masked_block_scaled_gemm_e4m3"}) {
    CAPTURE(kernel);
    CHECK(outcome_of(kernel, nothing) == "1");
    CHECK(outcome_of(kernel, [](problem& p) { p.inputs[4].values[0] += 1; }) == "0");
    for (const std::size_t operand : {1, 2, 3}) CHECK(outcome_of(kernel, turned(operand)) == "0");
  }
}

TEST_CASE("mistakes in a sum of two matrices are found, in each of its parts") {
  CHECK(outcome_of("scaled_sum_bf16", other_number(0, 0.51F)) == "0");
  CHECK(outcome_of("scaled_sum_bf16", other_number(1, -1.9F)) == "0");
  CHECK(outcome_of("scaled_sum_bf16", other_number(1, 0)) == "0");
  CHECK(outcome_of("scaled_sum_bf16", [](problem& p) { std::swap(p.numbers[0], p.numbers[1]); }) == "0");
  CHECK(outcome_of("scaled_sum_bf16", turned(2)) == "0");
}

TEST_CASE("mistakes in two matrices are found") {
  CHECK(outcome_of("linear_gelu_aux_bf16", turned(2)) == "00");
  const spoiled_run run("linear_gelu_aux_bf16", nothing);
  operand_buffers exchanged(run.kernel, run.right);
  run_on_model(run.kernel, reading::wgmma, exchanged.arguments, {});
  std::swap(exchanged.outputs[0], exchanged.outputs[1]);
  for (const verdict& v : check_results(exchanged, run.right)) CHECK_FALSE(v.right);
}
