// fault: in a CuTe kernel, a barrier that expects the bytes of one operand where two arrive
// caught: compile time
// expect: the barrier expects 16384 bytes and 32768 are copied: it completes too early
#include "cute_types.hpp"

constexpr std::int64_t transaction_bytes = 128 * 64 * 2, copied = 2 * st::size(smem) * 2;
static_assert(st::holds<st::bytes_arrive(transaction_bytes, copied)>);
