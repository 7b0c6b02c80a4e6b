// Vectors of which a tile has one element: a number for all of a tile. Scales of blocks of weights, and a slope for
// each head of a batch.
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// C = A B^T, where A has a scale for each row and 64 columns, and B one for each block of 64 x 64.
template <bool Swap>
struct block_scaled {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e4m3>(), input<"B(N,K)", e4m3>(), vector_input<"of_rows(KB,M)", float>(),
                        vector_input<"of_blocks(NB,KB)", float>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}, {"KB", 1}}, .stages = 3, .consumers = 1, .swap = Swap};
  static constexpr void body(auto& sm, auto A, auto B, auto of_rows, auto of_blocks, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto block = as<"KB">(k);
      const auto rows = in_registers(sm.load(of_rows, {block, m}));
      const auto square = sm.load(of_blocks, {as<"NB">(n), block});
      auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum = fma(part, rows * square, sum);
    }
    sm.store(C, {m, n}, sum);
  }
};

template <bool Swap>
void check_blocks() {
  static_assert(verified<block_scaled<Swap>>);
  const int m = 100, n = 150, k = 208, blocks = (k + 63) / 64;
  host_tensor<e4m3> A({m, k}), B({n, k});
  host_tensor<float> rows({blocks, m}), of_blocks({(n + 63) / 64, blocks}, row_major, 1), C({m, n});
  A.fill(1), B.fill(2), rows.fill(3), of_blocks.fill(4);
  run_on_schedules<block_scaled<Swap>>(1, C, A.in(), B.in(), rows.in(), of_blocks.in(), C.view());
  check_close(C, 0x1p-10, [&](int i, int j) {  // 13 bits of a sum of e4m3 survive an instruction
    double sum = 0;
    for (int b = 0; b < blocks; ++b) {
      double part = 0;
      for (int l = 64 * b; l < k && l < 64 * (b + 1); ++l) part += A.number(i, l) * B.number(j, l);
      sum += part * rows.number(b, i) * of_blocks.number(j / 64, b);
    }
    return sum;
  });
}
TEST_CASE("a scale for each block of weights") {
  check_blocks<false>();
  if constexpr (exhaustively) check_blocks<true>();
}

TEST_CASE("scales that all blocks of K share are one row with a stride of 0, and no stride is negative") {
  const int m = 70, n = 70, k = 130;
  host_tensor<e4m3> A({m, k}), B({n, k});
  host_tensor<float> rows({3, m}), of_blocks({2, 3}, row_major, 1), shared({m, n}), C({m, n});
  A.fill(1), B.fill(2), rows.fill(3), of_blocks.fill(4);
  auto scales = rows.view();
  scales.stride[0] = 0;
  run_on_model<block_scaled<false>>(A.in(), B.in(), scales, of_blocks.in(), shared.view());
  for (int b = 1; b < 3; ++b) std::copy_n(scales.data, m, scales.data + b * rows.stride[0]);
  run_on_model<block_scaled<false>>(A.in(), B.in(), rows.in(), of_blocks.in(), C.view());
  CHECK(shared.elements() == C.elements());
  scales.stride[0] = -rows.stride[0];
  CHECK_THROWS_WITH(run_on_model<block_scaled<false>>(A.in(), B.in(), scales, of_blocks.in(), C.view()),
                    "operand of_rows: the stride of KB is -72 elements; it must not be negative");
}

/// Y = X + slope * column, with a slope for each head.
struct slopes {
  static constexpr auto operands = sectile::operands(input<"X(B,H,M,N)", bf16>(), vector_input<"slope(B,H)", bf16>(),
                                                     output<"Y(B,H,M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}, {"H", 1}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto slope, auto Y) {
    auto [b, h, m, n] = sm.tile_of(Y);
    const auto x = cast<float>(in_registers(sm.load(X, {b, h, m, n})));
    const auto column = map_at(x * 0.0f, {m, n}, [](float, int, int col) { return static_cast<float>(col); });
    sm.store(Y, {b, h, m, n}, fma(column, sm.load(slope, {b, h}), x));
  }
};
static_assert(verified<slopes>);
TEST_CASE("a number for each head") {
  host_tensor<bf16> X({2, 3, 70, 65}), slope({2, 3}, row_major, 1);
  host_tensor<float> Y({2, 3, 70, 65});
  X.fill(1), slope.fill(2);
  run_on_schedules<slopes>(1, Y, X.in(), slope.in(), Y.view());
  check_close(Y, 0x1p-22,
              [&](int b, int h, int i, int j) { return X.number(b, h, i, j) + slope.number(b, h) * j; });
}

/// A function of the body's own, by a name that the language has inside.
constexpr void shift(auto& x, float by) { x += by; }

/// C = 2^(e - 127) A B^T + 1 for each group, whose rows from count on are zeros whatever A has there. The exponents are
/// bytes, e8m0 by another name.
struct counted_groups {
  static constexpr auto operands =
      sectile::operands(input<"A(E,M,K)", bf16>(), input<"B(E,N,K)", bf16>(), input<"count(E)", s32>(),
                        vector_input<"exponents(E,M)", u8>(), output<"C(E,M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"E", 1}, {"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto count, auto exponents, auto C) {
    auto [e, m, n] = sm.tile_of(C);
    const auto rows = sm.load(count, {e});
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {e, m, k}) * transpose(sm.load(B, {e, n, k}));
    acc *= exp2(in_registers(sm.load(exponents, {e, m})) - 127.0f);
    shift(acc, 1.0f);
    const auto row = map_at(acc, {e, m, n}, [](float, int r, int) { return static_cast<float>(r); });
    sm.store(C, {e, m, n}, map(acc, row, rows, [](float a, float r, float end) { return r < end ? a : 0.0f; }));
  }
};
static_assert(verified<counted_groups>);
TEST_CASE("groups whose rows are counted in memory, with scales that are exponents") {
  const int groups = 4, m = 70, n = 48, k = 72;
  host_tensor<bf16> A({groups, m, k}), B({groups, n, k});
  host_tensor<s32> count({groups}, row_major, 1);
  host_tensor<u8> exponents({groups, m}, row_major, 1);
  host_tensor<float> C({groups, m, n});
  A.fill(1), B.fill(2);
  const int counts[groups] = {0, m, 1, 65};
  const auto a = A.view();
  const auto scales = exponents.view();
  for (int e = 0; e < groups; ++e) {
    count.view().data[e] = counts[e];
    for (int i = 0; i < m; ++i) scales.data[e * scales.stride[0] + i] = static_cast<u8>(120 + i % 16);
    for (int i = counts[e]; i < m; ++i) a.data[e * a.stride[0] + i * a.stride[1]] = bf16(infinity);
  }
  run_on_schedules<counted_groups>(1, C, A.in(), B.in(), count.in(), exponents.in(), C.view());
  check_close(C, 0x1p-18, [&](int e, int i, int j) {
    if (i >= counts[e]) return 0.0;
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += A.number(e, i, l) * B.number(e, j, l);
    return std::ldexp(sum, i % 16 - 7) + 1;
  });
}

}  // namespace
