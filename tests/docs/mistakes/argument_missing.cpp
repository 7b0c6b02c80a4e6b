// expect: a kernel is launched with one argument per operand
#include <sectile/dsl/launch/model.hpp>

#include "kernel.hpp"

void run(const bf16* a, const bf16* b) { st::run_on_model<right>(st::matrix(a, 64, 64), st::matrix(b, 64, 64)); }
