// Vectors that a kernel writes beside its output: rows' numbers that are stored, and fragments that are combined along
// rows, columns or both, whatever hangs over the edges.
#include <sectile/dsl/launch/portable_model.hpp>

#include "tests/programs/kit.hpp"
#include "tests/programs/written.hpp"
#include "tests/programs/written_vectors.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// Whether a sum of terms is right, which may have been added in any order.
bool sums_up(double found, double expected, double magnitude) {
  return std::abs(found - expected) <= 0x1p-16 * magnitude + 1e-6;
}
bool is_near(double found, double expected, double relative) {
  return std::abs(found - expected) <= relative * (std::abs(expected) + 1);
}

template <class Kernel, class Run>
void check_combined(int m, int n, int k, Run run) {
  CAPTURE(m);
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  written<float> of_col(n), of_row(m), most(1), sum(1);
  const numbers x = product(A, B);
  const auto check = [&] {
    check_close(C, f32_close, [&](int i, int j) { return x(i, j) + 1; });
    double largest = 0, total = 0, of_all = 0;
    int wrong = 0;
    for (int j = 0; j < n; ++j) {
      double expected = 0, magnitude = 0;
      for (int i = 0; i < m; ++i) expected += x(i, j) + 1, magnitude += std::abs(x(i, j)) + 1;
      wrong += !sums_up(of_col(j), expected, magnitude);
      total += expected, of_all += magnitude;
    }
    for (int i = 0; i < m; ++i) {
      double least = x(i, 0) + 1;
      for (int j = 0; j < n; ++j) {
        least = std::min(least, x(i, j) + 1);
        largest = std::max(largest, std::abs(x(i, j) + 1));
      }
      wrong += !is_near(of_row(i), least, 0x1p-14);
    }
    CHECK(wrong == 0);
    CHECK(is_near(most(0), largest, 0x1p-14));
    CHECK(sums_up(sum(0), total, of_all));
  };
  on_schedules(
      [&](const model_options& how) {
        run(how, A.in(), B.in(), of_col.out(), of_row.out(), C.view(), most.number(), sum.number());
      },
      check, C, of_col, of_row, most, sum);
}
template <configuration How>
void check_combined() {
  for (const auto& [m, n, k] : {std::array{300, 139, 130}, {1, 1, 1}})
    check_combined<combined<How>>(m, n, k, [](const model_options& how, auto... arguments) {
      run_on_model_with<combined<How>>(how, arguments...);
    });
}

template <class Stored, configuration How, class Run>
void check_partial_softmax(double close, Run run) {
  constexpr int m = 300, n = 136, k = 130, tile = How.tile.of(mode_named("N")), tiles = (n + tile - 1) / tile;
  host_tensor<bf16> A({m, k}), B({n, k}), C({m, n});
  A.fill(1), B.fill(2);
  written<float> most(m, tiles);
  written<Stored> sums(m, tiles, 5);
  const numbers x = product(A, B);
  const auto check = [&] {
    check_close(C, bf16_close, x);
    int wrong = 0;
    for (int t = 0; t < tiles; ++t)
      for (int i = 0; i < m; ++i) {
        double top = -1e30, sum = 0;
        for (int j = t * tile; j < std::min(n, (t + 1) * tile); ++j) top = std::max(top, x(i, j));
        for (int j = t * tile; j < std::min(n, (t + 1) * tile); ++j) sum += std::exp(x(i, j) - top);
        wrong += !is_near(most(i, t), top, 0x1p-14) + !is_near(sums(i, t), sum, close);
      }
    CHECK(wrong == 0);
  };
  on_schedules([&](const model_options& how) { run(how, A.in(), B.in(), C.view(), most.batches(), sums.batches()); },
               check, C, most, sums);
}
template <class Stored, configuration How>
void check_partial_softmax(double close) {
  check_partial_softmax<Stored, How>(close, [](const model_options& how, auto... arguments) {
    run_on_model_with<partial_softmax<Stored, How>>(how, arguments...);
  });
}

template <class Stored, configuration How>
void check_rows_out(double close) {
  constexpr int m = 290, n = 57, k = 70;
  host_tensor<bf16> A({m, k}), B({n, k}), C({m, n});
  A.fill(1), B.fill(2);
  written<Stored> sums(m);
  written<float> most(m), largest(1), total(1);
  const numbers x = product(A, B);
  const auto check = [&] {
    double all = 0, top_of_all = 0, magnitude = 0;
    int wrong = 0;
    for (int i = 0; i < m; ++i) {
      double sum = 0, top = 0;
      for (int j = 0; j < n; ++j)
        sum += x(i, j), top = std::max(top, std::abs(x(i, j)) + 1), magnitude += std::abs(x(i, j));
      wrong += !is_near(sums(i), sum, close) + !is_near(most(i), top, 0x1p-14);
      all += sum;
      top_of_all = std::max(top_of_all, top);
    }
    CHECK(wrong == 0);
    CHECK(is_near(largest(0), top_of_all, 0x1p-14));
    CHECK(sums_up(total(0), all, magnitude));
  };
  const auto views = [&](auto run) {
    run(A.in(), B.in(), C.view(), sums.out(), most.out(), largest.number(), total.number());
  };
  on_schedules(
      [&](const model_options& how) {
        views([&](auto... all) { run_on_model_with<rows_out<Stored, How>>(how, all...); });
      },
      check, C, sums, most, largest, total);
  if constexpr (exhaustively)  // otherwise columns' numbers: col_reductions_test.cpp
    on_schedules(
        [&](const model_options& how) {
          views([&](auto... all) { run_portable_on_model_with<rows_out<Stored, How>, portable::simt>(how, all...); });
        },
        check, C, sums, most, largest, total);
}

/// What a launch says that is refused.
std::string refusal_of(auto run) {
  try {
    run();
  } catch (const launch_error& why) {
    return why.what();
  }
  return "";
}

}  // namespace

TEST_CASE("combined along rows, columns and both: upright") {
  if constexpr (exhaustively) check_combined<upright>();
}
TEST_CASE("combined along rows, columns and both: tiles of 24 columns") {
  if constexpr (exhaustively) check_combined<narrow>();
}
TEST_CASE("combined along rows, columns and both: two blocks of rows in a warpgroup") {
  if constexpr (exhaustively) check_combined<tall>();
}
TEST_CASE("combined along rows, columns and both: a persistent cluster") {
  if constexpr (exhaustively) check_combined<of_clusters>();
}
TEST_CASE("combined along rows, columns and both: clusters of two columns") {
  if constexpr (exhaustively) check_combined<of_wide_clusters>();
}
TEST_CASE("combined along rows, columns and both: swapped") { check_combined<swapped>(); }
TEST_CASE("combined along rows, columns and both: without tensor cores") {
  const auto run = []<configuration How>(const model_options& how, auto... arguments) {
    run_portable_on_model_with<combined<How>, portable::simt>(how, arguments...);
  };
  const auto with = [&](auto how_of) -> void {
    check_combined<void>(150, 139, 70, [&](const model_options& how, auto... all) { how_of(how, all...); });
  };
  if constexpr (exhaustively) {
    with([&](const auto& how, auto... all) { run.template operator()<tall>(how, all...); });
    with([&](const auto& how, auto... all) { run.template operator()<swapped>(how, all...); });
  }
}

TEST_CASE("partial results for each tile of columns: f32") {
  if constexpr (exhaustively) check_partial_softmax<float, upright>(0x1p-13);
}
TEST_CASE("partial results for each tile of columns: bf16") {
  if constexpr (exhaustively) check_partial_softmax<bf16, of_clusters>(0x1p-7);
}
TEST_CASE("partial results for each tile of columns: f16") {
  if constexpr (exhaustively) check_partial_softmax<f16, narrow>(0x1p-10);
}
struct family_of_parts : partial_softmax<float, upright> {
  static constexpr auto how = configurations(upright, narrow);
  static constexpr auto sums = any_order;
};
TEST_CASE("partial results for each tile of columns: of a family, the member whose tiles are counted") {
  const auto run = [](const model_options& how, auto... arguments) {
    run_on_model_with<family_of_parts>(how, arguments...);
  };
  check_partial_softmax<float, upright>(0x1p-13, run);
  check_partial_softmax<float, narrow>(0x1p-13, run);
}
TEST_CASE("partial results for each tile of columns: without tensor cores") {
  if constexpr (exhaustively)
    check_partial_softmax<float, tall>(0x1p-13, [](const model_options& how, auto... arguments) {
      run_portable_on_model_with<partial_softmax<float, tall>, portable::simt>(how, arguments...);
    });
}

TEST_CASE("rows' numbers, stored and combined: f32") {
  if constexpr (exhaustively) check_rows_out<float, upright>(0x1p-12);
}
TEST_CASE("rows' numbers, stored and combined: bf16, a persistent cluster") {
  if constexpr (exhaustively) check_rows_out<bf16, of_clusters>(0x1p-7);
}
TEST_CASE("rows' numbers, stored and combined: f16") { check_rows_out<f16, tall>(0x1p-9); }

TEST_CASE("vectors of each matrix of a batch, and of what a mode counts a second time") {
  constexpr int batches = 3, m = 100, k = 70, tiles = 2;
  static_assert(counted_mode(plan_of<batched>.operand[4], 0) == 2 && counted_mode(plan_of<batched>.operand[4], 1) == 1);
  host_tensor<bf16> A({batches, m, k});
  host_tensor<float> C({batches, m, m});
  A.fill(1);
  written<float> sums(m, batches), most(batches), tops(batches, tiles * tiles, 2);
  const auto all_tops = [&] {
    return tensor_view<float>{tops.out().data, 3, {tiles, tiles, batches}, {tiles * (batches + 2), batches + 2, 1}};
  };
  const auto check = [&] {
    int wrong = 0;
    for (int g = 0; g < batches; ++g) {
      double largest = -1e30, least[tiles][tiles] = {{1e30, 1e30}, {1e30, 1e30}};
      for (int j = 0; j < m; ++j) {
        double sum = 0, magnitude = 0;
        for (int i = 0; i < m; ++i) {
          double x = 0;
          for (int d = 0; d < k; ++d) x += A.number(g, i, d) * A.number(g, j, d);
          sum += x, magnitude += std::abs(x);
          largest = std::max(largest, x);
          least[j / 64][i / 64] = std::min(least[j / 64][i / 64], x);
        }
        wrong += !sums_up(sums(j, g), sum, magnitude);
      }
      wrong += !is_near(most(g), largest, 0x1p-14);
      for (int t = 0; t < tiles; ++t)
        for (int u = 0; u < tiles; ++u) wrong += !is_near(tops(g, t * tiles + u), least[t][u], 0x1p-14);
    }
    CHECK(wrong == 0);
  };
  on_schedules(
      [&](const model_options& how) {
        run_on_model_with<batched>(how, A.in(), C.view(), sums.batches(), most.out(), all_tops());
      },
      check, C, sums, most, tops);
}

/// Attention that keeps what its rows were divided by.
template <class Kernel>
void check_normaliser() {
  constexpr int batch = 2, heads = 2, queries = 70, keys = 170;
  host_tensor<bf16> Q({batch, heads, queries, 64}), K({batch, heads, keys, 64}), V({batch, heads, keys, 64}),
      O({batch, heads, queries, 64});
  Q.fill(1), K.fill(2), V.fill(3);
  written<float> kept(queries, batch * heads, 2);
  constexpr float scale = 0.18f;
  const tensor_view<float> all{kept.out().data, 3, {batch, heads, queries}, {2 * (queries + 2), queries + 2, 1}};
  const auto check = [&] {
    int wrong = 0;
    for (int g = 0; g < batch * heads; ++g)
      for (int i = 0; i < queries; ++i) {
        double sum = 0;
        for (int j = 0; j < keys; ++j) {
          double score = 0;
          for (int d = 0; d < 64; ++d)
            score += Q.number(g / heads, g % heads, i, d) * K.number(g / heads, g % heads, j, d);
          sum += std::exp2(score * static_cast<double>(scale));
        }
        wrong += !is_near(kept(i, g), std::log2(sum), 1e-5);
      }
    CHECK(wrong == 0);
  };
  on_schedules(
      [&](const model_options& how) { run_on_model_with<Kernel>(how, Q.in(), K.in(), V.in(), O.view(), all, scale); },
      check, O, kept);
}
TEST_CASE("attention that keeps what its rows were divided by") {
  if constexpr (exhaustively) check_normaliser<attention_with_normaliser>();
}

/// Products that are all negative; of each row the length and, of a number of its own, the largest product.
template <cluster_shape Cluster, int Consumers>
struct beyond_the_work {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(),
                        output<"length(M)", float>(), output<"most", float>());
  static constexpr configuration how{.tile = {{"M", 64 * Consumers}, {"N", 64}, {"K", 64}},
                                     .stages = 2,
                                     .cluster = Cluster,
                                     .consumers = Consumers};
  static constexpr auto sums = any_order;

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto length, auto most) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(length, {m}, sqrt(row_sum(acc * acc).total()));
    sm.combine(most, {}, row_max(acc), reduction::max);
    sm.store(C, {m, n}, acc);
  }
};
/// The same of columns: their sums.
struct columns_beyond_the_work {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", float>(), output<"sums(N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .cluster = {2, 1}, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto sums) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(sums, {n}, col_sum(acc));
    sm.store(C, {m, n}, acc);
  }
};

template <class K>
void check_beyond() {
  static_assert(verified<K>);
  constexpr int m = 100, n = 64, k = 72;
  const std::vector<bf16> a(m * k, bf16(1.0F)), b(n * k, bf16(-2.0F));
  std::vector<float> c(m * n);
  written<float> length(m), most(1);
  on_schedules(
      [&](const model_options& options) {
        run_on_model_with<K>(options, matrix(a.data(), m, k), matrix(b.data(), n, k), matrix(c.data(), m, n),
                             length.out(), most.number());
      },
      [&] {
        for (int i = 0; i < m; ++i) CHECK(length(i) == 2 * k * 8);  // 64 elements of -2 k
        CHECK(most(0) == -2 * k);
      },
      length, most);
}

TEST_CASE("what a cluster has beyond the last column of tiles is written nowhere") {
  if constexpr (exhaustively) check_beyond<beyond_the_work<cluster_shape{1, 2}, 1>>();
  check_beyond<beyond_the_work<cluster_shape{2, 2}, 2>>();
}
template <class K>
void check_columns_beyond() {
  static_assert(verified<K>);
  constexpr int m = 64, n = 136, k = 72;
  const std::vector<bf16> a(m * k, bf16(1.0F)), b(n * k, bf16(-2.0F));
  std::vector<float> c(m * n);
  written<float> sums(n);
  on_schedules(
      [&](const model_options& options) {
        run_on_model_with<K>(options, matrix(a.data(), m, k), matrix(b.data(), n, k), matrix(c.data(), m, n),
                             sums.out());
      },
      [&] {
        for (int j = 0; j < n; ++j) CHECK(sums(j) == -2 * k * m);
      },
      sums);
}
TEST_CASE("what a cluster has beyond the last row of tiles is written nowhere") {
  if constexpr (exhaustively) check_columns_beyond<columns_beyond_the_work>();
}

TEST_CASE("a sum in any order agrees with no other, and the rest of a kernel with vectors does") {
  static_assert(!same_sums<combined<upright>, combined<upright>>);
  static_assert(same_sums<partial_softmax<float, upright>, partial_softmax<float, upright>>);
  static_assert(!same_sums<partial_softmax<float, upright>, partial_softmax<float, narrow>>);
}

TEST_CASE("a launch refuses vectors that are too short, that meet, or that several tiles would store") {
  constexpr int m = 100, n = 64, k = 64;
  host_tensor<bf16> A({m, k}), B({2 * n, k}), C({m, 2 * n});
  A.fill(1), B.fill(2);
  written<f16> sums(m);
  written<float> most(m), largest(1), total(1), tops(m, 3), shares(m, 3);
  const auto b = [&](int columns) { return matrix(B.in().data, columns, k); };
  const auto c = [&](int columns) { return matrix(C.view().data, m, columns, 2 * n); };
  using rows = rows_out<f16, tall>;
  auto* const inside = reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(sums.out().data) + 7) / 4 * 4);
  CHECK(refusal_of([&] {
          run_on_model<rows>(A.in(), b(n), c(n), tensor(sums.out().data, m - 1), most.out(), largest.number(),
                             total.number());
        }) == "operand sums: M = 99, but operand A has M = 100");
  CHECK(refusal_of([&] {
          run_on_model<rows>(A.in(), b(2 * n), c(2 * n), sums.out(), most.out(), largest.number(), total.number());
        }) ==
        "operand sums: N = 128 takes 2 tiles of 80, each of which would store the same elements; combine() them, "
        "give sums a mode that counts these tiles, or take a configuration whose tile spans N");
  CHECK(refusal_of([&] {
          run_on_model<rows>(A.in(), b(n), c(n), sums.out(), tensor(inside, m), largest.number(), total.number());
        }).find("operand most: its elements") == 0);
  CHECK(refusal_of([&] {
          run_on_model<rows>(A.in(), b(n), c(n), sums.out(), most.out(), tensor(most.out().data + 99), total.number());
        }).find("operand largest: its elements") == 0);
  CHECK(refusal_of([&] {
          run_on_model<member<family_of_parts, 0>>(A.in(), b(2 * n), c(2 * n), tops.batches(), shares.batches());
        }) == "operand most: T = 3 counts tiles along N, but N = 128 takes 2 tiles of 64");
  CHECK(refusal_of([&] {
          run_on_model<rows>(A.in(), b(n), c(n), tensor_view<f16>{sums.out().data, 1, {m}, {2}}, most.out(),
                             largest.number(), total.number());
        }) == "operand sums: the stride of M is 2 elements; the last mode of a vector is contiguous (stride 1)");
}
