// Sparse A: its metadata bit by bit, products of it with B in every layout, and metadata that makes no sense.
#include <doctest/doctest.h>

#include <cstring>
#include <sectile/dsl/model/metadata.hpp>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <vector>

#include "operands.hpp"
#include "sparse.hpp"

using namespace kit;
using sectile::d_coord;
using sectile::model::hazard_kind;
using sectile::model::options;
using sectile::model::registers;

namespace {

template <class T>
constexpr wgmma_instruction sparse_of(int k, int selector = 0) {
  wgmma_instruction i{64, k, element_of<T>(), element_of<T>(), element_of<float>(), false, major::k, major::k};
  i.sparse = true;
  i.selector = selector;
  return i;
}

// ---- metadata

TEST_CASE("the worked example of a 16-bit type: rows 0 and 8, columns 0..15, in lane 0") {
  std::uint32_t words[128] = {};
  words[0] = 0xE49C8ED4;
  const auto i = sparse_of<bf16>(32);
  const unsigned row_0[] = {0x4, 0xD, 0xE, 0x8}, row_8[] = {0xC, 0x9, 0x4, 0xE};
  for (int group = 0; group < 4; ++group) {
    CHECK(sectile::model::metadata_nibble(i, words, 0, group) == row_0[group]);
    CHECK(sectile::model::metadata_nibble(i, words, 8, group) == row_8[group]);
  }
  std::uint8_t columns[64 * 16];
  sectile::model::find_columns(i, words, columns);
  const std::uint8_t of_row_0[] = {0, 1, 5, 7, 10, 11, 12, 14};
  CHECK(std::memcmp(columns, of_row_0, sizeof of_row_0) == 0);
}

TEST_CASE("the worked example of tf32") {
  std::uint32_t words[128] = {};
  words[3] = 0x4EE4;  // the lanes of selector 1
  std::uint8_t columns[64 * 8];
  sectile::model::find_columns(sparse_of<sectile::tf32>(16, 1), words, columns);
  const std::uint8_t of_row_0[] = {8, 11, 13, 14};
  CHECK(std::memcmp(columns + 4, of_row_0, sizeof of_row_0) == 0);
}

/// Each nibble of the words is the nibble of at most one group, and the groups between them use `words` words.
void check_ownership(const wgmma_instruction& i, int words) {
  int owned = 0, shared = 0;
  for (std::size_t thread = 0; thread < 128; ++thread) {
    for (int n = 0; n < 8; ++n) {
      std::uint32_t all[128] = {};
      all[thread] = 0xFu << 4 * n;
      int owners = 0;
      for (int row = 0; row < 64; ++row) {
        for (int group = 0; group < sectile::model::metadata_groups(i); ++group) {
          owners += sectile::model::metadata_nibble(i, all, row, group) == 0xF;
        }
      }
      owned += owners;
      shared += owners > 1;
    }
  }
  CHECK(owned == 8 * words);
  CHECK(shared == 0);
}

TEST_CASE("every nibble belongs to one group of four") {
  check_ownership(sparse_of<bf16>(32, 0), 64);
  check_ownership(sparse_of<bf16>(32, 1), 64);
  check_ownership(sparse_of<sectile::tf32>(16, 0), 64);
  check_ownership(sparse_of<sectile::e4m3>(64), 128);
}

TEST_CASE("nibbles that are not two places in order") {
  const auto found = [](const wgmma_instruction& i, std::uint32_t word, std::uint8_t stored) {
    std::vector<std::uint32_t> words(128, i.a.bits == 32 ? 0x44444444u : 0x98E4C4D4u);
    words[37] = word;
    const std::vector<std::byte> a(64 * 32, std::byte{stored});
    return sectile::model::find_bad_nibble(i, words.data(), a.data());
  };
  const auto half = sparse_of<bf16>(32), whole = sparse_of<sectile::tf32>(16), byte = sparse_of<sectile::e4m3>(64);
  CHECK(!found(half, 0x48C9DE48, 1));
  CHECK(!found(whole, 0x44E4E444, 1));
  CHECK(!found(byte, 0x48C9DE48, 1));
  for (const std::uint32_t nibble : {0x0u, 0x5u, 0xAu, 0xFu, 0x1u, 0x2u, 0x3u, 0x6u, 0x7u, 0xBu}) {
    const auto bad = found(half, (0x44444444u & ~0xF00000u) | nibble << 20, 1);
    REQUIRE(bad);
    CHECK(bad->row == 16 + 1 + 8);  // thread 37 is lane 5 of warp 1
    CHECK(bad->group == 4 + 1);
    CHECK(bad->nibble == nibble);
    CHECK(found(whole, (0x44444444u & ~0xF00000u) | nibble << 20, 1));
    CHECK(found(byte, (0x44444444u & ~0xF00000u) | nibble << 20, 1)->group == 5);
  }
  CHECK(found(whole, 0x44444448, 1)->nibble == 0x8);
  // What TMA leaves beyond the edge: zeros that say nothing.
  CHECK(!found(half, 0, 0));
  CHECK(!found(whole, 0, 0));
  CHECK(!found(byte, 0, 0));
  CHECK(!found(byte, 0, 0x80));  // -0
  CHECK(found(half, 0x44444445, 0));
}

// ---- products in every layout: 64 x 128 (stored 64) by 128 x N, four instructions of K = 32

constexpr int logical = 128, steps = 4;
constexpr std::uint32_t sparse_b_at = a_at + 64 * 64 * 2;
inline const model::grid room{
    .clusters = 1, .cluster_size = 1, .threads = 128, .shared_bytes = 1024 + 5 * 256 * 64 * 2};

struct sparse_matrix {
  kit::matrix stored = kit::random_matrix(64, 64, 11);
  std::vector<sparse_places> places;  ///< of each instruction

  sparse_matrix() {
    std::uint32_t seed = 3;
    const auto choose = [&seed](int n) {
      seed = seed * 1664525u + 1013904223u;
      return static_cast<int>(seed >> 16) % n;
    };
    for (int s = 0; s < steps; ++s) places.emplace_back(sparse_of<bf16>(32, s % 2), choose);
  }

  std::vector<float> product(const kit::matrix& b) const {
    std::vector<float> expected;
    for (int m = 0; m < 64; ++m) {
      for (int n = 0; n < b.rows; ++n) {
        float sum = 0;
        for (int s = 0; s < steps; ++s) {
          std::uint16_t met[16];
          for (int k = 0; k < 16; ++k) met[k] = b.row(n)[32 * s + places[static_cast<std::size_t>(s)].column(m, k)];
          sum = model::dot_accumulate(model::bf16_format, stored.row(m) + 16 * s, met, 16, sum);
        }
        expected.push_back(sum);
      }
    }
    return expected;
  }

  /// One word for each pair of instructions: lanes 0 and 1 of each four are for the first, 2 and 3 for the second.
  std::uint32_t word(int pair, int thread) const {
    const int step = 2 * pair + thread % 4 / 2;
    const std::vector<std::uint32_t> all =
        places[static_cast<std::size_t>(step)].words(sparse_of<bf16>(32, step % 2), 0);
    return all[static_cast<std::size_t>(thread)];
  }
};

template <int N, major A, major B, bool RegistersA>
constexpr wgmma_instruction layout_case(int selector) {
  wgmma_instruction i = sparse_of<bf16>(32, selector);
  i.n = N;
  i.a_in_registers = RegistersA;
  i.a_major = A;
  i.b_major = B;
  return i;
}

template <int N, major A, major B, bool RegistersA = false>
void check_sparse(swizzle_mode a_mode, swizzle_mode b_mode, int random_schedules = 0) {
  static const sparse_matrix x;
  const kit::matrix y = kit::random_matrix(N, logical, 12);
  const operand a{A, a_mode, RegistersA ? 0 : 64}, b{B, b_mode, N, logical, 32};
  const kit::matrix x_stored = operand{A, a_mode, 64}.stored(x.stored), y_stored = b.stored(y);
  const tensor_map a_map = kit::map_of(x_stored, 64, a.span() / 2, a_mode);
  const tensor_map b_map = kit::map_of(y_stored, b.box_rows(), b.span() / 2, b_mode);
  const std::vector<float> expected = x.product(y);
  for (const options& how : kit::schedules(random_schedules)) {
    std::vector<float> out(64 * N);
    model::simulate(room, how, [&](machine& hw) {
      fetch(hw, a, a_map, b, b_map);
      registers<float, N / 2> acc;
      registers<std::uint32_t, 4 * steps> fragment;
      if (RegistersA) {
        for (int i = 0; i < 4 * steps; ++i) {
          const sectile::coord at = sectile::a_coord(16, hw.thread(), i % 4, 0);
          std::memcpy(&fragment[i], x.stored.row(at.row) + 16 * (i / 4) + at.col, 4);
        }
      }
      hw.wgmma_fence();
      const auto step = [&]<int S>(std::integral_constant<int, S>) {
        constexpr auto i = layout_case<N, A, B, RegistersA>(S % 2);
        const std::uint32_t word = x.word(S / 2, hw.thread());
        if constexpr (RegistersA) {
          hw.wgmma<i>(acc, fragment, 4 * S, b.step(sparse_b_at, S), S > 0, word);
        } else {
          hw.wgmma<i>(acc, a.step(a_at, S), b.step(sparse_b_at, S), S > 0, word);
        }
      };
      [&]<int... S>(std::integer_sequence<int, S...>) { (step(std::integral_constant<int, S>{}), ...); }
      (std::make_integer_sequence<int, steps>{});
      hw.wgmma_commit();
      hw.wgmma_wait<0>();
      hw.touch(acc);
      for (int i = 0; i < N / 2; ++i) {
        const sectile::coord at = d_coord(hw.thread(), i);
        out[static_cast<std::size_t>(at.row * N + at.col)] = acc[i];
      }
    });
    CHECK(out == expected);
  }
}

TEST_CASE("sparse products: every layout of both operands, and A from registers") {
  const swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};
  for (const swizzle_mode mode : modes) {
    CAPTURE(static_cast<int>(mode));
    check_sparse<64, major::k, major::mn>(mode, mode);
    check_sparse<64, major::mn, major::mn>(mode, swizzle_mode::b128);
    check_sparse<64, major::k, major::mn, true>(mode, mode);
    if (mode == swizzle_mode::b32) continue;
    check_sparse<64, major::k, major::k>(mode, mode);
    check_sparse<64, major::k, major::k, true>(mode, mode);
  }
  check_sparse<8, major::k, major::k>(swizzle_mode::b128, swizzle_mode::b128, 3);
  check_sparse<256, major::k, major::k>(swizzle_mode::b128, swizzle_mode::b128, 1);
  check_sparse<192, major::mn, major::mn>(swizzle_mode::b64, swizzle_mode::b64, 1);
}

// ---- mistakes

/// One sparse instruction whose 128 words are `words`, and whose B starts at `b`.
auto run_one(std::uint32_t word, std::uint64_t b, bool checked = true) {
  const operand tile{major::k, swizzle_mode::b128, 64}, b_tile{major::k, swizzle_mode::b128, 64, logical, 32};
  const kit::matrix x = kit::random_matrix(64, 64, 5), y = kit::random_matrix(64, logical, 6);
  const tensor_map a_map = kit::map_of(x, 64, 64, swizzle_mode::b128),
                   b_map = kit::map_of(y, 64, 64, swizzle_mode::b128);
  return hazard_of(room, {.check_hazards = checked, .workers = 1}, [&](machine& hw) {
    fetch(hw, tile, a_map, b_tile, b_map);
    registers<float, 32> acc;
    hw.wgmma_fence();
    hw.wgmma<sparse_of<bf16>(32)>(acc, tile.step(a_at, 0), b, false, word);
    hw.wgmma_commit();
    hw.wgmma_wait<0>();
  });
}

TEST_CASE("metadata that makes no sense is reported when the product is carried out") {
  const std::uint64_t b = operand{major::k, swizzle_mode::b128, 64, logical, 32}.step(sparse_b_at, 0);
  CHECK(!run_one(0xEEEE4444, b));
  const auto found = run_one(0xEEEE5444, b);
  REQUIRE(found);
  INFO(found->message);
  CHECK(found->kind == hazard_kind::bad_metadata);
  CHECK(
      found->says("wgmma m64n64k32.f32.bf16.bf16.sparse of threads 0-127: the metadata of row 0, group 3 (columns "
                  "12..15) is 0101; its low two bits must be less than its high two bits"));
  CHECK(!run_one(0xEEEE5444, b, false));
}

TEST_CASE("the 64 bytes of K of a sparse instruction's B must lie in one swizzle span") {
  const auto refused = [](std::uint64_t b, const char* why) {
    const auto found = run_one(0xEEEE4444, b);
    REQUIRE(found);
    INFO(found->message);
    CHECK(found->kind == hazard_kind::bad_descriptor);
    CHECK(found->says(why));
  };
  refused(kit::descriptor(sparse_b_at, 16, 256, swizzle_mode::b32),
          "its 64 bytes along K cross the swizzle span of 32");
  refused(kit::descriptor(sparse_b_at + 96, 16, 1024, swizzle_mode::b128), "cross the swizzle span of 128");
  CHECK(!run_one(0xEEEE4444, kit::descriptor(sparse_b_at + 64, 16, 1024, swizzle_mode::b128)));
}

}  // namespace
