// Every kernel of the tool that has roles, and small ones that use a workspace: what SPIN says of a protocol beside what
// the proof does.
#pragma once

#include <string>
#include <vector>

#include "tests/spin/ask.hpp"

namespace sectile::witness {

struct witnessed_kernel {
  std::string kernel, problem;
  spin_answer spin{};
  std::string proof{};  // its refusal, nothing if it holds
  std::string as{};     // another kernel with the same protocol, which was asked about instead
  std::string left{};   // what SPIN does not hold within the bounds, and how many states it has seen of it
};

/// The names of those kernels.
std::vector<std::string> kernels_with_roles();

/// Problems of growing size, as far as the bounds allow: a tile of each CTA, with 1 trip up to one more than there are
/// stages, and for persistent kernels two tiles with one and two trips. Where tiles are cut, three: one is made whole.
std::vector<witnessed_kernel> witness_kernel(const std::string& name, const spin_tools& tools,
                                             const spin_bounds& bounds);

/// States of one tile of each CTA with one trip more than there are stages, and how many more each of the next few
/// trips has than the one before it: the same number, if longer runs show nothing new. `whole`: SPIN went through all
/// of them.
struct state_growth {
  std::string problem;
  bool whole = true;
  std::uint64_t states = 0;
  std::vector<std::uint64_t> more{};
};
state_growth growth_of(const std::string& name, const spin_tools& tools, const spin_bounds& bounds);

}  // namespace sectile::witness
