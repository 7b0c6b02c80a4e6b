// .split = n for more parts than a cluster has room for: they meet in a workspace, which the launch is given.
#include <sectile/dsl/launch/checked.hpp>
#include <sectile/dsl/launch/family.hpp>
#include <sectile/kernels/sparse_gemm.hpp>
#include <string>

#include "tests/programs/kit.hpp"
#include "tests/programs/split.hpp"
#include "tests/programs/sum_of_parts.hpp"
#include "tests/programs/types.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <int Parts>
using floats = gemm_in_parts<bf16, bf16, float, split_in(Parts, 64, 64, 64)>;

// ---- the plan

static_assert(verified<floats<9>>);
static_assert(!plan_of<floats<8>>.how.uses_workspace() && plan_of<floats<8>>.how.ctas() == 8);
static_assert(plan_of<floats<9>>.how.uses_workspace() && plan_of<floats<9>>.how.ctas() == 1);
static_assert(plan_of<floats<9>>.how.clusters_of_a_tile() == 9 && plan_of<floats<8>>.how.clusters_of_a_tile() == 1);
STATIC_CASE(plan_of<floats<9>>.meetings == 1 && count_meeting_barriers(plan_of<floats<9>>) == 0);
static_assert(plan_of<floats<9>>.shared_bytes == plan_of<floats<1>>.shared_bytes);  // it takes none
// 3 parts of clusters of 2 x 2 tiles: each part a cluster.
using clusters = gemm_in_parts<bf16, bf16, float, split_in(3, 64, 64, 64, 1, {2, 2})>;
static_assert(verified<kernels::gemm_bf16_workspace>);
static_assert(verified<clusters> && plan_of<clusters>.how.uses_workspace() && plan_of<clusters>.how.ctas() == 4);
// 3 parts of pairs of tiles, which one cluster of 6 CTAs would hold: kept apart they are clusters of 2.
using pairs = gemm_in_parts<bf16, bf16, float, kept_apart(split_in(3, 64, 64, 64, 1, {2, 1}))>;
static_assert(verified<pairs> && plan_of<pairs>.how.ctas() == 2 && plan_of<pairs>.how.clusters_of_a_tile() == 3);
static_assert(cost_of<pairs>.cluster == 2 && cost_of<pairs>.clusters == 3 && cost_of<pairs>.part_bytes == 64 * 64 * 4);
static_assert(same_sums<pairs, gemm_in_parts<bf16, bf16, float, split_in(3, 64, 64, 64, 1, {2, 1})>>);
STATIC_CASE(workspace_bytes(plan_of<pairs>, 4) == 128 + 4 * 3 * 64 * 64 * 4);

// Tickets of 3 tiles in 128 bytes, then 9 parts of 64 x 64 floats for each tile.
STATIC_CASE(workspace_bytes(plan_of<floats<9>>, 3) == 128 + 3 * 9 * 64 * 64 * 4);
STATIC_CASE(workspace_bytes(plan_of<floats<9>>, 33) == 384 + 33 * 9 * 64 * 64 * 4);
STATIC_CASE(workspace_bytes(plan_of<floats<8>>, 3) == 0);

constexpr long long without_tickets(const plan& p, long long tiles) { return workspace_bytes(p, tiles) - 128; }
STATIC_CASE(!check_workspace_places(plan_of<floats<9>>, without_tickets).holds());
STATIC_CASE(check_workspace_places(plan_of<floats<8>>, without_tickets).holds());  // which needs none

TEST_CASE("every thread's quads have a place of their own in the workspace") {
  std::vector<int> times(2 * 3 * 2 * 4 * 128);
  for (int tile = 0; tile < 2; ++tile)
    for (int part = 0; part < 3; ++part)
      for (int consumer = 0; consumer < 2; ++consumer)
        for (int quad = 0; quad < 4; ++quad)
          for (int thread = 0; thread < 128; ++thread) {
            // One meeting's sums of 3 quads, and behind those of both consumers another's of 1.
            const bool first = quad < 3;
            const place_in_workspace sums{tile,     part,         3, 2 * 4 * 2048, first ? 0 : 2 * 3 * 2048,
                                          consumer, first ? 3 : 1};
            const long long at = workspace_offset(sums, first ? quad : 0, thread);
            REQUIRE(at % 16 == 0);
            ++times.at(static_cast<std::size_t>(at / 16));
          }
  for (const int n : times) CHECK(n == 1);
}

// ---- what it computes

/// Runs K on A (m x k), B (n x k), in memory that has been used before, and requires C = A B^T.
template <class K, class Left, class Right, class Out>
void check(int m, int n, int k) {
  CAPTURE(k);
  typed_matrix<Left> A(m, k);
  typed_matrix<Right> B(n, k);
  typed_matrix<Out> C(m, n);
  A.fill(contents::whole_numbers, 1), B.fill(contents::whole_numbers, 2);
  host_workspace memory(workspace_bytes<K>(A.in(), B.in(), C.out()));
  REQUIRE(memory.view().bytes > 0);
  std::memset(memory.view().data, 0xFF, memory.view().bytes);
  run_on_model_with<K>({.schedule = schedule_mode::random, .seed = 7, .workers = 2}, A.in(), B.in(), C.out(),
                       memory.view());
  require_exact(C, A, B);
  run_on_model_with<K>({.workers = 2}, A.in(), B.in(), C.out(), memory.view());
  require_exact(C, A, B);
}

TEST_CASE("exact, with fewer trips than parts, ragged rows and columns") {
  for (const int k : {8, 648, 1032}) check<floats<12>, bf16, bf16, float>(70, 136, k);
  if constexpr (exhaustively) check<floats<64>, bf16, bf16, float>(64, 37, 4160);
}
TEST_CASE("consumers, clusters, swapped factors") {
  check<clusters, bf16, bf16, float>(140, 200, 520);
  if constexpr (exhaustively)
    check<gemm_in_parts<bf16, bf16, float, split_in(16, 16, 64, 64, 1, {}, true)>, bf16, bf16, float>(17, 70, 1032);
  if constexpr (exhaustively) {
    check<gemm_in_parts<bf16, bf16, float, split_in(9, 128, 32, 64, 2)>, bf16, bf16, float>(130, 70, 1032);
    check<gemm_in_parts<bf16, bf16, bf16, split_in(5, 16, 128, 64, 2, {1, 2}, true)>, bf16, bf16, bf16>(5, 300, 392);
  }
}
TEST_CASE("every type that sums in 32 bits") {
  if constexpr (exhaustively) check<gemm_in_parts<s8, u8, s32, split_in(9, 64, 64, 128)>, s8, u8, s32>(70, 70, 1296);
  if constexpr (exhaustively) {
    check<gemm_in_parts<e4m3, e5m2, float, split_in(9, 64, 64, 128)>, e4m3, e5m2, float>(70, 70, 1296);
    check<gemm_in_parts<f16, f16, float, split_in(9, 64, 64, 64)>, f16, f16, float>(70, 70, 712);
    check<gemm_in_parts<tf32, tf32, float, split_in(9, 64, 64, 32)>, tf32, tf32, float>(70, 70, 324);
  }
}
struct sparse_in_nine : kernels::sparse_gemm<bf16, bf16, float> {
  static constexpr configuration how = split_in(9, 64, 64, 64);
};
TEST_CASE("sparse factors") {
  constexpr int m = 70, n = 72, k = 648;
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<float> C(m, n);
  A.fill(contents::whole_numbers, 1), B.fill(contents::whole_numbers, 2);
  prune(A.data.data(), m, k, A.stride);
  const sparse_matrix<bf16> S = compress(A.data.data(), m, k, A.stride);
  host_workspace memory(workspace_bytes<sparse_in_nine>(S.view(), B.in(), C.out()));
  if constexpr (exhaustively) {  // otherwise those of a cluster: split_test.cpp
    run_on_model<sparse_in_nine>(S.view(), B.in(), C.out(), memory.view());
    require_exact(C, A, B);
  }
}

TEST_CASE("parts are added up in their order, whichever comes last: the bits are those of sums of parts") {
  constexpr int parts = 12, m = 64, n = 64, k = 15 * 64;
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<float> C(m, n);
  A.fill(contents::any, 1), B.fill(contents::any, 2);
  const typed_matrix<float> sum = sum_of_parts<floats<1>>(A, B, m, n, k, 64, parts);
  host_workspace memory(workspace_bytes<floats<parts>>(A.in(), B.in(), C.out()));
  for (std::uint64_t seed = 0; seed < 4; ++seed) {  // each time another one comes last
    run_on_model_with<floats<parts>>({.schedule = schedule_mode::random, .seed = seed}, A.in(), B.in(), C.out(),
                                     memory.view());
    CHECK(std::memcmp(C.data.data(), sum.data.data(), sum.data.size() * sizeof(float)) == 0);
  }
}
TEST_CASE("a sum of nothing but -0 is what its parts add up to, and what it is where they meet in a cluster") {
  constexpr int m = 64, n = 64, k = 16 * 64;
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<float> few(m, n), many(m, n);
  for (bf16& x : A.data) x = bf16(-0.0f);
  for (bf16& x : B.data) x = bf16(0.0f);
  host_workspace memory(workspace_bytes<floats<12>>(A.in(), B.in(), many.out()));
  run_on_model<floats<12>>(A.in(), B.in(), many.out(), memory.view());
  const typed_matrix<float> sum = sum_of_parts<floats<1>>(A, B, m, n, k, 64, 12);
  CHECK(std::memcmp(sum.data.data(), many.data.data(), many.data.size() * sizeof(float)) == 0);
  if constexpr (exhaustively) {
    run_on_model<floats<8>>(A.in(), B.in(), few.out());
    CHECK(std::memcmp(few.data.data(), many.data.data(), few.data.size() * sizeof(float)) == 0);
  }
}

/// The last part goes on alone.
template <class kernel>
void check_outputs() {
  constexpr int m = 100, n = 72, k = 712;
  host_tensor<bf16> A({m, k}), B({n, k}), R({m, n}), Z({m, n});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2), R.fill(3);
  std::vector<float> bias(n, 0.25f), most(n);
  static_assert(verified<kernel>);
  const auto b = tensor(std::as_const(bias).data(), n);
  const auto v = tensor(most.data(), n);
  host_workspace memory(workspace_bytes<kernel>(A.in(), B.in(), b, R.in(), Z.view(), C.view(), v));
  run_on_schedules<kernel>(3, C, A.in(), B.in(), b, R.in(), Z.view(), C.view(), v, memory.view());
  const auto z = [&](int i, int j) { return dot(A, B, i, j) + 0.25 + R.number(i, j); };
  check_close(C, f32_close, [&](int i, int j) { return 2 * z(i, j); });
  check_close(Z, bf16_close, z);
  for (int j = 0; j < n; ++j) {
    double largest = 0;
    for (int i = 0; i < m; ++i) largest = std::max(largest, std::abs(dot(A, B, i, j)));
    CHECK(most[static_cast<std::size_t>(j)] == doctest::Approx(largest).epsilon(1e-5));
  }
}
TEST_CASE("the last part goes on alone: vectors, tiles, several outputs, numbers that tiles combine into") {
  if constexpr (exhaustively)  // otherwise in a cluster: split_test.cpp
    check_outputs<outputs_of_parts<split_in(10, 128, 64, 64, 2)>>();
}
STATIC_CASE(workspace_bytes(plan_of<two_sums<split_in(9, 64, 64, 64)>>, 3) == 128 + 3 * 9 * 2 * 64 * 64 * 4);
TEST_CASE("two sums of a tile meet one after the other") {
  constexpr int m = 70, n = 136, k = 1032;
  host_tensor<bf16> A({m, k}), B({n, k}), V({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2), V.fill(3);
  const auto run = [&]<class K>(K) -> void {
    host_workspace memory(workspace_bytes<K>(A.in(), B.in(), V.in(), C.view()));
    std::memset(memory.view().data, 0xFF, memory.view().bytes);
    run_on_schedules<K>(2, C, A.in(), B.in(), V.in(), C.view(), memory.view());
    run_on_schedules<K>(0, C, A.in(), B.in(), V.in(), C.view(), memory.view());
    check_close(C, 4 * f32_close, [&](int i, int j) { return dot(A, B, i, j) * dot(A, V, i, j); });
  };
  if constexpr (exhaustively) {
    run(two_sums<split_in(9, 128, 64, 64, 2)>{});
    run(two_sums<split_in(12, 64, 64, 64)>{});
    run(two_sums<split_in(5, 64, 64, 64, 1, {1, 2})>{});
  }
}
// g++ evaluates the right side of this expression first, so what is planned as the second meeting comes first.
template <configuration How>
struct second_sum_first : two_sums<How> {
  static constexpr void body(auto& sm, auto A, auto W, auto V, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto gate = sm.accumulator(C), value = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      gate += a * transpose(sm.load(W, {n, k}));
      value += a * transpose(sm.load(V, {n, k}));
    }
    sm.store(C, {m, n}, gate * 2.0f - value * 3.0f);
  }
};
TEST_CASE("two sums of a tile meet in the order in which a compiler has them used") {
  constexpr int m = 70, n = 72, k = 328;
  host_tensor<bf16> A({m, k}), B({n, k}), V({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2), V.fill(3);
  constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .split = 3, .apart = true};
  using kernel = second_sum_first<how>;
  host_workspace memory(workspace_bytes<kernel>(A.in(), B.in(), V.in(), C.view()));
  run_on_schedules<kernel>(2, C, A.in(), B.in(), V.in(), C.view(), memory.view());
  check_close(C, 8 * f32_close, [&](int i, int j) { return 2 * dot(A, B, i, j) - 3 * dot(A, V, i, j); });
}
TEST_CASE("two loops into one sum") {
  constexpr int m = 70, n = 72, k = 328, l = 648;
  host_tensor<bf16> A({m, k}), B({n, k}), E({m, l}), F({n, l});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2), E.fill(4), F.fill(5);
  using kernel = two_loops<split_both(9)>;
  host_workspace memory(workspace_bytes<kernel>(A.in(), B.in(), E.in(), F.in(), C.view()));
  CHECK(memory.view().bytes == 128 + 4 * 9 * 64 * 64 * 4);  // both have the same place in it
  if constexpr (exhaustively) {
    run_on_schedules<kernel>(1, C, A.in(), B.in(), E.in(), F.in(), C.view(), memory.view());
    check_close(C, f32_close, [&](int i, int j) { return dot(A, B, i, j) + 2 * dot(E, F, i, j); });
  }
}

TEST_CASE("a checked kernel, and one in each of its schedules") {
  constexpr int m = 64, n = 64, k = 648;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  host_workspace memory(workspace_bytes<floats<12>>(A.in(), B.in(), C.view()));
  if constexpr (exhaustively) run_on_schedules<checked<floats<12>>>(1, C, A.in(), B.in(), C.view(), memory.view());
  run_on_model_with<floats<12>>(
      {.schedule = schedule_mode::systematic, .max_schedules = exhaustively ? 5 : 2, .workers = 2}, A.in(), B.in(),
      C.view(), memory.view());
  check_close(C, f32_close, [&](int i, int j) { return dot(A, B, i, j); });
}

// ---- the order of the sums

static_assert(!same_sums<floats<8>, floats<9>> && !same_sums<floats<1>, floats<9>>);
static_assert(same_sums<floats<9>, gemm_in_parts<bf16, bf16, bf16, split_in(9, 16, 64, 64, 1, {}, true)>>);
// Where parts meet does not count: 4 of clusters of 2 tiles in shared memory, 4 of 4 tiles in a workspace.
static_assert(same_sums<gemm_in_parts<bf16, bf16, float, split_in(4, 64, 64, 64, 1, {2, 1})>,
                        gemm_in_parts<bf16, bf16, float, split_in(4, 64, 64, 64, 1, {2, 2})>>);

template <class Kernel>
void check_order_of_clusters() {
  constexpr int m = 128, n = 128, k = 9 * 64;
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<float> C(m, n);
  A.fill(contents::any, 1), B.fill(contents::any, 2);
  host_workspace memory(workspace_bytes<Kernel>(A.in(), B.in(), C.out()));
  const typed_matrix<float> sum = sum_of_parts<floats<1>>(A, B, m, n, k, 64, 3);
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    run_on_model_with<Kernel>({.schedule = schedule_mode::random, .seed = seed}, A.in(), B.in(), C.out(),
                              memory.view());
    CHECK(std::memcmp(C.data.data(), sum.data.data(), sum.data.size() * sizeof(float)) == 0);
  }
}
TEST_CASE("parts that clusters make are added up in their order, too") { check_order_of_clusters<clusters>(); }
TEST_CASE("and those that are kept apart, of pairs of tiles") {
  check_order_of_clusters<pairs>();
  check<pairs, bf16, bf16, float>(140, 70, 136);  // fewer trips than would give each part one, rows beyond the end
}
TEST_CASE("the cost model counts these by their own clusters, and the bytes that a launch asks for") {
  constexpr int m = 1280, n = 640, k = 1024;  // 10 x 10 pairs of tiles in 3 parts
  const gpu_constants& gpu = constants_of("NVIDIA H200");
  const predictor predicted(operands_of_program<pairs>, {{"M", m}, {"N", n}, {"K", k}}, gpu);
  const timed_kernel timed{cost_of<pairs>, operands_of_program<pairs>};
  CHECK(gpu.at_once[2].elements == 66);
  CHECK(predicted.explained(timed).waves == 5);
  const tensor_view<const bf16> a = matrix(static_cast<const bf16*>(nullptr), m, k),
                                b = matrix(static_cast<const bf16*>(nullptr), n, k);
  const std::size_t asked = workspace_bytes<pairs>(a, b, matrix(static_cast<float*>(nullptr), m, n));
  CHECK(predicted.workspace_bytes(timed) == static_cast<double>(asked));
  CHECK(asked == 1664 + 200 * 3 * 64 * 64 * 4);  // 200 tickets in whole lines of L2
}
TEST_CASE("as many parts leave the same bits through a cluster and through a workspace") {
  if constexpr (exhaustively) {
    constexpr int m = 128, n = 128, k = 9 * 64 + 8;
    using in_cluster = gemm_in_parts<bf16, bf16, float, split_in(4, 64, 64, 64, 1, {2, 1})>;
    using in_memory = gemm_in_parts<bf16, bf16, float, split_in(4, 64, 64, 64, 1, {2, 2})>;
    typed_matrix<bf16> A(m, k), B(n, k);
    typed_matrix<float> one(m, n), other(m, n);
    A.fill(contents::any, 1), B.fill(contents::any, 2);
    host_workspace memory(workspace_bytes<in_memory>(A.in(), B.in(), other.out()));
    run_on_model<in_cluster>(A.in(), B.in(), one.out());
    run_on_model<in_memory>(A.in(), B.in(), other.out(), memory.view());
    CHECK(std::memcmp(one.data.data(), other.data.data(), one.data.size() * sizeof(float)) == 0);
  }
}

// ---- launches

/// What a launch says to a workspace.
std::string refusal_of(workspace given, bool passed = true) {
  static typed_matrix<bf16> A(70, 128), B(70, 128);
  static typed_matrix<float> C(70, 70);
  try {
    if (passed)
      run_on_model<floats<12>>(A.in(), B.in(), C.out(), given);
    else
      run_on_model<floats<12>>(A.in(), B.in(), C.out());
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}
TEST_CASE("a workspace that is absent, too small or misaligned is refused, with the bytes that it takes") {
  constexpr std::size_t needed = 128 + 4 * 12 * 64 * 64 * 4;
  host_workspace memory(needed + 16);
  auto* const data = static_cast<std::byte*>(memory.view().data);
  const std::string parts = "workspace: the 12 parts of a tile need 786560 bytes to meet in";
  CHECK(refusal_of({data, needed}) == "");
  CHECK(refusal_of({data + 16, needed}) == "");
  CHECK(refusal_of({}, false).starts_with(parts + ", and the launch was given none"));
  CHECK(refusal_of({}).starts_with(parts + ", and the launch was given none"));
  CHECK(refusal_of({data, needed - 1}).starts_with(parts + ", and it has 786559;"));
  CHECK(refusal_of({nullptr, needed}) == "workspace: the pointer is null");
  CHECK(refusal_of({data + 4, needed}) == "workspace: the pointer is not aligned to 16 bytes (it is 4 bytes off)");
}
TEST_CASE("a workspace shares no memory with an operand") {
  typed_matrix<bf16> A(70, 128), B(70, 128);
  typed_matrix<float> C(70, 70);
  const std::size_t needed = workspace_bytes<floats<12>>(A.in(), B.in(), C.out());
  const auto says = [&](void* data) -> std::string {
    try {
      run_on_model<floats<12>>(A.in(), B.in(), C.out(), workspace(data, needed));
    } catch (const launch_error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(says(A.data.data()).find(") and operand A (") != std::string::npos);
  CHECK(says(C.data.data()).find("share memory; it is written to while tiles are loaded") != std::string::npos);
}
TEST_CASE("who needs none takes any") {
  typed_matrix<bf16> A(70, 128), B(70, 128);
  typed_matrix<float> C(70, 70);
  A.fill(contents::whole_numbers, 1), B.fill(contents::whole_numbers, 2);
  CHECK(workspace_bytes<floats<1>>(A.in(), B.in(), C.out()) == 0);
  run_on_model<floats<1>>(A.in(), B.in(), C.out(), workspace());
  require_exact(C, A, B);
}
TEST_CASE("sizes that are none are refused by the question how large a workspace is, too") {
  typed_matrix<bf16> A(70, 128), B(70, 128);
  typed_matrix<float> C(70, 70);
  tensor_view<float> none = C.out();
  none.extent[0] = 0;
  CHECK_THROWS_AS(workspace_bytes<floats<12>>(A.in(), B.in(), none), launch_error);
}
TEST_CASE("how large a workspace is can be asked before there is memory for the operands") {
  typed_matrix<bf16> A(70, 128), B(70, 128);
  typed_matrix<float> C(70, 70);
  const auto of = [](auto* no_memory, std::int64_t rows, std::int64_t cols) { return matrix(no_memory, rows, cols); };
  CHECK(workspace_bytes<floats<12>>(
            of(static_cast<const bf16*>(nullptr), 70, 128), of(static_cast<const bf16*>(nullptr), 70, 128),
            of(static_cast<float*>(nullptr), 70, 70)) == workspace_bytes<floats<12>>(A.in(), B.in(), C.out()));
}

// ---- families

struct family : kernels::gemm<bf16, bf16, float> {
  static constexpr auto how = configurations(split_in(1, 64, 8, 64), split_in(4, 64, 8, 64), split_in(32, 64, 8, 64));
  static constexpr auto sums = any_order;
};
static_assert(verified<family>);

constexpr problem_size long_sum{{"M", 64}, {"N", 8}, {"K", 65536}}, many_tiles{{"M", 4096}, {"N", 4096}, {"K", 512}};
member_choice chosen(const problem_size& sizes, std::uint64_t bytes) {
  return choose(family_facts_of<family>, sizes, constants_of("NVIDIA H200"), bytes);
}
TEST_CASE("a member with a workspace is picked where it is fast, and where there is enough memory") {
  constexpr std::uint64_t needed = 128 + 32 * 64 * 8 * 4;
  CHECK(chosen(long_sum, needed).member == 2);
  CHECK(chosen(long_sum, needed - 1).member == 1);
  CHECK(choice<family>(long_sum).member == 1);
  CHECK(chosen(many_tiles, std::uint64_t{1} << 40).member == 0);
  CHECK(chosen(long_sum, needed).microseconds < chosen(long_sum, 0).microseconds);
}
TEST_CASE("bounds of members with a workspace hold") {
  for (const problem_size& of : {long_sum, many_tiles}) {
    const predictor predicted(operands_of_program<family>, of, constants_of("NVIDIA H200"));
    float bound[member_bounds::most]{};
    predicted.bounds(*family_facts_of<family>.bounds, bound);
    for (int i = 0; i < 3; ++i) CHECK(bound[i] <= predicted.fourth_power(family_facts_of<family>.members[i]));
  }
}
TEST_CASE("a family is launched with a workspace or without") {
  constexpr int m = 64, n = 8, k = 16384;
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<float> C(m, n), D(m, n);
  A.fill(contents::any, 1), B.fill(contents::any, 2);
  const std::size_t bytes = workspace_bytes<family>(A.in(), B.in(), C.out());
  CHECK(bytes == 128 + 32 * 64 * 8 * 4);
  host_workspace memory(bytes);
  const auto same = [&] { return std::memcmp(C.data.data(), D.data.data(), C.data.size() * sizeof(float)) == 0; };
  run_on_model<family>(A.in(), B.in(), C.out(), memory.view());
  run_on_model<member<family, 2>>(A.in(), B.in(), D.out(), memory.view());
  CHECK(same());
  run_on_model<family>(A.in(), B.in(), C.out(), workspace(memory.view().data, bytes - 1));
  CHECK(!same());
  run_on_model<member<family, 1>>(A.in(), B.in(), D.out());
  CHECK(same());
}

}  // namespace
