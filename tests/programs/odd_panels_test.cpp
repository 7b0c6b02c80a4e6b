// Tiles that no span of 128 or 64 bytes divides: panels of the epilogue with rows of an odd number of 16 bytes, of
// 32-bit elements of 32, and no swizzle.
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration plain{.stages = 2, .consumers = 1}, two{.stages = 2, .consumers = 2},
    walking{.stages = 2, .consumers = 2, .persistent = true},
    shared{.stages = 2, .cluster = {2, 1}, .consumers = 2, .persistent = true};

/// The panel's columns and its swizzle.
template <class K>
constexpr bool has_panel(int cols, swizzle_mode mode) {
  const epilogue_plan& e = plan_of<K>.epilogue[0];
  return e.panel_cols == cols && e.swizzle == mode && e.bank_conflicts == 1;
}
template <int M, int N, configuration How, class Out = bf16>
using of = matmul<M, N, 64, How, Out>;

// A span of 128 or 64 bytes where it divides the tile, else an odd number of 16 bytes, and of several the widest.
static_assert(has_panel<of<64, 192, plain>>(64, swizzle_mode::b128));
static_assert(has_panel<of<64, 176, plain>>(88, swizzle_mode::none));
static_assert(has_panel<of<64, 160, plain>>(32, swizzle_mode::b64));
static_assert(has_panel<of<64, 104, plain>>(104, swizzle_mode::none));
static_assert(has_panel<of<64, 80, plain>>(40, swizzle_mode::none));
static_assert(has_panel<of<64, 176, plain, float>>(88, swizzle_mode::none));
static_assert(has_panel<of<64, 48, plain>>(24, swizzle_mode::none));
static_assert(has_panel<of<64, 56, plain, float>>(56, swizzle_mode::none));
// Of 32-bit elements the narrower spans are for where a wide panel does not divide the tile, or has no room.
static_assert(has_panel<of<64, 96, plain, float>>(32, swizzle_mode::b128));
static_assert(has_panel<of<64, 16, plain, float>>(16, swizzle_mode::b64));
static_assert(has_panel<of<64, 64, configuration{.stages = 14, .consumers = 1}, float>>(8, swizzle_mode::b32));
// A wide one where there is room, else a narrow one: the stages are what was asked for.
constexpr configuration much{.stages = 4, .consumers = 2};
static_assert(has_panel<of<64, 248, plain>>(248, swizzle_mode::none) &&
              has_panel<of<128, 248, much>>(8, swizzle_mode::none) && verified<of<128, 248, much>>);

// Buffers are of a number that divides the panels. Where that is one alone and a tile is stored at once, as many as
// find room; where it goes out beside products, one.
template <class K>
constexpr bool has_buffers(int panels, int buffers, int batch) {
  const epilogue_plan& e = plan_of<K>.epilogue[0];
  return e.panels == panels && e.buffers == buffers && e.batch == batch;
}
constexpr configuration full{.stages = 7, .consumers = 1},
    by_turns{.stages = 7, .consumers = 2, .own_tiles = true, .persistent = true},
    full_walking{.stages = 7, .consumers = 1, .persistent = true};
using five_panels = of<64, 160, full>;
using five_panels_by_turns = of<64, 160, by_turns>;
static_assert(has_buffers<five_panels>(5, 5, 5) && has_buffers<five_panels_by_turns>(5, 3, 1));
static_assert(plan_of<of<64, 160, full_walking>>.epilogue[0].deferred);
static_assert(!reclaims_in_turns(plan_of<five_panels_by_turns>));
// Own tiles have narrower panels where two of 128 bytes do not fit.
constexpr configuration tight_by_turns{.stages = 5, .consumers = 2, .own_tiles = true, .persistent = true};
using narrow_panels = of<128, 192, tight_by_turns>;
static_assert(has_panel<narrow_panels>(32, swizzle_mode::b64) && has_buffers<narrow_panels>(12, 3, 3));
// A turned tile that nothing of 32 rows and more divides leaves in its own height, or by 8 rows.
constexpr configuration turned{.stages = 3, .consumers = 2, .swap = true},
    full_turned{.stages = 4, .consumers = 2, .swap = true};
using low_panels = of<136, 256, full_turned>;
static_assert(plan_of<of<136, 256, turned>>.epilogue[0].panel_rows == 136);
static_assert(plan_of<low_panels>.epilogue[0].panel_rows == 8 && has_buffers<low_panels>(34, 2, 1));

TEST_CASE("more panels than buffers, of which none is filled as often as another") {
  check_matmul<five_panels_by_turns>(200, 500, 72);
  check_matmul<narrow_panels>(300, 400, 40);
  check_matmul<low_panels>(150, 260, 40);
}

TEST_CASE("outputs of tiles of any width, at once and under the next tile's products") {
  check_matmul<of<128, 176, walking>>(300, 400, 72);
  if constexpr (exhaustively) check_matmul<of<128, 144, shared>>(200, 290, 70);
  if constexpr (exhaustively) {
    check_matmul<of<128, 80, two>>(129, 161, 64);
    check_matmul<of<64, 104, plain>>(70, 209, 40);
  }
}

TEST_CASE("columns that do not fill 16 bytes at the end of such a panel") {
  for (const int n : {1, 87, 88, 89, 95, 175, 177}) check_matmul<of<128, 176, walking>>(65, n, 40);
}

TEST_CASE("outputs of f32 in such panels") {
  check_matmul<of<128, 176, two, float>, float>(130, 180, 72);
  if constexpr (exhaustively) check_matmul<of<64, 56, plain, float>, float>(70, 57, 40);
}

TEST_CASE("outputs of f32 in spans in which the lanes of half of the rows cross over") {
  check_matmul<of<128, 96, two, float>, float>(130, 101, 72);
  check_matmul<of<64, 16, plain, float>, float>(65, 35, 40);
}

}  // namespace
