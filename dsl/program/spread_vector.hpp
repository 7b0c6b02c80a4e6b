// How a vector's numbers come to the registers that meet them: read by each thread, or by the lanes of a warp together.
#pragma once
#include <sectile/dsl/program/cast.hpp>

namespace sectile {

/// Whether the lanes of a warp can hand words to each other where a reading computes.
template <class R>
inline constexpr bool hands_words_around = requires(R& sm) {
  sm.hw.shuffle(0u, 0);
};

/// Numbers of columns, two at a time, which a thread reads where it needs them.
template <class Vector, int Rows, int Cols>
struct columns_in_memory {
  const Vector& of;
  bool known = false;
  float of_run[Vector::runs]{};  // where columns beside each other have one number

  constexpr void pair(float (&to)[2], int m, int group) {
    if constexpr (Vector::run > 0) {
      if (!known) of.read_runs(of_run);
      known = true;
      to[0] = to[1] = of_run[8 * group / Vector::run];
      return;
    }
    for (int j = 0; j < 2; ++j) to[j] = of.template of_col<Rows>(m, 4 * group + j);
  }
};
/// The same of what the lanes of a warp have between them. Pair p of columns, 2p and 2p + 1, is read by lane p % 32,
/// once, and handed to the eight lanes that hold these columns. Each of them would otherwise read each pair by itself,
/// and wait for it: in tiles of 128 columns 64 loads for each block, in place of 4 loads and 16 shuffles.
template <class Vector, int Rows, int Cols>
struct columns_of_lanes {
  static constexpr int in_a_word = sizeof(typename Vector::element_type) < 4 ? 2 : 1;
  static constexpr int shares = (Cols + 63) / 64;
  const Vector& of;
  bool known = false;
  int in_quad = 0;
  std::uint32_t word[shares][2 / in_a_word]{};

  constexpr void pair(float (&to)[2], int, int group) {
    if (!known) read();
    const int from = 4 * (group % 8) + in_quad, share = group / 8;
    std::uint32_t bits[2]{};
    for (int w = 0; w < 2 / in_a_word; ++w) bits[w] = of.reading->hw.shuffle(word[share][w], from);
    for (int j = 0; j < 2; ++j)
      to[j] = of.number_of(in_a_word == 1 ? bits[j] : j == 0 ? bits[0] & 0xffff : bits[0] >> 16);
  }
  constexpr void read() {
    const coord first = of.reading->template coord_of<Rows>(0, 0);
    const int lane = first.row % 8 * 4 + first.col / 2, end = of.part.inside < Cols ? of.part.inside : Cols;
    in_quad = first.col / 2;
    for (int s = 0; s < shares; ++s)
      for (int j = 0; j < 2; ++j)
        word[s][j / in_a_word] |= of.bits_at(64 * s + 2 * lane + j, 2 * lane, end) << 16 * (j % in_a_word);
    known = true;
  }
};

/// Numbers of rows, two of each block, 8 rows apart, which a thread reads where it needs them.
template <class Vector, int Rows>
struct rows_in_memory {
  const Vector& of;

  constexpr void pair(float (&to)[2], int m) {
    for (int h = 0; h < 2; ++h) to[h] = of.template of_row<Rows>(m, 2 * h);
  }
};
/// The same of what the lanes of a warp have between them, of elements of which two fit into a word. The warp's rows of
/// a block are 16, of which each quad holds two; of four blocks each lane reads a word and hands it to the quad that
/// holds its rows. Each thread would otherwise ask of each number whether it is there, and read it: in a tile of 1,024
/// rows by a warpgroup 32 loads, in place of 8 loads and 16 shuffles. (Of f32, in words of one, as many shuffles as
/// there were loads are slower.)
template <class Vector, int Rows>
struct rows_of_lanes {
  static constexpr int blocks = 4, atoms = Rows / 64 / Vector::reading_type::sharers,
                       shares = atoms > 0 ? (atoms + blocks - 1) / blocks : 1;  // none: of a plan that is refused
  const Vector& of;
  bool known = false;
  int quad = 0;
  std::uint32_t word[shares]{};

  constexpr void pair(float (&to)[2], int m) {
    if (!known) read();
    const std::uint32_t bits = of.reading->hw.shuffle(word[m / blocks], 8 * (m % blocks) + quad);
    to[0] = of.number_of(bits & 0xffff);
    to[1] = of.number_of(bits >> 16);
  }
  constexpr void read() {
    const coord own = of.reading->template coord_of<Rows>(0, 0);
    quad = own.row % 8;
    const int lane = 4 * quad + own.col / 2, first = own.row - quad + lane / 8 * 64 + lane % 8;
    for (int s = 0; s < shares; ++s)
      for (int j = 0; j < 2; ++j)
        word[s] |= of.bits_at(first + 64 * blocks * s + 8 * j, first, of.part.inside) << 16 * j;
    known = true;
  }
};

/// A vector as it meets values like `Like`: a number for each of their rows or columns, or one for all. Registers 4g
/// and 4g + 2 of every block are of one column, 4g + 1 and 4g + 3 of the next.
template <class Vector, class Like, vector_use Use = use_of_vector(value_facts<Vector>::facts, describe<Like>())>
struct spread_vector {
  static constexpr int rows =
      kind_of_value<Like> == value_kind::cols ? Vector::block_rows : value_facts<Like>::facts.rows();
  static constexpr int cols = value_facts<Like>::facts.cols();
  using source = std::conditional_t<hands_words_around<typename Vector::reading_type> && !Vector::in_blocks,
                                    columns_of_lanes<Vector, rows, cols>, columns_in_memory<Vector, rows, cols>>;
  source from;
  int group = -1;  // of the two columns that are kept
  float kept[2]{};

  constexpr float at(int m, int i) {
    if (i / 4 != group) from.pair(kept, m, group = i / 4);
    return kept[i % 2];
  }
};
template <class Vector, class Like>
struct spread_vector<Vector, Like, vector_use::rows> {
  static constexpr int rows = value_facts<Like>::facts.rows(), most_read_alone = 2;  // blocks
  static constexpr bool many = sizeof(typename Vector::element_type) < 4 && !Vector::in_blocks &&
                               rows_of_lanes<Vector, rows>::atoms > most_read_alone;
  using source = std::conditional_t<many && hands_words_around<typename Vector::reading_type>,
                                    rows_of_lanes<Vector, rows>, rows_in_memory<Vector, rows>>;
  source from;
  int block = -1;
  float kept[2]{};

  constexpr float at(int m, int i) {
    if (m != block) from.pair(kept, block = m);
    return kept[row_half(i)];
  }
};
template <class Vector, class Like>
struct spread_vector<Vector, Like, vector_use::all> {
  const Vector& of;

  constexpr float at(int, int) { return of.of_all; }
};
template <class Vector, class Like, vector_use Use>
constexpr float number_at(spread_vector<Vector, Like, Use>& x, int m, int i) {
  if constexpr (Vector::computes)
    return x.at(m, i);
  else
    return 0;
}
template <class Like, class X>
constexpr decltype(auto) as_met_by([[maybe_unused]] const Like& like, const X& x) {
  if constexpr (kind_of_value<X> == value_kind::vector) {
    if constexpr (follows_places<typename X::reading_type>) compare_places(like, x);
    return spread_vector<X, Like>{x};
  } else {
    return (x);
  }
}

}  // namespace sectile
