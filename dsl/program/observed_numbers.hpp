// Where a machine that looks on is let in: the model, which compares the numbers that threads join with what the layout
// of sums says of them, and finds what a body makes of elements that are not there.
//
// What it does then is none of the language's business, and stands in dsl/model: watched_numbers.hpp,
// watched_elements.hpp, beyond_edge.hpp. Its functions are called where a reading is watched, and are found there by
// the machine that is a part of their arguments' types.
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

namespace sectile {

/// Whether this machine compares numbers that threads have joined with those that they have told.
template <class Machine>
concept follows_numbers = requires(Machine& hw) {
  hw.numbers_of(0);
};
/// Whether a reading computes on such a machine.
template <class R>
concept is_watched = R::computes && follows_numbers<std::remove_cvref_t<decltype(std::declval<R&>().hw)>>;

/// What a number that is made of several elements would be without those that its matrix does not have.
struct edge_number {
  float all = 0, within = 0;  // made of all, and of those that are there
  bool any = false;           // of which there is one
  std::int64_t at = -1;       // the first one that is not there; -1: all are
  float beyond = 0;           // what stands for it
  std::int64_t size = 0;      // elements along the mode
  const char* mode = "";
};
/// A thread's numbers, in an order that is the same for all. Told before an exchange; with what they are without what
/// is beyond an edge, if there is anything.
template <class Machine, class T>
constexpr void observe_numbers(Machine& hw, const T* first, int count, const edge_number* edge = nullptr) {
  if constexpr (follows_numbers<Machine>) hw.observe_numbers(first, count, edge);
}

}  // namespace sectile
