// fault: a launch of a kernel that draws its tiles, without memory for the counter
// caught: launch
// expect: workspace: clusters that draw their tiles (.dynamic = true) need 128 bytes for the counter, and the launch was given none
#include "running/drawn.hpp"

namespace drawn_without_a_counter {

const running_case here([] {
  drawn_operands o;
  o.run();
});

}  // namespace drawn_without_a_counter
