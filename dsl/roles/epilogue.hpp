// The epilogue: accumulators -> shared memory -> TMA store, for each output that the body stores.
//
// Each consumer warpgroup has panels of its own (see plan/epilogue.hpp), so the warpgroups never wait for each other.
// Panels are filled and stored in batches that take turns in the buffers: while TMA reads one, the next is
// written. Buffers of the next output are free: the first store of a tile has waited until all that were stored before
// have been read.
//
// A persistent kernel with one output and registers to spare does not stop for this. It packs the accumulators, which
// frees them for the next tile, and puts out a batch after each of that tile's first products: the epilogue runs under
// the tensor cores. (In ping-pong it runs under the other consumers' products as it is.)
#pragma once
#include <sectile/dsl/plan/epilogue.hpp>
#include <sectile/dsl/program/unroll.hpp>
#include <sectile/dsl/roles/groups.hpp>
#include <sectile/dsl/roles/parameters.hpp>

namespace sectile {

/// A tile whose sums have been packed: units of 16 bits as they are stored, two in a register.
template <int Atoms, int Registers>
struct packed_tile {
  using element_type = std::uint32_t;
  std::uint32_t atom[Atoms][Registers];
};
/// Pairs of 8-bit elements of `Count` groups of eight columns from group `first` of block m on, as accumulators hold
/// them: of sums, rounded now, or of a fragment that has been rounded before, which holds them as operands do.
template <class Out, int Count, class Consumer, class Source>
constexpr void take_pairs(Consumer& sm, const Source& x, int m, int first, std::uint32_t (&pair)[8]) {
  if constexpr (std::is_same_v<typename Source::element_type, float>) {
    for (int p = 0; p < 2 * Count; ++p)
      pair[p] = pack<Out>(sm.hw, x.atom[m][4 * first + 2 * p], x.atom[m][4 * first + 2 * p + 1]);
  } else {
    static_assert(Count == 4, "what has been rounded has whole K steps of 32 columns");
    std::uint32_t a[4]{};
    for (int i = 0; i < 4; ++i) a[i] = x.atom[m][first + i];
    take_operand(a, sm.thread % 32, pair, shuffle_of(sm.hw));
  }
}
/// The first Count of `unit` become registers `first`, `first` + 1 .. of block m of x as 16-bit units: those of a
/// fragment or a tile that is packed, or of sums, converted to elements of type Out as they are needed. `OfTwoRows`: of
/// 8-bit elements, see warp_stores.
template <class Out, int Count, bool OfTwoRows, class Consumer, class Source>
constexpr void pack_units(Consumer& sm, const Source& x, int m, int first, std::uint32_t (&unit)[4]) {
  using held = typename Source::element_type;
  if constexpr (OfTwoRows && !std::is_same_v<held, std::uint32_t>) {  // the lanes of two rows exchange what they hold
    std::uint32_t pair[8]{};
    take_pairs<Out, Count>(sm, x, m, first, pair);
    pair_rows<Count>(pair, sm.thread % 32, unit, shuffle_of(sm.hw));
  } else if constexpr (!std::is_same_v<held, float>) {
    for (int i = 0; i < Count; ++i) unit[i] = x.atom[m][first + i];
  } else if constexpr (element_of<Out>().bits == 16) {
    for (int i = 0; i < Count; ++i)
      unit[i] = pack<Out>(sm.hw, x.atom[m][2 * (first + i)], x.atom[m][2 * (first + i) + 1]);
  } else {  // of 8 bits: the lanes of a row exchange what they hold of 32 columns
    static_assert(Count == 4);
    std::uint32_t pair[8]{};
    take_pairs<Out, Count>(sm, x, m, first, pair);
    make_operand_8bit(pair, sm.thread % 32, unit, shuffle_of(sm.hw));
  }
}

/// All of x as it is stored, in units of 16 bits.
template <int I, class Consumer, class Source, int Atoms, int Registers>
constexpr void pack_tile(Consumer& sm, const Source& x, packed_tile<Atoms, Registers>& to) {
  using output_type = typename operand_at<typename Consumer::kernel, I>::element_type;
  constexpr warp_stores stores = stores_of(epilogue_of<typename Consumer::kernel, I>, element_of<output_type>().bits);
  constexpr int step = Registers % 4 == 0 ? 4 : Registers % 2 == 0 ? 2 : 1;
  if constexpr (Consumer::computes)
    for (int m = 0; m < Atoms; ++m)
      for (int i = 0; i < Registers; i += step) {
        std::uint32_t unit[4]{};
        pack_units<output_type, step, stores.of_two_rows()>(sm, x, m, i, unit);
        for (int q = 0; q < step; ++q) to.atom[m][i + q] = unit[q];
      }
}

/// stmatrix of one step of a warp's stores, turned or not.
template <warp_stores Stores, class Machine>
constexpr void store_matrices(Machine& hw, std::uint32_t to, const std::uint32_t (&unit)[4]) {
  if constexpr (Stores.transposed && Stores.blocks() == 4)
    hw.stmatrix_x4_trans(to, unit);
  else if constexpr (Stores.transposed && Stores.blocks() == 2)
    hw.stmatrix_x2_trans(to, unit);
  else if constexpr (Stores.transposed)
    hw.stmatrix_x1_trans(to, unit);
  else if constexpr (Stores.blocks() == 4)
    hw.stmatrix_x4(to, unit);
  else
    hw.stmatrix_x2(to, unit);
}

/// Writes the panel at `panel` from a part of x, converted to the element type of what it is a panel of.
template <epilogue_plan Panel, class Out, class Consumer, class Source>
constexpr void write_panel(Consumer& sm, const Source& x, panel_source from, std::uint32_t panel) {
  constexpr epilogue_plan e = Panel;
  using output_type = Out;
  constexpr element type = element_of<output_type>();
  constexpr warp_stores stores = stores_of(e, type.bits);
  constexpr int step = stores.step(), of_block = stores.columns_of_block();
  auto& hw = sm.hw;
  const int lane = sm.thread % 32, row = sm.thread / 32 * 16;
  const int warp_row = (e.transposed ? row % e.panel_cols : row) * stores.rows() / 16;  // in the panel, in units
  if constexpr (e.transposed && e.panel_cols < 64 && !Consumer::whole_warpgroup)
    if (row / e.panel_cols != from.row / e.panel_cols) return;  // another warp's
  const auto address = [&](int c, int n) {
    const coord at = stores.address(lane, n, c), begin = stores.in_panel(warp_row, c);
    const int offset = panel_offset(e.swizzle, e.row_bytes, stores.unit_bits, begin.row + at.row, begin.col + at.col);
    return panel + static_cast<std::uint32_t>(offset);
  };
  for (int c = 0; c < stores.along; c += step) {
    if constexpr (stores.unit_bits == 16) {
      std::uint32_t unit[4]{};
      if constexpr (Consumer::computes)
        pack_units<output_type, stores.blocks(), stores.of_two_rows()>(
            sm, x, from.block, (from.col / stores.columns() + c) / of_block, unit);
      store_matrices<stores>(hw, address(c, 0), unit);
    } else {
      const auto word = [&](int i) {  // (both by constants: registers have no address)
        const auto own = x.atom[from.block][(from.col + c) / 2 + i];
        const auto other = x.atom[from.block][(from.col + (c ^ stores.crossing)) / 2 + i];
        return __builtin_bit_cast(std::uint32_t, stores.crosses(lane) ? other : own);
      };
      for (int n = 0; n < stores.per_step(); ++n) {
        if constexpr (e.transposed)
          hw.store_shared(address(c, n), word(n));
        else
          hw.store_shared(address(c, n), word(2 * n), word(2 * n + 1));
      }
    }
  }
}

/// The same of output I.
template <int I, class Consumer, class Source>
constexpr void write_panel(Consumer& sm, const Source& x, panel_source from, std::uint32_t panel) {
  using kernel = typename Consumer::kernel;
  write_panel<epilogue_of<kernel, I>, typename operand_at<kernel, I>::element_type>(sm, x, from, panel);
}

/// Writes this consumer's part of a left factor that a product reads as `Tile`, which begins at `to`.
template <operand_tile Tile, class Consumer, class Factor>
constexpr void write_factor(Consumer& sm, const Factor& x, std::uint32_t to) {
  constexpr int blocks = panels(Tile) / Consumer::sharers;
  unroll<blocks>([&](auto m) {
    constexpr epilogue_plan panel = panel_of_placed(Tile);
    const int number = sm.share() * blocks + m;
    write_panel<panel, typename Factor::element_type>(sm, x, {m, 0, 0},
                                                      to + static_cast<std::uint32_t>(number * panel.panel_bytes));
  });
}

/// Waits until TMA has read all but the newest `Reading` of the batches this warpgroup stored.
template <int Reading, class Consumer>
constexpr void claim_buffers(Consumer& sm) {
  if (sm.thread == 0) sm.hw.template bulk_wait_read<Reading>();
  sm.hw.named_barrier_sync(epilogue_barrier(sm.index), warpgroup);
}

/// Copies the ragged columns, if a panel of this batch has them: a row per thread.
template <int I, class Consumer>
constexpr void copy_ragged(Consumer& sm, const tile_at<typename Consumer::kernel, I>& at,
                           [[maybe_unused]] const place_of_group<typename Consumer::kernel>& group, int first_row,
                           int first_col, std::uint32_t panel) {
  constexpr epilogue_plan e = epilogue_of<typename Consumer::kernel, I>;
  constexpr int bits = operand_facts_of<typename Consumer::kernel, I>().type.bits;
  constexpr int rank = operand_handle<typename Consumer::kernel, I>::rank;
  const output_place& out = sm.parameters.output[output_number<typename Consumer::kernel, I>];
  constexpr bool cut = cut_of<typename Consumer::kernel, I>() >= 0;
  int rows = out.rows, begin = 0;
  if constexpr (cut) {
    rows = group_for<typename Consumer::kernel, I>(group).size;
    begin = group_for<typename Consumer::kernel, I>(group).begin();
  }
  for (int r = sm.thread; r < e.panel_rows && first_row + r < rows; r += warpgroup) {
    unsigned char* to = out.data + (begin + first_row + r) * out.stride_bytes[rank - 2];
    for (int d = cut; d + 2 < rank; ++d) to += at.at[d] * out.stride_bytes[d];
    for (int col = out.whole_cols; col < out.cols; ++col) {
      const int from = panel_offset(e.swizzle, e.row_bytes, bits, r, col - first_col);
      sm.hw.template copy_to_global<bits / 8>(to + col * (bits / 8), panel + static_cast<std::uint32_t>(from));
    }
  }
}

/// Where the batch that begins with panel `first` of operand I lies in shared memory.
template <int I, class Consumer>
constexpr std::uint32_t batch_buffer(Consumer& sm, int first) {
  constexpr epilogue_plan e = epilogue_of<typename Consumer::kernel, I>;
  return sm.hw.shared_base() +
         static_cast<std::uint32_t>(e.offset + (sm.index * e.buffers + first % e.buffers) * e.panel_bytes);
}

/// Writes panels First .. First + batch - 1 of x into free buffers, so many behind those that they have by their
/// numbers.
template <int I, int First, class Consumer, class Source>
constexpr void write_batch(Consumer& sm, const Source& x, int further = 0) {
  constexpr epilogue_plan e = epilogue_of<typename Consumer::kernel, I>;
  constexpr matrix_extent tile = extent_of(operand_facts_of<typename Consumer::kernel, I>()), part = panel_extent(e);
  const std::uint32_t buffer = batch_buffer<I>(sm, First + further);
  unroll<e.batch>([&](auto b) {
    constexpr panel_source from = source_of_panel(e.transposed, tile, part, First + b);
    write_panel<I>(sm, x, from, buffer + static_cast<std::uint32_t>(b * e.panel_bytes));
  });
}

/// Has TMA store the panels first .. first + batch - 1 that were written, as part of operand I's tile `at`. Rows and
/// columns outside the tensor, or its group, are clipped by TMA.
template <int I, class Consumer>
constexpr void store_batch(Consumer& sm, const tile_at<typename Consumer::kernel, I>& at,
                           [[maybe_unused]] const place_of_group<typename Consumer::kernel>& group, int first,
                           int further = 0) {
  constexpr epilogue_plan e = epilogue_of<typename Consumer::kernel, I>;
  constexpr matrix_extent tile = extent_of(operand_facts_of<typename Consumer::kernel, I>()), part = panel_extent(e);
  constexpr int rank = operand_handle<typename Consumer::kernel, I>::rank;
  constexpr int along = operand_facts_of<typename Consumer::kernel, I>().mode_from_inside(0);
  constexpr int across = 2 * rank - 3 - along;  // the other one of the last two modes
  auto& hw = sm.hw;
  const std::uint32_t buffer = batch_buffer<I>(sm, first + further);
  hw.fence_proxy_async();
  if constexpr (e.by_halves())  // and so the other half is free for all who have met
    if (sm.thread == 0) hw.template bulk_wait_read<0>();
  hw.named_barrier_sync(epilogue_barrier(sm.index), warpgroup);
  // Element coordinates of the batch's first panel, innermost mode first.
  constexpr bool cut = cut_of<typename Consumer::kernel, I>() >= 0;
  int coordinate[rank + cut]{};
  for (int d = 2; d < rank; ++d) coordinate[d] = at.at[rank - 1 - d];  // batches
  const coord share = share_origin(e.transposed, tile, Consumer::sharers, sm.share());
  const int row = at.at[across] * tile.rows + share.row, col = at.at[along] * tile.cols + share.col;
  int shift = 0;  // from a row to its coordinate
  if constexpr (cut) {
    const group_place& own = group_for<typename Consumer::kernel, I>(group);
    own.put(coordinate);
    shift = own.shift;
  }
  const output_place& out = sm.parameters.output[output_number<typename Consumer::kernel, I>];
  if (sm.thread == 0) {
    // Nothing is asked before a store: what it has outside TMA drops, and ptxas 13.0 has lost a coordinate behind a
    // question (docs/design/hardware.md).
    SECTILE_UNROLL for (int b = 0; b < e.batch; ++b) {
      const coord origin = panel_origin(e.transposed, tile, part, first + b);
      coordinate[0] = out.first_col + col + origin.col;
      coordinate[1] = row + origin.row + shift;
      hw.tma_store(sm.parameters.map[I], buffer + static_cast<std::uint32_t>(b * e.panel_bytes), coordinate);
    }
    hw.bulk_commit();
  }
  if (out.whole_cols == out.cols) return;
  for (int b = 0; b < e.batch; ++b) {
    const coord origin = panel_origin(e.transposed, tile, part, first + b);
    const int from = col + origin.col;
    if (from <= out.whole_cols && out.whole_cols < from + e.panel_cols)
      copy_ragged<I>(sm, at, group, row + origin.row, from, buffer + static_cast<std::uint32_t>(b * e.panel_bytes));
  }
}

/// Stores all of x. Precondition: all buffers of output I are free (claim_buffers<0>), or those of the first batch are
/// where batches take turns.
template <int I, class Consumer, class Source>
constexpr void put_all(Consumer& sm, const tile_at<typename Consumer::kernel, I>& at, const Source& x) {
  constexpr epilogue_plan e = epilogue_of<typename Consumer::kernel, I>;
  unroll<e.panels / e.batch>([&](auto batch) {
    constexpr epilogue_plan same = epilogue_of<typename Consumer::kernel, I>;  // (nvcc sees no constants of outside)
    constexpr int first = batch * same.batch;
    constexpr bool in_turns = reclaims_in_turns(head_of<typename Consumer::kernel>);
    if constexpr (first >= (in_turns ? 1 : same.buffers)) claim_buffers<same.batches_in_flight()>(sm);
    write_batch<I, first>(sm, x);
    store_batch<I>(sm, at, sm.group, first);
  });
}

/// Where a packed tile's group is, which may be another than that of the tile that is made meanwhile.
template <class K, bool Cut = has_groups<K>>
struct group_kept {
  static constexpr no_group group{};
};
template <class K>
struct group_kept<K, true> {
  group_places<K> group{};
};

/// A packed tile of a kernel's only output on its way out, a batch at a time.
template <class K>
struct outbox : group_kept<K> {
  static constexpr int operand = work_operand<K>;
  static constexpr bool deferred = epilogue_of<K, operand>.deferred;
  static constexpr int panels = epilogue_of<K, operand>.panels, batch = epilogue_of<K, operand>.batch;
  static constexpr bool transposed = epilogue_of<K, operand>.transposed;
  static constexpr matrix_extent whole = extent_of(operand_facts_of<K, operand>());
  using element_type = typename operand_at<K, operand>::element_type;
  static constexpr int rows = transposed ? whole.cols : whole.rows, cols = transposed ? whole.rows : whole.cols;
  static constexpr int atoms = deferred ? rows / 64 / configuration_of<K>.sharers() : 1;  // of a fragment
  static constexpr int registers = deferred ? cols * element_of<element_type>().bits / 64 : 1;

  packed_tile<atoms, registers> tile{};
  tile_at<K, operand> at{};
  int next = panels;  // the panel to put out next; panels: nothing is left

  template <class Consumer, class Fragment>
  constexpr void fill(Consumer& sm, const tile_at<K, operand>& where, const Fragment& x) {
    pack_tile<operand>(sm, x, tile);
    at = where;
    if constexpr (has_groups<K>) this->group = sm.group;
    next = 0;
  }
  /// Puts out one batch if there is one. (Registers are named by constants, so each batch is written by code of its
  /// own; what follows is the same for all.)
  template <class Consumer>
  constexpr void put_next(Consumer& sm) {
    if (next == panels) return;
    claim_buffers<epilogue_of<K, operand>.batches_in_flight()>(sm);
    unroll<panels / batch>([&](auto i) {
      constexpr int first = i * batch;
      if (next == first) write_batch<operand, first>(sm, tile);
    });
    store_batch<operand>(sm, at, this->group, next);
    next += batch;
  }
  constexpr void put_rest(auto& sm) {
    for (int i = 0; i < panels / batch; ++i) put_next(sm);
  }
  /// The same, and says so to the compiler: nothing of the tile is needed any more.
  template <class Consumer>
  constexpr void empty(Consumer& sm) {
    put_rest(sm);
    next = panels;
    tile = {};
  }
};

}  // namespace sectile
