// Groups: rows cut where numbers in memory say.
#include "tests/programs/groups.hpp"

#include "tests/programs/host_vector.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

std::vector<s32> ends_of(const std::vector<int>& sizes) {
  std::vector<s32> ends;
  for (const int size : sizes) ends.push_back((ends.empty() ? 0 : ends.back()) + size);
  return ends;
}
int group_of(const std::vector<s32>& ends, int row) {
  int e = 0;
  while (ends[static_cast<std::size_t>(e)] <= row) ++e;
  return e;
}

int begin_of(const std::vector<s32>& ends, int e) { return e == 0 ? 0 : ends[static_cast<std::size_t>(e) - 1]; }

/// K, which is groups::rows, with groups of these sizes.
template <class K, class Out>
void check_rows_by(const std::vector<int>& sizes, int n, int k) {
  const std::vector<s32> ends = ends_of(sizes);
  const int groups = static_cast<int>(sizes.size());
  host_tensor<bf16> X({ends.back(), k}), W({groups, n, k});
  host_tensor<Out> Y({ends.back(), n});
  X.fill(1), W.fill(2);
  run_on_schedules<K>(4, Y, X.in(), W.in(), tensor(ends.data(), groups), Y.view());
  check_close(Y, sizeof(Out) == 2 ? bf16_close : f32_close, [&](int i, int j) {
    double sum = 0;
    for (int x = 0; x < k; ++x) sum += X.number(i, x) * W.number(group_of(ends, i), j, x);
    return sum;
  });
}

template <class Out, configuration How>
void check_rows(const std::vector<int>& sizes, int n, int k) {
  check_rows_by<groups::rows<Out, How>, Out>(sizes, n, k);
}

TEST_CASE("tiles of groups: any sizes, empty groups") {
  check_rows<bf16, groups::plain>({70, 0, 1, 200, 0, 64}, 72, 100);
  check_rows<bf16, groups::plain>({0, 0, 3}, 8, 8);
}
TEST_CASE("tiles of groups: clusters that reach beyond a group, rows that end inside 16 bytes") {
  check_rows<float, groups::pairs>({300, 1, 0, 129, 256, 7}, 70, 100);
}
TEST_CASE("tiles of groups: consumers with own tiles, and swapped") {
  check_rows<bf16, groups::own>({300, 1, 0, 129, 256, 7}, 70, 100);
  check_rows<bf16, groups::swapped>({30, 1, 0, 16, 0, 7}, 70, 100);
}

TEST_CASE("tiles of groups that are drawn: whoever makes which") {
  check_rows<bf16, groups::drawn>({70, 0, 1, 200, 0, 64}, 72, 100);
  check_rows<bf16, groups::drawn>({0, 0, 3}, 8, 8);  // fewer tiles than clusters
  check_rows<bf16, groups::drawn>({500}, 72, 100);   // as many as a launch takes into account
  check_rows<float, groups::drawn_in_pairs>({300, 1, 0, 129, 256, 7}, 70, 100);
  check_rows<bf16, groups::drawn_by_turns>({300, 1, 0, 129, 256, 7}, 70, 100);
}

TEST_CASE("in front of a group there are zeros, not the rows of another one") {
  const std::vector<s32> ends = ends_of({70, 0, 1, 200});
  constexpr int n = 40, k = 64, tile = 64;
  host_tensor<bf16> X({271, k}), W({4, n, k}), Y({271, n});
  X.fill(1), W.fill(2);
  run_on_schedules<groups::rows_before<groups::plain>>(1, Y, X.in(), W.in(), tensor(ends.data(), 4), Y.view());
  check_close(Y, bf16_close, [&](int i, int j) {
    const int e = group_of(ends, i);
    double sum = 0;
    for (int x = 0; x < k && i - tile >= begin_of(ends, e); ++x) sum += X.number(i - tile, x) * W.number(e, j, x);
    return sum;
  });
}

TEST_CASE("groups: a fused epilogue with vectors along groups' rows") {
  const std::vector<s32> ends = ends_of({100, 0, 30, 65});
  constexpr int n = 40, k = 90;
  host_tensor<bf16> X({195, k}), G({4, n, k}), U({4, n, k}), Y({195, n});
  X.fill(1), G.fill(2), U.fill(3);
  const host_vector<float> w(195, 1, 4), b(n, 0, 5, 4);
  run_on_schedules<groups::gated<groups::plain>>(1, Y, X.in(), G.in(), U.in(), w.in(), b.batches(),
                                                 tensor(ends.data(), 4), Y.view());
  check_close(Y, rounded_twice, [&](int i, int j) {
    const int e = group_of(ends, i);
    double gate = b(j, e), up = 0;
    for (int x = 0; x < k; ++x) {
      gate += X.number(i, x) * G.number(e, j, x);
      up += X.number(i, x) * U.number(e, j, x);
    }
    return gate / (1 + std::exp(-gate)) * up * w(i);
  });
}

template <configuration How>
void check_sums(const std::vector<int>& sizes) {
  const std::vector<s32> ends = ends_of(sizes);
  const int groups = static_cast<int>(sizes.size());
  constexpr int n = 72, k = 80;
  host_tensor<bf16> dY({ends.back(), n}), X({ends.back(), k});
  host_tensor<float> dW({groups, n, k});
  dY.fill(1), X.fill(2);
  run_on_schedules<groups::sums_of_rows<How>>(1, dW, dY.in(), X.in(), tensor(ends.data(), groups), dW.view());
  check_close(dW, f32_close, [&](int e, int j, int x) {
    double sum = 0;
    for (int i = begin_of(ends, e); i < ends[static_cast<std::size_t>(e)]; ++i) sum += dY.number(i, j) * X.number(i, x);
    return sum;
  });
}
TEST_CASE("sums over the rows of groups") {
  check_sums<groups::summing>({70, 0, 1, 200, 0, 64});
  check_sums<groups::summing_in_pairs>({0, 5, 300});
  check_sums<groups::summing_drawn>({0, 5, 300, 64});
}

struct rows_family : groups::rows<bf16, groups::plain> {
  static constexpr auto how = configurations(groups::plain, groups::pairs);
};
TEST_CASE("a family goes by the rows of all groups") {
  constexpr int n = 72, k = 96;
  const std::vector<s32> ends = ends_of({70, 0, 80});
  host_tensor<bf16> X({150, k}), W({3, n, k}), Y({150, n});
  const problem_size sizes = sizes_of<rows_family>(X.in(), W.in(), tensor(ends.data(), 3), Y.view());
  CHECK(sizes.of(mode_named("T")) == 150);
  CHECK(sizes.of(mode_named("K")) == k);
  CHECK(sizes.of(mode_named("E")) == 3);
  CHECK(sizes.of(mode_named("N")) == n);
  check_rows_by<rows_family, bf16>({70, 0, 80}, n, k);
}

TEST_CASE("rows of a group meet all rows of it") {
  const std::vector<s32> ends = ends_of({70, 0, 1, 130});
  constexpr int rows = 201, k = 64, d = 40;
  host_tensor<bf16> X({rows, k}), Z({rows, k}), V({rows, d});
  host_tensor<float> Y({rows, d});
  X.fill(1), Z.fill(2), V.fill(3);
  run_on_schedules<groups::rows_of_sums<groups::scoring>>(1, Y, X.in(), Z.in(), V.in(), tensor(ends.data(), 4),
                                                          Y.view());
  check_close(Y, rounded_twice, [&](int i, int j) {
    const int e = group_of(ends, i);
    double sum = 0;
    for (int s = begin_of(ends, e); s < ends[static_cast<std::size_t>(e)]; ++s) sum += dot(X, Z, i, s) * V.number(s, j);
    return sum;
  });
}

TEST_CASE("rows of a group meet others, of which another vector says how many there are") {
  constexpr int heads = 3, room = 130, k = 64, d = 62;  // rows that end inside 16 bytes
  const std::vector<s32> ends = ends_of({70, 0, 1, 130}), counts{130, 7, 0, 65};
  host_tensor<bf16> Q({heads, 201, k}), Z({heads, 4 * room, k}), V({heads, 4 * room, d});
  host_tensor<float> O({heads, 201, d}), most({heads, 201});
  Q.fill(1), Z.fill(2), V.fill(3);
  run_on_schedules<groups::rows_meet_others<groups::scoring>>(1, O, Q.in(), Z.in(), V.in(), tensor(ends.data(), 4),
                                                              tensor(counts.data(), 4), O.view(), most.view());
  CHECK(most.touched() == 0);
  check_close(O, rounded_twice, [&](int h, int i, int j) {
    const int e = group_of(ends, i);
    double sum = 0;
    for (int t = e * room; t < e * room + counts[static_cast<std::size_t>(e)]; ++t) {
      double score = 0;
      for (int x = 0; x < k; ++x) score += Q.number(h, i, x) * Z.number(h, t, x);
      sum += score * V.number(h, t, j);
    }
    return sum;
  });
  check_close(most, 0, [&](int h, int i) {
    double largest = -infinity;
    for (int j = 0; j < d; ++j) largest = std::max(largest, O.number(h, i, j));
    return largest;
  });
}

template <configuration How>
void check_sums_of_two_kinds() {
  const std::vector<s32> ends = ends_of({70, 0, 1}), counts{3, 100, 0};
  constexpr int room = 100, n = 72, k = 80;
  host_tensor<bf16> P({71, n}), Q({71, k}), R({3 * room, n}), S({3 * room, k});
  host_tensor<float> dW({3, n, k});
  P.fill(1), Q.fill(2), R.fill(3), S.fill(4);
  run_on_schedules<groups::sums_of_two_kinds<How>>(1, dW, P.in(), Q.in(), R.in(), S.in(), tensor(ends.data(), 3),
                                                   tensor(counts.data(), 3), dW.view());
  check_close(dW, f32_close, [&](int e, int j, int x) {
    double sum = 0;
    for (int i = begin_of(ends, e); i < ends[static_cast<std::size_t>(e)]; ++i) sum += P.number(i, j) * Q.number(i, x);
    for (int i = e * room; i < e * room + counts[static_cast<std::size_t>(e)]; ++i)
      sum += R.number(i, j) * S.number(i, x);
    return sum;
  });
}
TEST_CASE("sums over rows of two kinds, each cut by a vector of its own") {
  check_sums_of_two_kinds<groups::summing>();
  check_sums_of_two_kinds<groups::summing_in_pairs>();
}

/// Groups of these sizes in rooms of `room` rows: what is behind them is not a number, and Y is not written there.
template <class Out, configuration How>
void check_rows_in_rooms(const std::vector<s32>& counts, int room, int n, int k) {
  const int groups = static_cast<int>(counts.size()), rows = groups * room;
  host_tensor<bf16> X({rows, k}), W({groups, n, k});
  host_tensor<Out> Y({rows, n});
  X.fill(1), W.fill(2);
  const auto has = [&](int row) { return row % room < counts[static_cast<std::size_t>(row / room)]; };
  for (int i = 0; i < rows; ++i)
    for (int x = 0; x < k && !has(i); ++x)
      X.view().data[i * X.stride[0] + x] = bf16(std::numeric_limits<float>::quiet_NaN());
  run_on_schedules<groups::rows_in_rooms<Out, How>>(1, Y, X.in(), W.in(), tensor(counts.data(), groups), Y.view());
  int wrong = 0;
  Y.for_each_number([&](double y, int i, int j) {
    if (!has(i)) return void(wrong += !std::isnan(y));
    double sum = 0;
    for (int x = 0; x < k; ++x) sum += X.number(i, x) * W.number(i / room, j, x);
    wrong += !(std::abs(y - sum) <= (sizeof(Out) == 2 ? 0.01 : 1e-4) * (1 + std::abs(sum)));
  });
  CHECK(wrong == 0);
}
TEST_CASE("groups with rooms: as many rows as are counted, and none behind them") {
  check_rows_in_rooms<bf16, groups::plain>({70, 0, 100, 1}, 100, 72, 100);
  check_rows_in_rooms<float, groups::pairs>({300, 0, 1, 129, 256}, 300, 70, 100);
  check_rows_in_rooms<bf16, groups::swapped>({7, 0, 30}, 30, 70, 100);
  check_rows_in_rooms<bf16, groups::drawn>({70, 0, 100, 1}, 100, 72, 100);
  check_rows_in_rooms<bf16, groups::drawn>({0, 0, 0}, 100, 72, 100);
}
TEST_CASE("sums over the rows of groups with rooms") {
  constexpr int n = 72, k = 80, room = 90;
  const std::vector<s32> counts{70, 0, 90, 1};
  host_tensor<bf16> dY({4 * room, n}), X({4 * room, k});
  host_tensor<float> dW({4, n, k});
  dY.fill(1), X.fill(2);
  run_on_schedules<groups::sums_of_rows_in_rooms<groups::summing>>(1, dW, dY.in(), X.in(), tensor(counts.data(), 4),
                                                                   dW.view());
  check_close(dW, f32_close, [&](int e, int j, int x) {
    double sum = 0;
    for (int i = e * room; i < e * room + counts[static_cast<std::size_t>(e)]; ++i)
      sum += dY.number(i, j) * X.number(i, x);
    return sum;
  });
}
TEST_CASE("numbers that do not fit a room, and rows that are no rooms") {
  constexpr int rows = 150, n = 64, k = 64;
  host_tensor<bf16> X({rows, k}), W({3, n, k}), V({4, n, k}), Y({rows, n});
  X.fill(1), W.fill(2), V.fill(3);
  const auto run = [&](const std::vector<s32>& counts, const tensor_view<const bf16>& w) {
    run_on_model<groups::rows_in_rooms<bf16, groups::plain>>(X.in(), w, tensor(counts.data(), std::ssize(counts)),
                                                             Y.view());
  };
  CHECK_NOTHROW(run({50, 0, 50}, W.in()));
  CHECK_THROWS_WITH_AS(run({50, 51, 0}, W.in()),
                       doctest::Contains("counts[1] = 51: a group along T has room for 50 rows"), model::hazard);
  CHECK_THROWS_WITH_AS(run({-1, 0, 50}, W.in()),
                       doctest::Contains("counts[0] = -1: a group along T has room for 50 rows"), model::hazard);
  CHECK_THROWS_WITH_AS(
      run({30, 30, 30, 30}, V.in()),
      doctest::Contains("operand X: T = 150 rows are no rooms of as many rows each for the 4 groups of "
                        "operand counts"),
      launch_error);
}

TEST_CASE("rows behind the last group are nobody's") {
  constexpr int rows = 150, n = 64, k = 64;
  const std::vector<s32> ends{40, 40, 105};
  host_tensor<bf16> X({rows, k}), W({3, n, k}), Y({rows, n});
  X.fill(1), W.fill(2);
  run_on_schedules<groups::rows<bf16, groups::plain>>(1, Y, X.in(), W.in(), tensor(ends.data(), 3), Y.view());
  int written = 0, wrong = 0;
  Y.for_each_number([&](double y, int i, int) {
    written += !std::isnan(y);
    wrong += std::isnan(y) != (i >= ends.back());
  });
  CHECK(written == ends.back() * n);
  CHECK(wrong == 0);
}

TEST_CASE("numbers that are no ends of groups, and tensors of other modes") {
  constexpr int rows = 150, n = 64, k = 64;
  host_tensor<bf16> X({rows, k}), W({3, n, k}), Y({rows, n}), rooms({3, 50, k});
  X.fill(1), W.fill(2), rooms.fill(3);
  const auto run = [&](const std::vector<s32>& ends, const tensor_view<const bf16>& x) {
    run_on_model<groups::rows<bf16, groups::plain>>(x, W.in(), tensor(ends.data(), std::ssize(ends)), Y.view());
  };
  CHECK_THROWS_WITH_AS(run({40, 30, 150}, X.in()), doctest::Contains("ends[1] = 30, where the group begins at 40"),
                       model::hazard);
  CHECK_THROWS_WITH_AS(run({40, 151, 151}, X.in()), doctest::Contains("ends[1] = 151: there are 150 rows along T"),
                       model::hazard);
  CHECK_THROWS_WITH_AS(run({-1, 40, 150}, X.in()), doctest::Contains("ends[0] = -1, where the group begins at 0"),
                       model::hazard);
  CHECK_THROWS_WITH_AS(run({40, 150}, X.in()), doctest::Contains("operand ends: E = 2, but operand W has E = 3"),
                       launch_error);
  CHECK_THROWS_WITH_AS(
      run({40, 60, 150}, rooms.in()),
      doctest::Contains("operand X: the tensor has 3 modes, but T is cut into groups, E of them, which "
                        "are given as one matrix of all their rows"),
      launch_error);
  CHECK_NOTHROW(run({40, 60, 150}, X.in()));
  const auto in_y = tensor(reinterpret_cast<const s32*>(Y.view().data), 3);  // which roles read while Y is written
  CHECK_THROWS_WITH_AS(
      (run_on_model<groups::rows<bf16, groups::plain>>(X.in(), W.in(), in_y, Y.view())),
      doctest::Contains("the output needs memory of its own"), launch_error);
}

}  // namespace
