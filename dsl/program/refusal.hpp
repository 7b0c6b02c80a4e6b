// How the compiler says no: a rule, the numbers that clash, and one sentence with a way out.
#pragma once
#include <sectile/layouts/free_letters.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <sectile/dsl/program/noted.hpp>
#include <type_traits>
#include <utility>

/// nvcc reads a file in a pass for the device and one for the host, and the host's compiler then reads the latter
/// again. What is wrong with a program is said in the device's, the only one that looks into functions of the host that
/// are templates; the others go without the headers that say it.
#if !defined(__CUDACC__) || defined(__CUDA_ARCH__)
#define SECTILE_SAYS_WHAT_IS_WRONG 1
#else
#define SECTILE_SAYS_WHAT_IS_WRONG 0
#endif

namespace sectile {

/// Every reason for which a kernel can be refused before it runs. The enumerator is what nvcc and clang print in their
/// first line; g++ prints the sentence as well.
enum class rule : std::uint8_t {
  holds,
  // legality
  tile_is_not_a_multiple_of_the_instruction,
  n_has_no_wgmma_instruction,
  tile_rows_do_not_split_over_the_consumers,
  types_have_no_wgmma_instruction,
  operand_major_has_no_wgmma_instruction,
  instruction_has_no_such_form,
  batch_modes_must_have_tile_extent_1,
  shapes_do_not_match,
  // what a value is no use for; the rest of the way out, where a compiler prints the rule alone
  values_do_not_combine,
  a_tile_must_be_loaded_first,
  row_sums_need_total,
  an_element_has_a_value_and_a_column,
  an_index_is_stored_or_cast,
  say_how_many_columns_there_are,
  a_product_needs_an_accumulator,
  a_tile_is_a_factor_or_brought_into_registers,
  fragments_are_combined_as_f32,
  a_fragment_is_no_number_use_map,
  function_does_not_fit,
  function_must_not_be_mutable,
  function_is_for_the_host_alone,
  loops_over_tiles_are_pipelined,
  body_is_written_in_another_way,
  operand_is_used_in_another_way,
  coordinate_is_along_another_mode,
  coordinates_are_taken_apart_as_auto_m_n,
  values_are_along_other_modes,
  path_depends_on_a_run_time_value,
  configuration_does_not_fit_the_program,
  an_extent_is_a_mode_and_a_number,
  members_sum_in_different_orders,
  store_shape_differs_from_the_output_tile,
  store_type_differs_from_the_output,
  store_is_not_one_whole_tile,
  order_of_a_sum_is_open_say_add_in_any_order,
  argument_does_not_fit,
  program_is_not_traceable,
  // reachability and alignment
  swizzle_is_wider_than_the_tile,
  tma_box_is_illegal,
  wgmma_does_not_read_what_tma_wrote,
  shared_memory_is_misaligned,
  shared_memory_overlaps,
  descriptor_field_is_out_of_range,
  // budgets
  stages_do_not_fit_in_shared_memory,
  registers_exceed_the_pool,
  accumulators_do_not_fit_in_registers,
  too_many_threads,
  too_many_barriers,
  cluster_is_illegal,
  // protocol
  transaction_bytes_differ_from_the_copies,
  arrivals_differ_from_the_barrier_count,
  protocol_deadlocks,
  protocol_races,
  registers_are_in_use,
  multicast_peers_disagree,
  // fragments
  fragments_do_not_line_up,
  epilogue_misses_or_doubles_elements,
  // banks
  epilogue_has_bank_conflicts,
};

/// Compilers try a call that may be a constant as soon as they read it, whether or not anybody needs it to be one, and
/// to spell a sentence or to read a body takes them long. This ends the trial: who tries does not know yet what the
/// answer is here.
constexpr void end_trial() {
  if (std::is_constant_evaluated()) return;
}

/// A sentence in a fixed buffer, so that it can be made at compile time and be a template argument. In nvcc's pass for
/// the device, which prints rules and numbers alone and does most of the proofs, it keeps nothing.
struct sentence {
#ifdef __CUDA_ARCH__
  char text[1]{};
#else
  char text[208]{};
#endif

  constexpr int length() const {
    int n = 0;
    while (text[n]) ++n;
    return n;
  }
  constexpr sentence& operator<<(const char* s) {
    end_trial();
    for (int n = length(); *s && n + 1 < static_cast<int>(sizeof text);) text[n++] = *s++;
    return *this;
  }
  constexpr sentence& operator<<(long long v) {
    char digits[24]{};
    int n = sizeof digits - 1;
    unsigned long long rest = v < 0 ? 0ull - static_cast<unsigned long long>(v) : static_cast<unsigned long long>(v);
    do digits[--n] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    if (v < 0) digits[--n] = '-';
    return *this << digits + n;
  }
  constexpr sentence& operator<<(int v) { return *this << static_cast<long long>(v); }
};

/// Which rule is broken, by which numbers, and what to say; `holds` when none is.
struct violation {
  rule what = rule::holds;
  sentence says{};
  int numbers = 0;
  long long number[8]{};  // those in the sentence, in its order

  constexpr bool holds() const { return what == rule::holds; }
  constexpr violation& operator<<(const char* part) {
    if (!holds()) says << part;
    return *this;
  }
  constexpr violation& operator<<(long long part) {
    if (!holds()) says << part;
    if (!holds() && numbers < 8) number[numbers++] = part;
    return *this;
  }
  constexpr violation& operator<<(int part) { return *this << static_cast<long long>(part); }
  constexpr violation& operator<<(const sentence& part) { return *this << part.text; }
};

struct described;
/// A part of what is said: text, a number, or a value that a body has.
struct said_part {
  const char* text = "";
  bool is_number = false;
  bool is_silent = false;  // one of which nothing is said any more
  long long number = 0;
  const described* value = nullptr;
  violation& (*spell)(violation&, const described&) = nullptr;

  constexpr said_part() = default;
  constexpr said_part(const char* t) : text(t) {}
  constexpr said_part(const sentence& s) : text(s.text) {}
  constexpr said_part(long long n) : is_number(true), number(n) {}
  constexpr said_part(int n) : said_part(static_cast<long long>(n)) {}
  constexpr said_part(const described& x, bool silent, violation& (*how)(violation&, const described&))
      : is_silent(silent), value(&x), spell(how) {}
};
inline constexpr said_part no_part{};
constexpr violation refuse_with(rule what, std::initializer_list<const said_part*> parts) {
  violation v{.what = what};
  for (const said_part* part : parts) {
    if (part->is_silent) return {};
    if (part->value)
      part->spell(v, *part->value);
    else if (part->is_number)
      v << part->number;
    else
      v << part->text;
  }
  return v;
}
// No template: a compiler would make a function for each form of a refusal and read it wherever it is named; there are
// hundreds, few of which are ever carried out. Nor one function of 20 parts: each that a call leaves out is read as
// well.
using a_part = const said_part&;
constexpr violation refuse(rule what, a_part a, a_part b = no_part, a_part c = no_part, a_part d = no_part) {
  return refuse_with(what, {&a, &b, &c, &d});
}
constexpr violation refuse(rule what, a_part a, a_part b, a_part c, a_part d, a_part e, a_part f = no_part,
                           a_part g = no_part, a_part h = no_part) {
  return refuse_with(what, {&a, &b, &c, &d, &e, &f, &g, &h});
}
constexpr violation refuse(rule what, a_part a, a_part b, a_part c, a_part d, a_part e, a_part f, a_part g, a_part h,
                           a_part i, a_part j = no_part, a_part k = no_part, a_part l = no_part) {
  return refuse_with(what, {&a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l});
}
constexpr violation refuse(rule what, a_part a, a_part b, a_part c, a_part d, a_part e, a_part f, a_part g, a_part h,
                           a_part i, a_part j, a_part k, a_part l, a_part m, a_part n = no_part, a_part o = no_part,
                           a_part p = no_part, a_part q = no_part, a_part r = no_part, a_part s = no_part,
                           a_part t = no_part) {
  return refuse_with(what, {&a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p, &q, &r, &s, &t});
}

/// The first of of(0) .. of(N - 1) that does not hold; each number is a type, std::integral_constant.
template <int N, class Of>
constexpr violation first_violation(Of of) {
  violation v{};
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((v.holds() ? void(v = of(std::integral_constant<int, I>{})) : void()), ...);
  }
  (std::make_integer_sequence<int, N>{});
  return v;
}

// ---- how it is printed
//
// The first line of every compiler's message has to say it all, and few lines may follow. A static_assert on a member
// of a class does that: each of the compilers names the class with its arguments, in the error itself. g++ prints a
// sentence as text; clang++ and nvcc would spell it letter by letter, so there the arguments are the rule and its
// numbers.
//
// The assertion stands in the very function that a program calls. A compiler lists every function, class and variable
// on the way from the error to the program's line, clang++ three lines for each.

#if defined(__clang__) || defined(__CUDACC__)
template <rule Rule, long long... Numbers>
struct refused_because {
#if defined(__clang__)
  // It is there, and false: a function with an error in an expression is no constant any more to clang++, which it
  // would then say of everything that calls it; one with an assertion that fails is.
  static constexpr bool verified = false, asserted = false;
#else
  static constexpr bool asserted = true;
#endif
};
template <>
struct refused_because<rule::holds> {
  static constexpr bool verified = true, asserted = true;
};

template <violation V, class = std::make_index_sequence<V.numbers>>
struct because;
template <violation V, std::size_t... I>
struct because<V, std::index_sequence<I...>> {
  using type = refused_because<V.what, V.number[I]...>;
};

template <violation V>
typename because<V>::type reason();
#else
template <sentence Says>
struct refused_because {
  static constexpr bool asserted = true;
};
template <>
struct refused_because<sentence{}> {
  static constexpr bool verified = true, asserted = true;
};

template <violation V>
constexpr auto reason() {
  if constexpr (constexpr bool path = V.what == rule::path_depends_on_a_run_time_value; path)
    static_cast<void>(sizeof(note<path_refusal<std::enable_if_t<path>>>));
  return refused_because<V.says>{};
}
#endif
// static_assert(decltype(reason<V>())::verified) says V if it does not hold, and a body is read on.
//
// constexpr bool known = decltype(reason<V>())::verified says it as well, and to g++ and nvcc what depends on it is no
// constant then: the reading ends without another word. clang++ says it where `asserted` has been asserted before, and
// reads on.

/// In place of a reason, for what is checked often and mostly right: no violation has to be made for it.
struct nothing_to_say {
  static constexpr bool verified = true;
};

/// The type of a value that is a result: a body that throws one away, as relu(acc) alone does, is warned by the host's
/// compiler. (nvcc takes references for results, too, and would warn of x *= y.)
#ifdef __CUDACC__
#define SECTILE_RESULT
#else
#define SECTILE_RESULT [[nodiscard]]
#endif

/// Stands for a value that was refused, so that one mistake is reported once.
struct refused_value {
  constexpr operator float() const { return 0; }
  constexpr refused_value total() const { return {}; }
  template <class X>
  constexpr refused_value operator[](const X&) const {
    return {};
  }
  template <class X>
  constexpr const refused_value& operator=(const X&) const {
    return *this;
  }
};

}  // namespace sectile
