// Layouts as values: the same functions in a static_assert, at run time and in a picture.
#include <cstdio>
#include <sectile/layouts.hpp>
#include <sectile/layouts/picture.hpp>
#include <sectile/layouts/text.hpp>

namespace st = sectile;
using namespace st::literals;

// A tile of 8 x 64 16-bit elements, rows one behind the other, and its columns in pieces of 8 elements (16 bytes).
constexpr st::layout tile = "(8,64):(64,1)"_layout;
constexpr st::layout pieces = st::logical_divide(tile, "<_,8>"_tiler);
static_assert(pieces == "(8,(8,8)):(64,(1,8))"_layout);
static_assert(pieces(3, 20) == tile(3, 20), "dividing changes the shape, not where things are");

// The 128-byte swizzle exchanges those pieces so that a column of them falls into different banks.
constexpr st::swizzled_layout swizzled =
    st::with_swizzle(tile, st::recast(st::byte_swizzle(st::swizzle_mode::b128), 8, 16));

/// The worst bank conflict when 8 lanes read a column of pieces, one row each.
constexpr int conflict(auto layout) {
  return st::conflict_degree([=](int lane) { return 2 * layout(lane, 0); }, 16, 8);
}
static_assert(conflict(tile) == 8 && conflict(swizzled) == 1);

int main() {
  // The same at run time, from text.
  const st::swizzled_layout read = st::parse_swizzled("Sw<3,3,3> o 0 o (8,64):(64,1)");
  if (!(read == swizzled)) return 1;
  for (int row = 0; row < 8; ++row)
    for (int col = 0; col < 64; ++col)
      if (read(row, col) != swizzled(row, col)) return 1;

  // What is wrong is refused with a sentence.
  try {
    static_cast<void>(st::composition(st::parse_layout("(4,6,8):(2,3,5)"), st::parse_layout("6:3")));
    return 1;
  } catch (const st::layout_error& refusal) {
    std::printf("%s\n\n", refusal.what());
  }

  // One cell is a piece of 16 bytes: where each one goes, and what lies in each line of 128 bytes.
  std::printf("%s", st::to_grid(st::recast(swizzled, 16, 128)).c_str());
  return 0;
}
