// Rung 1: every thread multiplies for itself.
//
// A CTA brings a tile of A and a tile of B into shared memory, so that each number is fetched once and used by many
// threads. Each of its 256 threads computes 8 x 8 elements of C: at every k it loads 8 numbers of A and 8 of B, and
// adds 64 products. A word of shared memory holds two numbers, of k and of k + 1.
#pragma once
#include <sectile/kernels/ladder/parts.hpp>

namespace sectile::kernels::ladder {

struct simt {
  static constexpr int rows = 128, cols = 128, depth = 32;  // of the tile of C, and columns of A and B at a time
  static constexpr int side = 16, threads = side * side;    // the threads of a CTA, as a square
  static constexpr int each = 8;                            // rows, and columns, of C that a thread computes
  static constexpr int pieces = depth / 8;                  // of 16 bytes in a row of a tile
  static constexpr int pitch = depth * 2 + 16;              // bytes of a row, and a gap: rows begin in different banks
  static constexpr int a_bytes = rows * pitch, b_bytes = cols * pitch, shared_bytes = a_bytes + b_bytes;

  /// Byte of a tile where the number in column k of a row is.
  static constexpr unsigned place(int row, int k) { return static_cast<unsigned>(row * pitch + k * 2); }

  /// Brings `Rows` rows of a tile.
  template <int Rows, class Machine>
  static constexpr void copy(Machine& hw, const global_matrix<const bf16>& from, coord first, std::uint32_t tile) {
    for (int i = 0; i < Rows * pieces / threads; ++i) {
      const int number = i * threads + hw.thread(), row = number / pieces, n = number % pieces;
      const coord at{first.row + row, first.col + n * 8};
      const bool inside = at.row < from.rows && at.col < from.cols;
      hw.store_piece(tile + place(row, n * 8), inside ? hw.load_piece(from, at.row, at.col) : piece{});
    }
  }

  template <class Machine>
  static constexpr void run(Machine& hw, const problem<Machine>& p) {
    const coord origin = tile_origin(hw.cluster_index(), p.C, rows, cols);
    const std::uint32_t a = hw.shared_base(), b = a + a_bytes;
    const int my_row = hw.thread() / side, my_col = hw.thread() % side;  // and every 16th from there on
    float sum[each][each]{};

    for (int k0 = 0; k0 < p.A.cols; k0 += depth) {
      copy<rows>(hw, p.A, {origin.row, k0}, a);
      copy<cols>(hw, p.B, {origin.col, k0}, b);
      hw.named_barrier_sync(0, threads);  // the tiles are there (this is __syncthreads)
      for (int k = 0; k < depth; k += 2) {
        std::uint32_t x[each]{}, y[each]{};
        for (int i = 0; i < each; ++i) x[i] = hw.load_shared(a + place(my_row + i * side, k));
        for (int j = 0; j < each; ++j) y[j] = hw.load_shared(b + place(my_col + j * side, k));
        for (int i = 0; i < each; ++i)
          for (int j = 0; j < each; ++j) {
            sum[i][j] = hw.fma(low_bf16(x[i]), low_bf16(y[j]), sum[i][j]);
            sum[i][j] = hw.fma(high_bf16(x[i]), high_bf16(y[j]), sum[i][j]);
          }
      }
      hw.named_barrier_sync(0, threads);  // nobody reads them any more
    }
    for (int i = 0; i < each; ++i)
      for (int j = 0; j < each; ++j) {
        const int row = origin.row + my_row + i * side, col = origin.col + my_col + j * side;
        if (row < p.C.rows && col < p.C.cols) hw.store_element(p.C, row, col, sum[i][j]);
      }
  }
};

}  // namespace sectile::kernels::ladder
