// The SIMT reading on the CPU: types, the order of its sums, and what only it can do, because it knows where every
// element of a fragment is.
#include <cmath>

#include "tests/dsl/portable_kit.hpp"
#include "tests/exhaustively.hpp"
#include "tests/programs/merge.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

TEST_CASE("SIMT: every type that is not fp8") {
  check_exact<tiled_product<64, 32, 32, f16, f16, f16, other, f16>, simt, f16, f16, f16>(70, 41, 50, col_major,
                                                                                         row_major);
  check_exact<tiled_product<64, 16, 8, tf32, tf32, float, mixed>, simt, tf32, tf32, float>(65, 17, 30, row_major,
                                                                                           col_major);
  check_exact<tiled_product<64, 16, 32, s8, u8, s32>, simt, s8, u8, s32>(65, 17, 30);
  check_exact<tiled_product<64, 16, 256, b1x8, b1x8, s32>, simt, b1x8, b1x8, s32>(65, 17, 520);
  if constexpr (exhaustively) {
    check_16_bit<simt, bf16, bf16>();
    check_16_bit<simt, f16, f16, f16>();
    check_8_bit<simt>();
    check_exact<tiled_product<128, 16, 20, bf16, bf16, float>, simt, bf16, bf16, float>(65, 17, 30);  // 40 bytes a row
  }
}

TEST_CASE("SIMT: a CTA makes all parts of a tile, so there are none to merge") {
  check_exact<decayed_sum<split_in(3, 64, 16, 32)>, simt, bf16, bf16, float>(65, 17, 130);
}

TEST_CASE("SIMT: a chain of fmas in the order of K, bit for bit") {
  host_tensor<bf16> A({70, 45}), B({37, 45}, row_major, 1);
  host_tensor<float> C({70, 37}, row_major, 2);
  A.fill(1);
  B.fill(2);
  run_portable_on_model<tiled_product<64, 16, 32, bf16, bf16, float>, simt>(A.in(), B.in(), C.view());
  check_bits(C, [&](int i, int j) {
    float sum = 0;
    for (int k = 0; k < 45; ++k) sum = std::fma(static_cast<float>(A(i, k)), static_cast<float>(B(j, k)), sum);
    return sum;
  });
}

/// softmax over the rows of A B^T: what only SIMT can do, because it needs to know where an element is.
struct softmax_kernel : tiled_product<64, 32, 32, bf16, bf16, float> {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto cols = size<"N">(C);
    auto s = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) s += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(
        s, {m, n}, true, [=](int, int c) { return c < cols; }, -infinity);
    auto top = row_max(s);
    s = exp2(fma(s, 1.0F, -top));
    auto sum = row_sum(s);
    s *= reciprocal(sum);
    sm.store(C, {m, n}, s);
  }
};
TEST_CASE("SIMT: reductions over rows and masks") {
  host_tensor<bf16> A({70, 40}), B({29, 40});
  host_tensor<float> C({70, 29});
  A.fill(1);
  B.fill(2);
  run_portable_on_model<softmax_kernel, simt>(A.in(), B.in(), C.view());
  check_close(C, 1e-5, [&](int i, int j) {
    double top = -1e30, sum = 0;
    for (int c = 0; c < 29; ++c) top = std::max(top, dot(A, B, i, c));
    for (int c = 0; c < 29; ++c) sum += std::exp2(dot(A, B, i, c) - top);
    return std::exp2(dot(A, B, i, j) - top) / sum;
  });
}

}  // namespace
