// fault: weights as they are given to a kernel of shuffled ones
// caught: compile time
// expect: argument 1: operand W has elements of shuffled s4, the tensor's element type s4 is not the operand's; shuffle() the tensor first
#include "fault.hpp"

#include <sectile/dsl/launch/model.hpp>
#include <sectile/kernels/linear.hpp>

void run(const s4x2* w, const bf16* a, const float* scale, bf16* c) {
  run_on_model<kernels::quantized_linear<shuffled<s4x2>, bf16>>(matrix(w, 64, 64), matrix(a, 16, 64), tensor(scale, 64),
                                                                matrix(c, 64, 16));
}
