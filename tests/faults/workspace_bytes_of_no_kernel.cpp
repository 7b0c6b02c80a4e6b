// fault: workspace_bytes() that is not told the kernel
// caught: compile time
// expect: workspace_bytes(..) is told which kernel the operands are for: workspace_bytes<kernel>(operands ..)
#include "running/in_parts.hpp"

std::size_t ask(operands_in_parts& o) { return workspace_bytes(o.A.in(), o.B.in(), o.C.view()); }
