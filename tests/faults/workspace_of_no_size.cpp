// fault: a workspace without its size
// caught: compile time
// expect: workspace(pointer, bytes) with 1 argument: it takes where the memory is and how many bytes it has
#include "running/in_parts.hpp"

void launch(operands_in_parts& o, void* memory) {
  run_on_model<in_parts>(o.A.in(), o.B.in(), o.C.view(), workspace(memory));
}
