#pragma once
// Composition A o B: first B, then A, as one layout with the profile of B. Exact or refused.
//
// How: after coalescing, an index of A is a number in a mixed radix whose digits are the coordinates of A, and A is
// linear as long as no digit carries. A leaf m:r of B walks in steps of r; it stays linear for `run` steps, until
// some digit carries, and the walk in steps of r * run is again such a leaf. So each leaf of B becomes a few leaves
// of the result. They may be added up freely if and only if, with all of them at their last coordinate, no digit
// carries; that is checked at the end, over all leaves of B. (CuTe checks each leaf and each digit by itself, which
// is not enough: cutlass issues 3177 and 2955.)

#include <sectile/layouts/coalesce.hpp>
#include <sectile/layouts/tiler.hpp>

namespace sectile {

/// Why a composition is refused, if it is.
enum class composition_problem : std::uint8_t {
  none,
  extent_not_divisible,  // a leaf of B crosses a mode of A in the middle of a run
  carry,                 // leaves of B add up to more than a mode of A holds
  mixed_signs,           // negative and positive strides of B meet an A of several modes
  rank_zero,             // one of them is empty
};

/// What try_composition() found, and the numbers that refuse_composition() puts into its sentence.
struct composed {
  layout value;
  composition_problem problem = composition_problem::none;
  axis leaf;                 // extent_not_divisible: the leaf of B, or what is left of it ...
  std::int64_t run = 0;      // ... which stays linear for so many steps at a time
  std::int64_t extent = 0;   // carry: the extent of the mode of A ...
  std::int64_t reached = 0;  // ... and the coordinate that B reaches in it

  constexpr explicit operator bool() const { return problem == composition_problem::none; }
};

/// The digits of an index of A: A coalesced, last mode unbounded, and the highest value each digit takes so far.
struct composition_digits {
  layout a;
  std::int64_t reached[max_leaves] = {};

  constexpr int last() const { return a.form.leaves - 1; }

  /// How many steps of r go by before a digit carries; `most` if none does.
  constexpr std::int64_t run(std::int64_t r, std::int64_t most) const {
    for (int j = 0; j < last(); ++j) {
      const std::int64_t digit = r % a.leaf[j].shape;
      if (digit > 0 && ceil_div(a.leaf[j].shape, digit) < most) most = ceil_div(a.leaf[j].shape, digit);
      r /= a.leaf[j].shape;
    }
    return most;
  }

  /// Notes that the walk takes `steps` more steps of r.
  constexpr void walk(std::int64_t r, std::int64_t steps) {
    for (int j = 0; j < last(); ++j) {
      reached[j] = checked_add(reached[j], checked_multiply(steps, r % a.leaf[j].shape));
      r /= a.leaf[j].shape;
    }
  }

  /// A(r), and a refusal instead of an overflow.
  constexpr std::int64_t image(std::int64_t r) const {
    std::int64_t offset = 0;
    for (int j = 0; j <= last(); ++j) {
      const std::int64_t digit = j < last() ? r % a.leaf[j].shape : r;
      offset = checked_add(offset, checked_multiply(digit, a.leaf[j].stride));
      r /= a.leaf[j].shape;
    }
    return offset;
  }

  /// The stride that CuTe gives to a leaf of extent 1 and stride r.
  constexpr std::int64_t stride_of_single(std::int64_t r) const {
    for (int j = 0; j < last(); ++j) r = ceil_div(r, a.leaf[j].shape);
    return checked_multiply(r, a.leaf[last()].stride);
  }
};

/// A o (one leaf of B).
constexpr composed compose_leaf(composition_digits& digits, axis b) {
  composed result;
  if (b.stride == 0 || digits.last() == 0) {
    result.value.leaf[0] = {b.shape, checked_multiply(b.stride, digits.a.leaf[0].stride)};
    if (b.stride == 0) result.value.leaf[0].stride = 0;
    return result;
  }
  const std::int64_t sign = b.stride < 0 ? -1 : 1;
  std::int64_t step = b.stride * sign;
  std::int64_t rest = b.shape;
  if (rest == 1) {
    result.value.leaf[0] = {1, checked_multiply(sign, digits.stride_of_single(step))};
    return result;
  }
  layout parts = empty_tree<layout>();
  while (rest > 1) {
    const std::int64_t run = digits.run(step, rest);
    if (rest % run != 0) {
      result.problem = composition_problem::extent_not_divisible;
      result.leaf = {rest, step};
      result.run = run;
      return result;
    }
    push_leaf(parts.form);
    parts.leaf[parts.form.leaves - 1] = {run, checked_multiply(sign, digits.image(step))};
    digits.walk(step, run - 1);
    rest /= run;
    if (rest > 1) step = checked_multiply(step, run);
  }
  result.value = parts.form.leaves == 1 ? parts : wrap(parts);
  return result;
}

/// Whether leaves of B that move go both up and down.
constexpr bool has_mixed_signs(const layout& b) {
  bool up = false;
  bool down = false;
  for (int k = 0; k < b.form.leaves; ++k) {
    if (b.leaf[k].shape == 1) continue;
    up = up || b.leaf[k].stride > 0;
    down = down || b.leaf[k].stride < 0;
  }
  return up && down;
}

/// composition() that reports instead of throwing. (What does not fit 64 bits or max_leaves still throws.)
constexpr composed try_composition(const layout& a, const layout& b) {
  composed result;
  if (a.form.leaves == 0 || b.form.leaves == 0) {
    result.problem = composition_problem::rank_zero;
    return result;
  }
  composition_digits digits{coalesce_unbounded(a)};
  if (digits.last() > 0 && has_mixed_signs(b)) {
    result.problem = composition_problem::mixed_signs;
    return result;
  }
  layout value = empty_tree<layout>();
  for (int k = 0; k < b.form.leaves; ++k) {
    result = compose_leaf(digits, b.leaf[k]);
    if (!result) return result;
    const int first = value.form.leaves;
    push_mode(value, result.value);
    value.form.open[first] = static_cast<std::uint8_t>(value.form.open[first] + b.form.open[k]);
    std::uint8_t& close = value.form.close[value.form.leaves - 1];
    close = static_cast<std::uint8_t>(close + b.form.close[k]);
  }
  for (int j = 0; j < digits.last(); ++j) {
    if (digits.reached[j] < digits.a.leaf[j].shape) continue;
    result.problem = composition_problem::carry;
    result.extent = digits.a.leaf[j].shape;
    result.reached = digits.reached[j];
    return result;
  }
  require_depth(value.form);
  result.value = checked(value);
  return result;
}

/// Says why A o B is refused.
[[noreturn]] inline void refuse_composition(const layout& a, const layout& b, const composed& why) {
  switch (why.problem) {
    case composition_problem::extent_not_divisible:
      refuse("composition ", a, " o ", b, " is not a layout: B takes ", why.leaf.shape, " steps of ", why.leaf.stride,
             " through A (coalesced: ", coalesce_unbounded(a), "), which go on evenly for ", why.run,
             " at a time, and that does not divide ", why.leaf.shape, ", so that R(i) = A(B(i)) fails");
    case composition_problem::carry:
      refuse("composition ", a, " o ", b, " is not a layout: the modes of B add up to coordinate ", why.reached,
             " in a mode of A (coalesced: ", coalesce_unbounded(a), ") of extent ", why.extent,
             ", which carries, so that the sum of the images is not the image of the sum and R(i) = A(B(i)) fails");
    case composition_problem::mixed_signs:
      refuse(
          "composition ", a, " o ", b,
          " is refused: strides of B of both signs need an A that coalesces to one mode, or R(i) = A(B(i)) may fail");
    default:
      refuse("composition ", a, " o ", b, " is refused: a layout of rank 0 has no coordinates to compose");
  }
}

/// A o B. Post: compatible(B, R), and R(i) == A(B(i)) for every 0 <= i < size(B), where A's last mode is taken as
/// unbounded. Refuses the pair if no such layout exists; in the rare case that one exists only because carries in
/// several modes of A cancel each other, as in (3,3,2):(1,2,7) o 3:8; and strides of B of both signs where A is more
/// than one mode.
constexpr layout composition(const layout& a, const layout& b) {
  const composed result = try_composition(a, b);
  if (!result) refuse_composition(a, b, result);
  return result.value;
}

/// Composition mode by mode: R has one mode per tile, A_i o T_i, and A_i itself where the tile is _. Modes of A
/// behind the last tile are dropped, as in CuTe. Refuses a tiler with more modes than A.
constexpr layout composition(const layout& a, const tiler& t) {
  if (!is_tuple(t)) return t.whole[0] ? a : composition(a, mode(t.tiles, 0));
  if (rank(t) > rank(a)) refuse("composition: the tiler ", t, " has more modes than the layout ", a);
  layout result = empty_tree<layout>();
  for (int i = 0; i < rank(t); ++i) push_mode(result, composition(mode(a, i), mode(t, i)));
  return checked(wrap(result));
}

}  // namespace sectile
