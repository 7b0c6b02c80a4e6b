// All reachable states, depth first, each visited once.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "tests/dsl/all_orders/machine.hpp"

namespace sectile::orders {

/// What a cluster can come to.
struct outcome {
  std::string wrong{};       // what breaks in some order, nothing if nothing can
  std::vector<int> order{};  // the moves that lead there
  std::size_t states = 0, ends = 0;
  bool whole = true;  // all states were visited; false if there are more than allowed
};

/// Visits all states that some order reaches, until something breaks.
outcome search(const machine& m, std::size_t limit = 4'000'000);

}  // namespace sectile::orders
