// The place in its matrix that a fragment has with it, where a machine looks on.
#pragma once
#include <sectile/dsl/program/observed_numbers.hpp>

namespace sectile {

/// In readings where nobody asks; and of what stands for lines of elements, or for all.
struct unobserved_place {
  constexpr void meet(const unobserved_place&) {}
};
/// The type of a machine's own, which is made of its like by meet(): see model/observed_place.hpp.
template <class Machine>
struct place_on {
  using type = unobserved_place;
};
template <follows_numbers Machine>
struct place_on<Machine> {
  using type = typename Machine::place_in_matrix;
};
/// Whether fragments of reading R have a place.
template <class R>
inline constexpr bool follows_places = !std::is_same_v<typename R::place_in_matrix, unobserved_place>;

}  // namespace sectile
