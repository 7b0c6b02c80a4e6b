// expect: the tensor's element type is not the operand's
#include <sectile/dsl/launch/model.hpp>

#include "kernel.hpp"

void run(const float* f, const bf16* b, bf16* c) {
  st::run_on_model<right>(st::matrix(f, 64, 64), st::matrix(b, 64, 64), st::matrix(c, 64, 64));
}
