// How accumulators leave through shared memory: which panel a warpgroup writes, and what that costs in bank conflicts.
//
// A panel holds 64 rows of the output and is one swizzle span wide, or an odd number of 16 bytes (of 32-bit elements:
// of 32), whose rows meet in no bank without a swizzle. 16-bit outputs go through stmatrix (8 x 8 blocks), 32-bit ones
// through 8-byte stores of the two neighbouring columns that a thread holds, half of the lanes in other columns than
// the rest where a wide span's swizzle would have them meet (`crosses`). Elements of 8 bits travel two by two, as
// units of 16 bits: once the lanes have exchanged what they hold (layouts/operand_exchange.hpp), a thread has the units
// of a tile of half as many columns. Which width is chosen plan_epilogue() says; widths are tried against the same bank
// model that the proof uses.
//
// Where the configuration swaps, fragments hold the transpose, and where the output is col_major, memory does. With one
// of both the fragments' 64 rows lie along memory's: a panel has as many rows as divide the tile's, and stmatrix.trans
// or 4-byte stores turn them on the way. Two elements of 8 bits that memory has side by side are then of two rows of
// the fragment, which other lanes hold: layouts/row_pairs.hpp. (Rows and columns are memory's in this file.)
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/layouts/bank_passes.hpp>
#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/operand_tile.hpp>
#include <sectile/layouts/row_pairs.hpp>

namespace sectile {

/// Byte of element (row, col) in a panel with rows of so many bytes: of one span, if there is a swizzle.
constexpr int panel_offset(swizzle_mode mode, int row_bytes, int element_bits, int row, int col) {
  return static_cast<int>(byte_swizzle(mode)(row * row_bytes + col * element_bits / 8));
}

/// What is stored at once: an element, or two of 8 bits.
constexpr int unit_bits(int element_bits) { return element_bits < 16 ? 16 : element_bits; }
constexpr int elements_of_unit(int element_bits) { return unit_bits(element_bits) / element_bits; }

struct matrix_extent {
  int rows = 0, cols = 0;
};
/// Of an output's tile: how many rows it has in memory, and how long they are. (Rows of memory are columns of what is
/// col_major.)
constexpr matrix_extent extent_of(const operand_facts& f) { return {f.strided(), f.contiguous()}; }
constexpr matrix_extent panel_extent(const epilogue_plan& e) { return {e.panel_rows, e.panel_cols}; }

/// How a warp stores its 16 rows of a fragment into a panel. What lies along memory's rows is counted in units: the
/// fragment's columns, or its rows, if it is transposed.
struct warp_stores {
  int unit_bits = 16;
  bool transposed = false;
  int along = 8;     // columns of the fragment that are in one panel
  int elements = 1;  // of a unit
  int crossing = 0;  // of 32-bit units by rows: columns by which half of the lanes are apart from the others in a step

  /// Whether units are elements of two rows of the fragment: eight of them, and a block is as high as the warp's rows.
  constexpr bool of_two_rows() const { return transposed && elements == 2; }
  /// The fragment's rows that a warp has, as units.
  constexpr int rows() const { return of_two_rows() ? 8 : 16; }
  /// Columns of the fragment in a unit.
  constexpr int columns() const { return transposed ? 1 : elements; }
  /// Columns for each 8 x 8 block of 16-bit units, one register of each lane. (Of 16 rows two blocks have eight.)
  constexpr int columns_of_block() const { return 64 / rows(); }
  /// 8 x 8 blocks that a step stores, of 16-bit units.
  constexpr int blocks() const {
    return along % (4 * columns_of_block()) == 0 ? 4 : along % (2 * columns_of_block()) == 0 ? 2 : 1;
  }
  /// Columns of the fragment that one step covers: of 16-bit units those of its blocks, of 32-bit ones 8.
  constexpr int step() const { return unit_bits == 16 ? blocks() * columns_of_block() : 8; }
  /// Stores that a step takes.
  constexpr int per_step() const { return unit_bits == 16 ? 1 : transposed ? 4 : 2; }
  /// Bytes that a lane addresses: a row of an 8 x 8 block, two neighbours, or one element.
  constexpr int width() const { return unit_bits == 16 ? 16 : transposed ? 4 : 8; }
  /// Whether a lane is one of those: of the four rows that a pass of 16 lanes stores, in two the other columns. Where a
  /// swizzle would take two rows' 32 bytes to the same banks, they now go to others.
  constexpr bool crosses(int lane) const { return crossing > 0 && lane / 4 * crossing / 16 % 2 == 1; }
  /// The column at which a lane's part of the step begins that begins at column `c`.
  constexpr int column_of(int lane, int c) const { return crosses(lane) ? c ^ crossing : c; }
  /// Where `lane` addresses store number `n` of the step that begins at column `c`: row and column of the panel, from
  /// where the warp's part of the step begins.
  constexpr coord address(int lane, int n, int c = 0) const {
    if (unit_bits == 32)
      return transposed ? coord{2 * (lane % 4) + n % 2, lane / 4 + 8 * (n / 2)}
                        : coord{lane / 4 + 8 * n, 2 * (lane % 4) + column_of(lane, c) - c};
    if (!transposed) return blocks() == 4 ? stmatrix_row_address(lane) : stmatrix_x2_row_address(lane);
    const int counts = lane % (8 * blocks());  // the others repeat the addresses of these
    const coord held = of_two_rows() ? stmatrix_row_pair_address(counts) : stmatrix_column_address(counts);
    return {held.col, held.row};
  }
  /// The degree of the bank conflict where lanes address these bytes.
  constexpr int conflicts(auto lane_address) const {
    return (unit_bits == 16 ? worst_pass(lane_address, 16, 8 * blocks()) : worst_pass(lane_address, width())).degree;
  }
  /// Unit (row, col) of a warp's rows, in the panel: from where they begin.
  constexpr coord in_panel(int row, int col) const { return transposed ? coord{col, row} : coord{row, col}; }
};
/// The crossing of stores into a span of 32-bit units: half of its columns, where it has several steps.
constexpr int crossing_of(swizzle_mode mode) {
  return mode == swizzle_mode::b128 ? 16 : mode == swizzle_mode::b64 ? 8 : 0;
}
constexpr warp_stores stores_of(const epilogue_plan& e, int element_bits) {
  const int elements = elements_of_unit(element_bits), bits = unit_bits(element_bits);
  return {bits, e.transposed, e.transposed ? e.panel_rows : e.panel_cols / elements, elements,
          bits == 32 && !e.transposed ? crossing_of(e.swizzle) : 0};
}

/// The panel of a left factor that is placed (see placed_plan): a fragment's block of 64 rows, turned as a panel of an
/// output would be where the configuration swaps.
constexpr epilogue_plan panel_of_placed(const operand_tile& t) {
  return {.transposed = true,
          .panel_rows = t.mn,
          .panel_cols = panel_width(t),
          .row_bytes = span_bytes(t.swizzle),
          .panel_bytes = panel_bytes(t),
          .panels = panels(t),
          .swizzle = t.swizzle};
}
/// Byte of element (n, k) of the factor, from where it begins.
constexpr int placed_byte(const operand_tile& t, int n, int k) {
  const epilogue_plan e = panel_of_placed(t);
  return k / e.panel_cols * e.panel_bytes + panel_offset(e.swizzle, e.row_bytes, t.element_bits, n, k % e.panel_cols);
}

/// Which part of a consumer's share of the output's tile is its panel number `n`: the first row and column. (Of
/// numbers, not of a plan: in a kernel that would be an object in memory.)
constexpr coord panel_origin(bool transposed, matrix_extent tile, matrix_extent panel, int n) {
  const int down = tile.rows / panel.rows, across = tile.cols / panel.cols;
  return transposed ? coord{n % down * panel.rows, n / down * panel.cols}
                    : coord{n / across * panel.rows, n % across * panel.cols};
}
/// Where share number `n` of a tile begins: its consumers share the fragments' rows.
constexpr coord share_origin(bool transposed, matrix_extent tile, int sharers, int n) {
  return transposed ? coord{0, n * (tile.cols / sharers)} : coord{n * (tile.rows / sharers), 0};
}
/// Which part of a consumer's fragment becomes a panel: the m64 block, and where in it the panel begins.
struct panel_source {
  int block = 0, row = 0, col = 0;
};
constexpr panel_source source_of_panel(bool transposed, matrix_extent tile, matrix_extent panel, int n) {
  const coord at = panel_origin(transposed, tile, panel, n);
  return transposed ? panel_source{at.col / 64, at.col % 64, at.row} : panel_source{at.row / 64, 0, at.col};
}

/// The worst bank conflict of one warp's stores into a panel, over all that it writes.
constexpr int panel_conflicts(swizzle_mode mode, int row_bytes, const warp_stores& s) {
  int worst = 1;
  for (int c = 0; c < s.along; c += s.step()) {
    const coord from = s.in_panel(0, c);
    const auto lane_address = [&](int lane) {
      const coord at = s.address(lane, 0, c);
      return panel_offset(mode, row_bytes, s.unit_bits, from.row + at.row, from.col + at.col);
    };
    const int degree = s.conflicts(lane_address);
    if (degree > worst) worst = degree;
  }
  return worst;
}

/// Rows of a panel: the 64 of an instruction; transposed, a part of the tile's that is not much more, if there is one
/// that `room` bytes hold, or whatever part they do.
constexpr int rows_of_panel(bool transposed, int tile_rows, int element_bits, int room) {
  if (!transposed) return 64;
  const int fitting = room / span_bytes(swizzle_mode::b128);
  // By 32 of 8-bit elements, by 16 of wider ones stmatrix stores four blocks at once.
  for (int unit = element_bits == 8 ? 32 : 16; unit >= 8; unit /= 2)
    for (int rows = 96; rows >= 32; rows -= unit)
      if (rows <= fitting && tile_rows % rows == 0) return rows;
  int rows = tile_rows;
  while (rows > 8 && (rows > fitting || tile_rows % rows != 0)) rows -= 8;
  return rows;
}

/// Whether a consumer may keep a tile for the next one's products, beside which it stores it (plan/build.hpp).
constexpr bool may_defer(const configuration& how) { return how.persistent && !how.pingpong && !how.own_tiles; }

/// The panel for output `o`, of the widths that divide its tile, the first without conflicts, else with the fewest: a
/// span of 128 or 64 bytes, which TMA stores in whole sectors; the widest without a swizzle, if it takes no more than
/// `room` bytes; or a narrow span. Of consumers with tiles of their own, each of which stores all of one at once, two
/// have to fit if they can: one is filled while TMA reads the other. (On an H200 tiles of 176 columns took a tenth less
/// time in panels of 88 than in panels of 16, tiles of 160 took 2 to 5 % more in panels of 40 than in panels of 32, own
/// tiles of 192 columns 3 to 7 % less in three panels of 32 than in one of 64 where sums are short. Rows of 32 bytes
/// keep TMA busy: 128 x 256 of f32 came to take as long as of bf16 and the bytes when its panels had 32 columns in
/// place of 8.)
constexpr epilogue_plan plan_epilogue(const plan& p, int o, int room) {
  const operand_facts& f = p.operand[o].facts;
  epilogue_plan e{};
  e.operand = o;
  e.transposed = leaves_transposed(f, p.how);
  e.panel_rows = rows_of_panel(e.transposed, f.strided(), f.type.bits, room);
  const int step = e.transposed ? 16 : f.type.bits == 8 ? a_columns(8) : 8;  // a warp's rows, an exchange's, a store's
  const int widest = e.transposed ? 64 : tma_max_box_extent;                 // a block of the fragment's rows
  const auto try_panel = [&](swizzle_mode mode, int cols) {
    if (e.bank_conflicts == 1 || cols > widest || cols % step != 0 || f.contiguous() % cols != 0) return;
    epilogue_plan tried = e;
    tried.swizzle = mode;
    tried.panel_cols = cols;
    tried.row_bytes = cols * f.type.bits / 8;
    tried.bank_conflicts = panel_conflicts(mode, tried.row_bytes, stores_of(tried, f.type.bits));
    if (tried.bank_conflicts < e.bank_conflicts) e = tried;
  };
  const auto try_span = [&](swizzle_mode mode) {
    const bool narrows = f.type.bits == 32 || e.transposed;  // where it would not fit
    if (!narrows || mode == swizzle_mode::b32 || e.panel_rows * span_bytes(mode) <= room)
      try_panel(mode, span_bytes(mode) * 8 / f.type.bits);
  };
  e.bank_conflicts = 1 << 30;
  if (!e.transposed && p.how.own_tiles)
    for (const swizzle_mode mode : {swizzle_mode::b128, swizzle_mode::b64})
      if (2 * e.panel_rows * span_bytes(mode) <= room) try_span(mode);
  try_span(swizzle_mode::b128);
  if (f.type.bits < 32 || e.transposed) try_span(swizzle_mode::b64);
  if (e.bank_conflicts > 1 && !e.transposed && f.type.bits > 8)
    for (int cols = tma_max_box_extent - 8; cols * f.type.bits > 8 * span_bytes(swizzle_mode::b32); cols -= 16)
      if (e.panel_rows * cols * f.type.bits / 8 <= room) try_panel(swizzle_mode::none, cols);
  for (const swizzle_mode mode : {swizzle_mode::b64, swizzle_mode::b32, swizzle_mode::none}) try_span(mode);
  e.panel_bytes = e.panel_rows * e.row_bytes;
  e.panels = f.strided() / e.panel_rows * (f.contiguous() / e.panel_cols) / p.how.sharers();
  return e;
}

/// Whether a tile's panels fill each buffer as often: its first one follows the last of the tile before, in their
/// turns.
constexpr bool fills_whole_turns(const epilogue_plan& e) { return e.panels % e.buffers == 0; }

/// Whether each batch waits for its own buffers only, the oldest: where one output's tiles follow each other, in a walk
/// or in a loop. Else the first batch of a tile finds all buffers free.
constexpr bool reclaims_in_turns(const plan_head& p) {
  return p.epilogues == 1 && (p.how.persistent || p.whole_rows) && !p.epilogue[0].deferred &&
         fills_whole_turns(p.epilogue[0]);
}

// ---- buffers: each output has its own, so that one is filled while TMA still reads another's

/// While one half is being stored, the other is filled; or while all others are, one is.
constexpr void set_buffers(epilogue_plan& e, int buffers) {
  e.buffers = buffers;
  e.batch = !fills_whole_turns(e) ? 1 : buffers % 2 ? buffers : buffers / 2;
}
/// What epilogue `n` takes of shared memory if each consumer has so many buffers. The next one begins where any swizzle
/// pattern does.
constexpr int buffer_bytes(const plan& p, int n, int buffers) {
  const int bytes = p.how.consumers * buffers * p.epilogue[n].panel_bytes;
  return n + 1 < p.epilogues ? round_up(bytes, shared_alignment) : bytes;
}
/// The least that epilogue `n` and those behind it take: one buffer for each output and warpgroup.
constexpr int least_buffer_bytes(const plan& p, int n) {
  int bytes = 0;
  for (; n < p.epilogues; ++n) bytes += buffer_bytes(p, n, 1);
  return bytes;
}
/// Gives every epilogue an equal part of `space` bytes from `at` on, and what those before it have left: as many
/// buffers as there is room for, of a number that divides its panels, and no more than the configuration wants. If that
/// is one alone, any number, as tiles are stored at once: on an H200 five and six buffers for seven panels made short
/// sums 2 to 5 % faster. (Where tiles go out beside products they made them up to 10 % slower: one buffer keeps stores
/// apart, so that loads get through.) Returns where they end. Precondition: there is room for the least.
constexpr int place_buffers(plan& p, int at, int space) {
  int most = max_epilogue_buffers / p.how.consumers;
  for (int n = 0; n < p.epilogues; ++n) {
    epilogue_plan& e = p.epilogue[n];
    const int sharers = p.epilogues - n, equal = space / sharers, left = space - least_buffer_bytes(p, n + 1);
    const int room = equal < left ? equal : left;
    if (const int both = 2 * e.panels;  // one half is filled while TMA reads the other
        p.operand[e.operand].facts.of_trips && both <= most - sharers + 1 && buffer_bytes(p, n, both) <= left) {
      e.buffers = both;
      e.batch = e.panels;
      e.offset = at;
      at += buffer_bytes(p, n, both);
      space -= buffer_bytes(p, n, both);
      most -= both;
      continue;
    }
    int fitting = p.how.output_buffers > 0 && p.how.output_buffers < e.panels ? p.how.output_buffers : e.panels;
    while (fitting > 1 && (buffer_bytes(p, n, fitting) > room || fitting * sharers > most)) --fitting;
    int buffers = fitting;
    while (e.panels % buffers != 0) --buffers;
    if (const int groups = max_store_groups / p.epilogues; buffers == 1 && !may_defer(p.how))
      buffers = fitting < groups ? fitting : groups;
    set_buffers(e, buffers);
    e.offset = at;
    at += buffer_bytes(p, n, buffers);
    space -= buffer_bytes(p, n, buffers);
    most -= buffers;
  }
  return at;
}

}  // namespace sectile
