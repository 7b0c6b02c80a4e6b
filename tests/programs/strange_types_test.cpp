// Unusual combinations of types, sparse operands, signs, registers and schedules. Each kernel runs on sizes that no
// tile divides, in random schedules, and must be exact.
#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <class K, class... Views>
void run_strangely(std::uint64_t seed, const Views&... views) {
  static_assert(verified<K>);
  run_on_model_with<K>({.schedule = schedule_mode::random, .seed = seed, .workers = 2}, views...);
}

/// Elements of C that differ from expected(i, j).
template <class Out, class Expected>
int count_wrong(const typed_matrix<Out>& C, Expected expected) {
  int wrong = 0;
  for (int i = 0; i < C.rows; ++i)
    for (int j = 0; j < C.cols; ++j) wrong += C(i, j) != expected(i, j);
  return wrong;
}

template <class T>
typed_matrix<T> whole_numbers(int rows, int cols, std::uint64_t seed, storage_order order = row_major) {
  return typed_matrix<T>(rows, cols, order).fill(contents::whole_numbers, seed);
}

/// Prunes a and returns what is left in sparse form.
template <class T>
sparse_matrix<T> sparse_of(typed_matrix<T>& a) {
  prune(a.data.data(), a.rows, a.cols, a.stride);
  return compress(a.data.data(), a.rows, a.cols, a.stride);
}

/// Two ones in every row: products with such matrices stay small enough for 8-bit floats.
template <class T>
typed_matrix<T> few_ones(int rows, int cols, int step) {
  typed_matrix<T> a(rows, cols);
  for (int i = 0; i < rows; ++i) a.set(i, i % cols, 1), a.set(i, (i * step + 3) % cols, 1);
  return a;
}

// ---- sparse operands

/// Several blocks of metadata in a tile, B given as it is multiplied.
template <class T, int TileM, int TileN, int TileK, storage_order OrderB, sectile::configuration How>
struct sparse_times_plain {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", T>(), input<"B(K,N)", T>(OrderB), output<"C(M,N)", float>());
  static constexpr sectile::configuration how = How.with_tile({{"M", TileM}, {"K", TileK}, {"N", TileN}});
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc -= -sm.load(A, {m, k}) * sm.load(B, {k, n});
    sm.store(C, {m, n}, acc);
  }
};
template <class K, class T>
void check_sparse_times_plain(int m, int n, int k, storage_order order) {
  CAPTURE(k);
  auto A = whole_numbers<T>(m, k, 1), B = whole_numbers<T>(n, k, 2);
  typed_matrix<T> transposed(k, n, order);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < n; ++j) transposed.set(i, j, static_cast<int>(B(j, i)));
  typed_matrix<float> C(m, n);
  const auto S = sparse_of(A);
  run_strangely<K>(3, S.view(), transposed.in(), C.out());
  CHECK(count_wrong(C, [&](int i, int j) { return exact_dot(A, B, i, j); }) == 0);
}
TEST_CASE("sparse A times B(K,N), metadata in several blocks and multicast") {
  using wide =
      sparse_times_plain<f16, 128, 48, 256, row_major,
                         sectile::configuration{.stages = 3, .cluster = {2, 2}, .consumers = 2, .persistent = true}>;
  for (const int k : {4, 516}) check_sparse_times_plain<wide, f16>(200, 136, k, row_major);
  using tall =
      sparse_times_plain<tf32, 192, 40, 96, col_major,
                         sectile::configuration{.stages = 2, .cluster = {1, 3}, .consumers = 3, .persistent = true}>;
  if constexpr (exhaustively)
    for (const int k : {2, 198}) check_sparse_times_plain<tall, tf32>(200, 125, k, col_major);
}

/// Two sparse operands, each in two products, with all signs.
struct two_sparse {
  static constexpr auto operands =
      sectile::operands(sparse_input<"S(M,K)", f16>(), sparse_input<"T(M,K)", f16>(), input<"B(N,K)", f16>(),
                        input<"D(N,K)", f16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 2, .cluster = {2, 2}, .consumers = 2, .persistent = true};
  static constexpr void body(auto& sm, auto S, auto T, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C), y = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(S))) {
      auto s = sm.load(S, {m, k});
      auto t = sm.load(T, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      auto d = transpose(sm.load(D, {n, k}));
      x += s * b;
      y -= t * -d;
      x -= -s * b;
      y += t * b;
    }
    sm.store(C, {m, n}, x - y);
  }
};
TEST_CASE("two sparse operands in one kernel") {
  if constexpr (exhaustively) {
    const int m = 140, n = 136, k = 140;
    auto S = whole_numbers<f16>(m, k, 1), T = whole_numbers<f16>(m, k, 2);
    const auto B = whole_numbers<f16>(n, k, 3), D = whole_numbers<f16>(n, k, 4);
    typed_matrix<float> C(m, n);
    const auto s = sparse_of(S), t = sparse_of(T);
    run_strangely<two_sparse>(5, s.view(), t.view(), B.in(), D.in(), C.out());
    CHECK(count_wrong(C, [&](int i, int j) {
            return 2 * exact_dot(S, B, i, j) - exact_dot(T, D, i, j) - exact_dot(T, B, i, j);
          }) == 0);
  }
}

/// -((S B^T) D^T): sparse products in a nested loop become 8-bit left factors.
struct sparse_chain {
  static constexpr auto operands = sectile::operands(sparse_input<"S(M,K)", e4m3>(), input<"B(N,K)", e4m3>(),
                                                     input<"D(P,N)", e4m3>(), output<"C(M,P)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 32}, {"P", 40}}, .stages = 2, .consumers = 1, .persistent = true};
  static constexpr void body(auto& sm, auto S, auto B, auto D, auto C) {
    auto [m, p] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto n : sm.pipelined(tiles<"N">(B))) {
      auto s = sm.accumulator(sm.load(S, {m, 0}) * transpose(sm.load(B, {n, 0})));
      for (auto k : sm.pipelined(tiles<"K">(B) - 1)) s += sm.load(S, {m, k + 1}) * transpose(sm.load(B, {n, k + 1}));
      auto t = cast<e4m3>(s);
      acc += -t * transpose(sm.load(D, {p, n}));
    }
    sm.store(C, {m, p}, acc);
  }
};
TEST_CASE("sparse products become left factors of dense ones") {
  if constexpr (exhaustively) {
    const int m = 70, n = 80, k = 136, p = 50;
    auto S = few_ones<e4m3>(m, k, 37);
    const auto B = few_ones<e4m3>(n, k, 5);
    const auto D = whole_numbers<e4m3>(p, n, 3);
    typed_matrix<float> C(m, p);
    const auto s = sparse_of(S);
    run_strangely<sparse_chain>(2, s.view(), B.in(), D.in(), C.out());
    CHECK(count_wrong(C, [&](int i, int q) {
            double sum = 0;
            for (int j = 0; j < n; ++j) sum -= exact_dot(S, B, i, j) * D(q, j);
            return sum;
          }) == 0);
  }
}

// ---- operands in registers

/// Two fragments in flight beside products of the same tiles from shared memory.
struct two_fragments {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(col_major), input<"E(M,K)", bf16>(),
                                                     input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 80}, {"N", 48}},
                                              .stages = 2,
                                              .cluster = {2, 2},
                                              .consumers = 2,
                                              .persistent = true,
                                              .stagger = 2};
  static constexpr void body(auto& sm, auto A, auto E, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto e = sm.load(E, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      auto from_a = in_registers(a);
      auto from_e = in_registers(e);
      acc += from_a * b;
      acc += from_e * b;
      acc += a * b;
      acc -= -from_a * b;
      acc += e * b;
    }
    sm.store(C, {m, n}, acc);
  }
};
template <class Kernel>
void check_two_fragments() {
  const int m = 300, n = 60, k = 168;
  const auto A = whole_numbers<bf16>(m, k, 1, col_major), E = whole_numbers<bf16>(m, k, 2),
             B = whole_numbers<bf16>(n, k, 3);
  typed_matrix<float> C(m, n);
  run_strangely<Kernel>(4, A.in(), E.in(), B.in(), C.out());
  CHECK(count_wrong(C, [&](int i, int j) { return 3 * exact_dot(A, B, i, j) + 2 * exact_dot(E, B, i, j); }) == 0);
}
TEST_CASE("two fragments in flight, stored either way") {
  if constexpr (exhaustively) check_two_fragments<two_fragments>();
}

/// A fragment of the outer loop serves all trips of the inner one. Every tile of C is the sum of all tiles of A B^T.
struct kept_fragment {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", f16>(col_major), input<"B(P',K)", f16>(), output<"C(M,P)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"P", 64}}, .stages = 2, .consumers = 2, .persistent = true, .stagger = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, p] = sm.tile_of(C);
    auto x = sm.accumulator(C), y = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = in_registers(sm.load(A, {m, k}));
      for (auto n : sm.pipelined(tiles<"P'">(B))) {
        auto b = transpose(sm.load(B, {as<"P">(n), k}));
        x += a * b;
        y -= -a * b;
      }
    }
    sm.store(C, {m, p}, x + y);
  }
};
TEST_CASE("a fragment that outlives a loop") {
  const int m = 140, k = 136, p = 192;
  const auto A = whole_numbers<f16>(m, k, 1, col_major), B = whole_numbers<f16>(p, k, 3);
  typed_matrix<float> C(m, p);
  run_strangely<kept_fragment>(6, A.in(), B.in(), C.out());
  CHECK(count_wrong(C, [&](int i, int j) {
          double sum = 0;
          for (int q = j % 64; q < p; q += 64) sum += 2 * exact_dot(A, B, i, q);
          return sum;
        }) == 0);
}

/// A fragment from outside of the loop, 8-bit left factors and promoted sums, with consumers that take turns.
struct attention_like {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", e4m3>(), input<"B(N,K)", e4m3>(),
                                                     input<"D(P,N)", e4m3>(), output<"C(M,P)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 96}, {"P", 40}}, .stages = 2, .consumers = 2, .pingpong = true};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, p] = sm.tile_of(C);
    auto total = sm.accumulator(C);
    auto a = in_registers(sm.load(A, {m, 0}));
    for (auto n : sm.pipelined(tiles<"N">(B))) {
      auto s = sm.accumulator(a * transpose(sm.load(B, {n, 0})));
      auto t = cast<e4m3>(s);
      auto part = sm.accumulator(-t * transpose(sm.load(D, {p, n})));
      total += part;
    }
    total += cast<float>(cast<f16>(total * 0.5F));
    sm.store(C, {m, p}, total);
  }
};
TEST_CASE("8-bit attention without the softmax") {
  if constexpr (exhaustively) {
    const int m = 140, k = 64, n = 208, p = 71;
    const auto A = few_ones<e4m3>(m, k, 1), B = few_ones<e4m3>(n, k, 5);
    const auto D = whole_numbers<e4m3>(p, n, 9);
    typed_matrix<float> C(m, p);
    run_strangely<attention_like>(8, A.in(), B.in(), D.in(), C.out());
    std::vector<double> scores(static_cast<std::size_t>(m) * n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) scores[static_cast<std::size_t>(i) * n + j] = exact_dot(A, B, i, j);
    CHECK(count_wrong(C, [&](int i, int q) {
            double sum = 0;
            for (int j = 0; j < n; ++j) sum += scores[static_cast<std::size_t>(i) * n + j] * D(q, j);
            return -1.5 * sum;
          }) == 0);
  }
}

// ---- accumulators

/// f16 and f32 accumulators side by side, and an epilogue that runs under the next tile's products.
struct mixed_sums {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", f16>(), input<"B(N,K)", f16>(), output<"C(M,N)", f16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 56}},
                                              .stages = 3,
                                              .cluster = {1, 2},
                                              .consumers = 2,
                                              .persistent = true,
                                              .stagger = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto half = sm.accumulator(C, as<f16>());
    auto full = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      half += a * b;
      full -= a * -b;
      half -= in_registers(a) * b;
      half += a * b;
    }
    sm.store(C, {m, n}, cast<f16>(cast<float>(half) + full));
  }
};
static_assert(plan_of<mixed_sums>.epilogue[0].deferred);
TEST_CASE("sums in f16 and f32 in one kernel") {
  const int m = 140, n = 121, k = 136;
  const auto A = whole_numbers<f16>(m, k, 1), B = whole_numbers<f16>(n, k, 3);
  typed_matrix<f16> C(m, n);
  run_strangely<mixed_sums>(1, A.in(), B.in(), C.out());
  CHECK(count_wrong(C, [&](int i, int j) { return 2 * exact_dot(A, B, i, j); }) == 0);
}

/// Saturating and wrapping products, from registers and from shared memory, in turn into one accumulator.
struct sometimes_saturating {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", s8>(), output<"C(M,N)", s32>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 128}, {"N", 48}}, .stages = 2, .consumers = 1, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      acc += saturate(a * b);
      acc += a * b;
      acc += saturate(in_registers(a) * b);
      acc += in_registers(a) * b;
    }
    sm.store(C, {m, n}, acc);
  }
};
TEST_CASE("saturating and wrapping products into one accumulator") {
  const int m = 70, n = 51, k = 272;
  const auto A = whole_numbers<s8>(m, k, 1), B = whole_numbers<s8>(n, k, 2);
  typed_matrix<s32> C(m, n);
  run_strangely<sometimes_saturating>(2, A.in(), B.in(), C.out());
  CHECK(count_wrong(C, [&](int i, int j) { return 4 * exact_dot(A, B, i, j); }) == 0);
}

/// Tiles of 1024 bits, three consumers and a cluster that shares both operands.
struct many_bits {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", b1x8>(), input<"B(N,K)", b1x8>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 192}, {"K", 1024}, {"N", 48}}, .stages = 3, .cluster = {2, 2}, .consumers = 3, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C), y = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      x += a * b;
      y += in_registers(a) * b;
    }
    sm.store(C, {m, n}, cast<float>(x) * 3.0F - cast<float>(y));
  }
};
TEST_CASE("bits in large tiles") {
  if constexpr (exhaustively) {
    const int m = 200, n = 101, k = 1160;
    const auto A = whole_numbers<b1x8>(m, k, 1), B = whole_numbers<b1x8>(n, k, 3);
    typed_matrix<float> C(m, n);
    run_strangely<many_bits>(3, A.in(), B.in(), C.out());
    CHECK(count_wrong(C, [&](int i, int j) { return 2 * exact_dot(A, B, i, j); }) == 0);
  }
}

}  // namespace
