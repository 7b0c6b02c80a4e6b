#include <doctest/doctest.h>

#include <initializer_list>
#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/swizzle.hpp>

using namespace sectile;

namespace {

/// Byte of `offset` in row `row` of a tile whose rows are one span apart, swizzled.
constexpr int swizzled(swizzle_mode mode, int row, int offset) {
  return static_cast<int>(byte_swizzle(mode)(row * span_bytes(mode) + offset));
}

/// stmatrix.x4 of 16 columns that start at byte `column_byte` of 16-bit rows of one span.
constexpr int stmatrix_degree(swizzle_mode mode, int column_byte) {
  return matrix_conflict_degree([=](int lane) {
    const position at = stmatrix_row_address(lane);
    return swizzled(mode, at.row, column_byte + 2 * at.col);
  });
}

/// stmatrix.x4 into rows that are `pitch` bytes apart, no swizzle.
constexpr int stmatrix_degree_at_pitch(int pitch) {
  return matrix_conflict_degree([=](int lane) {
    const position at = stmatrix_row_address(lane);
    return at.row * pitch + 2 * at.col;
  });
}

/// Lane l stores the f32 pair at row l / 4, columns 2 (l % 4) and + 1.
constexpr int pair_store_degree(swizzle_mode mode) {
  return conflict_degree([=](int lane) { return swizzled(mode, lane / 4, lane % 4 * 8); }, 8);
}

/// The degree by its definition: the 4-byte words of a pass, sorted into banks.
template <class AddressOf>
int degree_by_words(AddressOf address_of, int width, int lanes) {
  int worst = 1;
  const int lanes_of_pass = 128 / width;
  for (int first = 0; first < lanes; first += lanes_of_pass) {
    for (int bank = 0; bank < 32; ++bank) {
      int distinct = 0;
      bool seen[4096] = {};
      for (int lane = first; lane < first + lanes_of_pass && lane < lanes; ++lane) {
        for (int byte = 0; byte < width; byte += 4) {
          const int word = (address_of(lane) + byte) / 4;
          if (word % 32 != bank || seen[word]) continue;
          seen[word] = true;
          ++distinct;
        }
      }
      if (distinct > worst) worst = distinct;
    }
  }
  return worst;
}

}  // namespace

// stmatrix into a swizzled tile has no conflicts; into plain rows of 128 bytes, all eight rows meet in one bank group.
static_assert(stmatrix_degree(swizzle_mode::b128, 0) == 1 && stmatrix_degree(swizzle_mode::b128, 96) == 1);
static_assert(stmatrix_degree(swizzle_mode::b64, 0) == 1 && stmatrix_degree(swizzle_mode::b64, 32) == 1);
static_assert(stmatrix_degree(swizzle_mode::b32, 0) == 1);
static_assert(stmatrix_degree_at_pitch(128) == 8 && stmatrix_degree_at_pitch(64) == 4);
static_assert(stmatrix_degree_at_pitch(32) == 2 && stmatrix_degree_at_pitch(16) == 1);
static_assert(stmatrix_degree_at_pitch(128 + 16) == 1 && stmatrix_degree_at_pitch(256) == 8);

// f32 accumulator pairs, 8 bytes to a lane.
static_assert(pair_store_degree(swizzle_mode::b128) == 2);
static_assert(conflict_degree([](int lane) { return lane / 4 * 32 + lane % 4 * 8; }, 8) == 1);
static_assert(conflict_degree([](int lane) { return lane / 4 * 128 + lane % 4 * 8; }, 8) == 4);

// Packed 16-bit pairs, 4 bytes to a lane, into plain rows of 128 bytes: eight rows in four banks. 16 bytes of padding
// help.
static_assert(conflict_degree([](int lane) { return lane / 4 * 128 + lane % 4 * 4; }, 4) == 8);
static_assert(conflict_degree([](int lane) { return lane / 4 * 144 + lane % 4 * 4; }, 4) == 1);

TEST_CASE("consecutive accesses of every width are free of conflicts") {
  for (int width : {4, 8, 16}) CHECK(conflict_degree([=](int lane) { return lane * width; }, width) == 1);
}

TEST_CASE("a word read by many lanes counts once") {
  CHECK(conflict_degree([](int) { return 64; }, 4) == 1);
  CHECK(conflict_degree([](int lane) { return lane % 2 * 128; }, 4) == 2);
  CHECK(conflict_degree([](int lane) { return lane % 2 * 128; }, 16) == 2);
}

TEST_CASE("strides: the degree is the common divisor with the number of banks") {
  for (int stride = 1; stride <= 64; ++stride) {
    int divisor = 1;
    while (divisor < 32 && stride % (2 * divisor) == 0) divisor *= 2;
    CHECK(conflict_degree([=](int lane) { return lane * stride * 4; }, 4) == divisor);
  }
}

TEST_CASE("the worst pass and bank are named") {
  // The second half-warp meets in bank 6.
  const auto address_of = [](int lane) { return lane < 16 ? lane * 8 : 24 + (lane - 16) * 128; };
  CHECK(worst_conflict(address_of, 8) == bank_conflict{16, 1, 6});
  const int few[4] = {0, 128, 256, 4};
  CHECK(conflict_degree(few, 4) == 3);
}

TEST_CASE("each matrix of stmatrix is a pass of its own") {
  // Only the third matrix (lanes 16 to 23) has rows that meet; the second and fourth repeat the banks of the first.
  const auto address_of = [](int lane) { return lane / 8 == 2 ? lane % 8 * 256 : lane / 8 * 128 + lane % 8 * 16; };
  CHECK(worst_matrix_conflict(address_of, 4) == bank_conflict{8, 2, 0});
  CHECK(matrix_conflict_degree(address_of, 2) == 1);
  CHECK(matrix_conflict_degree(address_of, 1) == 1);
}

TEST_CASE("the count by accesses is the count by words") {
  unsigned state = 12345;
  const auto next = [&state](unsigned n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 16) % n);
  };
  for (int trial = 0; trial < 300; ++trial) {
    const int width = 4 << next(3);
    const int lanes = 8 << next(3);
    int addresses[32] = {};
    for (int& address : addresses) address = next(64u << next(5)) * width % 16384;
    const auto address_of = [&](int lane) { return addresses[lane]; };
    CHECK(conflict_degree(address_of, width, lanes) == degree_by_words(address_of, width, lanes));
  }
}
