// Rungs of the ladder on the model, exhaustively every one: against float64, on several schedules, and the same bits
// wherever the same instruction sums in the same order.
#include "tests/ladder/rungs.hpp"

#include <sectile/dsl/tell/explain.hpp>
#include <sectile/kernels/gemm.hpp>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// The operands of one product; B once for each way in which it may be stored.
struct operands {
  host_tensor<bf16> A, B, B_by_columns;

  explicit operands(const ladder_shape& s, int pad = 0)
      : A({s.m, s.k}, row_major, pad), B({s.n, s.k}, row_major, pad), B_by_columns({s.n, s.k}, col_major, pad) {
    A.fill(1);
    B.fill(2);
    B_by_columns.fill(2);
  }
  template <class K>
  const host_tensor<bf16>& B_for() const {
    return ladder::b_order_of<K>() == col_major ? B_by_columns : B;
  }
};

template <class K>
void run_by_hand(const model_options& how, const operands& in, host_tensor<bf16>& C) {
  ladder::run_on_model_with<K>(how, in.A.in(), in.B_for<K>().in(), C.view());
}

bool same_bits(const host_tensor<bf16>& x, const host_tensor<bf16>& y) {
  const auto a = x.elements(), b = y.elements();
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(bf16)) == 0;
}

/// Of rungs that differ in how a tile lies in shared memory, the last is run, of the planned ones the last as well;
/// exhaustively all are.
template <class K>
constexpr bool is_run =
    exhaustively || !(std::is_same_v<K, ladder::descriptors> || std::is_same_v<K, ladder::core_matrices> ||
                      std::is_same_v<K, ladder::warp_specialization> || std::is_same_v<K, ladder::clusters>);

/// One tile; the least there is; tiles that nothing divides, of many trips and in many rows and columns.
constexpr ladder_shape few_shapes[] = {{64, 256, 64}, {1, 1, 8}, {65, 31, 520}, {129, 257, 72}};
std::vector<ladder_shape> shapes() {
  if (exhaustively) return {std::begin(ladder_shapes), std::end(ladder_shapes)};
  return {std::begin(few_shapes), std::end(few_shapes)};
}

TEST_CASE("rungs 3 to 11: close to float64, and the same bits in all of them") {
  for (const ladder_shape& s : shapes()) {
    CAPTURE(s.m);
    CAPTURE(s.n);
    CAPTURE(s.k);
    const operands in(s, 1);
    host_tensor<bf16> first({s.m, s.n}, row_major, 1);
    run_by_hand<ladder::one_tile>({.workers = 2}, in, first);
    const numbers expected = product(in.A, in.B);
    check_close(first, bf16_close, [&](int i, int j) { return expected(i, j); });
    const auto check = [&](const char* name, auto run) {
      CAPTURE(name);
      host_tensor<bf16> C({s.m, s.n}, row_major, 1);
      run(C);
      CHECK(C.touched() == 0);
      CHECK(same_bits(C, first));
    };
    for_each_rung_by_hand([&]<class K>(const char* name) {
      if constexpr (is_run<K>) check(name, [&](host_tensor<bf16>& C) { run_by_hand<K>({.workers = 2}, in, C); });
    });
    for_each_planned_rung([&]<class K>(const char* name) {
      if constexpr (is_run<K>)
        check(name,
              [&](host_tensor<bf16>& C) { run_on_model_with<K>({.workers = 2}, in.A.in(), in.B.in(), C.view()); });
    });
  }
}

TEST_CASE("rung 1: close to float64") {
  for (const ladder_shape& s : shapes()) {
    const operands in(s, 1);
    host_tensor<bf16> C({s.m, s.n}, row_major, 1);
    run_by_hand<ladder::simt>({.workers = 2}, in, C);
    const numbers expected = product(in.A, in.B);
    check_close(C, bf16_close, [&](int i, int j) { return expected(i, j); });
    CHECK(C.touched() == 0);
  }
}

TEST_CASE("random schedules leave the same bits") {
  constexpr int m = 70, n = exhaustively ? 264 : 72;
  const operands in({m, n, 328});
  const auto run = [&]<class K>(const char* name) {
    CAPTURE(name);
    if constexpr (is_run<K>) {
      host_tensor<bf16> first({m, n});
      run_by_hand<K>({.workers = 2}, in, first);
      for (std::uint64_t seed = 1; seed <= (exhaustively ? 3 : 1); ++seed) {
        host_tensor<bf16> C({m, n});
        run_by_hand<K>({.schedule = schedule_mode::random, .seed = seed, .workers = 2}, in, C);
        CHECK(same_bits(C, first));
      }
    }
  };
  run.operator()<ladder::simt>("simt");
  for_each_rung_by_hand(run);
}

TEST_CASE("every schedule with one departure from the default is free of hazards, and stores once") {
  const operands in({1, 1, 456});  // more tiles along K than stages
  for_each_rung_by_hand([&]<class K>(const char* name) {
    CAPTURE(name);
    if constexpr (is_run<K>) {
      host_tensor<bf16> C({1, 1}), right({1, 1});
      run_by_hand<K>({}, in, right);
      model::schedule_count explored;
      run_by_hand<K>({.schedule = schedule_mode::systematic, .preemptions = 1, .explored = &explored, .workers = 2}, in,
                     C);
      CHECK(explored.run > 0);
      CHECK(same_bits(C, right));
    }
  });
}

TEST_CASE("TMA needs no whole pieces along K, threads do") {
  const operands in({3, 5, 13});
  host_tensor<bf16> C({3, 5});
  run_by_hand<ladder::tma>({}, in, C);
  check_close(C, bf16_close, [&](int i, int j) { return dot(in.A, in.B, i, j); });
  run_by_hand<ladder::stages>({}, in, C);
  check_close(C, bf16_close, [&](int i, int j) { return dot(in.A, in.B, i, j); });
  CHECK_THROWS_WITH_AS(run_by_hand<ladder::one_tile>({}, in, C),
                       "operand A: K = 13 is not a multiple of 8, the elements that a thread moves at once",
                       launch_error);
}

TEST_CASE("operands that do not fit are refused as for any kernel") {
  host_tensor<bf16> A({4, 16}), B({4, 24}), C({4, 4});
  CHECK_THROWS_WITH_AS(ladder::run_on_model<ladder::tma>(A.in(), B.in(), C.view()),
                       "operand B: K = 24, but operand A has K = 16", launch_error);
}

TEST_CASE("the last rung is gemm_bf16") {
  const bool same = explain<ladder::persistence>() == explain<kernels::gemm_bf16>();
  CHECK(same);
}

}  // namespace
