// Loops whose tiles are only brought into registers: reductions over K. No product ever waits for their stages.
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// C = S B^T, where S is the sum of A's matrices (rounded to bf16).
template <configuration How>
struct sum_of_tiles {
  static constexpr auto operands =
      sectile::operands(input<"A(T,M,P)", bf16>(), input<"B(N,P)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = How.with_tile({{"M", 128}, {"N", 64}, {"P", 64}});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = cast<float>(in_registers(sm.load(A, {0, m, 0})));
    for (auto t : sm.pipelined(tiles<"T">(A) - 1)) sum += cast<float>(in_registers(sm.load(A, {t + 1, m, 0})));
    auto s = cast<bf16>(sum);
    auto acc = sm.accumulator(s * transpose(sm.load(B, {n, 0})));
    sm.store(C, {m, n}, acc);
  }
};

/// The sum of number(t, i, p) over t, for each row i and each column p.
template <class Number>
numbers sums_over_matrices(int t, int m, int p_size, Number number) {
  numbers sums{m, p_size, {}};
  for (int i = 0; i < m; ++i)
    for (int p = 0; p < p_size; ++p) {
      double sum = 0;
      for (int at = 0; at < t; ++at) sum += number(at, i, p);
      sums.at.push_back(sum);
    }
  return sums;
}
/// Row i of such sums times row j of B.
double times_row(const numbers& sums, const host_tensor<bf16>& B, int i, int j) {
  double total = 0;
  for (int p = 0; p < sums.cols; ++p) total += sums(i, p) * B.number(j, p);
  return total;
}

template <configuration How>
void check_sums(int t, int m, int n, int p_size = 64) {
  static_assert(verified<sum_of_tiles<How>>);
  host_tensor<bf16> A({t, m, p_size}), B({n, p_size}), C({m, n});
  A.fill(1);
  B.fill(2);
  run_on_schedules<sum_of_tiles<How>>(2, C, A.in(), B.in(), C.view());
  const numbers sums = sums_over_matrices(t, m, p_size, [&](int at, int i, int p) { return A.number(at, i, p); });
  check_close(C, rounded_twice, [&](int i, int j) { return times_row(sums, B, i, j); });
}

/// Two operands whose tiles share a stage, one of them transposed on its way: S is the sum of A's matrices times W's,
/// element by element. It is summed up as a tile of C would be: S, A and W have columns along N, too.
struct products_of_a_stage {
  static constexpr auto operands = sectile::operands(input<"A(T,M,N')", bf16>(), input<"W(T,N',M)", bf16>(),
                                                     input<"B(N,N')", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto W, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto p : sm.pipelined(tiles<"N'">(A))) {
      auto sum = sm.accumulator(C);
      for (auto t : sm.pipelined(tiles<"T">(A))) {
        auto a = cast<float>(in_registers(sm.load(A, {t, m, p})));
        auto w = cast<float>(in_registers(transpose(sm.load(W, {t, p, m}))));
        sum += a * w;
      }
      auto s = cast<bf16>(sum);
      acc += s * transpose(sm.load(B, {n, p}));
    }
    sm.store(C, {m, n}, acc);
  }
};

/// C = A B^T with each row divided by the sum of its squares in A: a loop that reads, then one that multiplies.
template <configuration How>
struct normalised {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = How.with_tile({{"M", 128}, {"K", 64}, {"N", 64}});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto first = cast<float>(in_registers(sm.load(A, {m, 0})));
    auto squares = row_sum(first * first);
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) {
      auto x = cast<float>(in_registers(sm.load(A, {m, k + 1})));
      squares = squares + row_sum(x * x);
    }
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc *= reciprocal(squares);
    sm.store(C, {m, n}, acc);
  }
};

template <configuration How>
void check_normalised(int m, int n, int k) {
  static_assert(verified<normalised<How>>);
  check_program<normalised<How>>(m, n, k, [](const auto& A, const auto& B, int i, int j) {
    double squares = 0;
    for (int l = 0; l < A.extent[1]; ++l) squares += A.number(i, l) * A.number(i, l);
    return dot(A, B, i, j) / squares;
  });
}

/// A tile is read into registers while the product of the trip before runs, and multiplied as well: it is added to what
/// has C's columns, so those of A are N, too.
struct read_and_multiplied {
  static constexpr auto operands =
      sectile::operands(input<"A(M,N')", bf16>(), input<"B(N,N')", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 64}}, .stages = 3, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"N'">(A))) {
      auto a = sm.load(A, {m, k});
      acc += a * transpose(sm.load(B, {n, k}));
      sum += cast<float>(in_registers(a));
    }
    sm.store(C, {m, n}, acc + sum);
  }
};

static_assert(verified<products_of_a_stage>);
static_assert(verified<read_and_multiplied>);

/// The last step of K at which tiles are brought into registers.
template <class K>
step read_step() {
  step last{};
  for (const step& s : plan_of<K>.steps)
    if (s.kind == event_kind::read && s.seen) last = s;
  return last;
}

}  // namespace

TEST_CASE("a stage whose tile was only read goes back where it has been read") {
  const step only_read = read_step<sum_of_tiles<configuration{.stages = 3}>>();
  CHECK(only_read.keep[0] == 0);
  CHECK(only_read.release[0] == 1);
  CHECK(only_read.fence);
  const step multiplied_too = read_step<read_and_multiplied>();
  CHECK(multiplied_too.release[0] == 0);
  CHECK(multiplied_too.fence);  // the stage goes back at a wait, which says nothing of the ordinary loads
}

TEST_CASE("the sum of 14 tiles, with 1 to 4 stages") {
  check_sums<configuration{.stages = 3}>(14, 140, 72);
  check_sums<configuration{.stages = 3}>(1, 128, 64);  // no trip
  check_sums<configuration{.stages = 3}>(2, 128, 64);
  if constexpr (exhaustively) {
    check_sums<configuration{.stages = 1}>(14, 200, 72);
    check_sums<configuration{.stages = 2}>(14, 200, 72, 40);
    check_sums<configuration{.stages = 4, .consumers = 1, .persistent = true}>(40, 300, 200);
  }
}

TEST_CASE("a sum of tiles in ping-pong") {
  static_assert(verified<sum_of_tiles<configuration{.stages = 2, .consumers = 2, .pingpong = true}>>);
  if constexpr (exhaustively) check_sums<configuration{.stages = 2, .consumers = 2, .pingpong = true}>(9, 200, 72);
}

TEST_CASE("a sum of tiles that the CTAs of a cluster share") {
  if constexpr (exhaustively)
    check_sums<configuration{.stages = 3, .cluster = {1, 2}, .persistent = true}>(9, 200, 136);
  if constexpr (exhaustively) check_sums<configuration{.stages = 2, .cluster = {2, 2}}>(13, 300, 300);
}

TEST_CASE("two operands in a stage, both read into registers") {
  constexpr int t = 9, m = 100, n = 72;
  host_tensor<bf16> A({t, m, n}), W({t, n, m}), B({n, n}), C({m, n});
  A.fill(1);
  W.fill(2);
  B.fill(3);
  run_on_schedules<products_of_a_stage>(2, C, A.in(), W.in(), B.in(), C.view());
  const numbers sums =
      sums_over_matrices(t, m, n, [&](int at, int i, int p) { return A.number(at, i, p) * W.number(at, p, i); });
  check_close(C, rounded_twice, [&](int i, int j) { return times_row(sums, B, i, j); });
}

TEST_CASE("rows are reduced in one loop, and multiplied in the next") {
  if constexpr (exhaustively) check_normalised<configuration{.stages = 3}>(200, 72, 64 * 17);
  if constexpr (exhaustively)
    check_normalised<configuration{.stages = 4, .cluster = {1, 2}, .persistent = true}>(140, 130, 64 * 6);
}

TEST_CASE("a tile is multiplied and read into registers") {
  check_program<read_and_multiplied>(140, 64 * 4, 64 * 4, [](const auto& A, const auto& B, int i, int j) {
    double sum = dot(A, B, i, j);
    for (int l = j % 64; l < A.extent[1]; l += 64) sum += A.number(i, l);
    return sum;
  });
}
