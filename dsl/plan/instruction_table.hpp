// Every wgmma that sm_90a has, as one table of 17 families, and what follows from a row: whether an instruction exists,
// how it sums, and the list of all of them.
//
// Source: PTX ISA, "wgmma.mma_async" and "wgmma.mma_async.sp", with what ptxas takes where the text has gaps: N = 240
// and 256 for integers and bits, mixed signs of 8-bit integers, and selectors 0 and 1 (16-bit types, tf32) or 0 (8-bit
// types).
#pragma once
#include <sectile/dsl/plan/instruction.hpp>
#include <sectile/dsl/program/refusal.hpp>

namespace sectile {

/// How an instruction sums its products and C for one element of D.
enum class summation : std::uint8_t {
  truncated,  // floats: terms aligned at the largest exponent and cut below `aligned_bits`, the sum cut to `kept_bits`
  rounded,    // the same, but the sum is rounded to nearest even (D = f16)
  integer,    // modulo 2^32, or clamped
};

/// All instructions with the same types. k is that of a dense instruction; a sparse one has twice as many.
struct instruction_family {
  element a, b, d;
  int k;
  bool every_8;     // N = 8, 16, 24 .. 256; otherwise N = 8, 16, 24, 32, 48, 64 .. 256
  bool mn_major;    // A and B in shared memory may be MN-major
  bool negation;    // A and B may be negated
  bool saturation;  // D may be clamped
  int selectors;    // ways to choose the lanes that hold sparse metadata; 0: no sparse form
  summation sum;
  int aligned_bits, kept_bits;  // of floats

  constexpr bool has_n(int n) const { return n >= 8 && n <= 256 && n % (every_8 || n <= 24 ? 8 : 16) == 0; }
  constexpr int n_choices() const { return every_8 ? 32 : 18; }
  constexpr int n_at(int i) const { return every_8 || i < 3 ? 8 * (i + 1) : 16 * (i - 1); }
  /// The largest N below `n` and the smallest above, as far as there are any.
  constexpr int n_below(int n) const { return n <= 8 ? 8 : n > 256 ? 256 : has_n(n - 1) ? n - 1 : n_below(n - 1); }
  constexpr int n_above(int n) const { return n >= 256 ? 256 : n < 8 ? 8 : has_n(n + 1) ? n + 1 : n_above(n + 1); }
};

namespace detail {
constexpr auto e_f16 = element_of<f16>(), e_bf16 = element_of<bf16>(), e_tf32 = element_of<tf32>();
constexpr auto e_e4m3 = element_of<e4m3>(), e_e5m2 = element_of<e5m2>();
constexpr auto e_s8 = element_of<s8>(), e_u8 = element_of<u8>(), e_b1 = element_of<b1x8>();
constexpr auto e_f32 = element_of<f32>(), e_s32 = element_of<s32>();
}  // namespace detail

/// All rows. A struct, because constexpr functions return it.
struct instruction_table {
  static constexpr int families = 17;
  instruction_family at[families];
};

/// The table.
constexpr instruction_table wgmma_table() {
  using namespace detail;
  constexpr auto cut = summation::truncated, near = summation::rounded, whole = summation::integer;
  constexpr bool yes = true, no = false;
  //             A       B       D      K    N/8  MN   neg  sat  sel  sum    align keep
  return {{{e_f16, e_f16, e_f16, 16, yes, yes, yes, no, 2, near, 25, 10},
           {e_f16, e_f16, e_f32, 16, yes, yes, yes, no, 2, cut, 25, 23},
           {e_bf16, e_bf16, e_f32, 16, yes, yes, yes, no, 2, cut, 25, 23},
           {e_tf32, e_tf32, e_f32, 8, yes, no, yes, no, 2, cut, 25, 23},
           {e_e4m3, e_e4m3, e_f16, 32, yes, no, yes, no, 1, near, 13, 10},
           {e_e4m3, e_e4m3, e_f32, 32, yes, no, yes, no, 1, cut, 13, 13},
           {e_e4m3, e_e5m2, e_f16, 32, yes, no, yes, no, 1, near, 13, 10},
           {e_e4m3, e_e5m2, e_f32, 32, yes, no, yes, no, 1, cut, 13, 13},
           {e_e5m2, e_e4m3, e_f16, 32, yes, no, yes, no, 1, near, 13, 10},
           {e_e5m2, e_e4m3, e_f32, 32, yes, no, yes, no, 1, cut, 13, 13},
           {e_e5m2, e_e5m2, e_f16, 32, yes, no, yes, no, 1, near, 13, 10},
           {e_e5m2, e_e5m2, e_f32, 32, yes, no, yes, no, 1, cut, 13, 13},
           {e_s8, e_s8, e_s32, 32, no, no, no, yes, 1, whole, 0, 0},
           {e_s8, e_u8, e_s32, 32, no, no, no, yes, 1, whole, 0, 0},
           {e_u8, e_s8, e_s32, 32, no, no, no, yes, 1, whole, 0, 0},
           {e_u8, e_u8, e_s32, 32, no, no, no, yes, 1, whole, 0, 0},
           {e_b1, e_b1, e_s32, 256, no, no, no, no, 0, whole, 0, 0}}};
}

/// The row of these types, nullptr if there is none.
constexpr const instruction_family* find_family(const instruction_table& table, const element& a, const element& b,
                                                const element& d) {
  for (const instruction_family& f : table.at)
    if (f.a == a && f.b == b && f.d == d) return &f;
  return nullptr;
}

/// Which row an instruction belongs to, from 0; -1 if to none.
constexpr int family_number(const wgmma_instruction& w) {
  const instruction_table table = wgmma_table();
  const instruction_family* f = find_family(table, w.a, w.b, w.d);
  return f ? static_cast<int>(f - table.at) : -1;
}
/// A number for the kind of an instruction: products of one kind on one accumulator are kept in order by the hardware.
constexpr int kind_of(const wgmma_instruction& w) { return 2 * family_number(w) + (w.sparse ? 1 : 0); }

/// How wgmma sums products of a and b in d. Precondition: there is such a row.
constexpr instruction_family family_of(const wgmma_instruction& w) {
  const instruction_table table = wgmma_table();
  return *find_family(table, w.a, w.b, w.d);
}

// ---- what is not in the table

namespace detail {

/// "f16 x f16 -> f16, f16 x f16 -> f32 or bf16 x bf16 -> f32": the rows that `takes` picks.
template <class Takes>
constexpr void list_choices(sentence& to, const instruction_table& table, Takes takes) {
  int left = 0;
  for (const instruction_family& f : table.at) left += takes(f);
  for (const instruction_family& f : table.at) {
    if (!takes(f)) continue;
    to << f.a.name << " x " << f.b.name << " -> " << f.d.name;
    --left;
    if (left > 0) to << (left == 1 ? " or " : ", ");
  }
}

/// wgmma does not take these types: says which ones come nearest.
constexpr violation refuse_types(const instruction_table& table, const wgmma_instruction& w) {
  const auto inputs = [&](const instruction_family& f) { return f.a == w.a && f.b == w.b; };
  const auto either = [&](const instruction_family& f) { return f.a == w.a || f.b == w.b; };
  int same_inputs = 0, near = 0;
  for (const instruction_family& f : table.at) {
    same_inputs += inputs(f);
    near += either(f);
  }
  violation v =
      refuse(rule::types_have_no_wgmma_instruction, "wgmma has no ", w.a.name, " x ", w.b.name, " -> ", w.d.name, "; ");
  if ((w.a.bits == 8 || w.a.bits == 4) && !w.sparse && (w.b == e_bf16 || w.b == e_f16)) {
    v.says << "a left factor of " << w.a.bits << " bits can become as wide in registers: cast<" << w.b.name
           << ">(in_registers(a)) * b, summed in sm.accumulator(C, as<float>())";
    return v;
  }
  if ((w.b.bits == 8 || w.b.bits == 4) && (w.a == e_bf16 || w.a == e_f16)) {
    v.says << "as a left factor " << w.b.bits << " bits can become as wide in registers: sum the transpose, cast<"
           << w.a.name << ">(in_registers(transpose(b))) * transpose(a), for an output that is col_major";
    return v;
  }
  if (w.a == e_f32 || w.b == e_f32) {
    v.says << "no product takes f32: declare it as tf32, a float in memory whose upper 19 bits are multiplied, or as "
              "bf16 or f16";
    return v;
  }
  if (same_inputs)
    list_choices(v.says, table, inputs);
  else if (near)
    list_choices(v.says, table, either);
  else
    v.says << "A and B can be f16, bf16, tf32, e4m3, e5m2, s8, u8 or b1";
  if (near) v.says << " exist" << (same_inputs == 1 ? "s" : "");
  if (same_inputs && w.d == e_s32) v.says << ": sm.accumulator(C, as<float>())";
  return v;
}

}  // namespace detail

/// Whether wgmma has this instruction; if not, why, and what comes nearest.
constexpr violation check_instruction(const wgmma_instruction& w) {
  const instruction_table table = wgmma_table();
  const instruction_family* row = find_family(table, w.a, w.b, w.d);
  if (!row) return detail::refuse_types(table, w);
  const instruction_family& f = *row;
  const char *a = w.a.name, *b = w.b.name;
  if (w.sparse && f.selectors == 0)
    return refuse(rule::instruction_has_no_such_form, "wgmma has no sparse ", a, " x ", b, "; store A dense");
  const int k = w.sparse ? 2 * f.k : f.k;
  if (w.k != k)
    return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "a ", w.sparse ? "sparse " : "", "wgmma of ", a,
                  " x ", b, " takes K = ", k, " at once, not ", w.k);
  if (!f.has_n(w.n)) {
    const int below = f.n_below(w.n), above = f.n_above(w.n);
    violation v = refuse(rule::n_has_no_wgmma_instruction, "wgmma of ", a, " x ", b,
                         " has N = ", f.every_8 ? "8, 16, 24 .. 256" : "8, 16, 24, 32, 48, 64 .. 256", ", not ", w.n,
                         "; use ", below);
    if (above != below) v.says << " or " << above;
    return v;
  }
  if (!f.mn_major && (w.a_major == major::mn || w.b_major == major::mn))
    return refuse(rule::operand_major_has_no_wgmma_instruction, "operand ", w.a_major == major::mn ? "A" : "B", " of ",
                  a, " x ", b, " is MN-major; wgmma reads only 16-bit types so: store it with K contiguous");
  if (w.a_in_registers && w.a_major == major::mn)
    return refuse(rule::operand_major_has_no_wgmma_instruction, "operand A in registers is K-major by construction");
  if (!f.negation && (w.negate_a || w.negate_b))
    return refuse(rule::instruction_has_no_such_form, "wgmma of ", a, " x ", b,
                  " cannot negate an operand; only floating-point types can be subtracted");
  if (w.saturate && !f.saturation)
    return refuse(rule::instruction_has_no_such_form, "wgmma of ", a, " x ", b, " -> ", w.d.name,
                  " cannot saturate; s8 and u8 can");
  if (!w.sparse && w.selector != 0)
    return refuse(rule::instruction_has_no_such_form, "selector ", w.selector, " of a dense ", a, " x ", b,
                  ": only sparse instructions have one");
  if (w.selector < 0 || (w.sparse && w.selector >= f.selectors))
    return refuse(rule::instruction_has_no_such_form, "sparse ", a, " x ", b,
                  f.selectors == 1 ? " has the selector 0" : " has the selectors 0 and 1", ", not ", w.selector);
  return {};
}

}  // namespace sectile
