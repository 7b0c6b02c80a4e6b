// fault: gathered rows that are put down as if there were no swizzle
// caught: compile time
// expect: operand A: thread 8 of CTA 0 copies a piece to byte 128 of a tile, which belongs to byte 144
#include "fault.hpp"

template <class Machine>
struct fault : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void copy_async(std::uint32_t to, const std::byte* from, int byte, long long row, bool there) {
    wrong<Machine>::copy_async(static_cast<std::uint32_t>(byte_swizzle(swizzle_mode::b128)(to)), from, byte, row,
                               there);
  }
};
static_assert(verified<on_machine<gathered_product, fault>>);
