// expect: this operand is a tensor: pass a tensor_view (matrix(...), tensor(...))
#include <sectile/dsl/launch/model.hpp>

#include "kernel.hpp"

void run(const bf16* a, const bf16* b, bf16* c) { st::run_on_model<right>(a, b, c); }
