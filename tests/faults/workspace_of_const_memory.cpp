// fault: a workspace in memory that is const
// caught: compile time
// expect: workspace(pointer, bytes): the memory is const, but sums of tiles are written there; give a pointer to what is not
#include "running/in_parts.hpp"

void launch(operands_in_parts& o, const void* memory) {
  run_on_model<in_parts>(o.A.in(), o.B.in(), o.C.view(), workspace(memory, 4096));
}
