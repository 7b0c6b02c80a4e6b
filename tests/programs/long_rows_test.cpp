// Rows that a tile holds in eight parts, on the model, against float64; blocks, and tiles that stay in shared memory.
#include <sectile/kernels/long_rows.hpp>

#include "tests/programs/long_row_kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;

/// Each block divided by the sum of its magnitudes, between its least and its largest number.
template <configuration How>
struct divided_blocks {
  static constexpr auto operands = sectile::operands(input<"X(B,M,N)", float>(), output<"Y(B,M,N)", float>());
  static constexpr configuration how = How;

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [b] = sm.block_of(Y);
    const auto x = in_registers(sm.load(X, {b, 0, 0}));
    const auto middle = (col_max(row_max(x)) + col_min(row_min(x))) * 0.5f;
    sm.store(Y, {b, 0, 0}, (x - middle) / col_sum(row_sum(abs(x))));
  }
};
template <configuration How>
void check_divided_blocks() {
  constexpr int blocks = 5, m = How.tile.of(mode_named("M")), n = How.tile.of(mode_named("N"));
  host_tensor<float> X({blocks, m, n}), Y({blocks, m, n});
  X.fill(1);
  run_on_schedules<divided_blocks<How>>(1, Y, X.in(), Y.view());
  struct seen {
    double most = -1e30, least = 1e30, sum = 0;
  };
  std::vector<seen> of(blocks);
  X.for_each_number([&](double x, int b, int, int) {
    seen& s = of[static_cast<std::size_t>(b)];
    s.most = std::max(s.most, x), s.least = std::min(s.least, x), s.sum += std::abs(x);
  });
  check_close(Y, f32_close, [&](int b, int i, int j) {
    const seen& s = of[static_cast<std::size_t>(b)];
    return (X.number(b, i, j) - (s.most + s.least) / 2) / s.sum;
  });
}

/// X times one B, which stays.
struct times_resident {
  static constexpr auto operands =
      sectile::operands(input<"X(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    acc += sm.load(X, {m, 0}) * transpose(sm.load(B, {0, 0}));
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace

TEST_CASE_TEMPLATE("softmax of long rows", Rows, sampled<long_softmax<bf16>, 3>, sampled<long_softmax<float>, 0>) {
  using T = element_of_rows<Rows>;
  if constexpr (exhaustively || std::is_same_v<T, bf16>)
    for_long_sizes([](int m, int n, int parts) {
      host_tensor<T> X({m, n}), Y({m, n});
      X.fill(1);
      run_folded<Rows>(Y, X, parts, folded(Y.view(), parts));
      check_close(Y, near_enough<T>, softmax_of(X));
    });
}

TEST_CASE_TEMPLATE("softmax of long rows by every member", T, bf16, float) {
  for_members<long_softmax<T>, 1>([]<int I>() {
    CAPTURE(I);
    const int m = 20, n = 192;
    host_tensor<T> X({m, n}), Y({m, n});
    X.fill(1);
    run_folded<member<long_softmax<T>, I>>(Y, X, 8, folded(Y.view(), 8));
    check_close(Y, near_enough<T>, softmax_of(X));
  });
}

TEST_CASE("one number of a block, on every configuration") {
  if constexpr (exhaustively) {
    check_divided_blocks<configuration{.tile = {{"M", 128}, {"N", 64}}, .stages = 2, .consumers = 2}>();
    check_divided_blocks<configuration{
        .tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 3, .own_tiles = true, .persistent = true}>();
    check_divided_blocks<configuration{
        .tile = {{"M", 256}, {"N", 32}}, .stages = 2, .consumers = 2, .persistent = true}>();
    check_divided_blocks<configuration{.tile = {{"M", 64}, {"N", 40}}, .stages = 2, .consumers = 1}>();
    check_divided_blocks<configuration{.tile = {{"M", 8}, {"N", 128}}, .stages = 2, .consumers = 2, .swap = true}>();
  }
  check_divided_blocks<configuration{
      .tile = {{"M", 40}, {"N", 64}}, .stages = 2, .consumers = 1, .persistent = true, .swap = true}>();
}

TEST_CASE("a block has no more rows than a tile") {
  using kernel = member<long_softmax<bf16>, 1>;
  static_assert(plan_of<kernel>.tall_tiles && plan_of<kernel>.wide_tiles && !plan_of<kernel>.whole_rows);
  static_assert(plan_of<member<long_softmax<bf16>, 0>>.whole_rows);
  host_tensor<bf16> X({2, 1024}), Y({2, 1024});
  X.fill(1);
  CHECK_THROWS_WITH_AS(run_on_model<kernel>(folded(X.in(), 16), folded(Y.view(), 16)),
                       "operand X: P = 16 is larger than the tile's 8, and the kernel takes one tile along it",
                       launch_error);
  CHECK_THROWS_WITH_AS(run_on_model<kernel>(folded(X.in(), 8), folded(Y.view(), 16)),
                       doctest::Contains("P = 16"), launch_error);
}

TEST_CASE("parts of a row are alike") {
  std::vector<float> x(100);
  const auto told = [&](auto view, int parts, const char* sentence) {
    CHECK_THROWS_WITH_AS(folded(view, parts), sentence, launch_error);
  };
  told(matrix(x.data(), 1, 100), 8,
       "folded(): 100 elements in 8 parts are 12 each, and 4 left over; use a number of parts that divides 100");
  told(matrix(x.data(), 1, 100), 0, "folded(): 100 elements in 0 parts; there is at least one part");
  told(tensor(x.data(), 1, 1, 1, 1, 100), 4,
       "folded(): the tensor has no mode to fold, or 5 modes already, which are all that TMA counts along");
  CHECK(folded(matrix(x.data(), 2, 48), 4).stride[1] == 12);
}

TEST_CASE("what is the same for all work is loaded once") {
  constexpr plan p = plan_of<member<long_rms_norm<bf16>, 1>>;
  static_assert(p.ring[p.operand[1].ring].resident && p.ring[p.operand[1].ring].stages == 1);
  static_assert(!p.ring[p.operand[0].ring].resident);
  constexpr plan loops = plan_of<member<long_rms_norm<bf16>, 0>>;  // there gamma's tile is another one in each trip
  static_assert(!loops.ring[loops.operand[1].ring].resident);
}

/// A product over the first two tiles of K, by the text's own numbers.
struct two_tiles_of_k {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (int k = 0; k < 2; ++k) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

TEST_CASE("tiles that the text numbers are all there are") {
  host_tensor<bf16> A({128, 128}), B({64, 128}), longer({128, 136}), beside({64, 136});
  host_tensor<float> C({128, 64});
  A.fill(1), B.fill(2), longer.fill(1), beside.fill(2);
  run_on_schedules<two_tiles_of_k>(1, C, A.in(), B.in(), C.view());
  check_close(C, f32_close, [&](int i, int j) { return dot(A, B, i, j); });
  CHECK_THROWS_WITH_AS(run_on_model<two_tiles_of_k>(longer.in(), beside.in(), C.view()),
                       "operand A: K = 136 is larger than the 2 tiles of 64 that the body's text names along it; loop "
                       "over all of them: sm.pipelined(tiles<\"K\">(A))",
                       launch_error);
}

TEST_CASE("a factor that stays") {
  constexpr plan p = plan_of<times_resident>;
  static_assert(p.ring[p.operand[1].ring].resident && !p.ring[p.operand[0].ring].resident);
  host_tensor<bf16> X({1184, 64}), B({64, 64});
  host_tensor<float> C({1184, 64});
  X.fill(1), B.fill(2);
  run_on_schedules<times_resident>(1, C, X.in(), B.in(), C.view());
  check_close(C, f32_close, [&](int i, int j) { return dot(X, B, i, j); });
}
