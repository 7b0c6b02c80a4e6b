// Vectors that are summed over tiles in one order: their bits are those of the order that is written down in
// tile_order.hpp, whoever comes last.
#include <bit>
#include <sectile/dsl/launch/checked.hpp>
#include <string>

#include "tests/programs/ordered_sums.hpp"
#include "tests/programs/split.hpp"
#include "tests/programs/tile_order.hpp"
#include "tests/programs/written.hpp"
#include "tests/programs/written_vectors.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

bool same_bits(double found, float expected) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(found)) == std::bit_cast<std::uint32_t>(expected);
}

/// C as a configuration's fragments hold it, from the elements that the kernel has stored.
template <configuration How>
tiled_matrix as_tiled(const host_tensor<float>& C, int m, int n) {
  const int tile_m = How.tile.of(mode_named("M")), tile_n = How.tile.of(mode_named("N"));
  const auto element = [&C](int i, int j) { return static_cast<float>(C.number(i, j)); };
  if (How.swap) return {[=](int i, int j) { return element(j, i); }, n, m, tile_n, tile_m, How.sharers()};
  return {element, m, n, tile_m, tile_n, How.sharers()};
}
/// Numbers of all tiles, in the order of the rows of tiles.
template <configuration How>
std::vector<float> of_all_tiles(const tiled_matrix& x) {
  std::vector<float> all;
  for (int i = 0; i < (How.swap ? x.across() : x.down()); ++i)
    for (int j = 0; j < (How.swap ? x.down() : x.across()); ++j)
      all.push_back(How.swap ? x.of_all(j, i) : x.of_all(i, j));
  return all;
}
/// Elements of a vector along the rows, and along the columns, of what fragments hold.
int wrong_rows(const tiled_matrix& x, const written<float>& v) {
  int wrong = 0;
  for (int i = 0; i < x.rows; ++i) {
    std::vector<float> tiles;
    for (int t = 0; t < x.across(); ++t) tiles.push_back(x.of_row(i, t));
    wrong += !same_bits(v(i), in_order(tiles));
  }
  return wrong;
}
int wrong_cols(const tiled_matrix& x, const written<float>& v, const std::array<int, 3>& apart = {4, 2, 1}) {
  int wrong = 0;
  for (int j = 0; j < x.cols; ++j) {
    std::vector<float> tiles;
    for (int t = 0; t < x.down(); ++t) tiles.push_back(x.of_col(j, t, apart));
    wrong += !same_bits(v(j), in_order(tiles));
  }
  return wrong;
}

template <configuration How>
void check_sums(int m, int n, int k) {
  using kernel = sums_in_order<How>;
  CAPTURE(m);
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  written<float> of_col(n), of_row(m), sum(1);
  const auto with = [&](auto run) { run(A.in(), B.in(), of_col.out(), of_row.out(), C.view(), sum.number()); };
  std::size_t bytes = 0;
  with([&](auto... all) { bytes = workspace_bytes<kernel>(all...); });
  host_workspace memory(bytes);
  CHECK(memory.view().bytes < bytes + 16);
  for (const std::uint64_t seed : {0, 1}) {
    CAPTURE(seed);
    C.poison(), of_col.poison(), of_row.poison(), sum.poison();
    const auto schedule = seed > 0 ? schedule_mode::random : schedule_mode::fair;
    with([&](auto... all) {
      run_on_model_with<kernel>({.schedule = schedule, .seed = seed, .workers = 2}, all..., memory.view());
    });
    CHECK(C.touched() + of_col.touched() + of_row.touched() + sum.touched() == 0);
    const tiled_matrix x = as_tiled<How>(C, m, n);
    CHECK((How.swap ? wrong_cols(x, of_row) : wrong_rows(x, of_row)) == 0);
    CHECK((How.swap ? wrong_rows(x, of_col) : wrong_cols(x, of_col)) == 0);
    CHECK(same_bits(sum(0), by_lanes(of_all_tiles<How>(x))));
  }
}
template <configuration How>
void check_sums() {
  for (const auto& [m, n, k] : {std::array{300, 140, 130}, {1, 4, 1}}) check_sums<How>(m, n, k);
}

/// Rows' numbers that the body has made: their bits, and those of what is not summed in order beside them.
template <configuration How>
void check_rows() {
  constexpr int m = 150, n = 140, k = 70;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  written<float> of_row(m), sum(1), most(1), about(1);
  const auto with = [&](auto run) {
    run(A.in(), B.in(), C.view(), of_row.out(), sum.number(), most.number(), about.number());
  };
  std::size_t bytes = 0;
  with([&](auto... all) { bytes = workspace_bytes<rows_in_order<How>>(all...); });
  host_workspace memory(bytes);
  const auto check = [&] {
    const tiled_matrix x = as_tiled<How>(C, m, n);
    if (How.swap) {
      CHECK(wrong_cols(x, of_row, {1, 2, 4}) == 0);  // row_sum's order
    } else {
      CHECK(wrong_rows(x, of_row) == 0);
      CHECK(same_bits(sum(0), by_lanes(of_all_tiles<How>(x))));
    }
    double all = 0;
    C.for_each_number([&](double y, int, int) { all += y; });
    CHECK(std::abs(sum(0) - all) <= 0.01);
    CHECK(std::abs(about(0) - all) <= 0.01);
    double largest = C.number(0, 0);
    C.for_each_number([&](double y, int, int) { largest = std::max(largest, y); });
    CHECK(most(0) == largest);
  };
  on_schedules(
      [&](const model_options& how) {
        with([&](auto... all) { run_on_model_with<rows_in_order<How>>(how, all..., memory.view()); });
      },
      check, C, of_row, sum, most, about);
}

/// Sums of rows that are unfinished where they are written: of each tile the bits of a row_sum, and about their sum.
template <configuration How>
void check_unfinished_rows() {
  constexpr int m = 150, n = 140, k = 70, tile = How.tile.of(mode_named("N")), tiles = (n + tile - 1) / tile;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  written<float> parts(m, tiles), of_row(m), most(m), largest(1);
  const tensor_view<float> of_tiles{parts.out().data, 2, {tiles, m}, {m + 3, 1}};
  on_schedules(
      [&](const model_options& how) {
        run_on_model_with<unfinished_rows<How>>(how, A.in(), B.in(), C.view(), of_tiles, of_row.out(), most.out(),
                                                largest.number());
      },
      [&] {
        const tiled_matrix x = as_tiled<How>(C, m, n);
        int wrong = 0;
        double top = -1e30;
        for (int i = 0; i < m; ++i) {
          double all = 0, expected = 0;  // what is beyond the last column
          for (int j = 0; j < n; ++j)
            expected = std::max(expected, C.number(i, j)), top = std::max(top, C.number(i, j));
          wrong += most(i) != expected;
          for (int t = 0; t < tiles; ++t) {
            wrong += !same_bits(parts(i, t), How.swap ? x.of_col(i, t, {1, 2, 4}) : x.of_row(i, t));
            all += parts(i, t);
          }
          wrong += std::abs(of_row(i) - all) > 1e-3;
        }
        CHECK(wrong == 0);
        CHECK(largest(0) == top);
      },
      C, parts, of_row, most, largest);
}

/// The same of columns' numbers.
template <configuration How>
void check_cols() {
  constexpr int m = 150, n = 140, k = 70;
  using kernel = cols_in_order<How>;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  written<float> of_col(n), sum(1), most(n), least(1), about(1);
  const auto with = [&](auto run) {
    run(A.in(), B.in(), C.view(), of_col.out(), sum.number(), most.out(), least.number(), about.number());
  };
  std::size_t bytes = 0;
  with([&](auto... all) { bytes = workspace_bytes<kernel>(all...); });
  host_workspace memory(bytes);
  const auto check = [&] {
    CHECK(wrong_cols(as_tiled<How>(C, m, n), of_col, {1, 2, 4}) == 0);  // col_sum's order
    double all = 0, smallest = C.number(0, 0);
    std::vector<double> largest(n, -1e30);
    C.for_each_number([&](double y, int, int j) {
      all += y, smallest = std::min(smallest, y);
      largest[static_cast<std::size_t>(j)] = std::max(largest[static_cast<std::size_t>(j)], y);
    });
    CHECK(std::abs(sum(0) - all) <= 0.01);
    CHECK(std::abs(about(0) - all) <= 0.01);
    CHECK(least(0) <= std::min(smallest, 0.0));  // rows beyond the last count, as col_min says
    int wrong = 0;
    for (int j = 0; j < n; ++j) wrong += most(j) != std::max(largest[static_cast<std::size_t>(j)], 0.0);
    CHECK(wrong == 0);
  };
  on_schedules(
      [&](const model_options& how) {
        with([&](auto... all) { run_on_model_with<kernel>(how, all..., memory.view()); });
      },
      check, C, of_col, sum, most, least, about);
}

/// Tiles of a matrix in a batch, and what vectors lack of it.
template <configuration How>
void check_batches() {
  constexpr int batches = 3, m = 100, k = 40, tiles = 2;
  using kernel = batch_in_order<How>;
  host_tensor<bf16> A({batches, m, k});
  host_tensor<float> C({batches, m, m});
  A.fill(1);
  written<float> of_col(m, batches), of_all(m), sums(batches), apart(m, tiles * batches);
  const auto of_tiles = [&] {
    return tensor_view<float>{apart.out().data, 3, {tiles, batches, m}, {batches * (m + 3), m + 3, 1}};
  };
  const auto with = [&](auto run) { run(A.in(), C.view(), of_col.batches(), of_all.out(), sums.out(), of_tiles()); };
  std::size_t bytes = 0;
  with([&](auto... all) { bytes = workspace_bytes<kernel>(all...); });
  host_workspace memory(bytes);
  const auto check = [&] {
    int wrong = 0;
    std::vector<tiled_matrix> x;
    for (int g = 0; g < batches; ++g)
      x.push_back({[&C, g](int i, int j) { return static_cast<float>(C.number(g, i, j)); }, m, m, 64, 64, 1});
    for (int j = 0; j < m; ++j) {
      std::vector<float> all;
      for (int g = 0; g < batches; ++g) {
        std::vector<float> own;
        for (int t = 0; t < tiles; ++t) {
          own.push_back(x[static_cast<std::size_t>(g)].of_col(j, t));
          wrong += !same_bits(apart(j, t * batches + g), own.back());
        }
        wrong += !same_bits(of_col(j, g), in_order(own));
        all.insert(all.end(), own.begin(), own.end());
      }
      wrong += !same_bits(of_all(j), in_order(all));
    }
    for (int g = 0; g < batches; ++g)
      wrong += !same_bits(sums(g), by_lanes(of_all_tiles<How>(x[static_cast<std::size_t>(g)])));
    CHECK(wrong == 0);
  };
  on_schedules(
      [&](const model_options& how) {
        with([&](auto... all) { run_on_model_with<kernel>(how, all..., memory.view()); });
      },
      check, C, of_col, of_all, sums, apart);
}
constexpr configuration of_batches{
    .tile = {{"G", 1}, {"M", 64}, {"K", 64}}, .stages = 4, .consumers = 1, .persistent = true};

constexpr configuration of_owners =
    configuration{.tile = {{"M", 64}, {"N", 48}, {"K", 64}}, .stages = 3, .consumers = 2, .persistent = true}
        .with_own_tiles();

}  // namespace

TEST_CASE("sums in order: upright") {
  if constexpr (exhaustively) check_sums<upright>();
}
TEST_CASE("sums in order: tiles of 24 columns") {
  if constexpr (exhaustively) check_sums<narrow>();
}
TEST_CASE("sums in order: two blocks of rows in a warpgroup") { check_sums<tall>(); }
TEST_CASE("sums in order: a persistent cluster") {
  if constexpr (exhaustively) check_sums<of_clusters>();  // otherwise columns' numbers of clusters, below
}
TEST_CASE("sums in order: clusters of two columns") {
  if constexpr (exhaustively) check_sums<of_wide_clusters>();
}
TEST_CASE("sums in order: swapped") {
  if constexpr (exhaustively) check_sums<swapped>();  // otherwise rows' numbers, below
}
TEST_CASE("sums in order: consumers with tiles of their own") {
  if constexpr (exhaustively) check_sums<of_owners>();
}
TEST_CASE("sums in order: rows' numbers") {
  if constexpr (exhaustively) {
    check_rows<tall>();
    check_rows<upright>();
    check_rows<of_clusters>();
  }
  check_rows<swapped>();
}
TEST_CASE("sums of rows that are finished where they are written, if need be through shared memory") {
  static_assert(plan_of<unfinished_rows<swapped>>.exchange.bytes > 0);
  static_assert(plan_of<unfinished_rows<upright>>.exchange.bytes == 0);
  if constexpr (exhaustively) check_unfinished_rows<upright>();
  check_unfinished_rows<swapped>();
}
TEST_CASE("sums in order: columns' numbers") {
  if constexpr (exhaustively) {
    check_cols<tall>();
    check_cols<upright>();
  }
  check_cols<of_wide_clusters>();
}
TEST_CASE("sums in order: of whole rows, which are one piece of work") {
  constexpr configuration how{.tile = {{"M", 64}, {"N", 32}}, .stages = 3, .consumers = 1, .persistent = true};
  constexpr int m = 200, n = 144;
  host_tensor<bf16> X({m, n});
  host_tensor<float> Y({m, n});
  X.fill(1);
  written<float> of_row(m), sum(1);
  using kernel = whole_rows_in_order<how>;
  host_workspace memory(workspace_bytes<kernel>(X.in(), Y.view(), of_row.out(), sum.number()));
  on_schedules(
      [&](const model_options& options) {
        run_on_model_with<kernel>(options, X.in(), Y.view(), of_row.out(), sum.number(), memory.view());
      },
      [&] {
        // The tiles of a row are added by its thread; the vectors take the rows' numbers as they are.
        tiled_matrix rows{[&](int i, int j) { return j == 0 ? static_cast<float>(of_row(i)) : 0.0f; }, m, 1, 64, 8};
        std::vector<float> tiles;
        for (int t = 0; t < rows.down(); ++t) tiles.push_back(rows.of_all(t, 0));
        CHECK(same_bits(sum(0), by_lanes(tiles)));
        int wrong = 0;
        for (int i = 0; i < m; ++i) {
          double expected = 0, magnitude = 0;
          for (int j = 0; j < n; ++j) expected += X.number(i, j), magnitude += std::abs(X.number(i, j));
          wrong += std::abs(of_row(i) - expected) > 0x1p-16 * magnitude;
        }
        CHECK(wrong == 0);
      },
      Y, of_row, sum);
}
/// Rounded outputs, which leave under the next tile's products, beside the same sums.
template <configuration How>
void check_rounded() {
  constexpr int m = 300, n = 140, k = 130;
  using rounded = sums_in_order<How, bf16>;
  static_assert(plan_of<rounded>.epilogue[0].deferred);
  host_tensor<bf16> A({m, k}), B({n, k}), C({m, n});
  host_tensor<float> exact({m, n});
  A.fill(1), B.fill(2);
  written<float> of_col(n), of_row(m), sum(1), other_col(n), other_row(m), other_sum(1);
  const auto a = A.in(), b = B.in();
  host_workspace memory(workspace_bytes<rounded>(a, b, of_col.out(), of_row.out(), C.view(), sum.number()));
  on_schedules(
      [&](const model_options& how) {
        run_on_model_with<rounded>(how, a, b, of_col.out(), of_row.out(), C.view(), sum.number(), memory.view());
        run_on_model_with<sums_in_order<How>>(how, a, b, other_col.out(), other_row.out(), exact.view(),
                                              other_sum.number(), memory.view());
      },
      [&] {
        int wrong = sum(0) != other_sum(0);
        for (int i = 0; i < m; ++i) wrong += of_row(i) != other_row(i);
        for (int j = 0; j < n; ++j) wrong += of_col(j) != other_col(j);
        CHECK(wrong == 0);
      },
      C, of_col, of_row, sum, exact, other_col, other_row, other_sum);
}
TEST_CASE("sums in order: rounded outputs, which leave under the next tile's products") {
  if constexpr (exhaustively) check_rounded<of_clusters>();
}
TEST_CASE("sums in order: batches") { check_batches<of_batches>(); }
TEST_CASE("sums in order: a split in a cluster") {
  if constexpr (exhaustively) check_sums<split_in(2, 64, 64, 64)>();
}
TEST_CASE("sums in order: a split in the workspace") { check_sums<split_in(9, 64, 64, 64)>(100, 72, 700); }
TEST_CASE("sums in order: more tiles than a warp has lanes, and than it loads at once") {
  if constexpr (exhaustively) check_sums<tall>(128 * 17, 160, 8);
}

// ---- one run and another

/// Operands of several tiles of sums_in_order<How>, and its workspace.
template <configuration How>
struct run_of_sums {
  static constexpr int m = 150, n = 140, k = 40;
  using kernel = sums_in_order<How>;
  host_tensor<bf16> A{{m, k}}, B{{n, k}};
  host_tensor<float> C{{m, n}};
  written<float> of_col{n}, of_row{m}, sum{1};
  host_workspace memory;

  run_of_sums() : memory(workspace_bytes<kernel>(A.in(), B.in(), of_col.out(), of_row.out(), C.view(), sum.number())) {
    A.fill(1), B.fill(2);
  }
  template <class K = kernel>
  void run(const model_options& how, workspace given) {
    run_on_model_with<K>(how, A.in(), B.in(), of_col.out(), of_row.out(), C.view(), sum.number(), given);
  }
  int wrong() const {
    const tiled_matrix x = as_tiled<How>(C, m, n);
    return wrong_cols(x, of_col) + wrong_rows(x, of_row) + !same_bits(sum(0), by_lanes(of_all_tiles<How>(x)));
  }
};
TEST_CASE("sums in order: a checked kernel, and one in each of its schedules") {
  constexpr configuration how = exhaustively ? of_clusters : tall;
  run_of_sums<how> o;
  if constexpr (exhaustively) {
    o.run<checked<sums_in_order<how>>>({.workers = 2}, o.memory.view());
    CHECK(o.wrong() == 0);
  }
  o.C.poison(), o.of_col.poison(), o.of_row.poison(), o.sum.poison();
  o.run({.schedule = schedule_mode::systematic, .max_schedules = 10, .workers = 2}, o.memory.view());
  CHECK(o.wrong() == 0);
}

// ---- the order of the sums

constexpr configuration like(const configuration& c, int m, int n, int stages) {
  configuration other = c.with_tile({{"M", m}, {"N", n}, {"K", 64}});
  other.stages = stages;
  return other;
}
static_assert(same_sums<sums_in_order<upright>, sums_in_order<like(upright, 128, 64, 4)>>);
static_assert(!same_sums<sums_in_order<upright>, sums_in_order<like(upright, 128, 72, 3)>>);
static_assert(!same_sums<sums_in_order<upright>, sums_in_order<like(upright, 256, 64, 3)>>);
static_assert(!same_sums<rows_in_order<tall>, rows_in_order<tall>>);  // beside one that is added in any order

struct family_in_order : sums_in_order<upright> {
  static constexpr auto how = configurations(upright, like(upright, 128, 64, 4));
};
static_assert(verified<family_in_order>);
TEST_CASE("a family that sums in order takes the workspace that it asks for") {
  run_of_sums<upright> o;
  const auto bytes =
      workspace_bytes<family_in_order>(o.A.in(), o.B.in(), o.of_col.out(), o.of_row.out(), o.C.view(), o.sum.number());
  CHECK(bytes == 384 + 4 * 6 * (128 + 64 + 1));
  if constexpr (exhaustively) {
    o.run<family_in_order>({.workers = 2}, workspace(o.memory.view().data, bytes));
    CHECK(o.wrong() == 0);
  }
}

/// A larger tile leaves fewer numbers.
struct family_of_two_sizes : sums_in_order<upright> {
  static constexpr auto how = configurations(upright, like(upright, 256, 64, 3));
  static constexpr auto sums = any_order;
};
TEST_CASE("of a family whose best member has too little room, exhaustively another runs: see workspace_test.cpp") {
  run_of_sums<upright> o;
  const auto bytes_of = [&]<class K>(K) {
    return workspace_bytes<K>(o.A.in(), o.B.in(), o.of_col.out(), o.of_row.out(), o.C.view(), o.sum.number());
  };
  const auto larger = bytes_of(member<family_of_two_sizes, 0>{}), smaller = bytes_of(member<family_of_two_sizes, 1>{});
  REQUIRE(smaller < larger);
  CHECK(bytes_of(family_of_two_sizes{}) == larger);
  if constexpr (exhaustively) {
    const auto sum_by = [&]<class K>(K, std::size_t bytes) {
      o.of_col.poison(), o.of_row.poison(), o.sum.poison(), o.C.poison();
      o.run<K>({.workers = 2}, workspace(o.memory.view().data, bytes));
      return o.sum(0);
    };
    const float expected = sum_by(member<family_of_two_sizes, 1>{}, smaller);
    for (int i = 0; i < 2; ++i) CHECK(same_bits(sum_by(family_of_two_sizes{}, smaller), expected));
    CHECK_THROWS_AS(sum_by(family_of_two_sizes{}, smaller - 1), launch_error);
  }
}

// ---- launches

/// What a launch says to a workspace.
template <configuration How>
std::string refusal_of(run_of_sums<How>& o, workspace given) {
  try {
    o.run({.workers = 1}, given);
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}
TEST_CASE("a workspace for sums in order that is absent, too small, misaligned or an operand's is refused") {
  run_of_sums<tall> o;
  constexpr std::size_t needed = 256 + 4 * 4 * (128 + 80 + 1);
  auto* const data = static_cast<std::byte*>(o.memory.view().data);
  const std::string who = "workspace: the tiles that are summed into of_col, of_row, sum need 3600 bytes to meet in";
  CHECK(refusal_of(o, {data, needed}) == "");
  CHECK(refusal_of(o, {}).starts_with(who + ", and the launch was given none"));
  CHECK(refusal_of(o, {data, needed - 1}).starts_with(who + ", and it has 3599;"));
  CHECK(refusal_of(o, {nullptr, needed}) == "workspace: the pointer is null");
  CHECK(refusal_of(o, {data + 4, needed}) == "workspace: the pointer is not aligned to 16 bytes (it is 4 bytes off)");
  CHECK(refusal_of(o, {reinterpret_cast<std::byte*>(~std::uintptr_t{15}), needed}) ==  // it would wrap around to 0
        "workspace: 3600 bytes from 0xfffffffffffffff0 on reach beyond the end of the address space");
  CHECK(refusal_of(o, {o.C.view().data, needed}).find(") and operand C (") != std::string::npos);
}
TEST_CASE("a workspace for a split and for sums in order is refused for both") {
  constexpr configuration how = split_in(9, 64, 64, 64);
  run_of_sums<how> o;
  // 9 tiles of 9 parts; 3 parts of 4 warps, twice, and one: behind 9 tickets of the split.
  constexpr std::size_t needed = 384 + 9 * 9 * 64 * 64 * 4 + 4 * 9 * (64 + 64 + 1);
  CHECK(refusal_of(o, {o.memory.view().data, needed}) == "");
  CHECK(refusal_of(o, {o.memory.view().data, needed - 4})
            .starts_with(
                "workspace: the 9 parts of a tile and the tiles that are summed into of_col, of_row, sum need "));
}
