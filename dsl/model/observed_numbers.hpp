// Numbers that threads have told before they exchanged them, so that each can look up what others had.
#pragma once

#include <cstdint>
#include <deque>
#include <sectile/dsl/program/observed_numbers.hpp>
#include <span>
#include <vector>

namespace sectile::model {

/// What one thread has told: the last lists, by how many it told before. All threads that exchange numbers tell equally
/// often, and one is ahead of another by what stands between two exchanges at most: a cast of each block of a tile.
struct observed_numbers {
  static constexpr std::size_t kept = 64;
  struct list {
    std::vector<float> numbers;
    std::vector<edge_number> edge;  // of the same numbers; empty: nothing of them is beyond one
  };
  std::deque<list> last;
  std::uint64_t told = 0;

  void tell(const float* first, int count, const edge_number* edge = nullptr) {
    last.push_back({{first, first + count}, {edge, edge == nullptr ? edge : edge + count}});
    if (last.size() > kept) last.pop_front();
    ++told;
  }
  /// List number `number`, counted from 1; empty: there is none, or it has been forgotten.
  std::span<const float> find(std::uint64_t number) const { return find(number, &list::numbers); }
  std::span<const edge_number> find_edge(std::uint64_t number) const { return find(number, &list::edge); }

 private:
  template <class T>
  std::span<const T> find(std::uint64_t number, std::vector<T> list::*which) const {
    const std::uint64_t forgotten = told - last.size();
    if (number <= forgotten || number > told) return {};
    return last[static_cast<std::size_t>(number - forgotten - 1)].*which;
  }
};

}  // namespace sectile::model
