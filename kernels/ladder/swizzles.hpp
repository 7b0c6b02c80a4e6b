// Rung 6: swizzled rows.
//
// The other way to keep out of each other's banks takes no room: a row's eight pieces stay within its 128 bytes, but
// change places, by the row. Piece n of row r lies where piece n XOR (r mod 8) would. wgmma knows this order: the
// descriptor names the swizzle, and the hardware takes the same XOR of every address.
#pragma once
#include <sectile/kernels/ladder/parts.hpp>
#include <sectile/layouts/banks.hpp>

namespace sectile::kernels::ladder {

struct swizzles {
  static constexpr int rows = 64, cols = 256, depth = 64;  // of the tile of C, and columns of A and B at a time
  static constexpr int threads = 128;                      // a warpgroup
  static constexpr wgmma_instruction instruction = multiply_bf16(cols);
  static constexpr int step = 16;           // columns of A and B that one instruction takes
  static constexpr int pieces = depth / 8;  // of 16 bytes in a row of a tile

  static constexpr swizzle_mode mode = swizzle_mode::b128;  // exchanges pieces within 128 bytes
  static constexpr int row_bytes = 128, sbo = 8 * 128;      // SBO: from 8 rows to the next 8; LBO is not looked at
  static constexpr int a_bytes = rows * row_bytes, b_bytes = cols * row_bytes, shared_bytes = a_bytes + b_bytes;

  /// Byte of a tile where piece n of a row goes. The tile begins where the pattern does, at a multiple of 1024 bytes.
  static constexpr unsigned place(int row, int n) {
    constexpr swizzle pattern = byte_swizzle(mode);
    return static_cast<unsigned>(pattern(row * row_bytes + n * 16));
  }
  static_assert(a_bytes % pattern_bytes(mode) == 0);

  /// How wgmma finds the tile that begins at address `tile`, from column k on. The start is the address before the
  /// swizzle: the hardware swizzles what it makes of it.
  static constexpr matrix_descriptor descriptor(std::uint32_t tile, int k) {
    return {
        .start_bytes = tile + static_cast<unsigned>(k * 2), .leading_bytes = 16, .stride_bytes = sbo, .swizzle = mode};
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
