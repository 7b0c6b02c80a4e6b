// fault: pieces of scattered rows that are read as if there were no swizzle
// caught: compile time
// expect: operand C: byte 0 of row 4 of a consumer's part of a tile is copied from where another one is
#include "fault.hpp"

template <class Machine>
struct fault : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void load_shared(std::uint32_t (&r)[4], std::uint32_t from) {
    wrong<Machine>::load_shared(r, static_cast<std::uint32_t>(byte_swizzle(swizzle_mode::b128)(from)));
  }
};
static_assert(verified<on_machine<scattered_product, fault>>);
