// libpeer_cutlass: the kernels that split sums. With the macro of the other files, CUTLASS 4.2's do not compile.
#include "bench/peers/cutlass.hpp"
#include "bench/peers/cutlass_lists.hpp"

namespace sectile::bench {

void add_bf16_stream_k(cutlass_list& to) { add_stream_k<cutlass::bfloat16_t, cutlass::bfloat16_t, float>(to); }
void add_e4m3_stream_k(cutlass_list& to) { add_stream_k<cutlass::float_e4m3_t, cutlass::bfloat16_t, float>(to); }
void add_s8_stream_k(cutlass_list& to) { add_stream_k<std::int8_t, std::int32_t, std::int32_t>(to); }

}  // namespace sectile::bench
