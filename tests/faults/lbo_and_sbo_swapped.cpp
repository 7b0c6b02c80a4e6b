// fault: LBO and SBO swapped in the descriptors
// reported: cutlass#1688
// caught: compile time
// expect: operand B: a wgmma is given a descriptor with LBO 1024, SBO 16 and a swizzle of 128 bytes; the tile has 16, 1024
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  static constexpr std::uint64_t swapped(std::uint64_t d) {
    matrix_descriptor fields = decode(d);
    const unsigned leading = fields.leading_bytes;
    fields.leading_bytes = fields.stride_bytes;
    fields.stride_bytes = leading;
    return encode(fields);
  }
  template <wgmma_instruction I, class D>
  constexpr void wgmma(D& d, std::uint64_t a, std::uint64_t b, bool accumulate) {
    Machine::template wgmma<I>(d, swapped(a), swapped(b), accumulate);
  }
};
static_assert(verified<on_machine<product, faulty>>);
