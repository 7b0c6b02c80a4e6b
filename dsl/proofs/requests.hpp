// What the roles ask of the asynchronous units, written down for the proofs of feeding: what wgmma is given, and which
// boxes TMA is to copy.
#pragma once
#include <cstdint>

#include <sectile/dsl/program/operand.hpp>

namespace sectile::protocol {

/// What one wgmma is given.
struct instruction_feed {
  int a = -1;      // start address of A's descriptor, -1: A is in registers
  int first = 0;   // first register of A
  int b = 0;       // start address of B's descriptor
  int block = 0;   // which m64 block of the accumulator, in the order in which a product reaches them
  int group = 0;   // of wgmmas, counted from the run's begin
  bool accumulate = false;
  std::uint64_t a_fields = 0, b_fields = 0;  // of the descriptors, all but the start address
};
/// Where feeds are written down, if there is room for them.
struct feed_list {
  instruction_feed* at = nullptr;
  int room = 0, count = 0;
  constexpr void add(const instruction_feed& f) {
    if (count < room) at[count] = f;
    ++count;
  }
};

/// A box that TMA is asked to copy, from or to the tensor that it is part of.
struct box_copy {
  std::int8_t operand = 0;
  bool metadata = false;   // of a sparse operand
  bool store = false;
  std::uint32_t shared = 0;  // address
  std::uint32_t mask = 0;    // CTAs that receive it
  int at[max_rank]{};        // coordinates in the tensor map, innermost first
  std::uint16_t offset[2]{};  // in an image
};
/// Where copies are written down, if there is room for them.
struct copy_list {
  box_copy* at = nullptr;
  int room = 0, count = 0;
  template <int Rank>
  constexpr void add(box_copy c, const int (&coordinate)[Rank]) {
    for (int d = 0; d < Rank; ++d) c.at[d] = coordinate[d];
    if (count < room) at[count] = c;
    ++count;
  }
};

}  // namespace sectile::protocol
