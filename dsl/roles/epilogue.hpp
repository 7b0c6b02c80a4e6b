// The epilogue: accumulators -> shared memory -> TMA store.
//
// Each consumer warpgroup has panels of its own (64 rows of one swizzle span), so the warpgroups never wait for each
// other. Panels are filled and stored in batches that take turns in the buffers: while TMA reads one, the next is written.
// That all buffers are free is established while the last products still run; the stores themselves overlap whatever comes
// next.
#pragma once
#include <sectile/dsl/plan/epilogue.hpp>
#include <sectile/dsl/roles/parameters.hpp>

namespace sectile {

/// Writes one panel: columns first_col .. first_col + panel_cols of block m, converted to the output's element type.
template <int I, class Consumer, class Fragment>
constexpr void write_panel(Consumer& sm, const Fragment& x, int m, int first_col, std::uint32_t panel) {
  constexpr epilogue_plan e = plan_of<typename Consumer::kernel>.epilogue;
  constexpr element type = plan_of<typename Consumer::kernel>.operand[I].facts.type;
  auto& hw = sm.hw;
  const auto& r = x.atom[m];
  const int warp_row = sm.thread / 32 * 16, lane = sm.thread % 32;
  if constexpr (type.bits == 16) {
    constexpr int step = e.panel_cols >= 16 ? 16 : 8;
    const position at = stmatrix_lane(lane);
    for (int c = 0; c < e.panel_cols; c += step) {
      std::uint32_t pair[4]{};
      for (int q = 0; q < step / 4; ++q) {
        const int i = (first_col + c) / 2 + 2 * q;
        pair[q] = hw.pack_bf16(r[i], r[i + 1]);
      }
      const int col = step == 16 ? c + at.col : c;
      const std::uint32_t to =
          panel + static_cast<std::uint32_t>(panel_offset(e.swizzle, 16, warp_row + at.row, col));
      if constexpr (step == 16)
        hw.stmatrix_x4(to, pair);
      else
        hw.stmatrix_x2(to, pair);
    }
  } else {
    for (int c = 0; c < e.panel_cols; c += 8)
      for (int half = 0; half < 2; ++half) {
        const int i = (first_col + c) / 2 + 2 * half;
        const int row = warp_row + lane / 4 + 8 * half, col = c + 2 * (lane % 4);
        hw.store_shared(panel + static_cast<std::uint32_t>(panel_offset(e.swizzle, 32, row, col)), r[i], r[i + 1]);
      }
  }
}

/// Waits until TMA has read all of this warpgroup's buffers.
template <class Consumer>
constexpr void claim_buffers(Consumer& sm) {
  if (sm.thread == 0) sm.hw.template bulk_wait_read<0>();
  sm.hw.named_barrier_sync(epilogue_barrier(sm.index), warpgroup);
}

/// Has TMA store panels first .. first + batch - 1 from `buffer`. One thread calls it.
template <int I, class Consumer>
constexpr void store_batch(Consumer& sm, const tile_coordinates<operand_handle<typename Consumer::kernel, I>::rank>& at,
                           int first, std::uint32_t buffer) {
  constexpr epilogue_plan e = plan_of<typename Consumer::kernel>.epilogue;
  constexpr operand_facts f = plan_of<typename Consumer::kernel>.operand[I].facts;
  constexpr int rank = f.tile.rank, panels_per_block = f.cols() / e.panel_cols;
  int coordinate[rank]{};
  for (int d = 0; d < rank; ++d) coordinate[d] = at.at[rank - 1 - d] * f.tile.extent[rank - 1 - d];
  const int row = coordinate[1] + sm.index * (f.rows() / Consumer::consumers), col = coordinate[0];
  for (int b = 0; b < e.batch; ++b) {
    coordinate[0] = col + (first + b) % panels_per_block * e.panel_cols;
    coordinate[1] = row + (first + b) / panels_per_block * epilogue_rows;
    sm.hw.tma_store(sm.parameters.map[I], buffer + static_cast<std::uint32_t>(b * e.panel_bytes), coordinate);
  }
  sm.hw.bulk_commit();
}

/// Stores x as operand I's tile `at`. Rows and columns outside the tensor are clipped by TMA. Precondition: all buffers
/// are free (claim_buffers).
template <int I, class Consumer, class Fragment>
constexpr void store_tile(Consumer& sm, const tile_coordinates<operand_handle<typename Consumer::kernel, I>::rank>& at,
                          const Fragment& x) {
  constexpr epilogue_plan e = plan_of<typename Consumer::kernel>.epilogue;
  constexpr int panels_per_block = Fragment::cols / e.panel_cols;
  constexpr int turns = e.buffers / e.batch;  // batches in shared memory at once
  auto& hw = sm.hw;
  const std::uint32_t buffers =
      hw.shared_base() + static_cast<std::uint32_t>(e.offset + sm.index * e.buffers * e.panel_bytes);
  const int barrier = epilogue_barrier(sm.index);
  for (int first = 0; first < e.panels; first += e.batch) {
    const std::uint32_t buffer = buffers + static_cast<std::uint32_t>(first % e.buffers * e.panel_bytes);
    if (first >= e.buffers) {
      if (sm.thread == 0) hw.template bulk_wait_read<turns - 1>();
      hw.named_barrier_sync(barrier, warpgroup);
    }
    for (int b = 0; b < e.batch; ++b)
      write_panel<I>(sm, x, (first + b) / panels_per_block, (first + b) % panels_per_block * e.panel_cols,
                     buffer + static_cast<std::uint32_t>(b * e.panel_bytes));
    hw.fence_proxy_async();
    hw.named_barrier_sync(barrier, warpgroup);
    if (sm.thread == 0) store_batch<I>(sm, at, first, buffer);
  }
}

}  // namespace sectile
