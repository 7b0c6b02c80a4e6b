// A kernel whose roles SPIN can be asked about: one of the tool's, or one that is only here, because the tool has none of
// its kind under a name.
#pragma once

#include <string>
#include <vector>

#include "tool/kernels/families.hpp"

namespace sectile::witness {

struct walked_kernel {
  std::string name;
  const plan* planned = nullptr;
  tool::protocol_walker walk = nullptr;
  std::string proof{};  // its refusal, nothing if it holds
};

/// Small ones, whose parts of tiles meet in a workspace. (Of the tool's kernels some do in families that a launch picks
/// from; a product of 64 x 64 x 64 shows the same in fewer states.)
std::vector<walked_kernel> kernels_with_workspace();
/// The tool's that the tests ask about: whatever the tool was built with.
std::vector<walked_kernel> kernels_of_the_sample();

/// The tool's that has this name, or one of these. Throws an input_error where there is none, or where
/// the tool was built without its protocol.
walked_kernel find_walked(const std::string& name);

}  // namespace sectile::witness
