// .split = n: n CTAs make a tile together, each a part of the trips of its loops, and the first adds up what they have.
#include "tests/programs/split.hpp"

#include <sectile/dsl/launch/checked.hpp>
#include <sectile/kernels/sparse_gemm.hpp>

#include "tests/programs/kit.hpp"
#include "tests/programs/sum_of_parts.hpp"
#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <int Parts>
using floats = gemm_in_parts<bf16, bf16, float, split_in(Parts, 64, 64, 64)>;

static_assert(verified<floats<2>> && plan_of<floats<2>>.meetings == 1 && plan_of<floats<2>>.how.ctas() == 2);
static_assert(plan_of<floats<1>>.meetings == 0);
static_assert(plan_of<two_sums<split_in(2, 64, 64, 64)>>.meetings == 2);
static_assert(verified<checked<floats<2>>>);

TEST_CASE("every trip belongs to one part, and parts differ by one trip at most") {
  for (int parts = 1; parts <= 8; ++parts)
    for (const int trips : {0, 1, 2, 3, 7, 8, 9, 100, 1001, 2147483647}) {
      int next = 0, least = trips, most = 0;
      for (int part = 0; part < parts; ++part) {
        const trip_part own = part_of_trips(trips, part, parts);
        CHECK(own.first == next);
        next += own.count;
        least = own.count < least ? own.count : least;
        most = own.count > most ? own.count : most;
      }
      CHECK(next == trips);
      CHECK(most - least <= 1);
    }
}

/// Two, exhaustively; otherwise as many as where the order of sums is looked at.
constexpr int usual_parts = exhaustively ? 2 : 5;
TEST_CASE("exact, with fewer trips than parts, ragged rows and columns") {
  for (const int k : {8, 72, 648}) check<floats<usual_parts>, bf16, bf16, float>(70, 136, k);
  check<floats<5>, bf16, bf16, float>(70, 136, 648);
  if constexpr (exhaustively) check<floats<8>, bf16, bf16, float>(70, 137, 648);
}
TEST_CASE("consumers, clusters, swapped factors") {
  if constexpr (exhaustively)
    check<gemm_in_parts<bf16, bf16, float, split_in(2, 64, 64, 64, 1, {2, 2})>, bf16, bf16, float>(140, 130, 520);
  check<gemm_in_parts<bf16, bf16, float, split_in(2, 16, 128, 64, 2, {1, 2}, true)>, bf16, bf16, float>(5, 300, 392);
  if constexpr (exhaustively) {
    check<gemm_in_parts<bf16, bf16, float, split_in(4, 128, 32, 64, 2)>, bf16, bf16, float>(130, 70, 520);
    check<gemm_in_parts<bf16, bf16, float, split_in(2, 64, 64, 64, 1, {2, 1})>, bf16, bf16, float>(140, 70, 520);
    check<gemm_in_parts<bf16, bf16, float, split_in(8, 16, 64, 64, 1, {}, true)>, bf16, bf16, float>(17, 70, 1032);
  }
}
TEST_CASE("every type that sums in 32 bits") {
  check<gemm_in_parts<s8, u8, s32, split_in(2, 64, 64, 128)>, s8, u8, s32>(70, 70, 528);
  if constexpr (exhaustively) {
    check<gemm_in_parts<tf32, tf32, float, split_in(2, 64, 64, 32)>, tf32, tf32, float>(70, 70, 132);
    check<gemm_in_parts<e4m3, e5m2, float, split_in(3, 64, 64, 128)>, e4m3, e5m2, float>(70, 70, 528);
    check<gemm_in_parts<f16, f16, float, split_in(2, 64, 64, 64)>, f16, f16, float>(70, 70, 200);
    check<gemm_in_parts<b1x8, b1x8, s32, split_in(2, 64, 64, 1024)>, b1x8, b1x8, s32>(70, 70, 3200);
  }
  constexpr kernels::gemm_form in_registers{.a_in_registers = true};
  if constexpr (exhaustively)
    check<gemm_in_parts<bf16, bf16, float, split_in(2, 64, 64, 64), in_registers>, bf16, bf16, float>(70, 70, 200);
}

/// What a trip makes of a product is the trip's own: another product's left factor.
template <int Parts>
struct chain {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"D(N,L)", bf16>(), output<"C(M,L)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}, {"L", 64}}, .stages = 2, .consumers = 1, .split = Parts};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, l] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto n : sm.pipelined(tiles<"N">(B))) {
      auto s = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
      acc += cast<bf16>(s * 0.5f) * sm.load(D, {n, l});
    }
    sm.store(C, {m, l}, acc);
  }
};
/// In so many parts, and in one.
template <int Parts>
void check_chain() {
  constexpr int m = 70, n = 328, k = 64, l = 72;
  host_tensor<bf16> A({m, k}), B({n, k}), D({n, l});
  host_tensor<float> C({m, l}), one({m, l});
  A.fill(1), B.fill(2), D.fill(3);
  run_on_schedules<chain<Parts>>(1, C, A.in(), B.in(), D.in(), C.view());
  const numbers s = product(A, B);
  check_close(C, rounded_twice, [&](int i, int j) {
    double sum = 0;
    for (int x = 0; x < n; ++x) sum += 0.5 * s(i, x) * D.number(x, j);
    return sum;
  });
  run_on_model<chain<1>>(A.in(), B.in(), D.in(), one.view());
  check_close(C, f32_close, [&](int i, int j) { return one.number(i, j); });
}
TEST_CASE("a product of a product") {
  if constexpr (exhaustively) check_chain<3>();
}
struct sparse_in_two : kernels::sparse_gemm<bf16, bf16, float> {
  static constexpr configuration how = split_in(2, 64, 64, 64);
};
TEST_CASE("sparse factors") {
  constexpr int m = 70, n = 72, k = 520;
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<float> C(m, n);
  A.fill(contents::whole_numbers, 1), B.fill(contents::whole_numbers, 2);
  prune(A.data.data(), m, k, A.stride);
  const sparse_matrix<bf16> S = compress(A.data.data(), m, k, A.stride);
  run_on_model<sparse_in_two>(S.view(), B.in(), C.out());
  require_exact(C, A, B);
}

template <int parts>
void check_order() {
  constexpr int m = 64, n = 64, k = 7 * 64;
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<float> C(m, n), whole(m, n);
  A.fill(contents::any, 1), B.fill(contents::any, 2);
  run_on_model<floats<parts>>(A.in(), B.in(), C.out());
  const typed_matrix<float> sum = sum_of_parts<floats<1>>(A, B, m, n, k, 64, parts);
  CHECK(std::memcmp(C.data.data(), sum.data.data(), sum.data.size() * sizeof(float)) == 0);
  run_on_model<floats<1>>(A.in(), B.in(), whole.out());
  int elsewhere = 0;  // what the other order would have made of it
  for (std::size_t i = 0; i < sum.data.size(); ++i) elsewhere += whole.data[i] != C.data[i];
  CHECK(elsewhere > 0);  // so the comparison above can fail
}
TEST_CASE("parts are added up in their order: the bits are those of sums of parts") {
  static_assert(plan_of<floats<3>>.meeting[0].rounds == 1 && plan_of<floats<5>>.meeting[0].rounds == 2);
  if constexpr (exhaustively) check_order<2>(), check_order<3>();
  check_order<5>();
}

TEST_CASE("the first part goes on alone: vectors, tiles, several outputs, numbers that tiles combine into") {
  constexpr int m = 100, n = 72, k = 200;
  host_tensor<bf16> A({m, k}), B({n, k}), R({m, n}), Z({m, n});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2), R.fill(3);
  std::vector<float> bias(n, 0.25f), most(n);
  using kernel = outputs_of_parts<split_in(2, 64, 64, 64)>;
  static_assert(verified<kernel>);
  run_on_schedules<kernel>(3, C, A.in(), B.in(), tensor(std::as_const(bias).data(), n), R.in(), Z.view(), C.view(),
                           tensor(most.data(), n));
  const auto z = [&](int i, int j) { return dot(A, B, i, j) + 0.25 + R.number(i, j); };
  check_close(C, f32_close, [&](int i, int j) { return 2 * z(i, j); });
  check_close(Z, bf16_close, z);
  for (int j = 0; j < n; ++j) {
    double largest = 0;
    for (int i = 0; i < m; ++i) largest = std::max(largest, std::abs(dot(A, B, i, j)));
    CHECK(most[static_cast<std::size_t>(j)] == doctest::Approx(largest).epsilon(1e-5));
  }
}
TEST_CASE("two sums of a tile, and exhaustively two loops") {
  constexpr int m = 70, n = 72, k = 328, l = 136;
  host_tensor<bf16> A({m, k}), B({n, k}), V({n, k}), E({m, l}), F({n, l});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2), V.fill(3), E.fill(4), F.fill(5);
  run_on_schedules<two_sums<split_in(4, 64, 64, 64)>>(1, C, A.in(), B.in(), V.in(), C.view());
  check_close(C, 4 * f32_close, [&](int i, int j) { return dot(A, B, i, j) * dot(A, V, i, j); });
  if constexpr (exhaustively) {
    run_on_schedules<two_loops<split_both(3)>>(1, C, A.in(), B.in(), E.in(), F.in(), C.view());
    check_close(C, f32_close, [&](int i, int j) { return dot(A, B, i, j) + 2 * dot(E, F, i, j); });
  }
}

TEST_CASE("a checked kernel, and one in each of its schedules") {
  constexpr int m = 64, n = 64, k = 136;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  if constexpr (exhaustively) run_on_schedules<checked<floats<2>>>(1, C, A.in(), B.in(), C.view());
  run_on_model_with<floats<usual_parts>>({.schedule = schedule_mode::systematic, .max_schedules = 20, .workers = 2},
                                         A.in(), B.in(), C.view());
  check_close(C, f32_close, [&](int i, int j) { return dot(A, B, i, j); });
}

// ---- the order of the sums

static_assert(!same_sums<floats<1>, floats<2>> && !same_sums<floats<2>, floats<3>>);
static_assert(same_sums<floats<2>, gemm_in_parts<bf16, bf16, float, split_in(2, 128, 32, 64, 2)>>);
static_assert(same_sums<floats<2>, gemm_in_parts<bf16, bf16, bf16, split_in(2, 16, 64, 64, 1, {}, true)>>);
static_assert(!same_sums<floats<2>, gemm_in_parts<bf16, bf16, float, split_in(2, 64, 64, 128)>>);  // cut elsewhere

}  // namespace
