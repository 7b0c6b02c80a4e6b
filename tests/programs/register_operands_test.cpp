// All majors of 16-bit operands, and A through registers for every type.
#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

TEST_CASE("every major of 16-bit types, A from shared memory and from registers") {
  check_gemm<bf16, bf16, float, gemm_form{.a = col_major, .b = col_major, .a_in_registers = true}>();
  if constexpr (exhaustively) {
    check_gemm<f16, f16, float, gemm_form{.a = col_major, .b = row_major}>();
    check_gemm<bf16, bf16, float, gemm_form{.a = col_major, .b = col_major}>();
    check_gemm<f16, f16, float, gemm_form{.a = row_major, .b = col_major}>();
    check_gemm<f16, f16, float, gemm_form{.a_in_registers = true}>();
  }
}

TEST_CASE("A from registers, other types") {
  check_gemm<tf32, tf32, float, gemm_form{.a_in_registers = true}>();
  check_gemm<e4m3, e5m2, float, gemm_form{.a_in_registers = true}>();
  if constexpr (exhaustively) check_gemm<b1x8, b1x8, s32, gemm_form{.a_in_registers = true}>();
  if constexpr (exhaustively) check_gemm<s8, s8, s32, gemm_form{.a_in_registers = true}>();
}

}  // namespace
