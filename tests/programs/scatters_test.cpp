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
}  // namespace
