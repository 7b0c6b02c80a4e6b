#pragma once
// The violations of hardware rules as sentences: what is wrong, the rule, and the numbers that clash.

#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/descriptor_text.hpp>
#include <sectile/layouts/message.hpp>
#include <sectile/layouts/reachable.hpp>
#include <sectile/layouts/tma_box.hpp>

namespace sectile {

/// A TMA box, destination or tensor that is refused. Nothing is printed if the rules hold.
constexpr void print(message& to, const box_violation& v) {
  const auto say = [&to](auto... parts) { (to.add(parts), ...); };
  switch (v.rule) {
    case box_rule::holds:
      return;
    case box_rule::rank:
      return say("rank ", v.value, " is not one of 1 to ", v.limit);
    case box_rule::element_bits:
      return say("elements of ", v.value, " bits cannot be copied by TMA; use 8, 16, 32 or 64");
    case box_rule::extent:
      return say("box extent ", v.value, " of dimension ", v.dimension, " is not in 1 to ", v.limit,
                 v.limit < tma_max_box_extent ? ", more than which does not fit shared memory" : "");
    case box_rule::row_granule:
      return say("the innermost row of the box is ", v.value, " bytes, which is not a multiple of ", v.limit);
    case box_rule::row_exceeds_span:
      return say("the innermost row of the box is ", v.value, " bytes, more than the ", v.limit,
                 " of the swizzle span");
    case box_rule::destination:
      return say("shared-memory address ", v.value, " is not a multiple of ", v.limit, ", which this swizzle needs");
    case box_rule::global_base:
      return say("global address ", v.value, " is not a multiple of ", v.limit);
    case box_rule::global_stride:
      return say("the stride of dimension ", v.dimension, " is ", v.value, " bytes, which is not a multiple of ",
                 v.limit);
    case box_rule::global_stride_size:
      return say("the stride of dimension ", v.dimension, " is ", v.value, " bytes, which is not in 0 to ",
                 v.limit - 1);
    case box_rule::global_extent:
      return say("extent ", v.value, " of dimension ", v.dimension, " of the tensor is not in 1 to ", v.limit);
  }
}

/// A matrix descriptor that is refused. Nothing is printed if the rules hold.
constexpr void print(message& to, const descriptor_violation& v) {
  const auto multiple = [&](const char* what) {
    to.add(what).add(" of ").add(v.value).add(" bytes is not a multiple of ").add(v.limit);
  };
  const auto size = [&](const char* what) {
    to.add(what).add(" of ").add(v.value).add(" bytes does not fit its field; it must be below ").add(v.limit);
  };
  switch (v.rule) {
    case descriptor_rule::holds:
      return;
    case descriptor_rule::start_granule:
      return multiple("a start address");
    case descriptor_rule::start_size:
      return size("a start address");
    case descriptor_rule::leading_granule:
      return multiple("a leading-dimension offset (LBO)");
    case descriptor_rule::leading_size:
      return size("a leading-dimension offset (LBO)");
    case descriptor_rule::stride_granule:
      return multiple("a stride-dimension offset (SBO)");
    case descriptor_rule::stride_size:
      return size("a stride-dimension offset (SBO)");
    case descriptor_rule::base_offset:
      to.add("base offset ").add(v.value).add(" is not 0 to ").add(v.limit);
      return;
    case descriptor_rule::reserved_bits:
      to.add("descriptor bits 14-15, 30-31, 46-48 and 52-61 must be 0, but these are not: ");
      print_hexadecimal(to, v.value, 16);
      return;
  }
}

/// An operand tile, or instructions on it, that is refused. Nothing is printed if the rules hold.
constexpr void print(message& to, const tile_violation& v) {
  const auto say = [&to](auto... parts) { (to.add(parts), ...); };
  switch (v.rule) {
    case tile_rule::holds:
      return;
    case tile_rule::element_bits:
      return say("elements of ", v.value, " bits are no operand's; use 1, 4, 8, 16 or 32");
    case tile_rule::mn_major_needs_16_bit:
      return say("an MN-major operand needs elements of ", v.limit, " bits, these have ", v.value,
                 "; store it K-major");
    case tile_rule::extent:
      return say("an extent of ", v.value, " elements is empty");
    case tile_rule::rows_of_core_matrix:
      return say("an extent of ", v.value, " across the contiguous direction is not a multiple of the ", v.limit,
                 " rows of a core matrix");
    case tile_rule::panel_width:
      return say("a contiguous extent of ", v.value, " elements is not a multiple of the ", v.limit,
                 " of one swizzle span; choose a narrower swizzle");
    case tile_rule::instruction_mn:
      return say("a tile of ", v.value, " along M or N is not a multiple of the instruction's ", v.limit);
    case tile_rule::instruction_k:
      return say("a tile of ", v.value, " along K is not a multiple of the instruction's ", v.limit);
    case tile_rule::instruction_granule:
      return say("an instruction's extent of ", v.value, " is not a multiple of the ", v.limit, " of a core matrix");
    case tile_rule::instruction_exceeds_span:
      return say("an instruction's ", v.value, " bytes along K do not divide the swizzle span of ", v.limit,
                 "; choose a wider swizzle");
    case tile_rule::instruction_splits_panel:
      return say("an instruction's ", v.value, " along M or N is not a multiple of the panel width ", v.limit,
                 ", so the next one would start inside a panel; choose a narrower swizzle");
    case tile_rule::leading_bytes:
      return say("panels of ", v.value, " bytes do not fit the descriptor's leading offset, which is below ", v.limit);
    case tile_rule::stride_bytes:
      return say("panels of ", v.value, " bytes do not fit the descriptor's stride offset, which is below ", v.limit);
    case tile_rule::tile_bytes:
      return say("a tile of ", v.value, " bytes is more than the ", v.limit, " that a descriptor can address");
  }
}

/// A proof that failed: the element and the two bytes. Nothing is printed if it holds.
constexpr void print(message& to, const reach_result& r) {
  if (r.ok) return;
  to.add("element (").add(r.mn).add(", ").add(r.k).add(") is written to byte ").add(r.written);
  to.add(" of the tile but read from byte ").add(r.read);
}

}  // namespace sectile
