// A tool that is built with some kernels only, as ./run.sh builds it in a fresh clone.
#include <doctest/doctest.h>

#include <string>

#include "tool/input_error.hpp"
#include "tool/kernel_list.hpp"
#include "tool/records.hpp"

using namespace sectile::tool;

TEST_CASE("it has the kernels of its families, in the readings of its families") {
  REQUIRE(kernel_list().size() == 1);
  const kernel_facts& kernel = kernel_list()[0];
  CHECK(kernel.name == "gemm_bf16");
  CHECK(bool(kernel.wgmma.on_model));
  CHECK(bool(kernel.wmma.on_model));
  CHECK_FALSE(bool(kernel.simt.on_model));
  CHECK(find_record(kernel).has_value());
}

TEST_CASE("who asks for another kernel learns what was left out, and how to have it") {
  std::string said;
  try {
    find_kernel("gemm_f16");
  } catch (const input_error& refusal) {
    said = refusal.what();
  }
  CHECK_MESSAGE(
      said ==
          "there is no kernel 'gemm_f16' here: this sectile was built without the families gemm_bf16_forms, "
          "gemm_f16_tf32, gemm_fp8, block_scaled, grouped, convolutions, gemm_integer, sparse_wide, sparse_8bit, "
          "layers, layer_outputs, rows, attention, attention_forms, decode, attention_gradients, ladder, portable_simt "
          "(`cmake -DSECTILE_TOOL_KERNELS=all "
          "build && cmake --build "
          "build --target sectile_cli` adds them); did "
          "you mean gemm_bf16?",
      said);
}
