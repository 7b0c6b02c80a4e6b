// What a program works on: named operands with modes, an element type and a storage order.
#pragma once
#include <boost/hana/basic_tuple.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <sectile/dsl/program/configuration.hpp>
#include <sectile/dsl/program/refusal.hpp>
#include <sectile/layouts/element.hpp>
#include <sectile/layouts/swizzle.hpp>

namespace sectile {

/// A string that can be a template argument: "A(M,K)" is operand A with the modes M and K. The last two are the
/// matrix's rows and columns, those before them are batches. Modes of the same name have the same size when the kernel
/// is launched, and the same extent in tiles.
template <std::size_t N>
struct name_literal {
  char text[N]{};
  consteval name_literal(const char (&s)[N]) {  // implicit on purpose: input<"A", bf16>
    for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
  }
};

/// One of two names, as a form of the program has it: input<either<Grouped>("K(B,G,T,D)", "K(B,H,T,D)"), bf16>().
template <bool First, std::size_t A, std::size_t B>
consteval auto either(const char (&a)[A], const char (&b)[B]) {
  char text[A < B ? B : A]{};
  for (std::size_t i = 0; i < (First ? A : B); ++i) text[i] = First ? a[i] : b[i];
  return name_literal(text);
}

inline constexpr int max_rank = 5;  // of a TMA tensor

/// Which mode of the matrix is contiguous in global memory. The last two modes of an operand are the matrix's rows and
/// columns; modes before them are batches.
enum class storage_order : std::uint8_t { row_major, col_major };
inline constexpr auto row_major = storage_order::row_major;
inline constexpr auto col_major = storage_order::col_major;

/// The extents of one tile, in elements, one per mode. Batch modes have extent 1.
struct tile_shape {
  int rank = 0;
  int extent[max_rank]{};
  friend constexpr bool operator==(const tile_shape&, const tile_shape&) = default;
};

/// What an operand is to a kernel: tiles that TMA brings (input) and takes (output), a number that a launch passes
/// (scalar), or a vector, of which threads read (vector) or write (vector_output) single elements in memory: one for
/// each row or column of what it meets.
enum class operand_kind : std::uint8_t { input, output, scalar, vector, vector_output };

/// The largest swizzle that the tile allows, unless the kernel asks for one.
struct swizzle_choice {
  bool automatic = true;
  swizzle_mode mode = swizzle_mode::none;
};

/// How the part of a vector comes that a body loads: threads read elements in memory where they need them, or TMA brings
/// all of it with the tiles that the same trip loads, through their ring.
enum class vector_path : std::uint8_t { from_memory, with_tiles };
inline constexpr auto from_memory = vector_path::from_memory;
inline constexpr auto with_tiles = vector_path::with_tiles;

/// How many modes a declaration names: 2 in "A(M,K)", 1 in "bias(N)", none in "scale" and "scale()".
constexpr int count_modes(const char* text) {
  int commas = 0, letters = 0;
  for (; *text && *text != '('; ++text) {}
  for (; *text; ++text) {
    commas += *text == ',';
    letters += *text != '(' && *text != ')' && *text != ',' && *text != ' ';
  }
  return letters > 0 || commas > 0 ? commas + 1 : 0;
}
/// An input of one mode or none is a vector.
constexpr operand_kind kind_of_input(const char* text) {
  return count_modes(text) < 2 ? operand_kind::vector : operand_kind::input;
}
/// So is an output.
constexpr operand_kind kind_of_output(const char* text) {
  return count_modes(text) < 2 ? operand_kind::vector_output : operand_kind::output;
}

/// An operand as a kernel declares it; made by input(), output(), scalar(), vector_input(), vector_output() and
/// sparse_input().
template <name_literal Name, class T, operand_kind Kind, bool Sparse = false>
struct operand_declaration {
  using element_type = T;
  static constexpr operand_kind kind = Kind;
  static constexpr bool sparse = Sparse;
  static constexpr const auto& name() { return Name.text; }
  storage_order order = row_major;
  swizzle_choice swizzle{};
  vector_path path = from_memory;
};

/// An operand that the kernel reads: a matrix through TMA, tile by tile; a vector "bias(N)", or a number "scale" that
/// is in memory when the kernel runs, by ordinary loads.
template <name_literal Name, class T = void>
constexpr operand_declaration<Name, T, kind_of_input(Name.text)> input(storage_order order = row_major) {
  return {order, {}};
}
/// The same with a shared-memory swizzle of the caller's choice instead of the widest that fits.
template <name_literal Name, class T = void>
constexpr operand_declaration<Name, T, kind_of_input(Name.text)> input(storage_order order, swizzle_mode mode) {
  return {order, {false, mode}};
}
/// Vectors in batches: of "scale(K,M)" each load takes a part of one row, and the tile has one element along K. Any
/// strides but along the last mode, any alignment. With `with_tiles` a loop that loads tiles loads one part in each trip,
/// and it comes with them.
template <name_literal Name, class T = void>
constexpr operand_declaration<Name, T, operand_kind::vector> vector_input(vector_path path = from_memory) {
  return {row_major, {}, path};
}
/// An input of which two of every four neighbours along a row are stored (of tf32 one of two), with metadata that says
/// which: the left operand of a product. Extents are those of the whole matrix; a launch takes a sparse_view.
template <name_literal Name, class T = void>
constexpr operand_declaration<Name, T, operand_kind::input, true> sparse_input(storage_order order = row_major) {
  return {order, {}};
}
/// What im2col_input() gives.
template <name_literal Name, class T>
struct im2col_declaration : operand_declaration<Name, T, operand_kind::input> {
  static constexpr bool im2col = true;
};
constexpr violation check_im2col_modes(const char* name, int modes) {
  if (modes == 3) return {};
  return refuse(rule::operand_is_used_in_another_way, "im2col_input<\"", name,
                "\", ..>() has three modes, as in X(T,M,C): T counts the places of the filter, M the pixels of the "
                "output, C channels; not ",
                modes);
}
/// An image as the factor of a convolution, X(T,M,C): (t, m, c) is channel c of the pixel that place t of the filter
/// meets where the filter makes pixel m of the output, and 0 where that is outside. T counts the places row by row, M
/// the output's pixels, of all images. Nothing is stored that way: TMA finds the pixels. A launch takes an im2col_view.
template <name_literal Name, class T>
constexpr auto im2col_input() {
  constexpr violation v = check_im2col_modes(Name.text, count_modes(Name.text));
  static_assert(decltype(reason<v>())::verified);
  if constexpr (v.holds())
    return im2col_declaration<Name, T>{};
  else
    return input<Name, T>();
}
/// An operand that the kernel writes: a matrix through TMA, whose tiles are the work items that the grid is made of; a
/// vector "sums(N)" or a number "most", besides, element by element.
template <name_literal Name, class T = void>
constexpr operand_declaration<Name, T, kind_of_output(Name.text)> output(storage_order order = row_major) {
  return {order, {}};
}
/// Vectors in batches that the kernel writes: "parts(T,M)". Any strides but along the last mode, any alignment.
template <name_literal Name, class T = void>
constexpr operand_declaration<Name, T, operand_kind::vector_output> vector_output() {
  return {};
}
/// Where the groups end of a mode that is cut, or how many rows each has: see group_ends() and group_counts().
template <name_literal Name, name_literal Cut, bool Counts>
struct group_declaration : operand_declaration<Name, s32, operand_kind::vector> {
  static constexpr const auto& cuts() { return Cut.text; }
  static constexpr bool counts = Counts;
};
/// Mode `Cut` has groups of different sizes: group_ends<"ends(E)", "T">() makes X(E,T,K) one matrix of K columns in
/// which the rows of all groups follow each other, group e's from ends[e - 1] (the first one's from 0) up to ends[e].
/// To the body X is E matrices, and T is the size of the one whose tile it makes: size<"T">(X) may be 0. A launch is
/// given X as that one matrix. The numbers, s32, are in device memory: whoever launches need not know them. Where they
/// fall, or reach beyond the matrix, nothing outside of it is read or written, and what is computed means nothing: the
/// model says so. Modes between E and T are there for each group: X(E,H,T,K) is H matrices, in one tensor (H,T,K).
/// Another mode may be cut by a vector of its own: group e has the rows that each vector says.
template <name_literal Name, name_literal Cut>
constexpr group_declaration<Name, Cut, false> group_ends() {
  return {};
}
/// The same of groups that have room for as many rows each, of which the first counts[e] are there: of R rows and E
/// groups group e has those from e R / E on. What is behind them changes nothing, and stays. Where a number is
/// negative or more than the room, the group is empty.
template <name_literal Name, name_literal Cut>
constexpr group_declaration<Name, Cut, true> group_counts() {
  return {};
}
constexpr violation check_scalar(const char* name, bool fits) {
  if (fits) return {};
  return refuse(rule::operand_is_used_in_another_way, "scalar ", name, " is a number that a body computes with: ",
                "declare it float, int or bool; a launch converts");
}
/// A number or a flag that is the same for every tile; the body receives it by value.
template <name_literal Name, class T>
constexpr auto scalar() {
  constexpr bool fits = std::is_same_v<T, float> || std::is_same_v<T, bool> || std::is_same_v<T, s32> ||
                        std::is_same_v<T, s8> || std::is_same_v<T, u8>;
  static_assert(decltype(reason<check_scalar(Name.text, fits)>())::verified);
  return operand_declaration<Name, std::conditional_t<fits, T, float>, operand_kind::scalar>{};
}

inline constexpr int max_operands = 16;
/// Whether a kernel may have so many operands.
constexpr violation check_operand_count(int count) {
  if (count <= max_operands) return {};
  return refuse(rule::program_is_not_traceable, "operands(): a kernel has at most ", max_operands, " operands, not ",
                count);
}

/// In place of an operand that a form of the program does without.
struct no_operand {};
/// The declaration where a form has the operand; else nothing: operands() leaves it out, and so do the body and the
/// launch. A body with such operands ends in `auto... more`, and given<There...>(more...) tells which is which.
template <bool There, class Declaration>
constexpr auto when(Declaration d) {
  if constexpr (There)
    return d;
  else
    return no_operand{};
}

namespace detail {

/// `kept` and those of `d` that are there.
template <class... Kept>
struct operand_list {
  static constexpr auto with(Kept... kept) { return boost::hana::basic_tuple<Kept...>(kept...); }
  template <class D, class... Rest>
  static constexpr auto with(Kept... kept, D d, Rest... rest) {
    if constexpr (std::is_same_v<D, no_operand>)
      return operand_list<Kept...>::with(kept..., rest...);
    else
      return operand_list<Kept..., D>::with(kept..., d, rest...);
  }
};

}  // namespace detail

/// Whether D is what input() and its like give, or takes its place.
template <class D>
inline constexpr bool is_declaration = std::is_same_v<D, no_operand> || requires {
  typename D::element_type;
  D::kind;
};
/// The place of the first that is none, from 1; 0 if all are.
template <class... D>
constexpr int first_undeclared() {
  int at = 0, first = 0;
  ((++at, first = first == 0 && !is_declaration<D> ? at : first), ...);
  return first;
}
/// What operands() gives then.
struct wrong_operands {};
constexpr violation check_declared(int at) {
  if (at == 0) return {};
  return refuse(rule::operand_is_used_in_another_way, "operands(): argument ", at, " declares no operand; one is ",
                "input<\"A(M,K)\", bf16>(), with round brackets, and likewise output, scalar, vector_input ..");
}
/// The operands of a kernel, in the order in which its body and its launch take them.
template <class... Declarations>
constexpr auto operands(Declarations... declarations) {
  static_assert(
      decltype(reason<check_operand_count((0 + ... + !std::is_same_v<Declarations, no_operand>))>())::verified);
  constexpr int wrong = first_undeclared<Declarations...>();
  static_assert(decltype(reason<check_declared(wrong)>())::verified);
  if constexpr (wrong == 0)
    return detail::operand_list<>::with(declarations...);
  else
    return wrong_operands{};
}

// ---- what the planner reads of a declaration: one plain value, whatever the operand's types were

inline constexpr int operand_letters = 15;  // of a name

/// What is known of an operand when it is compiled, whatever its type.
struct operand_facts {
  char name[operand_letters + 1]{};
  char mode_name[max_rank][16]{};  // empty: not named
  operand_kind kind = operand_kind::input;
  element type{};
  storage_order order = row_major;
  tile_shape tile{};
  swizzle_choice swizzle{};
  bool sparse = false;
  bool im2col = false;             // pixels of an image that a filter meets
  vector_path path = from_memory;  // of a vector that is read
  char cuts[16]{};                 // the mode whose groups' ends it has; empty: it is no such vector
  bool counts_rows = false;        // and it does not say where they end, but how many rows of each room are there
  int modes = 0;  // that are named; the tile has max_rank of them at most

  /// The mode with that position, outermost first.
  constexpr mode_id mode_at(int position) const { return mode_named(mode_name[position]); }
  constexpr mode_id row_mode() const { return is_vector() ? mode_id::any : mode_at(tile.rank - 2); }
  constexpr mode_id col_mode() const { return tile.rank == 0 ? mode_id::any : mode_at(tile.rank - 1); }
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
  constexpr int cols() const { return tile.rank == 0 ? 1 : tile.extent[tile.rank - 1]; }
  /// Modes in front, of which a tile has one element each.
  constexpr int batch_modes() const { return tile.rank - (is_vector() ? 1 : 2); }
  /// Whether TMA brings it into the stages of a ring.
  constexpr bool comes_through_ring() const { return kind == operand_kind::input || path == with_tiles; }
  /// Whether it travels in tiles, through TMA.
  constexpr bool is_tiled() const { return kind == operand_kind::input || kind == operand_kind::output; }
  /// Whether TMA goes by a map of it.
  constexpr bool has_tensor_map() const { return is_tiled() || path == with_tiles; }
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
  f.sparse = Declaration::sparse;
  f.im2col = requires { Declaration::im2col; };
  f.path = d.path;
  if constexpr (requires { Declaration::cuts(); })
    for (int i = 0; Declaration::cuts()[i] && i + 1 < static_cast<int>(sizeof f.cuts); ++i)
      f.cuts[i] = Declaration::cuts()[i], f.counts_rows = Declaration::counts;
  f.modes = read_names(Declaration::name(), f);
  f.tile.rank = f.modes < max_rank ? f.modes : max_rank;
  for (int i = 0; i < f.tile.rank; ++i) {
    const int said = how.tile.of(f.mode_at(i));
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
/// The operands of kernel K.
template <class K>
constexpr operand_table operand_table_of() {
  return operand_table_in<K>(configuration_of<K>);
}

/// Whether one of them is sparse.
template <class K>
constexpr bool has_sparse_operand() {
  const operand_table t = operand_table_of<K>();
  for (int o = 0; o < t.count; ++o)
    if (t.at[o].sparse) return true;
  return false;
}

/// Whether one of them is an image for a filter.
template <class K>
constexpr bool has_im2col_operand() {
  const operand_table t = operand_table_of<K>();
  for (int o = 0; o < t.count; ++o)
    if (t.at[o].im2col) return true;
  return false;
}

/// Whether one of them is of that kind.
template <class K>
constexpr bool has_operand(operand_kind kind) {
  const operand_table t = operand_table_of<K>();
  for (int o = 0; o < t.count; ++o)
    if (t.at[o].kind == kind) return true;
  return false;
}
/// Whether one of them is a vector.
template <class K>
constexpr bool has_vector() {
  return has_operand<K>(operand_kind::vector) || has_operand<K>(operand_kind::vector_output);
}
/// The operand whose tiles are the work, by its number: the first matrix that is stored, whose tiles the others have;
/// of a kernel that writes vectors alone, the first matrix that it reads. As many as there are operands: there is none.
constexpr int find_work(const operand_table& t) {
  const auto first = [&](operand_kind kind) {
    int o = 0;
    while (o < t.count && t.at[o].kind != kind) ++o;
    return o;
  };
  const int stored = first(operand_kind::output);
  return stored < t.count || first(operand_kind::vector_output) == t.count ? stored : first(operand_kind::input);
}

/// The facts of operand I of kernel K.
template <class K, int I>
constexpr operand_facts operand_facts_of() {
  return facts_of(declaration<I>(K::operands), configuration_of<K>);
}

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
inline constexpr int walked_cut = has_groups<K> ? cuts_of<K>.by[find_work(operand_table_of<K>())] : -1;
/// Whether the work's tiles are those of groups.
template <class K>
constexpr bool walks_groups() {
  return walked_cut<K> >= 0;
}

}  // namespace sectile
