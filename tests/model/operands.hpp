// Operands of wgmma for the tests: in every layout that a descriptor can name, and fetched by TMA.
#pragma once

#include "kit.hpp"

namespace kit {

using model::machine;
using model::tensor_map;
using sectile::element_of;
using sectile::major;
using sectile::wgmma_instruction;

constexpr int k_tile = 64;  // bf16: four instructions
constexpr std::uint32_t bar = 1024, a_at = 2048, b_at = a_at + 64 * k_tile * 2;
inline const model::grid warpgroup{
    .clusters = 1, .cluster_size = 1, .threads = 128, .shared_bytes = 1024 + 3 * 256 * k_tile * 2};

constexpr wgmma_instruction instruction(int n, major a, major b, bool registers_a = false) {
  return {n, 16, element_of<bf16>(), element_of<bf16>(), element_of<float>(), registers_a, a, b};
}

/// An operand of `rows` x `columns` in shared memory: its boxes, and the descriptor of one K step.
struct operand {
  major direction;
  swizzle_mode mode;
  int rows;
  int columns = k_tile;
  int step_columns = 16;  ///< that one instruction takes

  int span() const { return mode == swizzle_mode::none ? 16 : span_bytes(mode); }
  int contiguous() const { return direction == major::k ? columns : rows; }
  int strided() const { return direction == major::k ? rows : columns; }
  int bytes() const { return rows * columns * 2; }
  int panels() const { return contiguous() * 2 / span(); }
  int box_rows() const { return strided() < 256 ? strided() : 256; }

  /// The matrix as it lies in host memory: strided() x contiguous().
  matrix stored(const matrix& x) const {
    if (direction == major::k) return x;
    matrix turned(x.cols, x.rows);
    for (int r = 0; r < x.rows; ++r) {
      for (int c = 0; c < x.cols; ++c) turned(c, r) = x.row(r)[c];
    }
    return turned;
  }
  void load(machine& hw, const tensor_map& map, std::uint32_t to) const {
    const int panel_bytes = strided() * span();
    for (int p = 0; p < panels(); ++p) {
      hw.tma_load(to + static_cast<std::uint32_t>(p * panel_bytes), map, bar, {p * span() / 2, 0});
    }
  }
  std::uint64_t step(std::uint32_t at, int s) const {
    const auto panel = static_cast<unsigned>(strided() * span());
    const auto pitch = static_cast<unsigned>(8 * span());
    const auto i = static_cast<unsigned>(s);
    const auto chunks = static_cast<unsigned>(step_columns) / 8;  // of 16 bytes along K, or of 8 rows of K
    if (mode == swizzle_mode::none) {
      if (direction == major::k) return descriptor(at + chunks * i * panel, panel, 128, mode);
      return descriptor(at + chunks * i * 128, 128, panel, mode);
    }
    if (direction == major::mn) return descriptor(at + chunks * i * pitch, panel, pitch, mode);
    const unsigned per_span = static_cast<unsigned>(span()) / (16 * chunks);
    return descriptor(at + i / per_span * panel + i % per_span * 16 * chunks, 16, pitch, mode);
  }
};

/// Makes the barrier, loads both operands, and returns when they are there.
inline void fetch(machine& hw, const operand& a, const tensor_map& a_map, const operand& b, const tensor_map& b_map) {
  if (hw.thread() == 0) {
    hw.mbarrier_init(bar, 1);
    hw.mbarrier_init_fence();
    hw.mbarrier_arrive_expect(bar, a.bytes() + b.bytes());
    if (a.rows > 0) a.load(hw, a_map, a_at);
    b.load(hw, b_map, b_at);
  }
  hw.named_barrier_sync(0, 128);
  hw.mbarrier_wait(bar, 0);
}

template <class A, class B, class D>
constexpr wgmma_instruction of_types(int k) {
  return {64, k, element_of<A>(), element_of<B>(), element_of<D>(), false, major::k, major::k};
}

}  // namespace kit
