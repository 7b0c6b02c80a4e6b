// The shipped GEMM for every type.
#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

TEST_CASE("floating-point types") {
  if constexpr (exhaustively) check_gemm<f16, f16, f16, gemm_form{}, f16>();
  check_gemm<tf32, tf32, float>();
  check_gemm<e4m3, e5m2, float>(72, 24);
  if constexpr (exhaustively) check_gemm<e5m2, e4m3, f16, gemm_form{}, f16>();
  if constexpr (exhaustively) {
    check_gemm<bf16, bf16, float>(200, 264);  // and rows of tiles that are a cluster's
    check_gemm<f16, f16, f16>();
    check_gemm<f16, f16, float>();
    check_gemm<e4m3, e4m3, float>();
    check_gemm<e5m2, e5m2, float>();
  }
}

TEST_CASE("integers and bits") {
  if constexpr (exhaustively) check_gemm<s8, u8, s32>();
  check_gemm<u8, s8, s32, gemm_form{.saturating = true}>();
  check_gemm<b1x8, b1x8, s32>();
  if constexpr (exhaustively) {
    check_gemm<s8, s8, s32>();
    check_gemm<u8, u8, s32>();
  }
}

}  // namespace
