// Outputs that are col_major: the same numbers as of a row_major one, where memory has them by columns.
#include <sectile/dsl/launch/portable_model.hpp>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration in_tiles(int m, int n, int k, int consumers = 1, bool swap = false) {
  return {.tile = {{"M", m}, {"N", n}, {"K", k}}, .stages = 2, .consumers = consumers, .swap = swap};
}
constexpr configuration persistent(configuration c, bool own_tiles = false) {
  c.persistent = true;
  c.own_tiles = own_tiles;
  return c;
}
constexpr configuration in_cluster(configuration c, cluster_shape s) {
  c.cluster = s;
  return c;
}
constexpr configuration in_parts(configuration c, int parts) {
  c.split = parts;
  return c;
}

/// C = A B^T, with batches of A.
template <class T, class Out, storage_order Order, configuration How>
struct product {
  static constexpr auto operands =
      sectile::operands(input<"A(G,M,K)", T>(), input<"B(N,K)", T>(), output<"C(G,M,N)", Out>(Order));
  static constexpr sectile::configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {g, m, n}, acc);
  }
};

/// What the row_major product of T runs in, of whose sums an Out is made: of a configuration the bits of a sum hang on
/// the number of parts, and on nothing else.
template <class T, int Parts>
constexpr configuration plain = in_parts(in_tiles(64, 64, 64 * 16 / element_of<T>().bits), Parts);
template <class T>
constexpr bool is_a_number = element_of<T>().kind == number::floating;

template <class T, class Out, configuration How>
void check_product(int g, int m, int n, int k) {
  using turned = product<T, Out, col_major, How>;
  static_assert(verified<turned> && plan_of<turned>.epilogue[0].transposed != How.swap);
  static_assert(plan_of<turned>.epilogue[0].bank_conflicts <= 2);
  host_tensor<T> A({g, m, k}), B({n, k});
  A.fill(1), B.fill(2);
  host_tensor<Out> rows({g, m, n}), cols({g, m, n}, col_major, 1);
  if constexpr (is_a_number<Out>) {  // one kernel for all of these
    host_tensor<float> sums({g, m, n});
    run_on_model<product<T, float, row_major, plain<T, How.split>>>(A.in(), B.in(), sums.view());
    sums.for_each_number([&](double x, int b, int i, int j) {
      rows.view().data[b * rows.stride[0] + i * rows.stride[1] + j] = Out(static_cast<float>(x));
    });
  } else {
    run_on_model<product<T, Out, row_major, plain<T, How.split>>>(A.in(), B.in(), rows.view());
  }
  run_on_schedules<turned>(2, cols, A.in(), B.in(), cols.view());
  const std::vector<Out> a = rows.elements(), b = cols.elements();
  CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(Out)) == 0);
}

TEST_CASE("16-bit outputs, with ragged rows and columns") {
  for (const int m : {1, 64, 133}) check_product<bf16, bf16, in_tiles(128, 64, 64, 2)>(1, m, 70, 72);
  if constexpr (exhaustively) {
    check_product<bf16, bf16, in_tiles(64, 40, 64)>(2, 70, 90, 136);
    check_product<f16, f16, in_tiles(64, 256, 64)>(1, 70, 300, 72);
    check_product<bf16, bf16, in_tiles(192, 48, 64, 3)>(1, 200, 50, 72);
  }
}
TEST_CASE("32-bit outputs") {
  if constexpr (exhaustively) {  // otherwise one of a kernel that has outputs in both orders, below
    check_product<bf16, float, in_tiles(64, 72, 64)>(2, 67, 75, 68);
    check_product<bf16, float, in_tiles(128, 64, 64, 2)>(1, 133, 70, 72);
    check_product<tf32, float, in_tiles(64, 72, 32)>(2, 67, 75, 68);
  }
}
TEST_CASE("8-bit outputs: the lanes of two rows exchange what they hold") {
  for (const int m : {1, 64, 133}) check_product<bf16, e4m3, in_tiles(128, 64, 64, 2)>(1, m, 70, 72);
  if constexpr (exhaustively)
    check_product<bf16, e5m2, in_tiles(64, 256, 64)>(1, 70, 300, 72);  // 32 columns of a fragment at a time
  if constexpr (exhaustively) {
    check_product<bf16, s8, in_tiles(64, 256, 64)>(1, 70, 300, 72);
    check_product<bf16, e5m2, in_tiles(64, 40, 64)>(2, 70, 90, 136);         // 8
    check_product<bf16, u8, in_tiles(192, 48, 64, 3)>(1, 200, 50, 72);       // 16
    check_product<e4m3, e4m3, in_tiles(256, 96, 128, 2)>(1, 300, 100, 144);  // two blocks of a fragment
  }
}
TEST_CASE("8-bit outputs: persistent, with own tiles, in clusters and in parts") {
  static_assert(plan_of<product<bf16, e5m2, col_major, persistent(in_tiles(128, 72, 64, 2))>>.epilogue[0].deferred);
  if constexpr (exhaustively) {
    check_product<bf16, e4m3, persistent(in_tiles(128, 64, 64, 2))>(1, 300, 200, 200);
    check_product<bf16, e5m2, persistent(in_tiles(128, 72, 64, 2))>(2, 140, 136, 136);
    check_product<bf16, u8, persistent(in_tiles(128, 72, 64, 2))>(2, 300, 200, 200);
    check_product<bf16, e4m3, in_cluster(in_tiles(64, 64, 64), {1, 2})>(1, 100, 200, 136);
    check_product<bf16, s8, persistent(in_tiles(64, 64, 64, 2), true)>(1, 300, 200, 200);
    check_product<bf16, e5m2, in_cluster(in_tiles(64, 64, 64), {2, 1})>(1, 200, 100, 136);
    check_product<bf16, s8, in_parts(in_tiles(64, 64, 64), 2)>(1, 100, 100, 300);
  }
}
TEST_CASE("with .swap rows of fragments are rows of memory") {
  check_product<bf16, bf16, in_tiles(16, 128, 64, 2, true)>(1, 37, 200, 72);
  if constexpr (exhaustively) check_product<bf16, e4m3, in_tiles(32, 128, 64, 2, true)>(1, 37, 200, 144);
  if constexpr (exhaustively) {
    check_product<bf16, float, in_tiles(24, 64, 64, 1, true)>(1, 37, 70, 72);
    check_product<e4m3, e4m3, in_tiles(32, 128, 128, 2, true)>(1, 37, 200, 144);
  }
}
TEST_CASE("persistent, with own tiles, in clusters and in parts") {
  static_assert(plan_of<product<bf16, bf16, col_major, persistent(in_tiles(128, 64, 64, 2))>>.epilogue[0].deferred);
  if constexpr (exhaustively) check_product<bf16, bf16, persistent(in_tiles(128, 64, 64, 2))>(1, 300, 200, 200);
  if constexpr (exhaustively) {
    check_product<bf16, bf16, in_cluster(persistent(in_tiles(64, 64, 64, 2), true), {2, 1})>(1, 200, 136, 136);
    check_product<bf16, bf16, persistent(in_tiles(64, 64, 64, 2), true)>(1, 200, 136, 136);
    check_product<bf16, bf16, in_cluster(in_tiles(64, 64, 64), {2, 1})>(1, 200, 100, 136);
  }
  if constexpr (exhaustively) check_product<bf16, bf16, in_cluster(in_tiles(64, 64, 64), {1, 2})>(1, 100, 200, 136);
  if constexpr (exhaustively) check_product<bf16, float, in_parts(in_tiles(64, 64, 64), 2)>(1, 100, 100, 300);
}

/// C = A B^T, rounded to 8 bits before it is stored, beside the sums themselves: all of C and of D turned, or none.
template <class Out, storage_order Order, configuration How>
struct rounded_before {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", Out>(Order), output<"D(M,N)", Out>(Order));
  static constexpr sectile::configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto D) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
    sm.store(D, {m, n}, cast<Out>(acc));
  }
};
template <class Out, configuration How, storage_order Order>
void check_rounded_before() {
  const int m = 150, n = 140, k = 72;
  using upright = rounded_before<Out, row_major, in_tiles(128, 96, 64, 2)>;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<Out> rows({m, n}), same_rows({m, n}), C({m, n}, Order, 1), D({m, n}, Order, 1);
  A.fill(1), B.fill(2);
  run_on_model<upright>(A.in(), B.in(), rows.view(), same_rows.view());
  run_on_model<rounded_before<Out, Order, How>>(A.in(), B.in(), C.view(), D.view());
  const std::vector<Out> right = rows.elements();
  for (const auto& all : {same_rows.elements(), C.elements(), D.elements()})
    CHECK(std::memcmp(right.data(), all.data(), all.size() * sizeof(Out)) == 0);
  CHECK(C.touched() + D.touched() == 0);
}
TEST_CASE("elements of 8 bits that have been rounded before are turned as well") {
  if constexpr (exhaustively) check_rounded_before<e4m3, in_tiles(128, 96, 64, 2), col_major>();
  if constexpr (exhaustively) check_rounded_before<u8, in_tiles(256, 128, 64, 2), col_major>();
  if constexpr (exhaustively) check_rounded_before<e4m3, in_tiles(32, 128, 64, 2, true), row_major>();
  if constexpr (exhaustively) check_rounded_before<s8, in_tiles(32, 128, 64, 2, true), row_major>();
}

/// One product, by rows and by columns, a residual that lies by columns, and a number for each row.
struct both_ways {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,N)", bf16>(col_major), output<"C(M,N)", bf16>(),
      output<"D(M,N)", float>(col_major), vector_output<"sums(M)", float>());
  static constexpr sectile::configuration how = in_tiles(128, 128, 64, 2);
  static constexpr auto sums = any_order;
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C, auto D, auto sums) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc = acc + sm.load(R, {m, n});
    sm.store(C, {m, n}, acc);
    sm.combine(sums, {m}, row_sum(acc), reduction::add_in_any_order);
    sm.store(D, {m, n}, acc);
  }
};
static_assert(verified<both_ways>);
TEST_CASE("outputs of one kernel may lie in both orders") {
  const int m = 150, n = 140, k = 72;
  host_tensor<bf16> A({m, k}), B({n, k}), R({m, n}, col_major), C({m, n});
  host_tensor<float> D({m, n}, col_major, 1), sums({m});
  A.fill(1), B.fill(2), R.fill(3);
  run_on_model<both_ways>(A.in(), B.in(), R.in(), C.view(), D.view(), sums.view());
  const numbers product = test::product(A, B);
  const auto sum = [&](int i, int j) { return product(i, j) + R.number(i, j); };
  check_close(C, bf16_close, sum);
  check_close(D, f32_close, sum);
}

/// R += A B^T, where it lies.
template <bool Swap>
struct in_place {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,N)", bf16>(col_major),
                        output<"C(M,N)", bf16>(col_major));
  static constexpr sectile::configuration how = persistent(in_tiles(64, 64, 64, 1, Swap));
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(R, {m, n}));
  }
};
TEST_CASE("the output may take the place of an input that lies by columns, too") {
  const int m = 150, n = 140, k = 72;
  host_tensor<bf16> A({m, k}), B({n, k}), R({m, n}, col_major), plain({m, n}, col_major), swapped({m, n}, col_major);
  A.fill(1), B.fill(2), R.fill(3), plain.fill(3), swapped.fill(3);
  run_on_model<in_place<false>>(A.in(), B.in(), plain.in(), plain.view());
  if constexpr (exhaustively) run_on_model<in_place<true>>(A.in(), B.in(), swapped.in(), swapped.view());
  const numbers product = test::product(A, B);
  const auto sum = [&](int i, int j) { return product(i, j) + R.number(i, j); };
  check_close(plain, bf16_close, sum);
  if constexpr (exhaustively) check_close(swapped, bf16_close, sum);
}

/// Y = 2 X: rows that become columns of memory, tile by tile of a loop.
template <class Out>
struct columns_of_rows {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", Out>(col_major));
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.rows_of(Y);
    for (auto j : sm.pipelined(tiles<"N">(Y)))
      sm.store(Y, {m, j}, cast<float>(in_registers(sm.load(X, {m, j}))) * 2.0f);
  }
};
TEST_CASE("whole rows, stored in a loop") {
  const int m = 150, n = 210;
  host_tensor<bf16> X({m, n}), Y({m, n}, col_major);
  X.fill(1);
  if constexpr (exhaustively) {
    run_on_schedules<columns_of_rows<bf16>>(2, Y, X.in(), Y.view());
    check_close(Y, 0, [&](int i, int j) { return 2 * X.number(i, j); });
  }
  host_tensor<e4m3> small({m, n}, col_major);
  run_on_schedules<columns_of_rows<e4m3>>(2, small, X.in(), small.view());
  check_close(small, 0, [&](int i, int j) { return static_cast<float>(e4m3(static_cast<float>(2 * X.number(i, j)))); });
}

TEST_CASE("before Hopper as well") {
  using kernel = product<bf16, bf16, col_major, in_tiles(64, 64, 64)>;
  host_tensor<bf16> A({2, 75, 72}), B({70, 72}), cols({2, 75, 70}, col_major);
  host_tensor<e4m3> small({2, 75, 70}, col_major);
  A.fill(1), B.fill(2);
  const auto sum = [&](int g, int i, int j) {
    double x = 0;
    for (int d = 0; d < 72; ++d) x += A.number(g, i, d) * B.number(j, d);
    return x;
  };
  const auto check = [&]<class Shape>(Shape) -> void {
    cols.poison();
    run_portable_on_model<kernel, Shape>(A.in(), B.in(), cols.view());
    CHECK(cols.touched() == 0);
    check_close(cols, bf16_close, sum);
  };
  if constexpr (exhaustively) check(portable::simt{});
  check(portable::wmma<16, 16>{});
  if constexpr (exhaustively) {
    run_portable_on_model<product<bf16, e4m3, col_major, in_tiles(64, 48, 64)>, portable::simt>(A.in(), B.in(),
                                                                                                small.view());
    check_close(small, 0x1p-4, sum);
  }
}

TEST_CASE("an output by rows is refused for an operand by columns") {
  using kernel = product<bf16, bf16, col_major, in_tiles(128, 64, 64, 2)>;
  host_tensor<bf16> A({1, 64, 64}), B({64, 64}), C({1, 64, 64});
  CHECK_THROWS_WITH_AS(run_on_model<kernel>(A.in(), B.in(), C.view()),
                       doctest::Contains("operand C: M must be contiguous (stride 1), its stride is 64"), launch_error);
}

}  // namespace
