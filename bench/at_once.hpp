// Rungs whose threads carry the tiles, by copies that pass through no register (cp.async). In the rungs themselves the
// compiler orders the loads and the stores, and it orders them otherwise for one layout than for another; so their
// times compare two things. Here there is nothing to order: a thread asks for all of its pieces, and waits once.
#pragma once
#include <cuda_pipeline_primitives.h>

#include <sectile/kernels/ladder/parts.hpp>
#include <sectile/layouts/banks.hpp>

namespace sectile::bench {

/// Rung `Rung`, of one_tile, core_matrices and swizzles: where pieces lie is the rung's. Of the eight threads that
/// store a row, `Meet` at a time hit the same bank.
template <class Rung, int Meet>
struct at_once : Rung {
  using Rung::rows, Rung::cols, Rung::depth, Rung::threads, Rung::step, Rung::pieces;

  /// Asks for `Rows` rows of a tile.
  template <int Rows, class Machine>
  static __device__ void copy(Machine& hw, const global_matrix<const bf16>& from, coord first, std::uint32_t tile) {
    for (int i = 0; i < Rows * pieces / threads; ++i) {
      const int number = i * threads + hw.thread(), row = number / pieces, n = number % pieces;
      const coord at{first.row + row, first.col + n * 8};
      const bool inside = at.row < from.rows && at.col < from.cols;
      __pipeline_memcpy_async(__cvta_shared_to_generic(tile + Rung::place(row, n)),
                              inside ? from.at(at.row, at.col) : from.data, sizeof(piece), inside ? 0 : sizeof(piece));
    }
  }

  template <class Machine>
  static __device__ void run(Machine& hw, const kernels::ladder::problem<Machine>& p) {
    static_assert(kernels::ladder::wgmma_reads(major::k, cols, pieces, Rung::place,
                                               [](int k) { return Rung::descriptor(0, k); }));
    static_assert(conflict_degree([](int lane) { return Rung::place(lane / pieces, lane % pieces); }, sizeof(piece)) ==
                  Meet);
    const coord origin = kernels::ladder::tile_origin(hw.cluster_index(), p.C, rows, cols);
    const std::uint32_t a = hw.shared_base(), b = a + Rung::a_bytes;
    typename Machine::template registers<float, accumulator_registers(cols, 32)> sum;

    for (int k0 = 0; k0 < p.A.cols; k0 += depth) {
      copy<rows>(hw, p.A, {origin.row, k0}, a);
      copy<cols>(hw, p.B, {origin.col, k0}, b);
      __pipeline_commit();
      __pipeline_wait_prior(0);
      hw.fence_proxy_async();
      hw.named_barrier_sync(0, threads);

      hw.wgmma_fence();
      for (int k = 0; k < depth; k += step)
        hw.template wgmma<Rung::instruction>(sum, encode(Rung::descriptor(a, k)), encode(Rung::descriptor(b, k)),
                                             k0 + k > 0);
      hw.wgmma_commit();
      hw.template wgmma_wait<0>();
    }
    hw.touch(sum);
    kernels::ladder::store_fragment<cols>(hw, sum, p.C, origin);
  }
};

}  // namespace sectile::bench
