#include <doctest/doctest.h>

#include <initializer_list>
#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/fragment_layout.hpp>
#include <sectile/layouts/notation.hpp>
#include <sectile/layouts/operand_exchange.hpp>
#include <sectile/layouts/row_pairs.hpp>
#include <sectile/layouts/stmatrix_proof.hpp>
#include <set>
#include <utility>

#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;

// Thread 37 is lane 5 of warp 1.
STATIC_CASE(d_coord(37, 0) == coord{17, 2} && d_coord(37, 1) == coord{17, 3});
STATIC_CASE(d_coord(37, 2) == coord{25, 2} && d_coord(37, 4) == coord{17, 10});
STATIC_CASE(d16_coord(37, 1, 1) == coord{25, 3} && d16_coord(37, 2, 0) == coord{17, 10});
STATIC_CASE(a_coord(16, 37, 2, 1) == coord{17, 11} && a_coord(8, 37, 3, 2) == coord{25, 22});
STATIC_CASE(a_coord(32, 127, 3, 0) == coord{63, 7} && a_coord(1, 0, 2, 31) == coord{0, 159});

STATIC_CASE(d_is_bijection(8) && d_is_bijection(128) && d_is_bijection(256));
STATIC_CASE(d16_is_bijection(8) && d16_is_bijection(256));
STATIC_CASE(a_is_bijection(8) && a_is_bijection(16) && a_is_bijection(32));
STATIC_CASE(!d_is_bijection(4) && !d16_is_bijection(12) && !d_is_bijection(0));

STATIC_CASE(accumulator_feeds_operand(16) && accumulator_feeds_operand(128));
STATIC_CASE(!accumulator_feeds_operand(24) && !accumulator_feeds_operand(128, 8) &&
              !accumulator_feeds_operand(64, 32));

STATIC_CASE(exchange_makes_operand(8) && exchange_makes_operand(32) && exchange_takes_operand(8) &&
              exchange_takes_operand(4));
STATIC_CASE(!exchange_makes_operand(16) && !exchange_takes_operand(16));
STATIC_CASE(operand_is_units(8));
STATIC_CASE(exchange_pairs_rows<1>() && exchange_pairs_rows<2>() && exchange_pairs_rows<3>() &&
              exchange_pairs_rows<4>());

STATIC_CASE(stmatrix_stores_accumulator(false) && stmatrix_stores_accumulator(true));
STATIC_CASE(ldmatrix_loads_operand(8, false) && ldmatrix_loads_operand(16, false) && ldmatrix_loads_operand(32, false));
STATIC_CASE(ldmatrix_loads_operand(16, true) && !ldmatrix_loads_operand(8, true) && !ldmatrix_loads_operand(32, true));
STATIC_CASE(accumulator_registers(256, 32) == 128 && accumulator_registers(64, 16) == 16);

namespace {

/// Counts the distinct positions inside 64 x columns, element by element.
template <class PositionOf>
std::size_t distinct_positions(int registers, int parts, int columns, PositionOf position_of) {
  std::set<std::pair<int, int>> seen;
  for (int thread = 0; thread < 128; ++thread) {
    for (int reg = 0; reg < registers; ++reg) {
      for (int part = 0; part < parts; ++part) {
        const coord at = position_of(thread, reg, part);
        if (at.row >= 0 && at.row < 64 && at.col >= 0 && at.col < columns) seen.insert({at.row, at.col});
      }
    }
  }
  return seen.size();
}

}  // namespace

TEST_CASE("fragments cover their tile, and the slots lead back") {
  for (int n : {8, 24, 64, 256}) {
    CHECK(distinct_positions(n / 2, 1, n, [](int t, int r, int) { return d_coord(t, r); }) ==
          static_cast<std::size_t>(64 * n));
    CHECK(distinct_positions(n / 4, 2, n, [](int t, int r, int p) { return d16_coord(t, r, p); }) ==
          static_cast<std::size_t>(64 * n));
    for (int row = 0; row < 64; ++row) {
      for (int col = 0; col < n; ++col) {
        const register_slot d = d_slot(row, col);
        const register_slot d16 = d16_slot(row, col);
        CHECK(d_coord(d.thread, d.reg) == coord{row, col});
        CHECK(d16_coord(d16.thread, d16.reg, d16.part) == coord{row, col});
      }
    }
  }
  for (int bits : {1, 8, 16, 32}) {
    CHECK(a_is_bijection(bits));
    CHECK(distinct_positions(4, a_parts(bits), a_columns(bits), [=](int t, int r, int p) {
            return a_coord(bits, t, r, p);
          }) == static_cast<std::size_t>(64 * a_columns(bits)));
  }
}

TEST_CASE("a map that misses or repeats an element is no bijection") {
  const auto slot_of = [](coord at) { return d_slot(at.row, at.col); };
  const auto bijection = [&](auto position_of) { return detail::is_bijection(32, 1, 64, position_of, slot_of); };
  CHECK(bijection([](int t, int r, int) { return d_coord(t, r); }));
  CHECK(!bijection([](int t, int r, int) { return d_coord(t, r / 2 * 2); }));
  CHECK(!bijection([](int t, int r, int) { return d_coord(t, r ^ 2); }));
  CHECK(!bijection([](int t, int r, int) { return d_coord(t, r + 32); }));
  CHECK(!detail::is_bijection(
      30, 1, 64, [](int t, int r, int) { return d_coord(t, r); }, slot_of));
}

TEST_CASE("an accumulator converted pairwise is the 16-bit operand of the next product") {
  for (int thread = 0; thread < 128; ++thread) {
    for (int step = 0; step < 8; ++step) {
      for (int reg = 0; reg < 4; ++reg) {
        for (int part = 0; part < 2; ++part) {
          const coord wanted = a_coord(16, thread, reg, part);
          const coord held = d_coord(thread, 8 * step + 2 * reg + part);
          CHECK(held == coord{wanted.row, wanted.col + 16 * step});
        }
      }
    }
  }
}

namespace {

/// One warp in lockstep: every lane's word is there before any lane reads. Step 1 of the accumulator of `warp`, whose
/// elements are numbered row * 64 + column, becomes operand A; `Bits` wide elements take the number's bits from `from`
/// up.
template <int Bits>
void check_exchange(int warp, int from) {
  constexpr int parts = a_parts(Bits);
  constexpr int words = Bits == 8 ? 8 : 4;
  std::uint32_t given[32][words] = {}, a[32][4] = {}, offered[4][32] = {};
  const auto number = [&](coord at) {
    const auto all = static_cast<std::uint32_t>(at.row * 64 + at.col) >> from;
    return Bits == 8 ? all & 0xFFu : all;
  };
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < accumulator_registers_of_step(Bits); ++r) {
      const int reg = accumulator_registers_of_step(Bits) + r;
      given[lane][Bits == 8 ? r / 2 : r] |= number(d_coord(32 * warp + lane, reg)) << (Bits == 8 ? r % 2 * 8 : 0);
    }
    if (Bits == 8)
      for (std::uint32_t& pair : given[lane]) pair |= 0xABCD'0000u;  // what a conversion leaves above a pair
  }
  const auto run = [&](int lane, auto shuffle) {
    if constexpr (Bits == 8)
      make_operand_8bit(given[lane], lane, a[lane], shuffle);
    else
      make_operand_32bit(given[lane], lane, a[lane], shuffle);
  };
  for (int lane = 0; lane < 32; ++lane) {
    int calls = 0;
    run(lane, [&](std::uint32_t x, int) { return offered[calls++][lane] = x; });
    CHECK(calls == 4);
  }
  for (int lane = 0; lane < 32; ++lane) {
    int calls = 0;
    run(lane, [&](std::uint32_t, int source) {
      CHECK(source / 4 == lane / 4);  // never leaves the quad
      return offered[calls++][source];
    });
    for (int reg = 0; reg < 4; ++reg) {
      for (int part = 0; part < parts; ++part) {
        coord wanted = a_coord(Bits, 32 * warp + lane, reg, part);
        wanted.col += a_columns(Bits);
        const std::uint32_t got = Bits == 8 ? a[lane][reg] >> 8 * part & 0xFFu : a[lane][reg];
        CHECK(got == number(wanted));
      }
    }
  }
}

}  // namespace

TEST_CASE("an accumulator becomes an 8-bit or tf32 operand with one shuffle per register") {
  for (int warp = 0; warp < 4; ++warp) {
    check_exchange<8>(warp, 0);
    check_exchange<8>(warp, 4);
    check_exchange<32>(warp, 0);
  }
}

TEST_CASE("an exchange that leaves an element with the wrong thread is caught") {
  const auto wanted = [](int thread, int reg, int) {
    return static_cast<std::uint32_t>(a_coord(32, thread, reg, 0).col);
  };
  const auto exchanged_by = [&](int changed_lane, int turn) {
    const auto make = [=](int thread, std::uint32_t(&a)[4], auto shuffle) {
      std::uint32_t value[4] = {};
      for (int p = 0; p < 4; ++p) value[p] = static_cast<std::uint32_t>(d_coord(thread, p).col);
      const bool changed = thread % 32 == changed_lane;
      make_operand_32bit(value, thread % 32, a,
                         [=](std::uint32_t x, int lane) { return shuffle(x, changed ? lane ^ turn : lane); });
    };
    return detail::exchange_yields(32, 1, make, wanted);
  };
  CHECK(exchanged_by(5, 0));
  for (int lane = 0; lane < 32; ++lane) CHECK(!exchanged_by(lane, 1));
}

TEST_CASE("halves are joined by permutations of bytes as by selects") {
  const auto permute = [](std::uint32_t x, std::uint32_t y, std::uint32_t selector) {
    std::uint32_t all = 0;
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t from = selector >> 4 * i & 0xFu;
      REQUIRE(from < 8);  // 8 and more repeat the sign
      all |= ((from < 4 ? x : y) >> 8 * (from % 4) & 0xFFu) << 8 * i;
    }
    return all;
  };
  for (const bool turned : {false, true}) {
    std::uint32_t low = 0, high = 0, low_permuted = 0, high_permuted = 0;
    join_halves{}(turned, 0x7654'3210u, 0xFEDC'BA98u, low, high);
    permute_halves<decltype(permute)>{permute}(turned, 0x7654'3210u, 0xFEDC'BA98u, low_permuted, high_permuted);
    CHECK(low == (turned ? 0x3210'BA98u : 0xBA98'3210u));
    CHECK(low == low_permuted);
    CHECK(high == high_permuted);
  }
}

TEST_CASE("stmatrix puts every element of a 16 x 16 block where its row and column are") {
  // Memory as a row-major 16 x 16 block, written matrix by matrix as the instruction is specified.
  for (int warp = 0; warp < 4; ++warp) {
    std::pair<int, int> memory[16][16] = {};
    for (int q = 0; q < 4; ++q) {
      for (int lane = 0; lane < 32; ++lane) {
        for (int half = 0; half < 2; ++half) {
          const coord start = stmatrix_row_address(8 * q + lane / 4);
          const coord held = d16_coord(32 * warp + lane, q, half);
          memory[start.row][start.col + 2 * (lane % 4) + half] = {held.row, held.col};
        }
      }
    }
    for (int row = 0; row < 16; ++row) {
      for (int col = 0; col < 16; ++col) CHECK(memory[row][col] == std::pair{16 * warp + row, col});
    }
  }
}

TEST_CASE("wrong stmatrix addresses are caught") {
  CHECK(detail::stores_accumulator(stmatrix_row_address, false, 4));
  CHECK(detail::stores_accumulator(stmatrix_column_address, true, 4));
  CHECK(detail::stores_accumulator(stmatrix_x2_row_address, false, 2));
  CHECK(detail::stores_accumulator(stmatrix_column_address, true, 2));
  CHECK(!detail::stores_accumulator(stmatrix_row_address, true, 4));
  CHECK(!detail::stores_accumulator(stmatrix_column_address, false, 4));
  // The two middle matrices exchanged: columns before rows.
  const auto exchanged = [](int lane) { return coord{lane % 8 + 8 * (lane / 16), 8 * (lane / 8 % 2)}; };
  CHECK(!detail::stores_accumulator(exchanged, false, 4));
}

STATIC_CASE(reads_follow_registers(4, 1) && reads_follow_registers(2, 2) && reads_follow_registers(6, 4));
TEST_CASE("four matrices of one ldmatrix are of two blocks where a block has two registers, or six") {
  CHECK(pair_of_read(4, 4, 0) == read_pair{1, 0});  // of four registers a block
  CHECK(pair_of_read(4, 4, 16) == read_pair{1, 1});
  CHECK(pair_of_read(2, 4, 0) == read_pair{2, 0});  // of two: 8 columns
  CHECK(pair_of_read(2, 4, 31) == read_pair{3, 0});
  CHECK(pair_of_read(6, 4, 15) == read_pair{0, 2});  // of six: 24
  CHECK(pair_of_read(6, 4, 16) == read_pair{1, 0});
  CHECK(!reads_follow_registers(2, 1));  // half an instruction
}

TEST_CASE("formulas agree with the thread-value layouts") {
  const auto index = [](coord at) { return at.row + 64 * at.col; };
  for (int n : {8, 24, 256}) {
    const layout d = d_layout(n);
    for (int thread = 0; thread < 128; ++thread) {
      for (int value = 0; value < n / 2; ++value) {
        CHECK(d(thread, value) == index(d_coord(thread, value)));
        CHECK(d(thread, value) == index(d16_coord(thread, value / 2, value % 2)));
      }
    }
  }
  for (int bits : {1, 8, 16, 32}) {
    const layout a = a_layout(bits);
    const int parts = a_parts(bits);
    for (int thread = 0; thread < 128; ++thread) {
      for (int value = 0; value < 4 * parts; ++value) {
        CHECK(a(thread, value) == index(a_coord(bits, thread, value / parts, value % parts)));
      }
    }
  }
  STATIC_CHECK(d_layout(64) == "((4,8,4),(2,2,8)):((128,1,16),(64,8,512))"_layout);
  STATIC_CHECK(a_layout(32) == "((4,8,4),(2,2)):((64,1,16),(8,256))"_layout);
  STATIC_CHECK(a_layout(16) == "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"_layout);
  STATIC_CHECK(a_layout(8) == "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))"_layout);
  CHECK_THROWS_WITH_AS(d_layout(20), "accumulator layout: n = 20 is not a multiple of 8", layout_error);
}
