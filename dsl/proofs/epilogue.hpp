// Proof 6, the other half: the lowered epilogue of each output moves every element of the sums to where TMA (or a
// thread, of ragged columns) takes it for that output.
//
// The roles' own functions run on a machine whose registers hold their names, so what arrives in shared memory says
// where it comes from. Threads and panels are looked at one after the other: all lanes of a warp in one panel (other
// warps do the same 16 rows further down), and one thread in all panels.
#pragma once
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/roles/epilogue.hpp>
#include <sectile/dsl/roles/machine_under_test.hpp>
#include <sectile/dsl/roles/scatter.hpp>

namespace sectile {

/// What a thread does in an epilogue.
struct pen_stroke {
  enum { write, store, copy } what = write;  // into a panel; of a panel by TMA; of one element by the thread
  std::uint32_t at = 0;                      // address in shared memory
  std::uint32_t named[4]{};                  // write: the units, two to a word of 16-bit ones
  int col = 0, row = 0;                      // store: coordinates in the output
  long long to = 0;                          // copy: byte in the output
};

/// The output of a ragged problem as it lies in memory. (Nobody reads or writes it; addresses are compared.)
template <int Bytes>
inline unsigned char paper[Bytes];

/// Writes down what a thread does to store output I.
template <class K, int I>
struct pen {
  static constexpr epilogue_plan e = epilogue_of<K, I>;
  static constexpr int panels = e.panels, room = 64 + panels * (40 + (e.transposed ? e.panel_rows / 2 : 0));
  static constexpr matrix_extent tile = extent_of(operand_plan_of<K, I>.facts);
  static constexpr int paper_bytes = tile.rows * tile.cols * 4;
  struct tensor_map {};
  int count = 0;
  pen_stroke done[room]{};

  constexpr pen_stroke& add(const pen_stroke& s) {
    const int at = count;
    if (count < room - 1) ++count;
    return done[at] = s;
  }
  constexpr std::uint32_t shared_base() const { return 0; }
  static constexpr int thread() { return warpgroup; }  // of the first consumer
  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&r)[4]) {
    add({pen_stroke::write, to, {r[0], r[1], r[2], r[3]}});
  }
  constexpr void stmatrix_x2(std::uint32_t to, const std::uint32_t (&r)[4]) {
    add({pen_stroke::write, to, {r[0], r[1]}});
  }
  constexpr void stmatrix_x4_trans(std::uint32_t to, const std::uint32_t (&r)[4]) { stmatrix_x4(to, r); }
  constexpr void stmatrix_x2_trans(std::uint32_t to, const std::uint32_t (&r)[4]) { stmatrix_x2(to, r); }
  constexpr void stmatrix_x1_trans(std::uint32_t to, const std::uint32_t (&r)[4]) {
    add({pen_stroke::write, to, {r[0]}});
  }
  constexpr void store_shared(std::uint32_t to, std::uint32_t x, std::uint32_t y) {
    add({pen_stroke::write, to, {x, y}});
  }
  constexpr void store_shared(std::uint32_t to, std::uint32_t x) { add({pen_stroke::write, to, {x}}); }
  constexpr std::uint32_t pack_bf16(float low, float high) const {
    return static_cast<std::uint32_t>(low) | static_cast<std::uint32_t>(high) << 16;
  }
  constexpr std::uint32_t pack_f16(float low, float high) const { return pack_bf16(low, high); }
  constexpr std::uint32_t pack_e4m3(float low, float high) const {
    return static_cast<std::uint32_t>(low) | static_cast<std::uint32_t>(high) << 8;
  }
  constexpr std::uint32_t pack_e5m2(float low, float high) const { return pack_e4m3(low, high); }
  constexpr std::uint32_t pack_s8(float low, float high) const { return pack_e4m3(low, high); }
  constexpr std::uint32_t pack_u8(float low, float high) const { return pack_e4m3(low, high); }
  /// As if all lanes held the same: see check_exchange().
  constexpr std::uint32_t shuffle(std::uint32_t word, int) const { return word; }
  template <int Rank>
  constexpr void tma_store(const tensor_map&, std::uint32_t from, const int (&c)[Rank]) {
    add({pen_stroke::store, from, {}, c[0], c[1]});
  }
  template <int Bytes>
  constexpr void copy_to_global(unsigned char* to, std::uint32_t from) {
    add({pen_stroke::copy, from}).to = to - paper<paper_bytes>;
  }
  constexpr void warp_sync() {}
  constexpr void fence_proxy_async() {}
  constexpr void bulk_commit() {}
  template <int N>
  constexpr void bulk_wait_read() {}
  constexpr void named_barrier_sync(int, int) {}
  constexpr void named_barrier_arrive(int, int) {}
};

/// The part of a consumer that its epilogue looks at.
template <class K, int I, class Machine>
struct epilogue_hand {
  using kernel = K;
  static constexpr bool computes = true, whole_warpgroup = false;
  static constexpr int sharers = head_of<K>.how.sharers();
  Machine& hw;
  const parameters_for<K, Machine>& parameters;
  int index, thread;
  place_of_group<K> group = only_group(parameters.output[output_number<K, I>].rows);
  constexpr int share() const { return index % sharers; }

 private:
  static constexpr place_of_group<K> only_group([[maybe_unused]] int rows) {
    place_of_group<K> all{};
    if constexpr (cut_of<K, I>() >= 0) all.of[cut_by<K, I>] = {0, rows, rows};
    return all;
  }
};

/// Registers of block m that hold their names: `Names` * m + the number of the register, as of 32-bit elements. (Words
/// are two units each.)
template <class T>
struct named_block {
  int first = 0;
  constexpr auto operator[](int i) const {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, s32>)
      return static_cast<T>(first + i);
    else
      return static_cast<std::uint32_t>((first + 2 * i) | (first + 2 * i + 1) << 16);
  }
};
/// Elements of 8 bits as operands hold them, four to a register, each its number in the thread.
struct numbered_block {
  int first = 0;
  constexpr std::uint32_t operator[](int i) const {
    return static_cast<std::uint32_t>(first + 4 * i) * 0x0101'0101u + 0x0302'0100u;
  }
};
template <class T, int Atoms, int Names, class Block = named_block<T>>
struct named_tile {
  using element_type = T;
  Block atom[Atoms]{};
  constexpr named_tile() {
    for (int m = 0; m < Atoms; ++m) atom[m].first = m * Names;
  }
};

/// An output of one tile, or a little less.
template <class K, int I, class Machine>
constexpr parameters_for<K, Machine> epilogue_problem(bool ragged) {
  const operand_facts& out = operand_plan_of<K, I>.facts;
  const int piece = 128 / out.type.bits;  // elements in 16 bytes
  parameters_for<K, Machine> p{};
  output_place& place = p.output[output_number<K, I>];
  place.rows = out.strided() - (ragged ? 5 : 0);
  place.cols = out.contiguous() - (ragged ? piece / 2 - 1 : 0);
  place.whole_cols = place.cols / piece * piece;
  place.data = paper<pen<K, I>::paper_bytes>;
  place.stride_bytes[out.tile.rank - 2] = out.contiguous() * out.type.bits / 8;
  return p;
}
template <class K, int I, class Machine, bool Ragged>
inline constexpr parameters_for<K, Machine> epilogue_problem_of = epilogue_problem<K, I, Machine>(Ragged);

/// The epilogue of K for output I when it stores elements of type T.
template <class K, int I, class T>
struct epilogue_trial {
  using machine = typename machine_under_test<K, pen<K, I>>::type;
  using hand = epilogue_hand<K, I, machine>;
  static constexpr epilogue_plan e = epilogue_of<K, I>;
  static constexpr operand_facts out = operand_plan_of<K, I>.facts;
  static constexpr warp_stores stores = stores_of(e, out.type.bits);
  static constexpr int bits = stores.unit_bits, elements = elements_of_unit(out.type.bits);
  /// m64 blocks of a consumer's fragment.
  static constexpr matrix_extent tile = extent_of(out);
  static constexpr int atoms = (e.transposed ? tile.cols : tile.rows) / 64 / head_of<K>.how.sharers();
  static constexpr int block_names = (e.transposed ? tile.rows : tile.cols) / 2;  // as of 32-bit elements
  static_assert(atoms * block_names <= 1 << 16, "two names are to fit into a word");
  static constexpr tma_box box = box_of(out, e.swizzle, e.panel_cols, e.panel_rows);
  static constexpr named_tile<T, atoms, block_names> named{};

  static constexpr violation wrong(const char* what, int row, int col) {
    return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": row ", row, ", column ", col,
                  " of a panel ", what);
  }
  /// The name in word `part` of what was written, two to a word where units have 16 bits.
  static constexpr int name(const pen_stroke& s, int part) {
    if constexpr (bits == 16) return static_cast<int>(s.named[part / 2] >> 16 * (part % 2) & 0xFFFF);
    if constexpr (std::is_same_v<T, float>) return static_cast<int>(__builtin_bit_cast(float, s.named[part]));
    return static_cast<int>(s.named[part]);
  }
  /// Where a warp holds the unit of that name: row and column of its part of the fragment, rows in units.
  static constexpr coord held(int lane, int name) {
    return stores.of_two_rows() ? row_pair_coord(lane, name / 2, name % 2) : d_coord(lane, name);
  }
  /// Row and column of the unit at a byte of a panel.
  static constexpr coord place(std::uint32_t at) {
    const int linear = static_cast<int>(byte_swizzle(e.swizzle)(at));
    return {linear / e.row_bytes, linear % e.row_bytes * 8 / bits};
  }

  /// Stores all panels of x, at once or deferred. (What is scattered of a panel is proven in scatters.hpp.)
  static constexpr void put_out(hand& sm, const auto& x) {
    if constexpr (out.is_scattered()) {
      unroll<e.panels / e.batch>([&](auto batch) {
        put_panels<I, batch * epilogue_of<K, I>.batch>(sm, x, [&](int panel, std::uint32_t from) {
          const coord at = panel_origin(false, tile, panel_extent(e), panel);
          const coord share = share_origin(false, tile, hand::sharers, sm.share());
          sm.hw.add({pen_stroke::store, from, {}, share.col + at.col, share.row + at.row});
        });
      });
    } else if constexpr (e.deferred) {
      outbox<K> o{};
      o.fill(sm, {}, x);
      o.put_rest(sm);
    } else {
      put_all<I>(sm, {}, x);
    }
  }

  /// One panel: what each lane of a warp holds goes where TMA takes it, and nothing is left out.
  static constexpr violation check_lanes() {
    machine lane[32]{};
    for (int l = 0; l < 32; ++l) {
      hand sm{lane[l], epilogue_problem_of<K, I, machine, false>, 0, l};
      write_panel<I>(sm, named, {}, 0u);
    }
    // What a lane addresses: elements that lie side by side in the panel.
    constexpr int unit = stores.width() * 8 / bits, matrices = bits == 16 ? stores.blocks() : 1;
    bool seen[stores.rows()][stores.along]{};  // of the fragment
    for (int n = 0; n < lane[0].count; ++n)
      for (int addressing = 0; addressing < (bits == 16 ? 8 * matrices : 32); ++addressing) {
        const std::uint32_t to = lane[addressing].done[n].at;
        const coord at = place(to);
        if (at.col % unit || at.row >= e.panel_rows ||
            smem_offset(box, at.col * elements, at.row) != static_cast<int>(to))
          return wrong("is not where a warp's part of it is written", at.row, at.col);
        for (int i = 0; i < unit; ++i) {
          const coord element = stores.in_panel(at.row, at.col + i);  // and back: the same exchange
          if (element.row >= stores.rows())
            return wrong("is not where a warp's part of it is written", at.row, at.col + i);
          if (seen[element.row][element.col]) return wrong("is written twice", at.row, at.col + i);
          seen[element.row][element.col] = true;
          // Row r of matrix q is at the address of lane 8 q + r, and comes from four lanes, of a transposed matrix from
          // eight; a plain store is its lane's.
          const int r = addressing % 8;
          const int from = bits != 16 ? addressing : e.transposed ? i * 4 + r / 2 : r * 4 + i / 2;
          const int part = bits != 16 ? i : addressing / 8 * 2 + (e.transposed ? r : i) % 2;
          if (held(from, name(lane[from].done[n], part)) != element)
            return wrong("is written from a register that holds another element", at.row, at.col + i);
        }
      }
    for (int row = 0; row < stores.rows(); ++row)
      for (int col = 0; col < stores.along; ++col)
        if (!seen[row][col]) return wrong("is never written", row, col);
    for (const int other : {32, 63, 64, 95, 96, 127}) {
      const int rows = other / 32 * 16;  // of the fragment, before those of this warp
      const int first = e.transposed ? rows / e.panel_cols * e.panel_cols : 0;
      const coord shift = stores.in_panel((rows - first) * stores.rows() / 16, 0);
      machine hw{};
      hand sm{hw, epilogue_problem_of<K, I, machine, false>, 0, other};
      write_panel<I>(sm, named, {0, first, 0}, 0u);
      const machine& same_lane = lane[other % 32];
      for (int n = 0; n < same_lane.count; ++n) {
        const pen_stroke &x = same_lane.done[n], &y = hw.done[n];
        const coord here = place(x.at);
        bool same = hw.count == same_lane.count && place(y.at) == coord{here.row + shift.row, here.col + shift.col};
        for (int q = 0; q < 4; ++q) same = same && x.named[q] == y.named[q];
        if (!same) return wrong("is not written by the warp that holds it", shift.row, shift.col);
      }
    }
    return {};
  }

  /// The panel at (row, col) of the output's tile, of a consumer's; -1: none of its panels begins there.
  static constexpr int panel_at(int consumer, int row, int col) {
    const coord share = share_origin(e.transposed, tile, hand::sharers, consumer % hand::sharers);
    for (int n = 0; n < e.panels; ++n) {
      const coord at = panel_origin(e.transposed, tile, panel_extent(e), n);
      if (at.row + share.row == row && at.col + share.col == col) return n;
    }
    return -1;
  }

  /// All panels of a consumer: one thread writes in each what it writes in the first, from registers further on. (Of
  /// narrow transposed panels it has a part in some only.)
  static constexpr violation check_all_panels(int consumer) {
    machine one{}, all{};
    constexpr const auto& whole = epilogue_problem_of<K, I, machine, false>;
    hand first{one, whole, consumer, 0}, sm{all, whole, consumer, 0};
    write_panel<I>(first, named, {}, 0u);
    put_out(sm, named);
    bool stored[e.panels]{};
    int batch = -1, written = 0, behind_stores = 0;  // where the batch's strokes begin; behind the last store
    for (int n = 0; n < all.count; ++n) {
      const pen_stroke& s = all.done[n];
      if (s.what == pen_stroke::write) continue;
      const int panel = panel_at(consumer, s.row, s.col);
      if (panel < 0) return wrong("is where a store begins, and no panel does", s.row, s.col);
      if (stored[panel]) return wrong("is stored twice", s.row, s.col);
      stored[panel] = true;
      if (panel / e.batch != batch) batch = panel / e.batch, written = behind_stores;
      behind_stores = n + 1;
      const panel_source from = source_of_panel(e.transposed, tile, panel_extent(e), panel);
      const int further = from.block * block_names + from.col / elements / 2;
      const int writes = from.row > 0 ? 0 : one.count;
      int k = 0;
      for (int w = written; w < n; ++w) {
        const std::uint32_t behind = all.done[w].at - s.at;
        if (all.done[w].what != pen_stroke::write || behind >= static_cast<std::uint32_t>(e.panel_bytes)) continue;
        bool right = k < writes && behind == one.done[k].at;
        for (int part = 0; right && part < (bits == 16 ? 2 * stores.blocks() : stores.width() / 4); ++part)
          right = name(all.done[w], part) == name(one.done[k], part) + further;
        if (!right) return wrong("holds what belongs elsewhere", s.row, s.col);
        ++k;
      }
      if (k != writes) return wrong("is stored before it is written", s.row, s.col);
    }
    for (int n = 0; n < e.panels; ++n) {
      const coord at = panel_origin(e.transposed, tile, panel_extent(e), n);
      if (!stored[n]) return wrong("is never stored", at.row, at.col);
    }
    return {};
  }

  /// Whether what the thread of `m` wrote last into the buffer of panel n, before its stroke number `now`, is of that
  /// panel. (In some narrow transposed panels it has no part.)
  static constexpr bool is_last_written(const machine& m, int thread, int now, int n) {
    const panel_source from = source_of_panel(e.transposed, tile, panel_extent(e), n);
    if (e.transposed && thread / 32 * 16 / e.panel_cols != from.row / e.panel_cols) return true;
    for (int w = now - 1; w >= 0; --w) {
      const int behind = static_cast<int>(m.done[w].at) - e.offset;
      if (m.done[w].what != pen_stroke::write || behind / e.panel_bytes % e.buffers != n % e.buffers) continue;
      const int first = name(m.done[w], 0), col = held(0, first % block_names).col;
      return first / block_names == from.block && col / stores.along == from.col / stores.columns() / stores.along;
    }
    return false;
  }

  /// Columns that TMA cannot store: a thread copies those of its rows, from where they are written.
  static constexpr violation check_ragged(int consumer, int thread) {
    constexpr const output_place& output = epilogue_problem_of<K, I, machine, true>.output[output_number<K, I>];
    machine all{};
    hand sm{all, epilogue_problem_of<K, I, machine, true>, consumer, thread};
    put_out(sm, named);
    const coord share = share_origin(e.transposed, tile, hand::sharers, consumer % hand::sharers);
    int next = 0;
    for (int n = 0; n < e.panels; ++n) {
      const coord begin = panel_origin(e.transposed, tile, panel_extent(e), n);
      const int first_row = share.row + begin.row, first_col = share.col + begin.col;
      const int buffer = e.offset + (consumer * e.buffers + n % e.buffers) * e.panel_bytes;
      for (int r = thread; r < e.panel_rows && first_row + r < output.rows; r += warpgroup)
        for (int col = output.whole_cols; col < output.cols; ++col) {
          if (col < first_col || col >= first_col + e.panel_cols) continue;
          while (next < all.count && all.done[next].what != pen_stroke::copy) ++next;
          const pen_stroke& s = all.done[next];
          constexpr int bytes = out.type.bits / 8;
          if (next == all.count || s.to != static_cast<long long>(first_row + r) * tile.cols * bytes + col * bytes)
            return wrong("is a ragged column that is not copied to its place", first_row + r, col);
          if (static_cast<int>(s.at) != buffer + smem_offset(box, col - first_col, r) ||
              !is_last_written(all, thread, next, n))
            return wrong("is a ragged column that is copied from another place", first_row + r, col);
          ++next;
        }
    }
    for (; next < all.count; ++next)
      if (all.done[next].what == pen_stroke::copy) return wrong("is copied besides the ragged columns", thread, 0);
    return {};
  }

  /// What an exchange makes of the thread's elements `first` .. of the columns of one step, if all lanes were this one.
  static constexpr void exchange(int first, std::uint32_t (&unit)[4]) {
    constexpr auto alone = [](std::uint32_t word, int) { return word; };
    const auto two = [&](int i) { return static_cast<std::uint32_t>((first + i) | (first + i + 1) << 8); };
    std::uint32_t pair[8]{}, a[4]{};
    for (int p = 0; p < 8; ++p) pair[p] = two(2 * p);
    for (int i = 0; i < 4; ++i) a[i] = two(4 * i) | two(4 * i + 2) << 16;
    if constexpr (!std::is_same_v<T, float>) take_operand(a, 0, pair, alone);
    if constexpr (stores.of_two_rows())
      pair_rows<stores.blocks()>(pair, 0, unit, alone);
    else
      make_operand_8bit(pair, 0, unit, alone);
  }
  /// Elements of 8 bits are exchanged where they are stored: each exchange is given the thread's elements of the
  /// columns that it makes units of. What it makes of them is proven of the exchange; here all lanes are this one, and
  /// an element's name is its number in the thread, which has 8 bits.
  static constexpr violation check_exchange() {
    static_assert(atoms * block_names <= 256);
    constexpr bool rounded = !std::is_same_v<T, float>;
    constexpr named_tile<T, atoms, block_names, std::conditional_t<rounded, numbered_block, named_block<T>>> given{};
    machine all{};
    hand sm{all, epilogue_problem_of<K, I, machine, false>, 0, 0};
    put_out(sm, given);
    int written = 0;
    for (int n = 0; n < all.count; ++n) {
      if (all.done[n].what != pen_stroke::write) continue;
      constexpr int steps = stores.along / stores.step(), columns = stores.step() * stores.columns();
      const panel_source from = source_of_panel(e.transposed, tile, panel_extent(e), written / steps);
      const int col = from.col + written % steps * columns;
      std::uint32_t unit[4]{};
      exchange(from.block * block_names + col / 2, unit);
      for (int word = 0; word < stores.blocks(); ++word)
        if (all.done[n].named[word] != unit[word]) return wrong("is made of other elements", from.row, col);
      ++written;
    }
    return {};
  }

  static constexpr violation check() {
    if (const violation v = check_lanes(); !v.holds()) return v;
    for (int consumer = 0; consumer < head_of<K>.how.consumers; ++consumer) {
      if (const violation v = check_all_panels(consumer); !v.holds()) return v;
      for (const int thread : {0, 63, 64})
        if (out.is_scattered())
          break;  // rows of whole pieces, which its threads copy anyway
        else if (const violation v = check_ragged(consumer, thread); !v.holds())
          return v;
    }
    return {};
  }
};

/// What is stored are sums, or, of 16-bit and 8-bit outputs, elements that have been rounded before.
template <class K, int I>
constexpr violation check_epilogue() {
  using stored = typename operand_at<K, I>::element_type;
  // (Of `stored`: what hangs on no parameter would be computed for every kernel, whatever it stores.)
  constexpr int bits = element_of<stored>().bits;
  constexpr warp_stores stores = stores_of(epilogue_of<K, I>, bits);
  if constexpr (bits == 32) {
    return epilogue_trial<K, I, stored>::check();
  } else if constexpr (stores.of_two_rows()) {
    static_assert(exchange_pairs_rows<stores.blocks()>() && exchange_takes_operand(bits));
    if (const violation v = epilogue_trial<K, I, std::uint32_t>::check(); !v.holds()) return v;
    // What has been rounded has whole steps of four blocks.
    if constexpr (stores.blocks() == 4)
      if (const violation v = epilogue_trial<K, I, stored>::check_exchange(); !v.holds()) return v;
    return epilogue_trial<K, I, float>::check_exchange();
  } else if constexpr (bits == 8) {
    static_assert(exchange_makes_operand(bits) && operand_is_units(8));
    if (const violation v = epilogue_trial<K, I, stored>::check(); !v.holds()) return v;
    return epilogue_trial<K, I, float>::check_exchange();
  } else {
    if (const violation v = epilogue_trial<K, I, float>::check(); !v.holds()) return v;
    return epilogue_trial<K, I, stored>::check_all_panels(0);
  }
}
/// The epilogues of all outputs.
template <class K>
constexpr violation check_epilogue() {
  return first_violation<head_of<K>.epilogues>(
      [](auto n) { return check_epilogue<K, head_of<K>.epilogue[n].operand>(); });
}

}  // namespace sectile
