// Vectors and numbers in memory, and tiles that are added: each goes along the modes it names, whatever its length,
// its alignment and the configuration.
#include <sectile/dsl/launch/portable_model.hpp>

#include "tests/programs/host_vector.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// C = (A B^T) scale + bias + R, times a number in memory; in any configuration.
template <configuration How>
struct scaled {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"scale(M)", float>(), input<"bias(N)", bf16>(),
      input<"alpha", float>(), input<"R(M,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto scale, auto bias, auto alpha, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto x = acc * sm.load(scale, {m}) + sm.load(bias, {n});
    x += sm.load(R, {m, n});
    sm.store(C, {m, n}, x * sm.load(alpha, {}));
  }
};
constexpr configuration upright{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3};
constexpr configuration of_clusters{
    .tile = {{"M", 128}, {"N", 96}, {"K", 64}}, .stages = 3, .cluster = {2, 1}, .persistent = true};
constexpr configuration swapped{
    .tile = {{"M", 48}, {"N", 128}, {"K", 64}}, .stages = 3, .persistent = true, .swap = true};

template <configuration How>
void check_scaled() {
  for (const auto& [m, n, k, off] : {std::array{200, 139, 130, 1}, {1, 1, 1, 3}}) {
    CAPTURE(m);
    host_tensor<bf16> A({m, k}), B({n, k}), R({m, n});
    host_tensor<float> C({m, n});
    A.fill(1), B.fill(2), R.fill(3);
    const host_vector<float> scale(m, off, 4), alpha(1, off, 6);
    const host_vector<bf16> bias(n, off, 5);
    run_on_schedules<scaled<How>>(1, C, A.in(), B.in(), scale.in(), bias.in(), tensor(alpha.in().data), R.in(),
                                  C.view());
    check_close(C, f32_close,
                [&](int i, int j) { return (dot(A, B, i, j) * scale(i) + bias(j) + R.number(i, j)) * alpha(0); });
  }
}

/// Scales of blocks along K, a row of them for so many trips: what 8-bit products with blocks of scales do.
template <int Trips>
struct scaled_by_blocks {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"SA(KB,M)", float>(),
                        vector_input<"SB(KB,N)", float>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 32}, {"K", 64}}, .stages = 3};
  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    sum = 0.0f;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto block = as<"KB">(k / Trips);
      const auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(SA, {block, m}) * sm.load(SB, {block, n});
    }
    sm.store(C, {m, n}, sum);
  }
};

/// Vectors with rows, in functions, and of every type that is read element by element.
template <class T>
struct mixed {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"u(M)", T>(), input<"v(N)", T>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 32}, {"K", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto u, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto top = row_max(acc) + sm.load(u, {m});  // rows and a vector along them
    sm.store(C, {m, n}, map(max(acc, sm.load(v, {n})), top, [](float x, float t) { return x - 2 * t; }));
  }
};
template <class T>
void check_mixed() {
  host_tensor<bf16> A({70, 96}), B({32, 96});
  host_tensor<float> C({70, 32});
  A.fill(1), B.fill(2);
  const host_vector<T> u(70, 1, 3), v(32, 1, 4);
  run_on_schedules<mixed<T>>(0, C, A.in(), B.in(), u.in(), v.in(), C.view());
  const numbers x = product(A, B);
  check_close(C, f32_close, [&](int i, int j) {
    double top = x(i, 0);
    for (int c = 1; c < x.cols; ++c) top = std::max(top, x(i, c));
    return std::max(x(i, j), v(j)) - 2 * (top + u(i));
  });
}

/// C = A B^T where it is on the diagonal or below, else what the vector says of the column; less each row's least.
template <configuration How>
struct placed {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"v(N)", float>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto place = map_at(acc, {m, n}, [](float, int row, int col) { return col <= row ? 1.0f : 0.0f; });
    auto x = map(acc, sm.load(v, {n}), place, [](float a, float b, float below) { return below > 0 ? a : b; });
    if constexpr (!How.swap) x -= row_min(x);
    sm.store(C, {m, n}, x);
  }
};
template <configuration How>
void check_placed() {
  constexpr int m = 150, n = How.swap ? 150 : 64;  // rows that are reduced fit a tile
  host_tensor<bf16> A({m, 96}), B({n, 96});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  const host_vector<float> v(n, 1, 3);
  run_on_schedules<placed<How>>(1, C, A.in(), B.in(), v.in(), C.view());
  const numbers x = product(A, B);
  const auto at = [&](int i, int j) { return j <= i ? x(i, j) : v(j); };
  check_close(C, f32_close, [&](int i, int j) {
    double least = How.swap ? 0 : at(i, 0);
    for (int c = 1; c < n && !How.swap; ++c) least = std::min(least, at(i, c));
    return at(i, j) - least;
  });
}

}  // namespace

TEST_CASE("functions that know an element's place: upright") {
  if constexpr (exhaustively) check_placed<upright>();
}
TEST_CASE("functions that know an element's place: swapped") { check_placed<swapped>(); }
TEST_CASE("vectors, a number in memory and an added tile: upright") {
  if constexpr (exhaustively) check_scaled<upright>();
}
TEST_CASE("vectors, a number in memory and an added tile: a persistent cluster") {
  if constexpr (exhaustively) check_scaled<of_clusters>();
}
TEST_CASE("vectors, a number in memory and an added tile: swapped") { check_scaled<swapped>(); }

TEST_CASE("vectors in batches arrive with each trip of a loop") {
  host_tensor<bf16> A({200, 250}), B({50, 250});
  host_tensor<float> C({200, 50});
  A.fill(1), B.fill(2);
  const host_vector<float> SA(200, 1, 3, 4, 5), SB(50, 2, 4, 4);
  run_on_schedules<scaled_by_blocks<1>>(1, C, A.in(), B.in(), SA.batches(), SB.batches(), C.view());
  check_close(C, f32_close, [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < 250; ++k) sum += A.number(i, k) * B.number(j, k) * SA(i, k / 64) * SB(j, k / 64);
    return sum;
  });
}

TEST_CASE("batches of vectors that are fewer than a loop asks for are refused") {
  host_tensor<bf16> A({200, 250}), B({50, 250});
  host_tensor<float> C({200, 50});
  A.fill(1), B.fill(2);
  const host_vector<float> SA(200, 1, 3, 1, 5), SB(50, 2, 4, 1);  // one row, two blocks of K
  CHECK_THROWS_WITH_AS(
      run_on_schedules<scaled_by_blocks<2>>(0, C, A.in(), B.in(), SA.batches(), SB.batches(), C.view()),
      doctest::Contains("number 1 along KB is loaded, of 1, which are counted from 0"), launch_error);
}

TEST_CASE("vectors of floats") { check_mixed<float>(); }
TEST_CASE("vectors of f16") {
  if constexpr (exhaustively) check_mixed<f16>();
}
TEST_CASE("vectors of e4m3") {
  if constexpr (exhaustively) check_mixed<e4m3>();
}

TEST_CASE("threads read vectors without tensor cores, too") {
  host_tensor<bf16> A({70, 96}), B({32, 96});
  host_tensor<float> C({70, 32});
  A.fill(1), B.fill(2);
  const host_vector<float> u(70, 1, 3), v(32, 1, 4);
  run_portable_on_model<mixed<float>, portable::simt>(A.in(), B.in(), u.in(), v.in(), C.view());
  CHECK(C.touched() == 0);
  const numbers x = product(A, B);
  check_close(C, f32_close, [&](int i, int j) {
    double top = x(i, 0);
    for (int c = 1; c < x.cols; ++c) top = std::max(top, x(i, c));
    return std::max(x(i, j), v(j)) - 2 * (top + u(i));
  });
}

TEST_CASE("a launch refuses vectors of the wrong length, type of memory or place") {
  host_tensor<bf16> A({70, 96}), B({32, 96});
  host_tensor<float> C({70, 32});
  A.fill(1), B.fill(2);
  const host_vector<float> u(70, 0, 3), v(32, 0, 4);
  const auto launch_with = [&](auto first, auto second) {
    run_on_model<mixed<float>>(A.in(), B.in(), first, second, C.view());
  };
  CHECK_THROWS_WITH_AS(launch_with(tensor(u.in().data, 69), v.in()), "operand u: M = 69, but operand A has M = 70",
                       launch_error);
  CHECK_THROWS_WITH_AS(launch_with(tensor(static_cast<const float*>(nullptr), 70), v.in()),
                       "operand u: the pointer is null", launch_error);
  CHECK_THROWS_WITH_AS(launch_with(u.in(), tensor(v.in().data, 1, 32)),
                       "operand v: the tensor has 2 modes, the kernel expects 1", launch_error);
  const auto* odd = reinterpret_cast<const float*>(reinterpret_cast<const char*>(u.in().data) + 2);
  CHECK_THROWS_WITH_AS(launch_with(tensor(odd, 70), v.in()),
                       "operand u: the pointer is not aligned to the 4 bytes of an element", launch_error);
  CHECK_THROWS_WITH_AS(launch_with(tensor_view<const float>{u.in().data, 1, {70}, {2}}, v.in()),
                       "operand u: the stride of M is 2 elements; the last mode of a vector is contiguous (stride 1)",
                       launch_error);
  CHECK_THROWS_AS(launch_with(tensor(static_cast<const float*>(C.view().data), 70), v.in()), launch_error);
}
