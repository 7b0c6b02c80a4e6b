#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/swizzle.hpp>
#include <set>
#include <string>

#include "tests/static_check.hpp"

using namespace sectile;

namespace {

/// Byte of `offset` in row `row` of a tile whose rows are one span apart, swizzled.
constexpr int swizzled(swizzle_mode mode, int row, int offset) {
  return static_cast<int>(byte_swizzle(mode)(row * span_bytes(mode) + offset));
}

/// stmatrix.x4 of 16 columns that start at byte `column_byte` of 16-bit rows of one span.
constexpr int stmatrix_degree(swizzle_mode mode, int column_byte) {
  return matrix_conflict_degree([=](int lane) {
    const coord at = stmatrix_row_address(lane);
    return swizzled(mode, at.row, column_byte + 2 * at.col);
  });
}

/// stmatrix.x4 into rows that are `pitch` bytes apart, no swizzle.
constexpr int stmatrix_degree_at_pitch(int pitch) {
  return matrix_conflict_degree([=](int lane) {
    const coord at = stmatrix_row_address(lane);
    return at.row * pitch + 2 * at.col;
  });
}

/// Lane l stores the f32 pair at row l / 4, columns 2 (l % 4) and + 1.
constexpr int pair_store_degree(swizzle_mode mode) {
  return conflict_degree([=](int lane) { return swizzled(mode, lane / 4, lane % 4 * 8); }, 8);
}

/// The degree by its definition: byte by byte, the 4-byte words that a pass touches, sorted into banks. At most 128
/// bytes go in one pass: 32 lanes of up to 4 bytes, 16 lanes of 8, 8 lanes of 16.
template <class AddressOf>
int degree_by_bytes(AddressOf address_of, int width, int lanes) {
  const int lanes_of_pass = width == 16 ? 8 : width == 8 ? 16 : 32;
  std::size_t worst = 1;
  for (int first = 0; first < lanes; first += lanes_of_pass) {
    std::set<std::int64_t> words_of_bank[32];
    for (int lane = first; lane < first + lanes_of_pass && lane < lanes; ++lane) {
      for (int byte = 0; byte < width; ++byte) {
        const std::int64_t word = (std::int64_t{address_of(lane)} + byte) / 4;
        words_of_bank[word % 32].insert(word);
      }
    }
    for (const auto& words : words_of_bank) worst = std::max(worst, words.size());
  }
  return static_cast<int>(worst);
}

/// Why an access is refused, "" if it is not.
template <class AddressOf>
std::string refused(AddressOf address_of, int width, int lanes = 32) {
  try {
    conflict_degree(address_of, width, lanes);
    return "";
  } catch (const layout_error& why) {
    return why.what();
  }
}

}  // namespace

// stmatrix into a swizzled tile has no conflicts; into plain rows of 128 bytes, all eight rows meet in one bank group.
STATIC_CASE(stmatrix_degree(swizzle_mode::b128, 0) == 1 && stmatrix_degree(swizzle_mode::b128, 96) == 1);
STATIC_CASE(stmatrix_degree(swizzle_mode::b64, 0) == 1 && stmatrix_degree(swizzle_mode::b64, 32) == 1);
STATIC_CASE(stmatrix_degree(swizzle_mode::b32, 0) == 1);
STATIC_CASE(stmatrix_degree_at_pitch(128) == 8 && stmatrix_degree_at_pitch(64) == 4);
STATIC_CASE(stmatrix_degree_at_pitch(32) == 2 && stmatrix_degree_at_pitch(16) == 1);
STATIC_CASE(stmatrix_degree_at_pitch(128 + 16) == 1 && stmatrix_degree_at_pitch(256) == 8);

// f32 accumulator pairs, 8 bytes to a lane.
STATIC_CASE(pair_store_degree(swizzle_mode::b128) == 2);
STATIC_CASE(conflict_degree([](int lane) { return lane / 4 * 32 + lane % 4 * 8; }, 8) == 1);
STATIC_CASE(conflict_degree([](int lane) { return lane / 4 * 128 + lane % 4 * 8; }, 8) == 4);

// Packed 16-bit pairs, 4 bytes to a lane, into plain rows of 128 bytes: eight rows in four banks. 16 bytes of padding
// help.
STATIC_CASE(conflict_degree([](int lane) { return lane / 4 * 128 + lane % 4 * 4; }, 4) == 8);
STATIC_CASE(conflict_degree([](int lane) { return lane / 4 * 144 + lane % 4 * 4; }, 4) == 1);

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

TEST_CASE("accesses of one and two bytes are counted by the words that they touch") {
  const int same_bank[2] = {0, 130};
  CHECK(conflict_degree(same_bank, 2) == 2);
  const int same_word[4] = {128, 129, 131, 130};
  CHECK(conflict_degree(same_word, 1) == 1);
  CHECK(conflict_degree([](int lane) { return 64 + 2 * lane; }, 2) == 1);
  CHECK(conflict_degree([](int lane) { return 64 + lane; }, 1) == 1);
  CHECK(conflict_degree([](int lane) { return 64 * lane; }, 1) == 16);
  CHECK(worst_conflict([](int lane) { return 8 + 130 * lane; }, 2, 2) == bank_conflict{2, 0, 2});
}

TEST_CASE("what no instruction does is refused") {
  const auto packed = [](int width) { return [=](int lane) { return width * lane; }; };
  for (int width : {-4, 0, 3, 5, 12, 32, 64}) {
    CHECK(refused(packed(64), width) == "an access is 1, 2, 4, 8 or 16 bytes wide, not " + std::to_string(width));
  }
  for (int lanes : {-1, 0, 33, 1000}) {
    CHECK(refused(packed(4), 4, lanes) == "an access is by 1 to 32 lanes, not " + std::to_string(lanes));
  }
  for (int width : {2, 4, 8, 16}) {
    CHECK(refused([=](int lane) { return width * lane + (lane == 9 ? 1 : 0); }, width) ==
          "lane 9 begins at byte " + std::to_string(9 * width + 1) + ", which is not a multiple of the access's " +
              std::to_string(width));
    CHECK(refused([=](int lane) { return width * (lane - 1); }, width) ==
          "lane 0 begins at byte -" + std::to_string(width) + ", below shared memory");
  }
  for (int matrices : {-1, 0, 3, 5, 8}) CHECK_THROWS_AS(matrix_conflict_degree(packed(16), matrices), layout_error);
  CHECK_THROWS_AS(matrix_conflict_degree(packed(8)), layout_error);
}

TEST_CASE("the count by accesses is the count by bytes, of every width and number of lanes") {
  unsigned state = 12345;
  const auto next = [&state](unsigned n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 16) % n);
  };
  for (int trial = 0; trial < 4000; ++trial) {
    const int width = 1 << next(5);
    const int lanes = 1 + next(32);
    const unsigned spread = 16u << next(12);
    // In 64 bits, as an address is on the machine: what lies 2^40 higher meets in the same banks.
    const std::int64_t base = next(8) == 0 ? std::int64_t{1} << 40 : 0;
    std::int64_t addresses[32] = {};
    for (std::int64_t& address : addresses) address = base + next(spread) * width;
    const auto address_of = [&](int lane) { return addresses[lane]; };
    CHECK(conflict_degree(address_of, width, lanes) == degree_by_bytes(address_of, width, lanes));
  }
}
