// Rung 7: the copy engine.
//
// One thread asks TMA for a box of A and a box of B. TMA computes the addresses, swizzles, fills with zeros what lies
// outside of the matrices, and counts the bytes that have landed on an mbarrier, where the warpgroup waits for them.
#pragma once
#include <sectile/kernels/ladder/parts.hpp>
#include <sectile/layouts/reachable.hpp>

namespace sectile::kernels::ladder {

struct tma {
  static constexpr int rows = 64, cols = 256, depth = 64;  // of the tile of C, and columns of A and B at a time
  static constexpr int threads = 128;                      // a warpgroup
  static constexpr wgmma_instruction instruction = multiply_bf16(cols);
  static constexpr int step = 16;  // columns of A and B that one instruction takes
  static constexpr operand_tile a_tile{rows, depth, 16, major::k, swizzle_mode::b128};
  static constexpr operand_tile b_tile{cols, depth, 16, major::k, swizzle_mode::b128};
  static constexpr tma_box a_box = box_of(a_tile), b_box = box_of(b_tile);
  static constexpr int a_bytes = bytes(a_tile), b_bytes = bytes(b_tile), full_at = a_bytes + b_bytes;
  static constexpr int shared_bytes = full_at + 8;  // the mbarrier is 8 bytes

  static_assert(boxes(a_tile) == 1 && boxes(b_tile) == 1);
  static_assert(reachable(a_tile, rows, step).ok && reachable(b_tile, cols, step).ok);

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
    const std::uint32_t a = hw.shared_base(), b = a + a_bytes, full = a + full_at;
    typename Machine::template registers<float, accumulator_registers(cols, 32)> sum;

    if (hw.thread() == 0) {
      hw.mbarrier_init(full, 1);  // one arrival completes a phase, together with the bytes that it announces
      hw.mbarrier_init_fence();
    }
    hw.named_barrier_sync(0, threads);

    for (int k0 = 0, parity = 0; k0 < p.A.cols; k0 += depth, parity ^= 1) {
      if (hw.thread() == 0) {
        hw.mbarrier_arrive_expect(full, a_bytes + b_bytes);
        hw.tma_load(a, p.A_map, full, {k0, origin.row});  // coordinates begin with the contiguous one
        hw.tma_load(b, p.B_map, full, {k0, origin.col});
      }
      hw.mbarrier_wait(full, parity);  // phases 0, 1, 2 ... have parity 0, 1, 0 ...

      hw.wgmma_fence();
      for (int k = 0; k < depth; k += step)
        hw.template wgmma<instruction>(sum, encode(descriptor(A, a, k)), encode(descriptor(B, b, k)), k0 + k > 0);
      hw.wgmma_commit();
      hw.template wgmma_wait<0>();  // nobody reads the tiles any more: TMA may overwrite them
    }
    hw.touch(sum);
    store_fragment<cols>(hw, sum, p.C, origin);
  }
};

}  // namespace sectile::kernels::ladder
