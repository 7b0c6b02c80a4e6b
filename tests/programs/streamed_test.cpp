// .streamed = true: the tiles of a last wave that is short are cut along their loop.
#include <sectile/dsl/launch/checked.hpp>
#include <sectile/kernels/sparse_gemm.hpp>
#include <string>

#include "tests/programs/kit.hpp"
#include "tests/programs/split.hpp"
#include "tests/programs/streamed.hpp"
#include "tests/programs/sum_of_parts.hpp"
#include "tests/programs/types.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

// A tile is cut where it takes 54 trips or more: most trips here take 16 of K, which is quick on the model.
using floats = streamed_gemm<bf16, bf16, float, streamed_in(64, 64, 16)>;
using halves = streamed_gemm<bf16, bf16, bf16, streamed_in(128, 64, 32, 2)>;
using clusters = streamed_gemm<bf16, bf16, float, streamed_in(64, 64, 16, 1, {2, 1})>;
using swapped = streamed_gemm<bf16, bf16, bf16, streamed_in(16, 64, 16, 1, {}, true)>;

// ---- the plan

static_assert(verified<floats> && verified<halves>);
static_assert(verified<clusters> && verified<swapped>);
static_assert(plan_of<halves>.epilogue[0].deferred);  // what is stored goes out under the next item's products
static_assert(plan_of<floats>.how.uses_workspace() && plan_of<floats>.how.clusters_of_a_tile() == 1);
static_assert(plan_of<floats>.shared_bytes == plan_of<not_streamed<floats>>.shared_bytes);  // it takes none

// Of 5 tiles each may be cut into 16 parts.
STATIC_CASE(workspace_bytes(plan_of<floats>, 5) == 128 + 5 * 16 * 64 * 64 * 4);
// Of many fewer than one for each of 144 clusters are, and these make 3 parts each in the mean.
STATIC_CASE(workspace_bytes(plan_of<floats>, 5000) == 9 * 128 + 3 * 144 * 64 * 64 * 4);
STATIC_CASE(workspace_bytes(plan_of<clusters>, 10) == 128 + 5 * 16 * 2 * 64 * 64 * 4);

// ---- the proof of the walk

constexpr work_item last_trip_twice(const work_stream& s, int n) {
  work_item w = item_of(s, n);
  w.first -= w.part > 0;
  return w;
}
constexpr work_item second_part_first(const work_stream& s, int n) {
  work_item w = item_of(s, n);
  if (w.parts > 1 && w.part < 2) w.part = 1 - w.part;
  return w;
}
constexpr work_item last_item_left_out(const work_stream& s, int n) {
  return n + 1 < s.items() ? item_of(s, n) : work_item{};
}
STATIC_CASE(check_stream().holds() && !check_stream(last_trip_twice).holds());
STATIC_CASE(!check_stream(second_part_first).holds() && !check_stream(last_item_left_out).holds());

// ---- what it computes

/// What an Out has of a whole number that a float has.
template <class Out>
double rounded_number(double x) {
  return static_cast<double>(static_cast<float>(Out(static_cast<float>(x))));
}
/// Runs K on whole numbers A (m x k), B (n x k), whose sums are exact in any order, with so many clusters that come in
/// several orders, in memory that has been used before.
template <class K, class Left, class Right, class Out>
void check(int m, int n, int k, int at_once) {
  CAPTURE(k);
  CAPTURE(at_once);
  typed_matrix<Left> A(m, k);
  typed_matrix<Right> B(n, k);
  typed_matrix<Out> C(m, n);
  A.fill(contents::whole_numbers, 1), B.fill(contents::whole_numbers, 2);
  host_workspace memory(workspace_bytes<K>(A.in(), B.in(), C.out()));
  REQUIRE(memory.view().bytes > 0);
  std::memset(memory.view().data, 0xFF, memory.view().bytes);
  for (std::uint64_t seed = 0; seed < (exhaustively ? 2 : 1); ++seed) {
    std::memset(C.data.data(), 0xFF, C.data.size() * sizeof(Out));
    run_on_model_with<K>({.schedule = schedule_mode::random, .seed = seed, .clusters = at_once}, A.in(), B.in(),
                         C.out(), memory.view());
    int wrong = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) wrong += C(i, j) != rounded_number<Out>(exact_dot(A, B, i, j));
    CHECK(wrong == 0);
  }
}

TEST_CASE("exact, whatever the number of clusters, with ragged rows and columns") {
  for (const int at_once : {2, 5}) check<floats, bf16, bf16, float>(70, 136, 16 * 64, at_once);
  check<floats, bf16, bf16, float>(64, 192, 16 * 400, 5);    // three tiles, of which each cluster makes three parts
  check<floats, bf16, bf16, float>(70, 70, 16 * 15, 3);      // too short to be cut
  check<floats, bf16, bf16, float>(64, 64, 16 * 64 - 8, 8);  // one tile, of eight parts
}
TEST_CASE("consumers, clusters, swapped factors") {
  check<halves, bf16, bf16, bf16>(150, 72, 32 * 64, 3);
  check<clusters, bf16, bf16, float>(140, 136, 16 * 64, 4);
  if constexpr (exhaustively) check<swapped, bf16, bf16, bf16>(17, 200, 16 * 64, 7);
}
TEST_CASE("types that sum in 32 bits") {
  if constexpr (exhaustively) {
    check<streamed_gemm<s8, u8, s32, streamed_in(64, 64, 32)>, s8, u8, s32>(70, 136, 32 * 64, 4);
    check<streamed_gemm<tf32, tf32, float, streamed_in(64, 64, 32)>, tf32, tf32, float>(70, 136, 32 * 64, 4);
    check<streamed_gemm<f16, f16, float, streamed_in(64, 64, 64)>, f16, f16, float>(70, 136, 64 * 64, 4);
    check<streamed_gemm<e4m3, e5m2, float, streamed_in(64, 64, 128)>, e4m3, e5m2, float>(70, 136, 128 * 64, 4);
  }
}
struct sparse_streamed : kernels::sparse_gemm<bf16, bf16, float> {
  static constexpr configuration how = streamed_in(64, 64, 64);
};
TEST_CASE("sparse factors") {
  constexpr int m = 70, n = 72, k = 64 * 64;
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<float> C(m, n);
  A.fill(contents::whole_numbers, 1), B.fill(contents::whole_numbers, 2);
  prune(A.data.data(), m, k, A.stride);
  const sparse_matrix<bf16> S = compress(A.data.data(), m, k, A.stride);
  host_workspace memory(workspace_bytes<sparse_streamed>(S.view(), B.in(), C.out()));
  if constexpr (exhaustively) {  // otherwise those of a cluster: split_test.cpp
    run_on_model_with<sparse_streamed>({.clusters = 3}, S.view(), B.in(), C.out(), memory.view());
    require_exact(C, A, B);
  }
}

// ---- the order of the sums

/// A B^T as the parts of one tile give it that are added in their order: each is made by a kernel that makes tiles whole.
typed_matrix<float> sum_of_items(const typed_matrix<bf16>& A, const typed_matrix<bf16>& B, int m, int n, int k,
                                 int at_once) {
  typed_matrix<float> part(m, n), sum(m, n);
  const work_stream s = stream_of(1, k / 16, at_once);
  for (int i = 0; i < s.parts; ++i) {
    const work_item w = item_of(s, i);
    run_on_model<not_streamed<floats>>(columns(A, 16 * w.first, 16 * w.end), columns(B, 16 * w.first, 16 * w.end),
                                       part.out());
    for (std::size_t e = 0; e < sum.data.size(); ++e) sum.data[e] = i == 0 ? part.data[e] : sum.data[e] + part.data[e];
  }
  return sum;
}
TEST_CASE("parts are added up in their order, whichever comes last: the bits are those of sums of parts") {
  constexpr int m = 64, n = 64, k = 83 * 16, at_once = 5;
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<float> C(m, n);
  A.fill(contents::any, 1), B.fill(contents::any, 2);
  const typed_matrix<float> sum = sum_of_items(A, B, m, n, k, at_once);
  host_workspace memory(workspace_bytes<floats>(A.in(), B.in(), C.out()));
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    run_on_model_with<floats>({.schedule = schedule_mode::random, .seed = seed, .clusters = at_once}, A.in(), B.in(),
                              C.out(), memory.view());
    CHECK(std::memcmp(C.data.data(), sum.data.data(), sum.data.size() * sizeof(float)) == 0);
  }
}
TEST_CASE("tiles of whole waves have the bits of tiles that nobody cuts, those of the last in all orders the same") {
  constexpr int m = 64, n = 8 * 64, k = 64 * 16, at_once = 7;  // 8 tiles: a wave of seven, then one that is cut
  typed_matrix<bf16> A(m, k), B(n, k);
  typed_matrix<float> C(m, n), first(m, n), whole(m, n);
  A.fill(contents::any, 1), B.fill(contents::any, 2);
  host_workspace memory(workspace_bytes<floats>(A.in(), B.in(), C.out()));
  run_on_model<not_streamed<floats>>(A.in(), B.in(), whole.out());
  run_on_model_with<floats>({.clusters = at_once}, A.in(), B.in(), first.out(), memory.view());
  int equal = 0;
  for (int col = 0; col < n; ++col)
    equal += first.data[static_cast<std::size_t>(col)] == whole.data[static_cast<std::size_t>(col)];
  CHECK(equal >= 7 * 64);
  CHECK(equal < n);
  for (std::uint64_t seed = 1; seed < 3; ++seed) {
    run_on_model_with<floats>({.schedule = schedule_mode::random, .seed = seed, .clusters = at_once}, A.in(), B.in(),
                              C.out(), memory.view());
    CHECK(std::memcmp(C.data.data(), first.data.data(), C.data.size() * sizeof(float)) == 0);
  }
}
static_assert(summation_of<floats>.by_place && !same_sums<floats, floats> && !same_sums<floats, not_streamed<floats>>);
static_assert(same_sums<not_streamed<floats>, not_streamed<floats>>);

// ---- bodies

TEST_CASE("who comes last goes on alone: vectors, tiles, several outputs, numbers that tiles combine into") {
  constexpr int m = 300, n = 72, k = 64 * 16;
  host_tensor<bf16> A({m, k}), B({n, k}), R({m, n}), Z({m, n});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2), R.fill(3);
  std::vector<float> bias(n, 0.25f), most(n);
  using kernel = outputs_of_parts<streamed_in(128, 64, 16, 2)>;
  static_assert(verified<kernel>);
  const auto b = tensor(std::as_const(bias).data(), n);
  const auto v = tensor(most.data(), n);
  host_workspace memory(workspace_bytes<kernel>(A.in(), B.in(), b, R.in(), Z.view(), C.view(), v));
  run_on_schedules<kernel>(2, C, A.in(), B.in(), b, R.in(), Z.view(), C.view(), v, memory.view());
  const auto z = [&](int i, int j) { return dot(A, B, i, j) + 0.25 + R.number(i, j); };
  check_close(C, 4 * f32_close, [&](int i, int j) { return 2 * z(i, j); });
  check_close(Z, bf16_close, z);
  for (int j = 0; j < n; ++j) {
    double largest = 0;
    for (int i = 0; i < m; ++i) largest = std::max(largest, std::abs(dot(A, B, i, j)));
    CHECK(most[static_cast<std::size_t>(j)] == doctest::Approx(largest).epsilon(1e-5));
  }
}
/// Two sums of a tile meet one after the other.
template <class Kernel>
void check_two_sums() {
  constexpr int m = 70, n = 136, k = 64 * 16;
  host_tensor<bf16> A({m, k}), B({n, k}), V({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2), V.fill(3);
  host_workspace memory(workspace_bytes<Kernel>(A.in(), B.in(), V.in(), C.view()));
  std::memset(memory.view().data, 0xFF, memory.view().bytes);
  run_on_schedules<Kernel>(2, C, A.in(), B.in(), V.in(), C.view(), memory.view());
  check_close(C, 4 * f32_close, [&](int i, int j) { return dot(A, B, i, j) * dot(A, V, i, j); });
}
TEST_CASE("two sums of a tile meet one after the other") {
  if constexpr (exhaustively) check_two_sums<two_sums<streamed_in(64, 64, 16)>>();
}
TEST_CASE("a checked kernel, and one in some of its schedules") {
  constexpr int m = 64, n = 136, k = 64 * 16;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  host_workspace memory(workspace_bytes<floats>(A.in(), B.in(), C.view()));
  if constexpr (exhaustively) run_on_schedules<checked<floats>>(1, C, A.in(), B.in(), C.view(), memory.view());
  run_on_model_with<floats>({.schedule = schedule_mode::systematic, .max_schedules = 5, .workers = 2}, A.in(), B.in(),
                            C.view(), memory.view());
  check_close(C, 4 * f32_close, [&](int i, int j) { return dot(A, B, i, j); });
}

// ---- launches

TEST_CASE("a workspace that is absent or too small is refused, with the bytes that it takes") {
  typed_matrix<bf16> A(70, 128), B(70, 128);
  typed_matrix<float> C(70, 70);
  const auto says = [&](workspace given) -> std::string {
    try {
      run_on_model<floats>(A.in(), B.in(), C.out(), given);
    } catch (const launch_error& e) {
      return e.what();
    }
    return "";
  };
  constexpr std::size_t needed = 128 + 4 * 16 * 64 * 64 * 4;
  host_workspace memory(needed);
  const std::string parts = "workspace: the parts of tiles that are cut (.streamed = true) need 1048704 bytes to meet in";
  CHECK(says({memory.view().data, needed}) == "");
  CHECK(says({}).starts_with(parts + ", and the launch was given none"));
  CHECK(says({memory.view().data, needed - 1}).starts_with(parts + ", and it has 1048703;"));
}

}  // namespace
