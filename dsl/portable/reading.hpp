// What both portable readings of a body share: every thread of the CTA runs the body, loads a tile together with the
// others, and waits for them before the tile is multiplied and before it is overwritten.
#pragma once
#include <sectile/dsl/portable/work.hpp>
#include <sectile/dsl/program/reading.hpp>

namespace sectile::portable {

template <class Derived, class K, class How, class Machine>
struct reading : reading_base<Derived, K> {
  static constexpr bool computes = true, clears_accumulators = true;
  static constexpr int threads = portable_plan_of<K, How>.threads;
  static constexpr bool has_rings = false;
  struct slot {};
  template <class T, int N>
  using registers = typename Machine::template registers<T, N>;

  Machine& hw;
  const parameters<K>& all;
  bool loading = false;        // since the last time that all threads met: somebody writes to shared memory,
  bool reading_tiles = false;  // or somebody reads there

  constexpr reading(Machine& machine, const parameters<K>& p, const tile_coordinates<max_rank>& at)
      : hw(machine), all(p) {
    this->tile = at;
  }

  // ---- loops and fragments: nothing is asynchronous, so nothing is counted and nobody waits
  constexpr int loop_begins(int, int trips, int) { return trips; }
  constexpr void loop_head(int, bool) {}
  constexpr void trip_begins(int, int) {}
  constexpr void touch(const auto&) {}
  constexpr void give_up(auto&) {}
  constexpr void moved(auto&) {}
  /// A CTA makes all trips of its tile, so there is one part.
  template <class F, class... X>
  constexpr void merge_parts(F, X&...) {}

  /// Copies the tile into its place in shared memory. Elements outside the tensor become zeros.
  template <int I>
  constexpr loaded_tile<Derived, I> load(const operand_handle<K, I>& tensor, const tile_at<K, I>& at) {
    if (reading_tiles) {
      hw.sync();
      reading_tiles = false;
    }
    copy_tile<I>(tensor, at);
    loading = true;
    return {&this->self(), {}};
  }
  template <int I>
  requires is_vector<K, I>
  constexpr loaded_vector<Derived, I> load(const operand_handle<K, I>& vector, const tile_at<K, I>& at) {
    return {&this->self(), part_of<I>(vector, at)};
  }
  /// Elements along mode M that the output has from this tile's first on.
  template <mode_id M>
  constexpr int left_of_work() const {
    return sectile::left_of_work<K, M>(all.arguments, this->tile);
  }
  /// A tile in registers is the tile itself: it is read from shared memory where it is multiplied.
  template <bool Transposed, int I>
  constexpr auto read_fragment(const loaded_tile<Derived, I>& t) {
    if constexpr (Transposed)
      return transpose(t);
    else
      return t;
  }

 protected:
  template <int I>
  constexpr auto part_of(const operand_handle<K, I>& vector, const tile_at<K, I>& at) const {
    constexpr int size = operand_facts_of<K, I>().type.bits / 8;
    long long stride[max_rank]{};
    for (int d = 0; d + 1 < operand_handle<K, I>::rank; ++d) stride[d] = all.place[I].stride_bytes[d] / size;
    return part_of_vector(all.place[I].data, stride, vector, at);
  }
  /// Called before tiles are multiplied: what has been loaded is there for all threads, and a fresh sum begins with 0.
  template <class Acc>
  constexpr void meet(Acc& acc) {
    if (loading) {
      hw.copies_done();
      hw.sync();
      loading = false;
    }
    reading_tiles = true;
    for (int m = 0; acc.fresh && m < Acc::atoms; ++m)
      for (int i = 0; i < Acc::atom_registers; ++i) acc.atom[m][i] = {};
  }

  template <int I>
  constexpr const unsigned char* tile_in_shared() const {
    return hw.shared() + portable_plan_of<K, How>.tile[I].offset;
  }
  /// Whether K runs along the rows in memory of tile T when it is a left (right) factor.
  template <class T>
  static constexpr bool k_is_contiguous(bool left) {
    return (left != T::is_transposed) == (operand_facts_of<K, T::operand>().order == row_major);
  }

  template <int I>
  constexpr void copy_tile(const operand_handle<K, I>& tensor, const tile_at<K, I>& at) {
    constexpr operand_facts f = operand_facts_of<K, I>();
    constexpr shared_tile t = portable_plan_of<K, How>.tile[I];
    constexpr int rank = f.tile.rank, along = f.mode_from_inside(0), across = f.mode_from_inside(1);
    constexpr int piece = t.piece(), pieces = (t.row_bytes + piece - 1) / piece;  // of a row
    const tensor_place& from = all.place[I];
    const long long first_byte = static_cast<long long>(at.at[along]) * t.row_bytes;
    bool inside = at.at[along] >= 0 && at.at[across] >= 0;  // before the first tile there are zeros, as behind the last
    for (int d = 0; d + 2 < rank; ++d) inside = inside && at.at[d] >= 0 && at.at[d] < handle_access::extent(tensor)[d];
    const long long row_bytes = (static_cast<long long>(handle_access::extent(tensor)[along]) * f.type.bits + 7) / 8;
    const long long bytes_left = inside ? row_bytes - first_byte : 0;
    const long long rows_left = handle_access::extent(tensor)[across] - static_cast<long long>(at.at[across]) * t.rows;
    const unsigned char* source = from.data + first_byte + at.at[across] * t.rows * from.stride_bytes[across];
    for (int d = 0; d + 2 < rank; ++d) source += at.at[d] * from.stride_bytes[d];
    unsigned char* const to = hw.shared() + t.offset;
    for (int n = hw.thread(); n < t.rows * pieces; n += threads) {
      const int row = n / pieces, byte = n % pieces * piece;
      const long long left = row < rows_left ? bytes_left - byte : 0;
      const int valid = left < 0 ? 0 : left < piece ? static_cast<int>(left) : piece;
      hw.template copy_in<piece, (f.type.bits + 7) / 8>(
          to + t.at(row, byte), source + row * from.stride_bytes[across] + byte, valid, from.aligned);
    }
  }

  /// Where element (row, col) of the output's tile `at` is, or null if it is outside the tensor.
  template <int I>
  constexpr unsigned char* output_element(const operand_handle<K, I>& tensor, const tile_at<K, I>& at, int row,
                                          int col) const {
    constexpr operand_facts f = operand_facts_of<K, I>();
    constexpr int rank = f.tile.rank;
    const tensor_place& out = all.place[I];
    const long long r = static_cast<long long>(at.at[rank - 2]) * f.rows() + row;
    const long long c = static_cast<long long>(at.at[rank - 1]) * f.cols() + col;
    if (r >= handle_access::extent(tensor)[rank - 2] || c >= handle_access::extent(tensor)[rank - 1]) return nullptr;
    unsigned char* to = out.data + r * out.stride_bytes[rank - 2] + c * out.stride_bytes[rank - 1];
    for (int d = 0; d + 2 < rank; ++d) to += at.at[d] * out.stride_bytes[d];
    return to;
  }
};

/// x as an element of the output.
template <class Out, class T>
constexpr Out convert(T x) {
  if constexpr (std::is_same_v<Out, T>)
    return x;
  else if constexpr (std::is_same_v<Out, float> || std::is_same_v<Out, s32>)
    return static_cast<Out>(x);
  else
    return rounded_to<Out>(static_cast<float>(x));
}

/// Element `part` of a packed register.
template <class T>
constexpr T unpack(std::uint32_t pair, int part) {
  return T::from_bits(static_cast<std::uint16_t>(pair >> (16 * part)));
}

}  // namespace sectile::portable
