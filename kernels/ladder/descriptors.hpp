// Rung 4: what a descriptor can say.
//
// This B is stored the other way round: N is contiguous (B is K x N in memory). Its pieces of 16 bytes run along N, and
// so do the rows of its core matrices: the tile is MN-major. wgmma takes it as it is; the instruction says which way
// the tile lies, and LBO and SBO change their parts.
#pragma once
#include <sectile/dsl/program/operand.hpp>
#include <sectile/kernels/ladder/parts.hpp>

namespace sectile::kernels::ladder {

struct descriptors {
  static constexpr storage_order b_order = col_major;
  static constexpr int rows = 64, cols = 256, depth = 64;  // of the tile of C, and columns of A and B at a time
  static constexpr int threads = 128;                      // a warpgroup
  static constexpr wgmma_instruction instruction = multiply_bf16(cols, major::mn);
  static constexpr int step = 16;                                  // of K, for one instruction
  static constexpr int a_pieces = depth / 8, b_pieces = cols / 8;  // of 16 bytes: in a row of A along K, of B along N
  static constexpr int a_lbo = 128, a_sbo = a_pieces * a_lbo;      // K-major: LBO leads along K, SBO along M
  static constexpr int b_sbo = 128, b_lbo = b_pieces * b_sbo;      // MN-major: SBO leads along N, LBO along K
  static constexpr int a_bytes = rows / 8 * a_sbo, b_bytes = depth / 8 * b_lbo, shared_bytes = a_bytes + b_bytes;

  /// Byte of the tile of A where piece n of row m goes, and byte of the tile of B where piece n of row k goes.
  static constexpr unsigned place_a(int m, int n) {
    return static_cast<unsigned>(m / 8 * a_sbo + n * a_lbo + m % 8 * 16);
  }
  static constexpr unsigned place_b(int k, int n) {
    return static_cast<unsigned>(k / 8 * b_lbo + n * b_sbo + k % 8 * 16);
  }

  /// How wgmma finds the tiles that begin at address `tile`, from k on: the start moves on by whole core matrices.
  static constexpr matrix_descriptor descriptor_a(std::uint32_t tile, int k) {
    return {.start_bytes = tile + place_a(0, k / 8), .leading_bytes = a_lbo, .stride_bytes = a_sbo};
  }
  static constexpr matrix_descriptor descriptor_b(std::uint32_t tile, int k) {
    return {.start_bytes = tile + place_b(k, 0), .leading_bytes = b_lbo, .stride_bytes = b_sbo};
  }

  /// Brings a tile of `Rows` rows of `Pieces` pieces.
  template <int Rows, int Pieces, class Machine, class Place>
  static constexpr void copy(Machine& hw, const global_matrix<const bf16>& from, coord first, std::uint32_t tile,
                             Place place) {
    for (int i = 0; i < Rows * Pieces / threads; ++i) {
      const int number = i * threads + hw.thread(), row = number / Pieces, n = number % Pieces;
      const coord at{first.row + row, first.col + n * 8};
      const bool inside = at.row < from.rows && at.col < from.cols;
      hw.store_piece(tile + place(row, n), inside ? hw.load_piece(from, at.row, at.col) : piece{});
    }
  }

  template <class Machine>
  static constexpr void run(Machine& hw, const problem<Machine>& p) {
    static_assert(wgmma_reads(major::k, rows, a_pieces, place_a, [](int k) { return descriptor_a(0, k); }));
    static_assert(wgmma_reads(major::mn, depth, b_pieces, place_b, [](int k) { return descriptor_b(0, k); }));
    const coord origin = tile_origin(hw.cluster_index(), p.C, rows, cols);
    const std::uint32_t a = hw.shared_base(), b = a + a_bytes;
    typename Machine::template registers<float, accumulator_registers(cols, 32)> sum;

    for (int k0 = 0; k0 < p.A.cols; k0 += depth) {
      copy<rows, a_pieces>(hw, p.A, {origin.row, k0}, a, place_a);
      copy<depth, b_pieces>(hw, p.B, {k0, origin.col}, b, place_b);
      hw.fence_proxy_async();
      hw.named_barrier_sync(0, threads);

      hw.wgmma_fence();
      for (int k = 0; k < depth; k += step)
        hw.template wgmma<instruction>(sum, encode(descriptor_a(a, k)), encode(descriptor_b(b, k)), k0 + k > 0);
      hw.wgmma_commit();
      hw.template wgmma_wait<0>();
    }
    hw.touch(sum);
    store_fragment<cols>(hw, sum, p.C, origin);
  }
};

}  // namespace sectile::kernels::ladder
