// The WMMA reading on the CPU: types, storage orders and fragment shapes on whole numbers.
#include "tests/dsl/portable_kit.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

TEST_CASE("WMMA: f16 and bf16 in all storage orders and fragment shapes") {
  check_16_bit<wmma<>, bf16, bf16>();
  if constexpr (exhaustively) {
    check_16_bit<wmma<32, 8>, f16, f16>();
    check_16_bit<wmma<32, 8>, bf16, float>();
    check_16_bit<wmma<8, 32>, bf16, f16>();
    check_16_bit<wmma<>, f16, f16>();
  }
}
TEST_CASE("WMMA: f16 sums") {
  if constexpr (exhaustively) check_16_bit<wmma<>, f16, f16, f16>();
  check_16_bit<wmma<8, 32>, f16, f16, f16>();
}
TEST_CASE("WMMA: tf32, K along rows and across") {
  if constexpr (exhaustively)
    check_exact<tiled_product<64, 16, 8, tf32, tf32, float>, wmma<>, tf32, tf32, float>(65, 17, 9);
  check_exact<tiled_product<64, 48, 16, tf32, tf32, float, by_cols>, wmma<>, tf32, tf32, float>(65, 50, 33, col_major,
                                                                                                col_major);
}

TEST_CASE("WMMA: s8 and u8, also with K across the rows, which wgmma has not") {
  if constexpr (exhaustively) {
    check_8_bit<wmma<>>();
    check_8_bit<wmma<32, 8>>();
    check_8_bit<wmma<8, 32>>();
  } else {
    check_exact<tiled_product<64, 32, 32, s8, s8, s32>, wmma<32, 8>, s8, s8, s32>(65, 33, 70);
    check_exact<tiled_product<64, 32, 16, u8, u8, s32, by_cols>, wmma<8, 32>, u8, u8, s32>(65, 33, 70, col_major,
                                                                                           col_major);
    check_exact<tiled_product<128, 32, 48, s8, s8, float, mixed>, wmma<>, s8, s8, float>(65, 33, 50, row_major,
                                                                                         col_major);
  }
}
TEST_CASE("WMMA: A by way of registers, several warpgroups, a tile that 8 warps split 2 x 4") {
  constexpr gemm_form through_registers{row_major, row_major, true};
  check_exact<tiled_product<64, 32, 32, bf16, bf16, bf16, through_registers>, wmma<>, bf16, bf16, bf16>(65, 33, 40);
  if constexpr (exhaustively)
    check_exact<tiled_product<256, 32, 32, bf16, bf16, bf16>, wmma<>, bf16, bf16, bf16>(300, 40, 64);
  check_exact<kernels::gemm_bf16_f32, wmma<>, bf16, bf16, float>(130, 260, 100);
}

}  // namespace
