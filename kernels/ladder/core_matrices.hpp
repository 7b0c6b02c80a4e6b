// Rung 5: core matrices a little apart.
//
// Shared memory serves 128 bytes at a time, if they are of 32 different banks of 4 bytes. In rung 3 the eight threads
// that store a row's pieces hit the same four banks, because their core matrices are 128 bytes apart. Where core
// matrices lie is up to the program, and the descriptor tells wgmma: 16 bytes of room between two of them put the eight
// pieces into banks of their own.
#pragma once
#include <sectile/kernels/ladder/parts.hpp>
#include <sectile/layouts/banks.hpp>

namespace sectile::kernels::ladder {

struct core_matrices {
  static constexpr int rows = 64, cols = 256, depth = 64;  // of the tile of C, and columns of A and B at a time
  static constexpr int threads = 128;                      // a warpgroup
  static constexpr wgmma_instruction instruction = multiply_bf16(cols);
  static constexpr int step = 16;           // columns of A and B that one instruction takes
  static constexpr int pieces = depth / 8;  // of 16 bytes in a row of a tile

  // A tile is a grid of core matrices. Those of the same 8 rows lie one behind the other, then come the next 8 rows.
  static constexpr int lbo = 128 + 16;      // bytes from a core matrix to its neighbour along K, with room between
  static constexpr int sbo = pieces * lbo;  // and to the one below it
  static constexpr int a_bytes = rows / 8 * sbo, b_bytes = cols / 8 * sbo, shared_bytes = a_bytes + b_bytes;

  /// Byte of a tile where piece n of a row goes.
  static constexpr unsigned place(int row, int n) {
    return static_cast<unsigned>(row / 8 * sbo + n * lbo + row % 8 * 16);
  }

  /// How wgmma finds the tile that begins at address `tile`, from column k on.
  static constexpr matrix_descriptor descriptor(std::uint32_t tile, int k) {
    return {.start_bytes = tile + place(0, k / 8), .leading_bytes = lbo, .stride_bytes = sbo};
  }

  /// Brings `Rows` rows of a tile. Eight threads fetch what is 128 bytes in a row of global memory.
  template <int Rows, class Machine>
  static constexpr void copy(Machine& hw, const global_matrix<const bf16>& from, coord first, std::uint32_t tile) {
    for (int i = 0; i < Rows * pieces / threads; ++i) {
      const int number = i * threads + hw.thread(), row = number / pieces, n = number % pieces;
      const coord at{first.row + row, first.col + n * 8};
      const bool inside = at.row < from.rows && at.col < from.cols;
      hw.store_piece(tile + place(row, n), inside ? hw.load_piece(from, at.row, at.col) : piece{});
    }
  }

  template <class Machine>
  static constexpr void run(Machine& hw, const problem<Machine>& p) {
    static_assert(wgmma_reads(major::k, cols, pieces, place, [](int k) { return descriptor(0, k); }));
    static_assert(conflict_degree([](int lane) { return place(lane / pieces, lane % pieces); }, sizeof(piece)) == 1);
    const coord origin = tile_origin(hw.cluster_index(), p.C, rows, cols);
    const std::uint32_t a = hw.shared_base(), b = a + a_bytes;
    typename Machine::template registers<float, accumulator_registers(cols, 32)> sum;

    for (int k0 = 0; k0 < p.A.cols; k0 += depth) {
      copy<rows>(hw, p.A, {origin.row, k0}, a);
      copy<cols>(hw, p.B, {origin.col, k0}, b);
      hw.fence_proxy_async();
      hw.named_barrier_sync(0, threads);

      hw.wgmma_fence();
      for (int k = 0; k < depth; k += step)
        hw.template wgmma<instruction>(sum, encode(descriptor(a, k)), encode(descriptor(b, k)), k0 + k > 0);
      hw.wgmma_commit();
      hw.template wgmma_wait<0>();
    }
    hw.touch(sum);
    store_fragment<cols>(hw, sum, p.C, origin);
  }
};

}  // namespace sectile::kernels::ladder
