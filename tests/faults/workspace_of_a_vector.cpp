// fault: a workspace that is made of a vector
// caught: compile time
// expect: workspace(pointer, bytes): the first argument is no pointer; of a vector it is v.data()
#include "running/in_parts.hpp"

void launch(operands_in_parts& o, std::vector<float>& memory) {
  run_on_model<in_parts>(o.A.in(), o.B.in(), o.C.view(), workspace(memory, 4096));
}
