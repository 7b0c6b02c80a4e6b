// Coordinates that know their modes, and the ways out of that.
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// G = A A^T: the columns of G are rows of A, which is said by an int.
struct gram {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), output<"G(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 4, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto G) {
    auto [m, n] = sm.tile_of(G);
    auto acc = sm.accumulator(G);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(A, {int(n), k}));
    sm.store(G, sm.tile_of(G), acc);
  }
};
static_assert(verified<gram>);

using row = tile_index<0>;
static_assert(mode_of<row> == 0 && mode_of<int> == unnamed_mode);
static_assert(std::is_same_v<decltype(row{} + 1), row> && std::is_same_v<decltype(1u + row{}), row> &&
              std::is_same_v<decltype(row{} - 1), row>);
static_assert(std::is_same_v<decltype(row{} * 2), int> && std::is_same_v<decltype(row{} / 2), int> &&
              std::is_same_v<decltype(row{} + tile_index<1>{}), int> &&
              std::is_same_v<decltype(true ? row{} : 0), int>);
static_assert(row{5} + 1 == 6 && 2 + row{5} == 7 && row{5} - 2 == 3 && row{5} < 6);

/// C(M,N), A(M,K), and one without names.
constexpr operand_table three = [] {
  operand_table t{.count = 3};
  read_names("C(M,N)", t.at[0]);
  read_names("A(M,K)", t.at[1]);
  read_names("X", t.at[2]);
  for (operand_facts& f : t.at) f.tile.rank = 2;
  return t;
}();
static_assert(mode_number(three, 0, 0) == 0 && mode_number(three, 1, 0) == 0);
static_assert(mode_number(three, 0, 1) == 1 && mode_number(three, 1, 1) == max_rank + 1);
static_assert(mode_number(three, 2, 0) == unnamed_mode);

}  // namespace

TEST_CASE("a coordinate fits modes of its name, and modes without one") {
  const int m = mode_number(three, 0, 0), k = mode_number(three, 1, 1);
  CHECK(check_modes(three, 1, {{m, k}}).holds());
  CHECK(check_modes(three, 1, {{m, unnamed_mode}}).holds());
  CHECK(check_modes(three, 2, {{k, m}}).holds());
  const violation swapped = check_modes(three, 1, {{k, m}});
  CHECK(swapped.what == rule::coordinate_is_along_another_mode);
  CHECK(std::string(swapped.says.text) ==
        "coordinate 0 of a tile of A counts tiles along M, but the one given counts tiles along K: are they in another "
        "order? An int() goes along any mode");
}

TEST_CASE("a Gram matrix: one operand along two modes of the output") {
  host_tensor<bf16> A({200, 136}), G({200, 200});
  A.fill(1);
  run_on_schedules<gram>(3, G, A.in(), G.view());
  check_close(G, bf16_close, [&](int i, int j) { return dot(A, A, i, j); });
}
