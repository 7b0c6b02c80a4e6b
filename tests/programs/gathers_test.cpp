// Rows that an index picks.
#include "tests/programs/gathers.hpp"

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// Rows of a matrix of `rows` in no order, some of them again and again, and some that pick none.
std::vector<s32> index_of(int count, int rows, bool holes = false) {
  std::vector<s32> all;
  for (int i = 0; i < count; ++i) all.push_back(holes && i % 7 == 3 ? -1 : (i * 37 + i / 5) % rows);
  return all;
}
tensor_view<const s32> view(const std::vector<s32>& index) {
  return tensor(index.data(), static_cast<std::int64_t>(index.size()));
}
template <class In>
double picked(const host_tensor<In>& A, int row, int k) {
  return row < 0 ? 0 : static_cast<double>(A.number(row, k));
}

template <class K, class In = bf16>
void check(int m, int n, int k, int rows, int random = 1, double close = f32_close) {
  host_tensor<In> A({rows, k}, row_major, 16), B({n, k}, row_major, 16);
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  const std::vector<s32> row = index_of(m, rows, true);
  if constexpr (needs_workspace(plan_of<K>)) {
    host_workspace memory(workspace_bytes<K>(A.in(), view(row), B.in(), C.view()));
    run_on_schedules<K>(random, C, A.in(), view(row), B.in(), C.view(), memory.view());
  } else {
    run_on_schedules<K>(random, C, A.in(), view(row), B.in(), C.view());
  }
  check_close(C, close, [&](int i, int j) {
    double sum = 0;
    for (int x = 0; x < k; ++x) sum += picked(A, row[static_cast<std::size_t>(i)], x) * B.number(j, x);
    return sum;
  });
}

// Kernels that gather nothing carry nothing of it to the device, and one thread fills their rings.
static_assert(std::is_empty_v<left_out<gathered_places<3>>>);
static_assert(producer_threads(plan_of<kernels::gated_experts<bf16, kernels::activation::silu>>) == 1);
static_assert(producer_threads(plan_of<gathers::product<gathers::plain>>) == 128);
static_assert(producer_threads(plan_of<gathers::product<gathers::half_spans>>) == 128);
static_assert(producer_threads(plan_of<gathers::product<gathers::swapped>>) == 128);

// The sizes of a problem: its rows are read off the index, its K off the second extent of the matrix.
static_assert([] {
  const auto places = sectile::detail::find_modes<gathers::product<gathers::plain>>();
  int right = 0;
  for (int i = 0; i < places.count; ++i) {
    const auto& at = places.at[i];
    right += at.along == mode_named("K") && at.operand == 0 && at.position == 1;
    right += at.along == mode_named("M") && at.operand == 1 && at.position == 0;
  }
  return right == 2;
}());

TEST_CASE("rows in any order, again and again, and none: sizes that no tile divides") {
  check<gathers::product<gathers::plain>>(150, 70, 200, 90);
  check<gathers::product<gathers::plain>>(1, 8, 8, 1);
  check<gathers::product<gathers::plain>>(30, 8, 72, 2);  // the second row is where the first one's stride says
}
TEST_CASE("a walk over many tiles, and clusters of which each CTA gathers for itself") {
  check<gathers::product<gathers::walking>>(700, 130, 136, 1000);
  check<gathers::product<gathers::sharing>>(300, 200, 328, 50);
}
TEST_CASE("tiles of few rows, of two panels, of half spans, and of other types") {
  check<gathers::product<gathers::swapped>>(40, 70, 104, 90);
  check<gathers::product<gathers::thin>>(40, 70, 104, 90);
  check<gathers::product<gathers::two_panels>>(70, 40, 296, 20);
  check<gathers::product<gathers::half_spans>>(70, 40, 104, 20);
}
TEST_CASE("split loops, streamed tiles, and consumers with own tiles") {
  check<gathers::product<gathers::split>>(70, 70, 296, 90);
  check<gathers::product<gathers::streamed>>(330, 200, 1024, 90);
  check<gathers::product<gathers::own>>(300, 200, 152, 90);
}
static_assert(producer_threads(plan_of<gathers::product<gathers::drawn_by_one_warp>>) == 32);
TEST_CASE("tiles that are drawn: all threads that copy learn which is next") {
  check<gathers::product<gathers::drawn>>(700, 130, 136, 1000);
  check<gathers::product<gathers::drawn_in_clusters>>(300, 200, 136, 50);
  if constexpr (exhaustively) check<gathers::product<gathers::drawn_by_turns>>(300, 200, 152, 90);
  check<gathers::product<gathers::drawn_by_one_warp>>(50, 130, 104, 90);
}
TEST_CASE("beside a ring of which TMA brings all") {
  host_tensor<bf16> A({50, 64}), B({40, 64});
  host_tensor<float> R({700, 40}), C({700, 40});
  A.fill(1), B.fill(2), R.fill(3);
  const std::vector<s32> row = index_of(700, 50, true);
  const auto right = [&] {
    check_close(C, f32_close, [&](int i, int j) {
      double sum = R.number(i, j);
      for (int x = 0; x < 64; ++x) sum += picked(A, row[static_cast<std::size_t>(i)], x) * B.number(j, x);
      return sum;
    });
  };
  run_on_schedules<gathers::added<gathers::walking>>(8, C, A.in(), view(row), B.in(), R.in(), C.view());
  right();
  host_workspace memory(128);
  run_on_schedules<gathers::added<gathers::drawn>>(8, C, A.in(), view(row), B.in(), R.in(), C.view(), memory.view());
  right();
}
TEST_CASE("both factors") {
  host_tensor<bf16> A({50, 136}), B({30, 136});
  host_tensor<float> C({90, 70});
  A.fill(1), B.fill(2);
  const std::vector<s32> row = index_of(90, 50, true), col = index_of(70, 30);
  run_on_schedules<gathers::both<gathers::plain>>(1, C, A.in(), B.in(), view(row), view(col), C.view());
  check_close(C, f32_close, [&](int i, int j) {
    double sum = 0;
    for (int x = 0; x < 136; ++x)
      sum += picked(A, row[static_cast<std::size_t>(i)], x) * B.number(col[static_cast<std::size_t>(j)], x);
    return sum;
  });
}

TEST_CASE("a layer of experts, from tokens in any order back to tokens") {
  constexpr int tokens = 45, each = 2, experts = 4, k = 72, hidden = 56;
  const std::vector<s32> ends{30, 30, 77, tokens * each};
  std::vector<s32> token(tokens * each), slot(tokens * each);
  for (int i = 0; i < tokens * each; ++i) {
    token[static_cast<std::size_t>(i)] = i * 7 % (tokens * each) / each;
    slot[static_cast<std::size_t>(i * 7 % (tokens * each) % each * tokens + i * 7 % (tokens * each) / each)] = i;
  }
  host_tensor<bf16> X({tokens, k}), G({experts, hidden, k}), U({experts, hidden, k}), W({experts, k, hidden});
  host_tensor<bf16> sorted({tokens * each, k}), H({tokens * each, hidden}), same({tokens * each, hidden});
  host_tensor<bf16> P({tokens * each, k}), Y({tokens, k});
  X.fill(1), G.fill(2), U.fill(3), W.fill(4);
  std::vector<float> weight(tokens * each);
  for (int i = 0; i < tokens * each; ++i) weight[static_cast<std::size_t>(i)] = 0.25f + static_cast<float>(i % 5);
  for (int i = 0; i < tokens * each; ++i)
    for (int x = 0; x < k; ++x) sorted.view().data[i * sorted.stride[0] + x] = X(token[static_cast<std::size_t>(i)], x);
  using gathered = kernels::gathered_experts<bf16, kernels::activation::silu>;
  using plain = kernels::gated_experts<bf16, kernels::activation::silu>;
  using weighted = kernels::weighted_experts<bf16, bf16>;
  using summed = kernels::summed_experts<bf16, bf16>;
  run_on_schedules<gathered>(1, H, X.in(), view(token), G.in(), U.in(), view(ends), H.view());
  run_on_schedules<plain>(0, same, sorted.in(), G.in(), U.in(), view(ends), same.view());
  const std::vector<bf16> of_tokens = H.elements(), of_sorted = same.elements();
  CHECK(std::memcmp(of_tokens.data(), of_sorted.data(), of_sorted.size() * sizeof(bf16)) == 0);
  host_tensor<float> dG({experts, hidden, k}), dG_of_sorted({experts, hidden, k});
  run_on_schedules<kernels::gathered_weights<bf16, float>>(1, dG, H.in(), X.in(), view(token), view(ends), dG.view());
  run_on_schedules<kernels::grouped_weights<bf16, float>>(0, dG_of_sorted, H.in(), sorted.in(), view(ends),
                                                          dG_of_sorted.view());
  CHECK(dG.elements() == dG_of_sorted.elements());
  run_on_schedules<weighted>(0, P, H.in(), W.in(), tensor(weight.data(), tokens * each), view(ends), P.view());
  const tensor_view<const s32> slots{slot.data(), 2, {each, tokens}, {tokens, 1}};
  run_on_schedules<summed>(1, Y, P.in(), slots, Y.view());
  check_close(Y, bf16_close, [&](int t, int j) {
    double sum = 0;
    for (int n = 0; n < each; ++n) sum += P.number(slot[static_cast<std::size_t>(n * tokens + t)], j);
    return sum;
  });
}

TEST_CASE("an index of no row is told, and -1 is none") {
  using K = gathers::product<gathers::plain>;
  host_tensor<bf16> A({10, 64}), B({8, 64});
  host_tensor<float> C({3, 8});
  A.fill(1), B.fill(2);
  for (const s32 wrong : {10, -2}) {
    const std::vector<s32> row{0, wrong, 9};
    CHECK_THROWS_WITH_AS(run_on_model<K>(A.in(), view(row), B.in(), C.view()),
                         doctest::Contains("an element of row is "), model::hazard);
  }
}

TEST_CASE("what a launch refuses of them") {
  using K = gathers::product<gathers::plain>;
  host_tensor<bf16> A({10, 64}), B({8, 64}), narrow({10, 56});
  host_tensor<float> C({3, 8});
  const std::vector<s32> row{0, 1, 9}, four{0, 1, 2, 3};
  const auto run = [&](auto a, auto index) { run_on_model<K>(a, index, B.in(), C.view()); };
  CHECK_THROWS_WITH_AS(run(A.in(), view(four)), doctest::Contains("M = "), launch_error);
  CHECK_THROWS_WITH_AS(run(narrow.in(), view(row)), doctest::Contains("K = "), launch_error);
  host_tensor<bf16> ragged({10, 60}), thin({8, 60});
  CHECK_THROWS_WITH_AS(run_on_model<K>(ragged.in(), view(row), thin.in(), C.view()),
                       doctest::Contains("operand A: K = 60 elements of bf16 are no whole pieces of 16 bytes, in which "
                                         "rows that are picked come; pad it to 64 with zeros"),
                       launch_error);
  tensor_view<const bf16> odd = A.in();
  odd.stride[0] = 68;
  CHECK_THROWS_WITH_AS(
      run(odd, view(row)),
      doctest::Contains("operand A: the stride of rows is 68 elements, 136 bytes: not a multiple of 16"), launch_error);
  odd = A.in();
  odd.data += 1;
  CHECK_THROWS_WITH_AS(run(odd, view(row)), doctest::Contains("operand A: the pointer is not aligned to 16 bytes"),
                       launch_error);
  tensor_view<const bf16> cube{A.in().data, 3, {1, 10, 64}, {640, 64, 1}};
  CHECK_THROWS_WITH_AS(run(cube, view(row)),
                       doctest::Contains("operand A: the tensor has 3 modes, but its rows are picked by row"),
                       launch_error);
  C.poison();
  CHECK_THROWS_WITH_AS(
      run_on_model<K>(A.in(), view(row), B.in(),
                      tensor_view<float>{reinterpret_cast<float*>(const_cast<bf16*>(A.in().data)), 2, {3, 8}, {8, 1}}),
      doctest::Contains("operand C: its elements"), launch_error);
}

}  // namespace
