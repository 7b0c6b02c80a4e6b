// libpeer_cutlass: the kernels of s8.
#define CUTLASS_ENABLE_GDC_FOR_SM90 1
#include "bench/peers/cutlass.hpp"
#include "bench/peers/cutlass_lists.hpp"

void sectile::bench::add_s8_kernels(cutlass_list& to) { add_whole_sums<std::int8_t, std::int32_t, std::int32_t>(to); }
