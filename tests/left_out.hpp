// Loops that leave out tiles, so that they may have no trip.
#pragma once

namespace sectile::test {

/// A number of trips: all tiles but so many. (Of 1,005 tiles and more one less again: the compiler refuses a body that
/// leaves out as many of whatever number there is.)
constexpr auto all_but(int left_out, auto tiles) { return tiles - left_out - tiles / 1005; }

}  // namespace sectile::test
