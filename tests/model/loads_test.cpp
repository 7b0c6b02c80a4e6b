// Ordinary loads from shared memory: ldmatrix and ld.shared as the fragments of wgmma want them, and the order they
// need towards the copies that fill what they read.
#include <doctest/doctest.h>

#include "operands.hpp"

using namespace kit;
using sectile::coord;
using sectile::model::hazard_kind;
using sectile::model::options;
using sectile::model::registers;
using sectile::model::simulate;

namespace {

// ---- fragments

/// 64 rows of 32 bytes, each pair of bytes another.
constexpr std::uint32_t tile_at = 2048;
std::uint16_t pair_at(int row, int pair) { return static_cast<std::uint16_t>(row * 256 + pair * 7 + 1); }

void fill_tile(machine& hw) {
  const int row = hw.thread() / 2;
  for (int at = hw.thread() % 2 * 8; at < hw.thread() % 2 * 8 + 8; at += 4) {
    const auto word = [&](int pair) {
      return pair_at(row, pair) | static_cast<std::uint32_t>(pair_at(row, pair + 1)) << 16;
    };
    hw.store_shared(tile_at + static_cast<std::uint32_t>(row * 32 + 2 * at), word(at), word(at + 2));
  }
  hw.named_barrier_sync(0, 128);
}

/// Matrix q of a warp: rows 0..7 or 8..15 of its 16, the first or the last 16 bytes.
std::uint32_t row_address(int thread) {
  const int lane = thread % 32;
  return tile_at + static_cast<std::uint32_t>((thread / 32 * 16 + lane % 16) * 32 + lane / 16 * 16);
}

TEST_CASE("ldmatrix brings operand A as wgmma takes it, whatever its elements") {
  for (const options& how : kit::schedules(3)) {
    simulate(warpgroup, how, [&](machine& hw) {
      fill_tile(hw);
      std::uint32_t r[4];
      hw.ldmatrix_x4(r, row_address(hw.thread()));
      for (const int bits : {1, 8, 16, 32}) {
        for (int i = 0; i < 4; ++i) {
          const coord at = sectile::a_coord(bits, hw.thread(), i, 0);
          const int pair = at.col * bits / 16;
          CHECK(r[i] == (pair_at(at.row, pair) | static_cast<std::uint32_t>(pair_at(at.row, pair + 1)) << 16));
          CHECK(hw.load_shared(tile_at + static_cast<std::uint32_t>(at.row * 32 + 2 * pair)) == r[i]);
        }
      }
    });
  }
}

TEST_CASE("ldmatrix_trans brings the transposed matrices") {
  simulate(warpgroup, {.workers = 1}, [&](machine& hw) {
    fill_tile(hw);
    std::uint32_t r[4];
    hw.ldmatrix_x4_trans(r, row_address(hw.thread()));
    const int lane = hw.thread() % 32;
    for (int q = 0; q < 4; ++q) {
      for (int j = 0; j < 2; ++j) {
        const int row = hw.thread() / 32 * 16 + q % 2 * 8 + lane % 4 * 2 + j, col = q / 2 * 8 + lane / 4;
        CHECK((r[q] >> 16 * j & 0xFFFF) == pair_at(row, col));
      }
    }
  });
}

TEST_CASE("loads must be aligned, inside shared memory, and of something written") {
  const auto found = [](auto use) {
    const auto h = hazard_of(warpgroup, use);
    REQUIRE(h);
    INFO(h->message);
    return *h;
  };
  std::uint32_t r[4];
  CHECK(found([&](machine& hw) { hw.ldmatrix_x4(r, tile_at + 8); }).kind == hazard_kind::misaligned);
  CHECK(found([&](machine& hw) { hw.ldmatrix_x4(r, 16); }).kind == hazard_kind::out_of_range);
  CHECK(found([&](machine& hw) { hw.load_shared(tile_at + 2); }).kind == hazard_kind::misaligned);
  CHECK(found([&](machine& hw) { hw.load_shared(0); }).kind == hazard_kind::out_of_range);
  const auto unwritten = found([&](machine& hw) { hw.ldmatrix_x4_trans(r, tile_at); });
  CHECK(unwritten.kind == hazard_kind::read_before_full);
  CHECK(unwritten.says("ldmatrix of thread 0 reads byte 0x800 of shared memory, which nobody has written"));
  CHECK(found([&](machine& hw) {
          if (hw.thread() == 0) hw.store_shared(tile_at, std::uint32_t{1}, std::uint32_t{2});
          hw.load_shared(tile_at);
        }).says("which thread 0 wrote; a barrier must come between"));
  CHECK(found([&](machine& hw) {
          if (hw.thread() % 32 < 31) hw.ldmatrix_x4(r, tile_at);
        }).kind == hazard_kind::divergent);
  CHECK(found([&](machine& hw) {
          if (hw.thread() % 2 == 0) {
            hw.ldmatrix_x4(r, tile_at);
          } else {
            hw.ldmatrix_x4_trans(r, tile_at);
          }
        }).says("ldmatrix_x4_trans where other lanes of its warp are at ldmatrix_x4"));
}

// ---- the order of loads and copies

enum class reads { by_ldmatrix, by_word };
enum class release {
  at_once,              ///< by thread 0, whatever the other threads are at
  after_a_barrier,      ///< of the four warps
  after_product,        ///< after a product of what was loaded was waited for
  after_commit,         ///< after it was committed
  after_other_product,  ///< after a product that takes no registers was waited for
  by_all,               ///< each thread says so itself
};

constexpr std::uint32_t full = 1024, empty = 1032, a_stage = 2048, b_tile = a_stage + 8192;

/// A ring of one stage, filled twice by thread 128 and read by threads 0..127 with ordinary loads.
std::optional<caught> run_ring(reads how_read, release how_released, bool waits_for_full, const options& how) {
  const kit::matrix x = kit::random_matrix(64, k_tile, 5);
  const tensor_map map = kit::map_of(x, 64, 64, swizzle_mode::b128);
  const auto use = [&](machine& hw, int trip, registers<float, 32>& acc) {
    if (waits_for_full) hw.mbarrier_wait(full, trip);
    registers<std::uint32_t, 4> fragment;
    std::uint32_t r[4] = {0x44444444, 0, 0, 0};
    const auto lane_row = static_cast<std::uint32_t>(hw.thread() / 32 * 16 + hw.thread() % 16);
    const std::uint32_t row = a_stage + lane_row * 128;
    if (how_read == reads::by_ldmatrix) {
      hw.ldmatrix_x4(r, row + ((lane_row % 8 * 16) ^ static_cast<std::uint32_t>(hw.thread() % 32 / 16 * 16)));
      for (int i = 0; i < 4; ++i) fragment[i] = r[i];
    } else {
      static_cast<void>(hw.load_shared(a_stage + static_cast<std::uint32_t>(hw.thread()) * 4));
    }
    const std::uint64_t b = kit::descriptor(b_tile, 16, 1024, swizzle_mode::b128);
    hw.wgmma_fence();
    if (how_released == release::after_other_product) {
      hw.wgmma<instruction(64, major::k, major::k)>(acc, b, b, false);
    } else if (how_read == reads::by_ldmatrix) {
      hw.wgmma<instruction(64, major::k, major::k, true)>(acc, fragment, 0, b, false);
    } else {
      constexpr wgmma_instruction sparse{64,
                                         32,
                                         element_of<bf16>(),
                                         element_of<bf16>(),
                                         element_of<float>(),
                                         false,
                                         major::k,
                                         major::k,
                                         false,
                                         false,
                                         false,
                                         true};
      hw.wgmma<sparse>(acc, b, b, false, 0x44444444);
    }
    const auto arrive = [&] {
      if (hw.thread() == 0 || how_released == release::by_all) hw.mbarrier_arrive(empty);
    };
    if (how_released == release::at_once || how_released == release::by_all) arrive();
    if (how_released == release::after_a_barrier) {
      hw.named_barrier_sync(1, 128);
      arrive();
    }
    hw.wgmma_commit();
    if (how_released == release::after_commit) arrive();
    hw.wgmma_wait<0>();
    if (how_released == release::after_product || how_released == release::after_other_product) arrive();
  };
  return hazard_of({.threads = 160, .shared_bytes = 20480}, how, [&](machine& hw) {
    if (hw.thread() == 128) {
      hw.mbarrier_init(full, 1);
      hw.mbarrier_init(empty, how_released == release::by_all ? 128 : 1);
      hw.mbarrier_init_fence();
    }
    hw.cluster_sync();
    if (hw.thread() == 128) {
      for (int trip = 0; trip < 2; ++trip) {
        if (trip > 0) hw.mbarrier_wait(empty, 0);
        hw.mbarrier_arrive_expect(full, trip > 0 ? 8192 : 2 * 8192);
        hw.tma_load(a_stage, map, full, {0, 0});
        if (trip == 0) hw.tma_load(b_tile, map, full, {0, 0});
      }
      hw.mbarrier_wait(full, 1);
    }
    if (hw.thread() < 128) {
      registers<float, 32> acc;
      for (int trip = 0; trip < 2; ++trip) use(hw, trip, acc);
    }
  });
}

TEST_CASE("a stage that ordinary loads read is free when all of them are known to be over") {
  for (const reads how_read : {reads::by_ldmatrix, reads::by_word}) {
    for (const options& how : kit::schedules(8)) {
      INFO("reads ", static_cast<int>(how_read), ", seed ", how.seed);
      for (const release right : {release::after_product, release::after_a_barrier, release::by_all}) {
        const auto found = run_ring(how_read, right, true, how);
        INFO("release ", static_cast<int>(right), ": ", found ? found->message : "");
        CHECK(!found);
      }
      for (const release wrong : {release::at_once, release::after_commit, release::after_other_product}) {
        const auto found = run_ring(how_read, wrong, true, how);
        INFO("release ", static_cast<int>(wrong));
        REQUIRE(found);
        INFO(found->message);
        // A thread that comes late finds the next filling of the stage instead.
        CHECK((found->kind == hazard_kind::overwrite_while_read || found->kind == hazard_kind::read_before_full ||
               found->kind == hazard_kind::lagging_parity));
        if (how.schedule == sectile::model::schedule_mode::fair && wrong != release::at_once) {
          CHECK(
              found->says("reads with ordinary loads: a barrier must come between, or the wgmma_wait for a wgmma that "
                          "takes what was loaded and an arrival that the writer waits for"));
        }
      }
      const auto early = run_ring(how_read, release::after_product, false, how);
      REQUIRE(early);
      CHECK(early->kind == hazard_kind::read_before_full);
    }
  }
}

/// A ring of two stages, filled four times, read by ldmatrix; one product stays in flight. `behind`: how many products
/// back the stage lies that is released after the wait.
std::optional<caught> run_with_one_in_flight(int behind, const options& how) {
  constexpr std::uint32_t fulls = 1024, empties = 1040, stage = 2048, b_at_end = stage + 2 * 8192;
  const kit::matrix x = kit::random_matrix(64, k_tile, 5);
  const tensor_map map = kit::map_of(x, 64, 64, swizzle_mode::b128);
  return hazard_of({.threads = 160, .shared_bytes = 28672}, how, [&](machine& hw) {
    const auto at = [](std::uint32_t first, int trip, std::uint32_t pitch) {
      return first + static_cast<std::uint32_t>(trip % 2) * pitch;
    };
    if (hw.thread() == 128) {
      for (int s = 0; s < 2; ++s) {
        hw.mbarrier_init(at(fulls, s, 8), 1);
        hw.mbarrier_init(at(empties, s, 8), 1);
      }
      hw.mbarrier_init_fence();
    }
    hw.cluster_sync();
    if (hw.thread() == 128) {
      for (int trip = 0; trip < 4; ++trip) {
        if (trip > 1) hw.mbarrier_wait(at(empties, trip, 8), 0);
        hw.mbarrier_arrive_expect(at(fulls, trip, 8), trip == 0 ? 2 * 8192 : 8192);
        hw.tma_load(at(stage, trip, 8192), map, at(fulls, trip, 8), {0, 0});
        if (trip == 0) hw.tma_load(b_at_end, map, fulls, {0, 0});
      }
      for (int s = 0; s < 2; ++s) hw.mbarrier_wait(at(fulls, s, 8), 1);
    }
    if (hw.thread() >= 128) return;
    registers<float, 32> acc;
    registers<std::uint32_t, 4> fragment[4];
    for (int trip = 0; trip < 4; ++trip) {
      hw.mbarrier_wait(at(fulls, trip, 8), trip / 2);
      std::uint32_t r[4];
      hw.ldmatrix_x4(r, at(stage, trip, 8192) + static_cast<std::uint32_t>(hw.thread()) * 64);
      for (int i = 0; i < 4; ++i) fragment[trip][i] = r[i];
      hw.wgmma_fence();
      hw.wgmma<instruction(64, major::k, major::k, true)>(
          acc, fragment[trip], 0, kit::descriptor(b_at_end, 16, 1024, swizzle_mode::b128), trip > 0);
      hw.wgmma_commit();
      hw.wgmma_wait<1>();
      if (hw.thread() == 0 && trip >= behind && trip < behind + 2) hw.mbarrier_arrive(at(empties, trip - behind, 8));
    }
    hw.wgmma_wait<0>();
  });
}

TEST_CASE("a wait that leaves a product in flight frees the stage of the one before, not its own") {
  for (const options& how : kit::schedules(8)) {
    const auto right = run_with_one_in_flight(1, how);
    INFO("seed ", how.seed, ": ", right ? right->message : "");
    CHECK(!right);
    const auto wrong = run_with_one_in_flight(0, how);
    REQUIRE(wrong);
    CHECK((wrong->kind == hazard_kind::overwrite_while_read || wrong->kind == hazard_kind::read_before_full));
  }
}

TEST_CASE("ordinary stores over what another thread loads need a barrier between") {
  const auto run = [](bool barrier, const options& how) {
    return hazard_of(warpgroup, how, [barrier](machine& hw) {
      fill_tile(hw);
      std::uint32_t r[4];
      hw.ldmatrix_x4(r, row_address(hw.thread()));
      if (barrier) hw.named_barrier_sync(0, 128);
      if (hw.thread() == 64) hw.store_shared(tile_at, 1.0f, 2.0f);
    });
  };
  for (const options& how : kit::schedules(6)) {
    CHECK(!run(true, how));
    const auto found = run(false, how);
    REQUIRE(found);
    CHECK((found->kind == hazard_kind::overwrite_while_read || found->kind == hazard_kind::read_before_full));
  }
}

TEST_CASE("copies to global memory are reads as well") {
  const auto run = [](bool barrier) {
    static float out[128];
    return hazard_of(warpgroup, [barrier](machine& hw) {
      fill_tile(hw);
      hw.copy_to_global<4>(out + hw.thread(), tile_at + static_cast<std::uint32_t>(hw.thread() * 4));
      if (barrier) hw.named_barrier_sync(0, 128);
      if (hw.thread() == 126) hw.store_shared(tile_at, 1.0f, 2.0f);
    });
  };
  CHECK(!run(true));
  const auto found = run(false);
  REQUIRE(found);
  CHECK(found->kind == hazard_kind::overwrite_while_read);
  CHECK(found->says("store_shared of thread 126 writes byte 0x800 of shared memory, which thread 0 reads with"));
}

}  // namespace
