// What a program works on, as it declares it: named operands with modes, an element type and a storage order.
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
  constexpr swizzle_choice() = default;
  constexpr swizzle_choice(swizzle_mode m) : automatic(false), mode(m) {}  // implicit on purpose: input<..>(order, m)
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
  int stages = 0;  // of its ring; 0: as many as the configuration says
};
/// The same declaration with a ring of so many stages, of an operand that no other one shares it with.
template <class Declaration>
constexpr Declaration with_stages(int stages, Declaration d) {
  d.stages = stages;
  return d;
}

/// An operand that the kernel reads: a matrix through TMA, tile by tile; a vector "bias(N)", or a number "scale" that
/// is in memory when the kernel runs, by ordinary loads. The swizzle in shared memory is the widest that fits, or the
/// caller's choice.
template <name_literal Name, class T = void>
constexpr operand_declaration<Name, T, kind_of_input(Name.text)> input(storage_order order = row_major,
                                                                       swizzle_choice swizzle = {}) {
  return {order, swizzle};
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
/// What gathered_input() and scattered_output() give.
template <name_literal Name, class T, operand_kind Kind, name_literal Index>
struct indexed_declaration : operand_declaration<Name, T, Kind> {
  static constexpr const auto& index() { return Index.text; }
};
/// A matrix whose rows are picked: gathered_input<"X(T,K)", bf16, "token">() beside input<"token(T)", s32>() has as row
/// t row token[t] of the matrix that a launch gives as X, which has any number of rows. -1 picks a row of zeros, and so
/// does any other number that no row has, of which the model and the debug machine tell. The index has X's modes but
/// the last: of X(E,T,K) vector_input<"token(E,T)", s32>(). Those that it lacks are modes of what a launch gives: with
/// "token(T)" that is E matrices, of which each has its row token[t]. Threads copy the rows, which TMA does not find.
template <name_literal Name, class T, name_literal Index>
constexpr indexed_declaration<Name, T, operand_kind::input, Index> gathered_input() {
  return {};
}
/// A matrix whose rows are sums of rows that the body stores: scattered_output<"Y(T,N)", bf16, "place">() beside
/// vector_input<"place(T)", s32>(). A launch gives as Y a matrix of any number of rows that divides the numbers of
/// place, J to a row: the row that is stored as row t is summand place[t] % J of row place[t] / J, rounded to Y's type.
/// Each row is added up in f32 in the order of its summands, whoever comes first, and stored once. So place names each
/// of its own places once; of another number nothing is stored, and the model and the debug machine tell. The summands
/// wait in the workspace. The index has Y's modes but the last: of Y(E,T,N) vector_input<"place(E,T)", s32>().
template <name_literal Name, class T, name_literal Index>
constexpr indexed_declaration<Name, T, operand_kind::output, Index> scattered_output() {
  return {};
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
/// What trip_output() gives.
template <name_literal Name, class T>
struct trip_declaration : operand_declaration<Name, T, operand_kind::output> {
  static constexpr bool of_trips = true;
};
/// A matrix of which the trips of a loop store tiles: trip_output<"dS(B,T,S)", bf16>() beside output<"dK(B,T,D)",
/// bf16>(). Of the work's modes it has those that tell its tiles apart, and at their coordinates it is stored; of one
/// that it lacks a launch has one tile. The others, here S, count what trips do: no two of them store the same tile.
/// What no trip stores stays as it is.
template <name_literal Name, class T = void>
constexpr trip_declaration<Name, T> trip_output(storage_order order = row_major) {
  return {{order, {}}};
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
  if (count_modes(name) > 0)
    return refuse(rule::operand_is_used_in_another_way, "scalar ", name, " has a mode, and is one number for all ",
                  "tiles; numbers along a mode are in memory: input<\"", name, "\", float>()",
                  count_modes(name) > 1 ? ", or vector_input of the same" : "");
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

}  // namespace sectile
