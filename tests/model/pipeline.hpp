// A small but complete warp-specialized kernel, written by hand, that can make one mistake at a time: C = A * B^T in
// tiles of 64 x 64, a producer thread, a consumer warpgroup, a ring of two stages, B shared by the CTAs of a cluster,
// an epilogue through shared memory.
#pragma once

#include "kit.hpp"

namespace kit {

enum class fault {
  none,
  no_init_fence,
  no_init_barrier,
  no_full_wait,
  wrong_parity,
  no_empty_wait,
  early_release,
  release_twice,
  no_peer_release,
  expect_less,
  expect_more,
  no_wgmma_fence,
  no_wgmma_wait,
  no_proxy_fence,
  no_store_barrier,
  no_read_wait,
  no_read_barrier,
  no_store_wait,
  no_commit,
  no_final_sync,
};

struct pipeline {
  static constexpr int stages = 2, threads = 256;
  static constexpr std::uint32_t a_bytes = 64 * 64 * 2, stage_bytes = 2 * a_bytes, c_at = stages * stage_bytes;
  static constexpr std::uint32_t full_at = c_at + a_bytes, empty_at = full_at + 8 * stages,
                                 bytes = empty_at + 8 * stages;
  static constexpr sectile::wgmma_instruction instruction{64,
                                                          16,
                                                          sectile::element_of<bf16>(),
                                                          sectile::element_of<bf16>(),
                                                          sectile::element_of<float>(),
                                                          false,
                                                          sectile::major::k,
                                                          sectile::major::k};

  int cluster, trips, tiles;  ///< CTAs; K steps of 64 per tile; tiles that each CTA computes
  fault mistake;
  matrix a, b, c;
  model::tensor_map a_map, b_map, c_map;

  pipeline(int cluster_size, int k_steps, int tiles_per_cta, fault f)
      : cluster(cluster_size),
        trips(k_steps),
        tiles(tiles_per_cta),
        mistake(f),
        a(random_matrix(64 * cluster * tiles, 64 * trips, 1)),
        b(random_matrix(64, 64 * trips, 2)),
        c(64 * cluster * tiles, 64, 0xFFFF),
        a_map(map_of(a, 64, 64, swizzle_mode::b128)),
        b_map(map_of(b, 64 / cluster, 64, swizzle_mode::b128)),
        c_map(map_of(c, 64, 64, swizzle_mode::b128)) {}

  model::grid shape() const { return {1, cluster, threads, bytes}; }

  static model::options labelled(model::options how) {
    how.labels.roles = {{"producer", 0, 127}, {"consumer", 128, 255}};
    for (int s = 0; s < stages; ++s) {
      const auto stage = static_cast<std::uint32_t>(s);
      const std::uint32_t at = stage * stage_bytes;
      how.labels.shared.push_back({"A", s, at, at + a_bytes});
      how.labels.shared.push_back({"B", s, at + a_bytes, at + stage_bytes});
      how.labels.barriers.push_back({"full", s, full_at + 8 * stage});
      how.labels.barriers.push_back({"empty", s, empty_at + 8 * stage});
    }
    how.labels.shared.push_back({"C", -1, c_at, c_at + a_bytes});
    return how;
  }

  std::optional<caught> run(const model::options& how) {
    return hazard_of(shape(), labelled(how), [this](model::machine& hw) { entry(hw); });
  }

  /// C as the chain of wgmmas gives it.
  matrix expected() const {
    matrix made(c.rows, c.cols);
    for (int r = 0; r < c.rows; ++r) {
      for (int n = 0; n < c.cols; ++n) made(r, n) = bf16(dot(a.row(r), b.row(n), 64 * trips)).bits;
    }
    return made;
  }

  bool makes(fault f) const { return mistake == f; }

  struct ring_position {
    std::uint32_t stage = 0;
    int parity = 0;
    void advance() {
      if (++stage == stages) {
        stage = 0;
        parity ^= 1;
      }
    }
  };
  static std::uint32_t full(const model::machine& hw, std::uint32_t stage) {
    return hw.shared_base() + full_at + 8 * stage;
  }
  static std::uint32_t empty(const model::machine& hw, std::uint32_t stage) {
    return hw.shared_base() + empty_at + 8 * stage;
  }
  int row_of(const model::machine& hw, int tile) const { return 64 * (tile * cluster + hw.cta_rank()); }

  void entry(model::machine& hw) const {
    if (hw.thread() == 0) {
      for (std::uint32_t s = 0; s < stages; ++s) {
        hw.mbarrier_init(full(hw, s), 1);
        hw.mbarrier_init(empty(hw, s), makes(fault::no_peer_release) ? 1 : cluster);
      }
      if (!makes(fault::no_init_fence)) hw.mbarrier_init_fence();
    }
    if (!makes(fault::no_init_barrier)) hw.cluster_sync();
    if (hw.thread() == 0) produce(hw);
    if (hw.thread() >= 128) consume(hw);
    if (!makes(fault::no_final_sync)) hw.cluster_sync();
  }

  void produce(model::machine& hw) const {
    ring_position at;
    for (int tile = 0; tile < tiles; ++tile) {
      for (int k = 0; k < trips; ++k, at.advance()) {
        hw.observe_trip(k);
        if (!makes(fault::no_empty_wait)) hw.mbarrier_wait(empty(hw, at.stage), at.parity ^ 1);
        const int expected = static_cast<int>(stage_bytes) - (makes(fault::expect_less) ? 8192 : 0) +
                             (makes(fault::expect_more) ? 16 : 0);
        hw.mbarrier_arrive_expect(full(hw, at.stage), expected);
        const std::uint32_t a_to = hw.shared_base() + at.stage * stage_bytes, b_to = a_to + a_bytes;
        hw.tma_load(a_to, a_map, full(hw, at.stage), {64 * k, row_of(hw, tile)});
        if (cluster == 1) {
          hw.tma_load(b_to, b_map, full(hw, at.stage), {64 * k, 0});
        } else {
          const int slice = 64 / cluster * hw.cta_rank();
          hw.tma_load_multicast(b_to + static_cast<std::uint32_t>(slice) * 128, b_map, full(hw, at.stage),
                                {64 * k, slice}, static_cast<std::uint16_t>((1 << cluster) - 1));
        }
      }
    }
  }

  void release(model::machine& hw, std::uint32_t stage) const {
    const int thread = hw.thread() - 128;
    if (makes(fault::no_peer_release)) {
      if (thread == 0) hw.mbarrier_arrive(empty(hw, stage));
      return;
    }
    if (thread < cluster) hw.mbarrier_arrive_at(empty(hw, stage), thread);
    if (thread < cluster && makes(fault::release_twice)) hw.mbarrier_arrive_at(empty(hw, stage), thread);
  }

  void consume(model::machine& hw) const {
    ring_position at;
    for (int tile = 0; tile < tiles; ++tile) {
      model::registers<float, 32> acc;
      for (int k = 0; k < trips; ++k, at.advance()) {
        hw.observe_trip(k);
        if (!makes(fault::no_full_wait)) {
          hw.mbarrier_wait(full(hw, at.stage), makes(fault::wrong_parity) ? at.parity ^ 1 : at.parity);
        }
        if (!makes(fault::no_wgmma_fence)) hw.wgmma_fence();
        const std::uint32_t a_from = hw.shared_base() + at.stage * stage_bytes, b_from = a_from + a_bytes;
        for (std::uint32_t step = 0; step < 4; ++step) {
          hw.wgmma<instruction>(acc, descriptor(a_from + 32 * step, 16, 1024, swizzle_mode::b128),
                                descriptor(b_from + 32 * step, 16, 1024, swizzle_mode::b128), k > 0 || step > 0);
        }
        hw.wgmma_commit();
        if (makes(fault::early_release)) release(hw, at.stage);
        if (!makes(fault::no_wgmma_wait)) hw.wgmma_wait<0>();
        if (!makes(fault::early_release)) release(hw, at.stage);
      }
      hw.observe_trip(-1);
      hw.touch(acc);
      store(hw, acc, tile);
    }
    if (hw.thread() == 128 && !makes(fault::no_store_wait)) hw.bulk_wait<0>();
  }

  void store(model::machine& hw, const model::registers<float, 32>& acc, int tile) const {
    const int thread = hw.thread() - 128, warp = thread / 32, lane = thread % 32;
    const std::uint32_t to = hw.shared_base() + c_at;
    if (thread == 0 && !makes(fault::no_read_wait)) hw.bulk_wait_read<0>();
    if (!makes(fault::no_read_barrier)) hw.named_barrier_sync(1, 128);
    for (int col = 0; col < 64; col += 16) {
      std::uint32_t pair[4];
      for (int q = 0; q < 4; ++q) pair[q] = model::machine::pack_bf16(acc[col / 2 + 2 * q], acc[col / 2 + 2 * q + 1]);
      const sectile::coord row = sectile::stmatrix_row_address(lane);
      const auto offset = static_cast<std::uint32_t>((16 * warp + row.row) * 128 + (col + row.col) * 2);
      hw.stmatrix_x4(to + static_cast<std::uint32_t>(byte_swizzle(swizzle_mode::b128)(offset)), pair);
    }
    if (!makes(fault::no_proxy_fence)) hw.fence_proxy_async();
    if (!makes(fault::no_store_barrier)) hw.named_barrier_sync(1, 128);
    if (thread != 0) return;
    hw.tma_store(c_map, to, {0, row_of(hw, tile)});
    if (!makes(fault::no_commit)) hw.bulk_commit();
  }
};

}  // namespace kit
