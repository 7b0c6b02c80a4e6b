// fault: a bias that begins inside an element
// caught: launch
// expect: operand bias: the pointer is not aligned to the 4 bytes of an element
#include "running/with_bias.hpp"

namespace vector_at_half_an_element {

const running_case here([] {
  static const float numbers[65]{};
  const auto* inside = reinterpret_cast<const float*>(reinterpret_cast<const char*>(numbers) + 2);
  run_with_bias([=](float*) { return tensor(inside, 64); });
});

}  // namespace vector_at_half_an_element
