// Which kernels of attention a C function takes: by the number of a head's elements.
#pragma once
#include <sectile/dsl/launch/error.hpp>

#include <exception>
#include <string>
#include <type_traits>

namespace sectile::bench {

/// use(std::integral_constant<int, D>) of the D that is asked for, one of those that are there. Returns null, or why
/// there is none or why it was not queued; the text is good until the thread's next call.
template <int... There, class Use>
const char* with_dimension(int dimension, const Use& use) {
  thread_local std::string why;
  try {
    const bool one = ((dimension == There && (use(std::integral_constant<int, There>()), true)) || ...);
    if (!one)
      throw launch_error("D = " + std::to_string(dimension) +
                         "; there are kernels for D =" + ((", " + std::to_string(There)) + ...).substr(1));
  } catch (const std::exception& e) {
    why = e.what();
    return why.c_str();
  }
  return nullptr;
}

}  // namespace sectile::bench
