#pragma once
// An operation of the algebra that may have no result: what came of it, and how its refusal is said. An operation that
// is made of others (a product of a complement and a composition) hands on what went wrong inside, so that the refusal
// comes from the function that was called, with its own arguments, and a compiler has few calls to list.

#include <sectile/layouts/layout.hpp>

namespace sectile {

/// The law that an operation would break, if any.
enum class algebra_law : std::uint8_t {
  holds,
  runs_divide,          // a leaf of B crosses a mode of A in the middle of a run
  no_carry,             // leaves of B add up to more than a mode of A holds
  one_direction,        // negative and positive strides of B meet an A of several modes
  has_coordinates,      // a layout of rank 0 is composed
  something_to_cover,   // a complement within less than one offset
  strides_go_up,        // the complement of a negative stride
  modes_lie_apart,      // the complement of modes that overlap
  tiles_reach_all,      // a division that leaves elements out
  a_mode_for_each_tile  // a tiler has more modes than the layout
};

/// What an operation gave: a layout, or the law in the way, the operands that it is about and the numbers that clash.
struct attempt {
  layout value{};
  algebra_law law = algebra_law::holds;
  layout a{}, b{};
  axis leaf{};  // the leaf or mode at fault
  std::int64_t first = 0, second = 0;

  constexpr explicit operator bool() const { return law == algebra_law::holds; }
};

/// An operation as it was called, for its refusals: "logical_divide of (8,2):(1,8) by 4:1 is refused: ". Where the
/// words of the laws name the call themselves it is `named`.
template <class A, class B>
struct operation {
  const char* name;
  const A& a;
  const char* by;
  const B& b;
  bool named = false;

  constexpr message text() const { return message().add(name).add(' ').add(a).add(by).add(b).add(" is refused: "); }
};
template <class A, class B>
operation(const char*, const A&, const char*, const B&, bool = false) -> operation<A, B>;

template <class A, class B>
constexpr void print(message& to, const operation<A, B>& c) {
  if (!c.named) to.add(c.text());
}

/// What `tried` gives. What it throws, of layouts that do not fit 64 bits or max_leaves, is thrown behind the words of
/// the call.
template <class Try, class Call>
constexpr attempt within_limits(Try tried, const Call& call) {
  if (std::is_constant_evaluated()) return tried();
  try {
    return tried();
  } catch (const layout_error& limit) {
    throw layout_error(call.text(), limit.what());
  }
}

/// The value of an attempt, which `tried` makes. Refuses in the words of the law, behind those of the call.
template <class Try, class Call>
constexpr layout value_of(Try tried, const Call& call) {
  const attempt r = within_limits(tried, call);
  const auto& [extent, stride] = r.leaf;
  switch (r.law) {
    case algebra_law::holds:
      break;
    case algebra_law::runs_divide:
      throw layout_error(call, "composition ", r.a, " o ", r.b, " is not a layout: B takes ", extent, " steps of ",
                         stride, " through A (coalesced: ", r.value, "), which go on evenly for ", r.first,
                         " at a time, and that does not divide ", extent, ", so that R(i) = A(B(i)) fails");
    case algebra_law::no_carry:
      throw layout_error(
          call, "composition ", r.a, " o ", r.b, " is not a layout: the modes of B add up to coordinate ", r.first,
          " in a mode of A (coalesced: ", r.value, ") of extent ", extent,
          ", which carries, so that the sum of the images is not the image of the sum and R(i) = A(B(i)) "
          "fails");
    case algebra_law::one_direction:
      throw layout_error(call, "composition ", r.a, " o ", r.b,
                         " is refused: strides of B of both signs need an A that "
                         "coalesces to one mode, or R(i) = A(B(i)) may fail");
    case algebra_law::has_coordinates:
      throw layout_error(call, "composition ", r.a, " o ", r.b,
                         " is refused: a layout of rank 0 has no coordinates to "
                         "compose");
    case algebra_law::something_to_cover:
      throw layout_error(call, "complement of ", r.a, ": the number of offsets to cover is ", r.first,
                         ", not at least 1");
    case algebra_law::strides_go_up:
      throw layout_error(call, "complement of ", r.a, " is refused: stride ", stride, " is negative");
    case algebra_law::modes_lie_apart:
      throw layout_error(call, "complement of ", r.a, " is refused: the mode ", extent, ":", stride,
                         " starts inside the ", r.first,
                         " offsets that the modes of smaller stride span, so no layout fills the gaps without "
                         "overlap");
    case algebra_law::tiles_reach_all:
      throw layout_error(call, "the tile ", r.a, " and its repetitions ", r.b, " leave out element ", r.first, " of ",
                         r.second);
    case algebra_law::a_mode_for_each_tile:
      throw layout_error(call, "the tiler has more modes than the layout ", r.a);
  }
  return r.value;
}

}  // namespace sectile
