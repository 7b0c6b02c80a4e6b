// libpeer_cutlass: the kernels of e4m3.
#define CUTLASS_ENABLE_GDC_FOR_SM90 1
#include "bench/peers/cutlass.hpp"
#include "bench/peers/cutlass_lists.hpp"

void sectile::bench::add_e4m3_kernels(cutlass_list& to) {
  add_whole_sums<cutlass::float_e4m3_t, cutlass::bfloat16_t, float>(to);
}
