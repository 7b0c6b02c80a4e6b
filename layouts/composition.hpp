#pragma once
// Composition A o B: first B, then A, as one layout with the profile of B. Exact or refused.
//
// How: after coalescing, an index of A is a number in a mixed radix whose digits are the coordinates of A, and A is
// linear as long as no digit carries. A leaf m:r of B walks in steps of r; it stays linear for `run` steps, until
// some digit carries, and the walk in steps of r * run is again such a leaf. So each leaf of B becomes a few leaves
// of the result. They may be added up freely if and only if, with all of them at their last coordinate, no digit
// carries; that is checked at the end, over all leaves of B. (CuTe checks each leaf and each digit by itself, which
// is not enough: cutlass issues 3177 and 2955.)

#include <sectile/layouts/attempt.hpp>
#include <sectile/layouts/coalesce.hpp>
#include <sectile/layouts/tiler.hpp>

namespace sectile {

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
constexpr attempt compose_leaf(composition_digits& digits, axis b) {
  attempt result;
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
      result.law = algebra_law::runs_divide;
      result.leaf = {rest, step};
      result.first = run;
      return result;
    }
    push_axis(parts, {run, checked_multiply(sign, digits.image(step))});
    digits.walk(step, run - 1);
    rest /= run;
    if (rest > 1) step = checked_multiply(step, run);
  }
  result.value = parts.form.leaves == 1 ? parts : wrap(parts);
  return result;
}

/// Whether leaves that move go both up and down.
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
constexpr attempt try_composition(const layout& a, const layout& b) {
  attempt result;
  composition_digits digits{a};
  const auto refused = [&](algebra_law law) {
    result.law = law;
    result.a = a;
    result.b = b;
    result.value = digits.a;
    return result;
  };
  if (a.form.leaves == 0 || b.form.leaves == 0) return refused(algebra_law::has_coordinates);
  digits.a = coalesce_unbounded(a);
  if (digits.last() > 0 && has_mixed_signs(b)) return refused(algebra_law::one_direction);
  layout value = empty_tree<layout>();
  for (int k = 0; k < b.form.leaves; ++k) {
    result = compose_leaf(digits, b.leaf[k]);
    if (!result) return refused(result.law);
    const int first = value.form.leaves;
    push_mode(value, result.value);
    value.form.open[first] = static_cast<std::uint8_t>(value.form.open[first] + b.form.open[k]);
    std::uint8_t& close = value.form.close[value.form.leaves - 1];
    close = static_cast<std::uint8_t>(close + b.form.close[k]);
  }
  for (int j = 0; j < digits.last(); ++j) {
    if (digits.reached[j] < digits.a.leaf[j].shape) continue;
    result.leaf = digits.a.leaf[j];
    result.first = digits.reached[j];
    return refused(algebra_law::no_carry);
  }
  require_depth(value.form);
  result.value = checked_layout(value);
  return result;
}

/// Applies `each` to each mode of A and its tile; A_i itself where the tile is _. Modes of A behind the last tile
/// are kept as they are, or dropped. Reports a tiler with more modes than A.
template <class Each>
constexpr attempt try_by_mode(const layout& a, const tiler& t, bool keeps_rest, Each each) {
  if (!is_tuple(t)) return t.whole[0] ? attempt{.value = a} : each(a, mode(t.tiles, 0));
  attempt result{.law = algebra_law::a_mode_for_each_tile, .a = a};
  if (rank(t) > rank(a)) return result;
  layout modes = empty_tree<layout>();
  for (int i = 0; i < (keeps_rest ? rank(a) : rank(t)); ++i) {
    result = i < rank(t) ? try_by_mode(mode(a, i), mode(t, i), keeps_rest, each) : attempt{.value = mode(a, i)};
    if (!result) return result;
    push_mode(modes, result.value);
  }
  return {.value = checked_layout(wrap(modes))};
}

/// A o B. Post: compatible(B, R), and R(i) == A(B(i)) for every 0 <= i < size(B), where A's last mode is taken as
/// unbounded. Refuses the pair if no such layout exists; in the rare case that one exists only because carries in
/// several modes of A cancel each other, as in (3,3,2):(1,2,7) o 3:8; and strides of B of both signs where A is more
/// than one mode.
constexpr layout composition(const layout& a, const layout& b) {
  return value_of([&] { return try_composition(a, b); }, operation{"composition", a, " o ", b, true});
}

/// Composition mode by mode: R has one mode per tile, A_i o T_i, and A_i itself where the tile is _. Modes of A
/// behind the last tile are dropped, as in CuTe. Refuses a tiler with more modes than A.
constexpr layout composition(const layout& a, const tiler& t) {
  return value_of([&] { return try_by_mode(a, t, false, try_composition); },
                  operation{"composition", a, " o ", t, !is_tuple(t)});
}

}  // namespace sectile
