// Rung 8: a ring of stages.
//
// While the tensor cores multiply one tile, TMA brings the next ones into other stages of a ring. Each stage has an
// mbarrier of its own, on which its tile lands. A round through the ring is one phase of each barrier, and who waits
// for a phase names its parity: 0, 1, 0, 1 ...
#pragma once
#include <sectile/kernels/ladder/parts.hpp>
#include <sectile/layouts/reachable.hpp>

namespace sectile::kernels::ladder {

struct stages {
  static constexpr int rows = 64, cols = 256, depth = 64;  // of the tile of C, and columns of A and B at a time
  static constexpr int threads = 128;                      // a warpgroup
  static constexpr int stage_count = 4;
  static constexpr wgmma_instruction instruction = multiply_bf16(cols);
  static constexpr int step = 16;  // columns of A and B that one instruction takes
  static constexpr operand_tile a_tile{rows, depth, 16, major::k, swizzle_mode::b128};
  static constexpr operand_tile b_tile{cols, depth, 16, major::k, swizzle_mode::b128};
  static constexpr tma_box a_box = box_of(a_tile), b_box = box_of(b_tile);
  static constexpr int a_bytes = bytes(a_tile), b_bytes = bytes(b_tile), stage_bytes = a_bytes + b_bytes;
  static constexpr int full_at = stage_count * stage_bytes;
  static constexpr int shared_bytes = full_at + stage_count * 8;

  static_assert(stage_bytes % alignment(b_tile) == 0 && a_bytes % alignment(b_tile) == 0);
  static_assert(reachable(a_tile, rows, step).ok && reachable(b_tile, cols, step).ok);

  /// Where tile t goes.
  struct stage {
    std::uint32_t a, b, full;
  };
  static constexpr stage stage_of(std::uint32_t base, int t) {
    const auto s = static_cast<std::uint32_t>(t % stage_count);
    const std::uint32_t a = base + s * stage_bytes;
    return {a, a + a_bytes, base + full_at + s * 8};
  }
  /// The parity of the phase in which tile t lands.
  static constexpr int parity_of(int t) { return t / stage_count % 2; }

  /// How wgmma finds a tile that begins at address `at`, from column k on.
  static constexpr matrix_descriptor descriptor(const operand_tile& tile, std::uint32_t at, int k) {
    matrix_descriptor d = descriptor_at(tile, 0, k);
    d.start_bytes += at;
    return d;
  }

  template <class Machine>
  static constexpr void run(Machine& hw, const problem<Machine>& p) {
    constexpr operand_tile A = a_tile, B = b_tile;
    const coord origin = tile_origin(hw.cluster_index(), p.C, rows, cols);
    const int tiles = (p.A.cols + depth - 1) / depth;  // along K
    const std::uint32_t base = hw.shared_base();
    typename Machine::template registers<float, accumulator_registers(cols, 32)> sum;

    if (hw.thread() == 0) {
      for (int s = 0; s < stage_count; ++s) hw.mbarrier_init(stage_of(base, s).full, 1);
      hw.mbarrier_init_fence();
    }
    hw.named_barrier_sync(0, threads);

    const auto load = [&](int t) {  // by thread 0
      const stage to = stage_of(base, t);
      hw.mbarrier_arrive_expect(to.full, stage_bytes);
      hw.tma_load(to.a, p.A_map, to.full, {t * depth, origin.row});
      hw.tma_load(to.b, p.B_map, to.full, {t * depth, origin.col});
    };
    if (hw.thread() == 0)
      for (int t = 0; t < stage_count && t < tiles; ++t) load(t);

    for (int t = 0; t < tiles; ++t) {
      const stage now = stage_of(base, t);
      hw.mbarrier_wait(now.full, parity_of(t));
      hw.wgmma_fence();
      for (int k = 0; k < depth; k += step)
        hw.template wgmma<instruction>(sum, encode(descriptor(A, now.a, k)), encode(descriptor(B, now.b, k)),
                                       t + k > 0);
      hw.wgmma_commit();

      // These products go on. Those of the tile before are complete: its stage is free for the next tile to come.
      hw.template wgmma_wait<1>();
      const int next = t - 1 + stage_count;
      if (hw.thread() == 0 && t > 0 && next < tiles) load(next);
    }
    hw.template wgmma_wait<0>();
    hw.touch(sum);
    store_fragment<cols>(hw, sum, p.C, origin);
  }
};

}  // namespace sectile::kernels::ladder
