// What the planner reads of a declaration: one plain value, whatever the operand's types were.
#pragma once
#include <boost/hana/basic_tuple.hpp>
#include <cstdint>

#include <sectile/dsl/program/declaration.hpp>

namespace sectile {

inline constexpr int operand_letters = 15;  // of a name

/// Bytes in a stage from one element to the next of a vector whose elements lie apart: TMA writes to multiples of that.
inline constexpr int strided_step = 128;

/// (As std::gcd, which brings a header that no kernel needs.)
constexpr int common_divisor(int a, int b) { return b == 0 ? a : common_divisor(b, a % b); }
/// What stands behind the stroke in a mode's name, "N/128"; -1: there is none.
constexpr int block_named(const char* name) {
  while (*name && *name != '/') ++name;
  int block = *name ? 0 : -1;
  while (*name && *++name >= '0' && *name <= '9' && block < 1 << 16) block = 10 * block + *name - '0';
  return block;
}

/// The first block that tile `tile` of so many elements meets.
constexpr int first_of_blocks(int tile, int extent, int block) { return tile * extent / block; }

/// What is known of an operand when it is compiled, whatever its type.
struct operand_facts {
  char name[operand_letters + 1]{};
  char mode_name[max_rank][16]{};  // empty: not named
  int block[max_rank]{1, 1, 1, 1, 1};  // neighbours along a mode that have one element between them: of N/128 128
  operand_kind kind = operand_kind::input;
  element type{};
  storage_order order = row_major;
  tile_shape tile{};
  swizzle_choice swizzle{};
  int stages = 0;  // of its ring; 0: the configuration's
  bool sparse = false;
  bool of_trips = false;           // an output that trips of a loop store
  bool im2col = false;             // pixels of an image that a filter meets
  vector_path path = from_memory;  // of a vector that is read
  char cuts[16]{};                 // the mode whose groups' ends it has; empty: it is no such vector
  char index[operand_letters + 1]{};  // the vector that picks its rows, or names them; empty: they lie as the body has
  bool counts_rows = false;        // and it does not say where they end, but how many rows of each room are there
  int modes = 0;  // that are named; the tile has max_rank of them at most

  /// The mode with that position, outermost first.
  constexpr mode_id mode_at(int position) const { return mode_named(mode_name[position]); }
  constexpr mode_id row_mode() const { return is_vector() ? mode_id::any : mode_at(tile.rank - 2); }
  constexpr mode_id col_mode() const { return tile.rank == 0 ? mode_id::any : mode_at(line()); }
  /// Whether one of its modes has that very name.
  constexpr bool has(mode_id m) const {
    const int d = position_of(m);
    return d >= 0 && mode_at(d) == m;
  }
  /// The position of mode m, or -1: of that very name, else of its name without a prime.
  constexpr int position_of(mode_id m) const {
    for (const mode_id wanted : {m, without_prime(m)})
      for (int d = 0; d < tile.rank; ++d)
        if (mode_at(d) == wanted) return d;
    return -1;
  }
  /// Rows and columns of the tile's matrix modes, as the program sees them. A vector is one row.
  constexpr int rows() const { return is_vector() ? 1 : tile.extent[tile.rank - 2]; }
  constexpr int cols() const { return tile.rank == 0 ? 1 : tile.extent[line()]; }
  /// Elements that a tile's part of a vector has along a mode: of N/128 as many as 192 columns meet at most.
  constexpr int held(int mode) const {
    const int apart = common_divisor(tile.extent[mode], block[mode]);  // tiles begin at multiples of it in a block
    return (block[mode] - apart + tile.extent[mode] - 1) / block[mode] + 1;
  }
  /// Elements along a mode for so many of the matrix: a block has one.
  constexpr std::int64_t elements_for(std::int64_t size, int mode) const {
    return (size + block[mode] - 1) / block[mode];
  }
  /// The mode that a vector's numbers are along: its last, or, where a tile has one element along that, its first one
  /// in blocks.
  constexpr int line() const {
    const int last = tile.rank - 1;
    for (int d = 0; d < last && is_vector(); ++d)
      if (block[d] > 1 && held(last) == 1) return d;
    return last;
  }
  /// Whether these lie apart in memory.
  constexpr bool is_strided() const { return line() < tile.rank - 1; }
  /// Modes in front, of which a tile has one element each.
  constexpr int batch_modes() const { return tile.rank - (is_vector() ? 1 : 2); }
  /// Whether TMA brings it into the stages of a ring.
  constexpr bool comes_through_ring() const { return kind == operand_kind::input || path == with_tiles; }
  /// Whether it travels in tiles, through TMA.
  constexpr bool is_tiled() const { return kind == operand_kind::input || kind == operand_kind::output; }
  /// Whether TMA goes by a map of it.
  constexpr bool has_tensor_map() const { return (is_tiled() && !has_index()) || path == with_tiles; }
  /// Whether an index says where its rows are in memory.
  constexpr bool has_index() const { return index[0] != '\0'; }
  /// Whether threads copy them into the stages,
  constexpr bool is_gathered() const { return has_index() && kind == operand_kind::input; }
  /// or add them to the rows of an output.
  constexpr bool is_scattered() const { return has_index() && kind == operand_kind::output; }
  /// Whether threads read or write its elements one by one, in memory.
  constexpr bool is_vector() const { return kind == operand_kind::vector || kind == operand_kind::vector_output; }
  /// Whether the kernel reads or writes it in memory.
  constexpr bool is_read() const { return kind == operand_kind::input || kind == operand_kind::vector; }
  constexpr bool is_written() const { return kind == operand_kind::output || kind == operand_kind::vector_output; }
  /// Columns of the tile in memory: half of a sparse operand's.
  constexpr int stored_cols() const { return sparse ? cols() / 2 : cols(); }
  /// Extents in memory along and across the contiguous mode, elements.
  constexpr int contiguous() const { return order == row_major ? stored_cols() : rows(); }
  constexpr int strided() const { return order == row_major ? rows() : stored_cols(); }
  /// Elements that TMA counts as one: the bits of a byte.
  constexpr int packing() const { return type.bits < 8 ? 8 / type.bits : 1; }
  /// Extent of the stored tile along mode `mode`, elements.
  constexpr int stored_extent(int mode) const { return mode == tile.rank - 1 ? stored_cols() : tile.extent[mode]; }
  /// The mode with position `i` from the innermost: TMA's order of dimensions.
  constexpr int mode_from_inside(int i) const {
    if (i >= 2 || is_vector()) return tile.rank - 1 - i;
    return order == row_major ? tile.rank - 1 - i : tile.rank - 2 + i;
  }
};

/// Whether a vector's tile is one number.
constexpr bool has_one_number(const operand_facts& f) { return f.cols() == 1; }

/// The facts of all operands, in order.
struct operand_table {
  int count = 0;
  operand_facts at[max_operands]{};
  constexpr const operand_facts* begin() const { return at; }
  constexpr const operand_facts* end() const { return at + count; }
};

template <class K>
using operand_tuple = std::remove_cv_t<decltype(K::operands)>;

/// Declaration I of a program's. (hana::at_c says the same, and brings headers that no kernel needs.)
template <int I, class... Declarations>
constexpr const auto& declaration(const boost::hana::basic_tuple<Declarations...>& all) {
  return boost::hana::at_impl<boost::hana::basic_tuple_tag>::apply(all, std::integral_constant<int, I>{});
}

template <class K, int I>
using operand_at = std::remove_cvref_t<decltype(declaration<I>(K::operands))>;

/// Whether operand I is a vector that is read, or a number in memory.
template <class K, int I>
concept is_vector = operand_at<K, I>::kind == operand_kind::vector;
/// Whether it comes with tiles, through their ring.
template <class K, int I>
concept is_vector_with_tiles = is_vector<K, I> && declaration<I>(K::operands).path == with_tiles;
/// Whether it is one that is written.
template <class K, int I>
concept is_vector_output = operand_at<K, I>::kind == operand_kind::vector_output;

template <class... Declarations>
constexpr int operand_count_of(const boost::hana::basic_tuple<Declarations...>*) {
  return sizeof...(Declarations);
}
template <class K>
inline constexpr int operand_count = operand_count_of(static_cast<operand_tuple<K>*>(nullptr));

/// The element type of the kernel's first input; of one that has vectors alone, f32.
template <class K, int I = 0>
constexpr auto first_input() {
  if constexpr (I == operand_count<K>)
    return std::type_identity<float>();
  else if constexpr (operand_at<K, I>::kind == operand_kind::input)
    return std::type_identity<typename operand_at<K, I>::element_type>();
  else
    return first_input<K, I + 1>();
}
template <class K>
using first_input_type = typename decltype(first_input<K>())::type;

/// Splits "A(M,K)" into the operand's name and its modes' names, max_rank of them at most; returns how many modes there
/// are.
constexpr int read_names(const char* text, operand_facts& f) {
  int n = 0;
  for (; *text && *text != '('; ++text)
    if (n + 1 < static_cast<int>(sizeof f.name)) f.name[n++] = *text;
  int modes = 0;
  n = 0;
  for (; *text; ++text) {
    if (*text == ',' || (*text == ')' && modes + n > 0)) {
      ++modes;
      n = 0;
    } else if (modes < max_rank && *text != '(' && *text != ' ' &&
               n + 1 < static_cast<int>(sizeof f.mode_name[0])) {
      f.mode_name[modes][n++] = *text;
    }
  }
  return modes;
}

/// The facts of a declaration in a configuration. A batch mode has extent 1 unless something else is said.
template <class Declaration>
constexpr operand_facts facts_of(const Declaration& d, const configuration& how) {
  operand_facts f{};
  f.kind = Declaration::kind;
  if constexpr (Declaration::kind == operand_kind::scalar && std::is_same_v<typename Declaration::element_type, bool>)
    f.type = {"bool", 8, number::unsigned_integer, 0, 0};  // no tensor has such elements
  else
    f.type = element_or_none<typename Declaration::element_type>();  // none is refused where K is read
  f.order = d.order;
  f.swizzle = d.swizzle;
  f.stages = d.stages;
  f.sparse = Declaration::sparse;
  f.of_trips = requires { Declaration::of_trips; };
  f.im2col = requires { Declaration::im2col; };
  f.path = d.path;
  if constexpr (requires { Declaration::cuts(); })
    for (int i = 0; Declaration::cuts()[i] && i + 1 < static_cast<int>(sizeof f.cuts); ++i)
      f.cuts[i] = Declaration::cuts()[i], f.counts_rows = Declaration::counts;
  if constexpr (requires { Declaration::index(); })
    for (int i = 0; Declaration::index()[i] && i < operand_letters; ++i) f.index[i] = Declaration::index()[i];
  f.modes = read_names(Declaration::name(), f);
  f.tile.rank = f.modes < max_rank ? f.modes : max_rank;
  for (int i = 0; i < f.tile.rank; ++i) {
    const int said = how.tile.of(f.mode_at(i));
    f.block[i] = block_named(f.mode_name[i]) > 1 ? block_named(f.mode_name[i]) : 1;  // what is no block is refused
    f.tile.extent[i] = said == 0 && (i < f.batch_modes() || f.cuts[0]) ? 1 : said;
  }
  return f;
}

/// The operands of a program in a configuration.
template <class P>
constexpr operand_table operand_table_in(const configuration& how) {
  operand_table t{};
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((t.at[t.count++] = facts_of(declaration<I>(P::operands), how)), ...);
  }(std::make_integer_sequence<int, operand_count<P>>{});
  return t;
}
/// Those of kernel K, worked out once: what asks for them stands at every load and every product. (The code of a GPU
/// names no object of the host's, and nvcc says nothing where it does: so these are constants wherever they are asked.)
template <class K>
inline constexpr operand_table all_operands = operand_table_in<K>(configuration_of<K>);
template <class K>
consteval operand_table operand_table_of() {
  return all_operands<K>;
}
/// The facts of operand I of kernel K, likewise.
template <class K, int I>
inline constexpr operand_facts facts_of_operand = facts_of(declaration<I>(K::operands), configuration_of<K>);
template <class K, int I>
consteval operand_facts operand_facts_of() {
  return facts_of_operand<K, I>;
}

/// Whether is(facts) holds of one of them.
template <class K, class Is>
constexpr bool has_operand(Is is) {
  return [&]<int... I>(std::integer_sequence<int, I...>) { return (is(operand_facts_of<K, I>()) || ...); }
  (std::make_integer_sequence<int, operand_count<K>>{});
}
template <class K>
constexpr bool has_sparse_operand() {
  return has_operand<K>([](const operand_facts& f) { return f.sparse; });
}
/// An image for a filter.
template <class K>
constexpr bool has_im2col_operand() {
  return has_operand<K>([](const operand_facts& f) { return f.im2col; });
}
template <class K>
constexpr bool has_vector() {
  return has_operand<K>([](const operand_facts& f) { return f.is_vector(); });
}
/// Whether a kernel gathers rows of any.
template <class K>
inline constexpr bool gathers = has_operand<K>([](const operand_facts& f) { return f.is_gathered(); });
/// Whether an index says where rows of any are.
template <class K>
inline constexpr bool has_rows_by_index = has_operand<K>([](const operand_facts& f) { return f.has_index(); });

/// The operand whose tiles are the work, by its number: the first matrix that is stored behind loops, whose tiles the
/// others have; of a kernel that writes vectors alone, the first matrix that it reads. As many as there are operands:
/// there is none.
constexpr int find_work(const operand_table& t) {
  const auto first = [&](operand_kind kind) {
    int o = 0;
    while (o < t.count && (t.at[o].kind != kind || t.at[o].of_trips)) ++o;
    return o;
  };
  const int stored = first(operand_kind::output);
  return stored < t.count || first(operand_kind::vector_output) == t.count ? stored : first(operand_kind::input);
}

/// That of kernel K.
template <class K>
inline constexpr int work_operand = find_work(all_operands<K>);

// ---- rows by an index

constexpr bool same_name(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}
/// The operand of so many, whose facts are facts(o), that says where the rows are of one with facts f; -1: none, or
/// they lie as the body has them.
template <class Facts>
constexpr int find_index(const operand_facts& f, int operands, Facts facts) {
  for (int o = 0; o < operands && f.has_index(); ++o)
    if (same_name(facts(o).name, f.index)) return o;
  return -1;
}
/// Which mode of its index mode `d` of an operand is, -1: one that the index lacks, and so the matrix has it
/// that a launch gives; its columns apart.
constexpr int place_in_index(const operand_facts& f, const operand_facts& index, int d) {
  for (int i = 0; i < index.tile.rank && d + 1 < f.tile.rank; ++i)
    if (index.mode_at(i) == f.mode_at(d)) return i;
  return -1;
}
/// That of operand I of kernel K.
template <class K, int I>
inline constexpr int index_of = [] {
  constexpr const operand_table& t = all_operands<K>;
  return find_index(t.at[I], t.count, [&](int o) -> const operand_facts& { return t.at[o]; });
}();
// ---- groups

/// The position in `f` of the mode that `ends` cuts, -1: it has none of it.
constexpr int position_of_cut(const operand_facts& f, const operand_facts& ends) {
  if (!ends.cuts[0] || f.kind == operand_kind::scalar || f.cuts[0]) return -1;
  for (int d = 0; d < f.tile.rank; ++d)
    if (without_prime(f.mode_at(d)) == without_prime(mode_named(ends.cuts))) return d;
  return -1;
}
/// Which modes of which operands are cut into groups.
struct cut_table {
  int count = 0;                 // of the vectors that cut one
  int ends[max_operands]{};      // these operands
  int by[max_operands]{};        // of each operand, which of them cuts it; -1: none
  int position[max_operands]{};  // and the position of the mode that is cut,
  int groups[max_operands]{};    // and of the one that counts groups; -1: it has none of it

  constexpr cut_table() {
    for (int o = 0; o < max_operands; ++o) by[o] = position[o] = groups[o] = -1;
  }
};
/// Those of so many operands, whose facts are facts(o).
template <class Facts>
constexpr cut_table find_cuts(int operands, Facts facts) {
  cut_table c{};
  for (int o = 0; o < operands; ++o)
    if (facts(o).cuts[0]) c.ends[c.count++] = o;
  for (int o = 0; o < operands; ++o)
    for (int n = c.count - 1; n >= 0; --n) {
      const operand_facts& ends = facts(c.ends[n]);
      const int at = position_of_cut(facts(o), ends);
      if (at < 0) continue;
      c.by[o] = n;
      c.position[o] = at;
      c.groups[o] = facts(o).position_of(ends.mode_at(0));
    }
  return c;
}
constexpr cut_table find_cuts(const operand_table& t) {
  return find_cuts(t.count, [&](int o) -> const operand_facts& { return t.at[o]; });
}
/// Kernel K's.
template <class K>
inline constexpr cut_table cuts_of = find_cuts(operand_table_of<K>());
template <class K>
inline constexpr bool has_groups = cuts_of<K>.count > 0;
/// The position in operand I of the mode that is cut; -1: it has none of it.
template <class K, int I>
constexpr int cut_of() {
  constexpr int position = cuts_of<K>.position[I];  // a constant for nvcc, too
  return position;
}
/// The number of the vector that cuts it; -1: none.
template <class K, int I>
inline constexpr int cut_by = cuts_of<K>.by[I];
/// Vector number N, by its operand.
template <class K, int N>
inline constexpr int ends_of_cut = cuts_of<K>.ends[N];
/// The number of the vector that cuts the work's tiles; -1: they are not those of groups.
template <class K>
inline constexpr int walked_cut = has_groups<K> ? cuts_of<K>.by[work_operand<K>] : -1;
/// Whether the work's tiles are those of groups.
template <class K>
constexpr bool walks_groups() {
  return walked_cut<K> >= 0;
}

}  // namespace sectile
