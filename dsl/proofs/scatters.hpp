// Proof 6 of a scattered output, behind its panels (epilogue.hpp): the threads of a consumer copy each piece of 16
// bytes of its rows once, from where their own warp has written it to the row's slot; and the lanes of a warp add up
// each piece of a row once, slot after slot.
//
// The roles' own functions run on machines that write down what they are asked, thread by thread.
#pragma once
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/roles/machine_under_test.hpp>
#include <sectile/dsl/roles/scatter.hpp>

namespace sectile {

/// What a thread does with pieces: numbers of the workspace that it leaves or loads, or what it stores.
struct piece_stroke {
  enum { leave, load, store } what = leave;
  long long at = 0;        // the first number; store: byte behind the row's first
  std::uint32_t from = 0;  // leave: address in shared memory
};

/// What roles/scatter.hpp calls. A lane that is asked for what it knows has so much more than the first.
template <int Room>
struct piece_machine {
  struct tensor_map {};
  int count = 0;
  piece_stroke done[Room]{};
  unsigned char* row = nullptr;

  constexpr void add(const piece_stroke& s) {
    done[count] = s;
    if (count + 1 < Room) ++count;
  }
  constexpr std::uint32_t shuffle(std::uint32_t word, int lane) const { return word + static_cast<unsigned>(lane); }
  static constexpr void load_shared(std::uint32_t (&r)[4], std::uint32_t from) { r[0] = from; }
  constexpr void store_numbers(float*, long long at, const std::uint32_t (&x)[4], bool there) {
    if (there) add({piece_stroke::leave, at, x[0]});
  }
  constexpr void load_numbers(std::uint32_t (&r)[4], const float*, long long at, bool there) {
    for (std::uint32_t& word : r) word = 0;
    if (there) add({piece_stroke::load, at});
  }
  constexpr void store_global(unsigned char* to, const std::uint32_t (&)[4], bool there) {
    if (there) add({piece_stroke::store, to - row});
  }
  static constexpr float add(float x, float) { return x; }
  static constexpr float low_f16(std::uint32_t) { return 0; }
  static constexpr float high_f16(std::uint32_t) { return 0; }
  static constexpr std::uint32_t pack_bf16(float, float) { return 0; }
  static constexpr std::uint32_t pack_f16(float, float) { return 0; }
};
/// The part of a consumer that they look at.
template <class K, class Machine>
struct piece_hand {
  using kernel = K;
  Machine& hw;
  const kernel_parameters<K, typename Machine::tensor_map>& parameters;
  int thread;
};

/// Nobody reads or writes it; addresses are compared.
inline unsigned char scattered_row[1 << 14];

template <class K, int I>
struct scatter_trial {
  static constexpr epilogue_plan e = epilogue_of<K, I>;
  static constexpr operand_facts out = operand_plan_of<K, I>.facts;
  static constexpr int words = numbers_of_a_tile(out), row_bytes = 4 * words, summands = 9;
  static constexpr int rows = out.rows() / head_of<K>.how.sharers(), blocks = rows / 64;  // of a consumer
  static constexpr int in_row = row_bytes / gathered_piece;
  static constexpr int room = 1 + (pieces_of_a_warp(e) + 31) / 32 + 3 * (summands + 1) * ((in_row + 31) / 32);
  using machine = typename machine_under_test<K, piece_machine<room>>::type;
  using parameters = kernel_parameters<K, typename machine::tensor_map>;
  static constexpr parameters problem = [] {
    parameters p{};
    p.in_order[0].tiles.slots = summands;
    return p;
  }();

  static constexpr violation wrong(const char* what, int row, int byte) {
    return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": byte ", byte, " of row ", row,
                  " of a consumer's part of a tile ", what);
  }
  /// Panel N of a consumer, of a tile with so many bytes in a row.
  template <int N>
  static constexpr violation check_panel(int bytes) {
    constexpr panel_source from = source_of_panel(false, extent_of(out), panel_extent(e), N);
    constexpr int pieces = e.row_bytes / gathered_piece, begin = from.col * out.type.bits / 8;
    bool left[64][pieces]{};
    for (int thread = 0; thread < warpgroup; ++thread) {
      machine hw{};
      piece_hand<K, machine> sm{hw, problem, thread};
      scattered_rows<blocks> own{};
      for (int m = 0; m < blocks; ++m) own.slot[m] = static_cast<std::uint32_t>(64 * m + thread / 32 * 16);
      scatter_panel<I, N>(sm, own, 0u, bytes);
      for (int n = 0; n < hw.count; ++n) {
        const piece_stroke& s = hw.done[n];
        const int row = static_cast<int>(s.at / words), byte = static_cast<int>(s.at % words) * 4 - begin;
        const int in_block = row - 64 * from.block;
        if (in_block < 0 || in_block / 16 != thread / 32 || byte < 0 || byte >= e.row_bytes || byte % gathered_piece)
          return wrong("is none of what the warp has that copies it", row, byte + begin);
        if (static_cast<int>(s.from) != panel_offset(e.swizzle, e.row_bytes, 8, in_block, byte))
          return wrong("is copied from where another one is", row, byte + begin);
        if (left[in_block][byte / gathered_piece]) return wrong("is copied twice", row, byte + begin);
        left[in_block][byte / gathered_piece] = true;
      }
    }
    for (int row = 0; row < 64; ++row)
      for (int n = 0; n < pieces; ++n)
        if (const int byte = begin + n * gathered_piece; left[row][n] != (byte < bytes))
          return wrong(byte < bytes ? "is never copied" : "is copied, which the output has not", 64 * from.block + row,
                       byte);
    return {};
  }
  /// Some rows, of so many bytes each; lane n knows the number of the n-th one.
  static constexpr violation check_sums(int bytes) {
    constexpr int count = 2, column = 5, columns = 7, pitch = 2 * row_bytes;
    bool stored[count][in_row]{};
    for (int lane = 0; lane < 32; ++lane) {
      machine hw{};
      hw.row = scattered_row;
      piece_hand<K, machine> sm{hw, problem, lane};
      const scattered_place to{scattered_row, pitch, column, columns, bytes};
      row_sums<K, I> sums{};
      sums.count = count;
      while (sums.load(sm, to)) sums.add(sm, to);
      int next[count]{};
      for (int n = 0; n < hw.count; ++n) {
        const piece_stroke& s = hw.done[n];
        const bool loads = s.what == piece_stroke::load;
        const int group = loads ? static_cast<int>(s.at / (summands * words)) : 0;
        const int row = loads ? (group - column) / columns : static_cast<int>(s.at / pitch);
        const int byte = loads ? static_cast<int>(s.at % words) * 4 : static_cast<int>(s.at % pitch);
        if (row < 0 || row >= count || (loads && group != column + row * columns) || byte >= bytes ||
            byte % gathered_piece || (byte / gathered_piece) % 32 != lane)
          return wrong("is none of a row that is added up", row, byte);
        if (loads) {
          if (s.at / words % summands != next[row]++)
            return wrong("is added up in another order than that of its summands", row, byte);
          continue;
        }
        if (next[row] != summands) return wrong("is stored before all summands are added", row, byte);
        if (stored[row][byte / gathered_piece]) return wrong("is stored twice", row, byte);
        stored[row][byte / gathered_piece] = true;
        next[row] = 0;
      }
    }
    for (int row = 0; row < count; ++row)
      for (int n = 0; n < in_row; ++n)
        if (stored[row][n] != (n * gathered_piece < bytes)) return wrong("is never stored", row, n * gathered_piece);
    return {};
  }
  // Each a constant of its own, as compilers limit the work of one.
  template <int N, int Bytes>
  static constexpr violation panel_verdict = check_panel<N>(Bytes);
  template <int Bytes>
  static constexpr violation sums_verdict = check_sums(Bytes);

  template <int Bytes>
  static constexpr violation check() {
    violation v = sums_verdict<Bytes>;
    unroll<e.panels>([&](auto n) {
      if (v.holds()) v = panel_verdict<n, Bytes>;
    });
    return v;
  }
};

/// Of the scattered output of K, if it has one.
template <class K>
constexpr violation check_scattered_rows() {
  violation v{};
  if constexpr (operand_facts_of<K, head_of<K>.work>().is_scattered()) {
    using trial = scatter_trial<K, head_of<K>.work>;
    v = trial::template check<trial::row_bytes>();
    if (v.holds()) v = trial::template check<trial::row_bytes - gathered_piece>();  // at the edge of the output
  }
  return v;
}

}  // namespace sectile
