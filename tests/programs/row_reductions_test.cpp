// Rows reduced by functions of a program, and the places of their largest and least elements: whatever hangs over the
// edges, whatever is equal, and whatever is no number.
#include <sectile/dsl/launch/portable_model.hpp>

#include "tests/programs/kit.hpp"
#include "tests/programs/reduced_rows.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr double nan_number = std::numeric_limits<double>::quiet_NaN();

/// The element that goes before all others of columns first .. end - 1 of a row, found one after the other.
struct found {
  double value = nan_number;
  int column = no_column;
  friend bool operator==(const found& a, const found& b) {
    return a.column == b.column && (a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)));
  }
};
template <class At>
found find(At at, bool largest, int first, int end) {
  found best;
  for (int j = first; j < end; ++j) {
    const double x = at(j);
    const bool better = largest ? x > best.value : x < best.value;
    if (best.column == no_column || better || (std::isnan(best.value) && !std::isnan(x))) best = {x, j};
  }
  return best;
}

/// Whole numbers, few and small: many sums are equal, and all are exact. `sign`: all are negative, positive, or both.
struct problem {
  int m, n, k;
  host_tensor<bf16> A, B;
  problem(int rows, int cols, int depth, int sign) : m(rows), n(cols), k(depth), A({m, k}), B({n, k}) {
    for (int d = 0; d < k; ++d) {
      for (int i = 0; i < m; ++i) set(A, i, d, number(1, i * k + d, 1));
      for (int j = 0; j < n; ++j) set(B, j, d, number(2, j * k + d, sign));
    }
  }
  static void set(host_tensor<bf16>& x, int i, int j, float to) { x.view().data[i * x.stride[0] + j] = bf16(to); }
  static float number(unsigned seed, int i, int sign) {
    const auto x = tool::standard_normal(seed, static_cast<std::uint64_t>(i));
    const float size = std::floor(std::abs(static_cast<float>(x))) + 1;
    return sign < 0 ? -size : sign > 0 ? size : x < 0 ? -size : size;
  }
  double at(int i, int j) const {
    double sum = 0;
    for (int d = 0; d < k; ++d) sum += A.number(i, d) * B.number(j, d);
    return sum;
  }
};

/// Runs on a fair and on a random schedule.
template <class Run>
void on_schedules(Run run) {
  for (const auto schedule : {schedule_mode::fair, schedule_mode::random})
    run(model_options{.schedule = schedule, .seed = 3, .workers = 2});
}

template <class Kernel, class Run>
void check_places_in_tiles(const problem& p, Run run) {
  constexpr int tile = Kernel::how.tile.of(mode_named("N"));
  const int tiles = (p.n + tile - 1) / tile;
  CAPTURE(p.n);
  host_tensor<float> C({p.m, p.n});
  const auto size = static_cast<std::size_t>(tiles * p.m);
  on_schedules([&](const model_options& how) {
    std::vector<float> most(size), least(size);
    std::vector<s32> of_most(size, -1), of_least(size, -1);
    run(how, p.A.in(), p.B.in(), C.view(), tensor(most.data(), tiles, p.m), tensor(of_most.data(), tiles, p.m),
        tensor(least.data(), tiles, p.m), tensor(of_least.data(), tiles, p.m));
    int wrong = 0;
    for (int t = 0; t < tiles; ++t)
      for (int i = 0; i < p.m; ++i) {
        const auto at = [&](int j) { return p.at(i, j); };
        const auto place = static_cast<std::size_t>(t * p.m + i);
        const int end = std::min(p.n, (t + 1) * tile);
        wrong += !(find(at, true, t * tile, end) == found{most[place], of_most[place]});
        wrong += !(find(at, false, t * tile, end) == found{least[place], of_least[place]});
      }
    CHECK(wrong == 0);
  });
}
template <configuration How>
void check_places_in_tiles(const problem& p) {
  using kernel = places_in_tiles<How>;
  check_places_in_tiles<kernel>(p,
                                [](const model_options& how, auto... all) { run_on_model_with<kernel>(how, all...); });
}

template <class Kernel, class Run>
void check_places_in_rows(const problem& p, Run run) {
  host_tensor<float> C({p.m, p.n});
  const auto size = static_cast<std::size_t>(p.m);
  on_schedules([&](const model_options& how) {
    std::vector<float> most(size), as_number(size);
    std::vector<s32> of_most(size, -1), of_least(size, -1);
    run(how, p.A.in(), p.B.in(), C.view(), tensor(most.data(), p.m), tensor(of_most.data(), p.m),
        tensor(of_least.data(), p.m), tensor(as_number.data(), p.m));
    int wrong = 0;
    for (int i = 0; i < p.m; ++i) {
      const auto at = [&](int j) { return p.at(i, j); };
      const auto place = static_cast<std::size_t>(i);
      const found top = find(at, true, 0, p.n);
      wrong += !(top == found{most[place], of_most[place]});
      wrong += find(at, false, 0, p.n).column != of_least[place];
      wrong += static_cast<double>(as_number[place]) != top.column + 0.5;
    }
    CHECK(wrong == 0);
  });
}
template <configuration How>
void check_places_in_rows(const problem& p) {
  using kernel = places_in_rows<How>;
  check_places_in_rows<kernel>(p,
                               [](const model_options& how, auto... all) { run_on_model_with<kernel>(how, all...); });
}

/// Some rows and some columns of NaN.
struct with_nan : problem {
  explicit with_nan(int cols) : problem(150, cols, 3, 0) {
    for (const int i : {0, 9, 77}) set(A, i, 1, std::nanf(""));
    for (const int j : {0, 1, 63, 64, cols - 1}) set(B, j, 2, std::nanf(""));
  }
};

/// f of a row of a tile as the language says it: four lanes take columns 8g + 2q and 8g + 2q + 1 in ascending order,
/// then neighbours meet, then what is left.
template <class F>
float by_tree(F f, const host_tensor<float>& C, int i, int cols, int tile) {
  float lane[4];
  for (int q = 0; q < 4; ++q)
    for (int j = 2 * q; j < tile; j += j % 2 == 0 ? 1 : 7) {
      const float x = j < cols ? static_cast<float>(C.number(i, j)) : 0.0f;
      lane[q] = j == 2 * q ? x : f(lane[q], x);
    }
  return f(f(lane[0], lane[1]), f(lane[2], lane[3]));
}
bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// With so many columns beyond the edge, which change numbers; the model of Hopper reports that.
template <configuration How, int Beyond = 0, class Run>
void check_reduced(Run run) {
  constexpr int tile = How.tile.of(mode_named("N")), m = 200, n = tile - Beyond, k = 96;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  on_schedules([&](const model_options& how) {
    std::vector<float> near(m), order(m), most(m), sum(m), agree(m, -1.0f);
    run(how, A.in(), B.in(), C.view(), tensor(near.data(), m), tensor(order.data(), m), tensor(most.data(), m),
        tensor(sum.data(), m), tensor(agree.data(), m));
    int wrong = 0;
    for (int i = 0; i < m; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto by = [&](auto f) { return by_tree(f, C, i, n, tile); };
      wrong += !same_bits(near[at], by(nearer_to_zero{}));
      wrong += !same_bits(order[at], by(order_of_two{}));
      wrong += !same_bits(most[at], by([](float a, float b) { return std::max(a, b); }));
      wrong += !same_bits(sum[at], by([](float a, float b) { return a + b; }));
      wrong += agree[at] != 0.0f;
    }
    CHECK(wrong == 0);
  });
}
template <configuration How>
void check_reduced() {
  check_reduced<How>([](const model_options& how, auto... all) { run_on_model_with<reduced_rows<How>>(how, all...); });
}

constexpr configuration blocks{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3};
constexpr configuration of_row_clusters{
    .tile = {{"M", 64}, {"N", 48}, {"K", 64}}, .stages = 3, .cluster = {2, 1}, .consumers = 1, .persistent = true};

}  // namespace

TEST_CASE("the largest and the least of tiles of rows, and where: upright") {
  check_places_in_tiles<upright>(problem(150, 139, 3, 0));
  check_places_in_tiles<upright>(problem(1, 1, 1, 1));
}
TEST_CASE("zeros beyond the edge are no elements: all are negative, all are positive") {
  check_places_in_tiles<upright>(problem(130, 70, 2, -1));
  check_places_in_tiles<upright>(problem(130, 70, 2, 1));
  if constexpr (exhaustively) check_places_in_tiles<narrow>(problem(130, 25, 2, -1));
}
TEST_CASE("the largest and the least of tiles of rows, and where: two blocks of rows, clusters") {
  if constexpr (exhaustively) check_places_in_tiles<tall>(problem(140, 165, 2, 0));
  if constexpr (exhaustively) check_places_in_tiles<of_clusters>(problem(300, 200, 2, 0));
}
TEST_CASE("a number goes before a NaN; of NaN alone it is the first") { check_places_in_tiles<upright>(with_nan(139)); }
/// Without tensor cores.
template <class kernel>
void check_places_in_tiles_before_hopper() {
  const auto run = [](const model_options& how, auto... all) {
    run_portable_on_model_with<kernel, portable::simt>(how, all...);
  };
  check_places_in_tiles<kernel>(problem(140, 85, 2, -1), run);
  check_places_in_tiles<kernel>(with_nan(85), run);
}
TEST_CASE("the largest and the least of tiles of rows, and where: without tensor cores") {
  if constexpr (exhaustively) check_places_in_tiles_before_hopper<places_in_tiles<tall>>();
}

TEST_CASE("the largest and the least of whole rows, and where") {
  check_places_in_rows<blocks>(problem(200, 150, 3, 0));
  check_places_in_rows<blocks>(problem(200, 150, 2, -1));
  check_places_in_rows<blocks>(with_nan(139));
  if constexpr (exhaustively) check_places_in_rows<of_row_clusters>(problem(150, 150, 2, 0));
}
TEST_CASE("the largest and the least of whole rows, and where: without tensor cores") {
  using kernel = places_in_rows<blocks>;
  if constexpr (exhaustively)
    check_places_in_rows<kernel>(with_nan(85), [](const model_options& how, auto... all) {
      run_portable_on_model_with<kernel, portable::simt>(how, all...);
    });
}

TEST_CASE("rows reduced by functions of the program meet in one tree: two warpgroups") {
  if constexpr (exhaustively) check_reduced<upright>();
}
TEST_CASE("rows reduced by functions of the program meet in one tree: two blocks of rows") { check_reduced<tall>(); }
TEST_CASE("rows reduced by functions of the program meet in one tree: without tensor cores") {
  if constexpr (exhaustively)  // otherwise columns: col_reductions_test.cpp
    check_reduced<upright, 5>([](const model_options& how, auto... all) {
      run_portable_on_model_with<reduced_rows<upright>, portable::simt>(how, all...);
    });
}

TEST_CASE("what is reduced is in the order of a kernel's sums") {
  static_assert(summation_of<reduced_rows<upright>>.by_tiles && summation_of<places_in_tiles<upright>>.by_tiles);
  static_assert(!same_sums<reduced_rows<upright>, reduced_rows<narrow>>);
}
