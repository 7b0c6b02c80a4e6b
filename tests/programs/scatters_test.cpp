// Rows that an index names, which become summands of the rows of an output.
#include "tests/programs/scatters.hpp"

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// Each of `count` places once, in no order: 37 and `count` have no common divisor.
std::vector<s32> places(int count) {
  std::vector<s32> all;
  for (int i = 0; i < count; ++i) all.push_back(i * 37 % count);
  return all;
}
tensor_view<const s32> view(const std::vector<s32>& index) {
  return tensor(index.data(), static_cast<std::int64_t>(index.size()));
}

/// What summands of f32 or of fewer bits come to, in the order of their places.
template <class Out, class Find>
Out sum_of(const host_tensor<Out>& P, int each, int row, int col, Find row_of_place) {
  float sum = 0;
  for (int j = 0; j < each; ++j) sum += static_cast<float>(P.number(row_of_place(row * each + j), col));
  return rounded_to<Out>(sum);
}
std::vector<int> rows_of(const std::vector<s32>& place) {
  std::vector<int> row(place.size());
  for (std::size_t i = 0; i < place.size(); ++i) row[static_cast<std::size_t>(place[i])] = static_cast<int>(i);
  return row;
}

/// The bits are those of the rows that a kernel stores which scatters none, added up in their order.
template <configuration How, class Out = bf16>
void check(int rows, int each, int n, int k, int random = 1) {
  using K = scatters::product<How, Out>;
  const int m = rows * each;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<Out> P({m, n}), C({rows, n}, row_major, 8);
  A.fill(1), B.fill(2);
  const std::vector<s32> place = places(m);
  run_on_model<scatters::summands<scatters::plain, Out>>(A.in(), B.in(), P.view());
  host_workspace memory(workspace_bytes<K>(A.in(), B.in(), view(place), C.view()));
  run_on_schedules<K>(random, C, A.in(), B.in(), view(place), C.view(), memory.view());
  const std::vector<int> row = rows_of(place);
  int others = 0;
  for (int t = 0; t < rows; ++t)
    for (int j = 0; j < n; ++j)
      others += C.number(t, j) !=
                static_cast<float>(sum_of(P, each, t, j, [&](int at) { return row[static_cast<std::size_t>(at)]; }));
  CHECK(others == 0);
}

TEST_CASE("rows in any order, one summand to a row and several: sizes that no tile divides") {
  check<scatters::plain>(50, 3, 72, 200, 4);
  check<scatters::plain>(33, 1, 8, 8);
  check<scatters::plain>(3, 20, 136, 64);
}
TEST_CASE("a walk over many tiles, clusters, and work that is drawn") {
  check<scatters::walking>(230, 3, 200, 136);
  check<scatters::sharing>(100, 3, 136, 328);
  check<scatters::drawn>(100, 2, 136, 72, 4);
}
TEST_CASE("consumers with own tiles, a stagger, and two blocks of rows") {
  check<scatters::own>(100, 3, 200, 152);
  check<scatters::behind>(100, 3, 136, 152);
  check<scatters::two_blocks>(90, 3, 72, 136);
}
TEST_CASE("panels of a tile that take turns in one buffer: a warp writes when its lanes have read what was there") {
  static_assert(plan_of<scatters::product<scatters::one_buffer>>.epilogue[0].panels == 3);
  check<scatters::one_buffer>(50, 3, 200, 72);
}
TEST_CASE("split loops, whose parts meet in a cluster or in the workspace") {
  check<scatters::split>(30, 3, 72, 296);
  check<scatters::apart>(30, 3, 72, 296);
}
TEST_CASE("summands of other types") {
  check<scatters::plain, float>(50, 3, 72, 200);
  check<scatters::walking, float>(50, 3, 72, 200);
  check<scatters::walking, float>(50, 3, 200, 72);  // a lane has two pieces of a row
  check<scatters::plain, f16>(50, 3, 72, 200);
}

TEST_CASE("rows of batches") {
  using K = scatters::of_batches;
  constexpr int batches = 3, m = 70, rows = 42, n = 72, k = 64;
  host_tensor<bf16> A({batches, m, k}), B({n, k}), C({rows, n});
  A.fill(1), B.fill(2);
  const std::vector<s32> place = places(batches * m);
  const tensor_view<const s32> index{place.data(), 2, {batches, m}, {m, 1}};
  host_workspace memory(workspace_bytes<K>(A.in(), B.in(), index, C.view()));
  run_on_schedules<K>(1, C, A.in(), B.in(), index, C.view(), memory.view());
  const std::vector<int> row = rows_of(place);
  check_close(C, rounded_twice, [&](int t, int j) {
    double sum = 0;
    for (int s = 0; s < 5; ++s)
      for (int x = 0; x < k; ++x) {
        const int at = row[static_cast<std::size_t>(5 * t + s)];
        sum += static_cast<double>(A.number(at / m, at % m, x)) * B.number(j, x);
      }
    return sum;
  });
}

TEST_CASE("the other launch of a layer of experts has the bits of the two that store each row and add them up") {
  constexpr int tokens = 45, each = 2, experts = 4, hidden = 72, n = 56;
  const std::vector<s32> ends{30, 30, 77, tokens * each};
  std::vector<s32> place = places(tokens * each), slot(tokens * each);
  for (int i = 0; i < tokens * each; ++i) {
    const int at = place[static_cast<std::size_t>(i)];
    slot[static_cast<std::size_t>(at % each * tokens + at / each)] = i;
  }
  host_tensor<bf16> H({tokens * each, hidden}), W({experts, n, hidden}), P({tokens * each, n});
  host_tensor<bf16> Y({tokens, n}), same({tokens, n});
  H.fill(1), W.fill(2);
  std::vector<float> weight(tokens * each);
  for (int i = 0; i < tokens * each; ++i) weight[static_cast<std::size_t>(i)] = 0.3f + static_cast<float>(i % 5);
  const auto weights = tensor(static_cast<const float*>(weight.data()), tokens * each);
  using scattered = kernels::scattered_experts<bf16, bf16>;
  using weighted = kernels::weighted_experts<bf16, bf16>;
  using summed = kernels::summed_experts<bf16, bf16>;
  host_workspace memory(workspace_bytes<scattered>(H.in(), W.in(), weights, view(place), view(ends), Y.view()));
  run_on_schedules<scattered>(2, Y, H.in(), W.in(), weights, view(place), view(ends), Y.view(), memory.view());
  run_on_schedules<weighted>(0, P, H.in(), W.in(), weights, view(ends), P.view());
  const tensor_view<const s32> slots{slot.data(), 2, {each, tokens}, {tokens, 1}};
  run_on_schedules<summed>(0, same, P.in(), slots, same.view());
  const std::vector<bf16> one = Y.elements(), two = same.elements();
  CHECK(std::memcmp(one.data(), two.data(), one.size() * sizeof(bf16)) == 0);
}

// Where an index is wrong.
template <class Index>
void run_plain(const Index& place, int rows, int m) {
  using K = scatters::product<scatters::plain>;
  host_tensor<bf16> A({m, 64}), B({8, 64}), C({rows, 8});
  A.fill(1), B.fill(2);
  host_workspace memory(workspace_bytes<K>(A.in(), B.in(), view(place), C.view()));
  run_on_model<K>(A.in(), B.in(), view(place), C.view(), memory.view());
}
TEST_CASE("a place that there is not is told, and so is one that is named twice, or by nobody") {
  for (const s32 wrong : {6, -1})
    CHECK_THROWS_WITH_AS(run_plain(std::vector<s32>{0, 1, 2, 3, 4, wrong}, 3, 6),
                         doctest::Contains("an element of place is "), model::hazard);
  CHECK_THROWS_WITH_AS(
      run_plain(std::vector<s32>{0, 1, 2, 3, 4, 4}, 3, 6),
      doctest::Contains("of summand 0 of 2 of row 2, tile 0 of C, where cluster 0 has left others before"),
      model::hazard);
}
TEST_CASE("a row of which a group leaves out a summand is never written") {
  using K = scatters::of_groups;
  host_tensor<bf16> A({6, 64}), B({2, 8, 64}), C({3, 8});
  A.fill(1), B.fill(2);
  const std::vector<s32> place{5, 4, 3, 2, 1, 0}, ends{2, 5};
  const std::vector<float> weight(6, 1.0f);
  const auto weights = tensor(weight.data(), 6);
  host_workspace memory(workspace_bytes<K>(A.in(), B.in(), weights, view(place), view(ends), C.view()));
  CHECK_THROWS_WITH_AS(run_on_model<K>(A.in(), B.in(), weights, view(place), view(ends), C.view(), memory.view()),
                       doctest::Contains("C: 8 of its 24 elements are never written"), model::hazard);
}

TEST_CASE("what a launch refuses of them") {
  using K = scatters::product<scatters::plain>;
  host_tensor<bf16> A({6, 64}), B({8, 64}), C({3, 8}), odd({4, 8}), ragged({3, 12}), wide({12, 64});
  const std::vector<s32> place{0, 1, 2, 3, 4, 5}, five{0, 1, 2, 3, 4};
  host_workspace memory(workspace_bytes<K>(A.in(), B.in(), view(place), C.view()));
  const auto run = [&](auto index, auto c, workspace w) { run_on_model<K>(A.in(), B.in(), index, c, w); };
  CHECK_THROWS_WITH_AS(run(view(five), C.view(), memory.view()), doctest::Contains("M = "), launch_error);
  CHECK_THROWS_WITH_AS(
      run(view(place), odd.view(), memory.view()),
      doctest::Contains("operand C: its 4 rows are named by 6 numbers of place; each row is the sum of "
                        "as many rows that are stored: give a multiple of 4"),
      launch_error);
  CHECK_THROWS_WITH_AS(workspace_bytes<K>(A.in(), B.in(), view(place), odd.view()),
                       doctest::Contains("operand C: its 4 rows are named by 6"), launch_error);
  CHECK_THROWS_WITH_AS(run_on_model<K>(A.in(), wide.in(), view(place), ragged.view(), memory.view()),
                       doctest::Contains("operand C: N = 12 elements of bf16 are no whole pieces of 16 bytes, in which "
                                         "rows that are named go; pad it to 16"),
                       launch_error);
  workspace small = memory.view();
  small.bytes -= 64;
  CHECK_THROWS_WITH_AS(run(view(place), C.view(), small), doctest::Contains("workspace"), launch_error);
  const tensor_view<bf16> cube{C.view().data, 3, {1, 3, 8}, {24, 8, 1}};
  CHECK_THROWS_WITH_AS(run(view(place), cube, memory.view()),
                       doctest::Contains("operand C: the tensor has 3 modes, but its rows are named by place: it is a "
                                         "matrix, of any number of rows"),
                       launch_error);
  const tensor_view<bf16> same{C.view().data, 2, {3, 8}, {0, 1}};
  CHECK_THROWS_WITH_AS(run(view(place), same, memory.view()), doctest::Contains("must not overlap"), launch_error);
}

}  // namespace
