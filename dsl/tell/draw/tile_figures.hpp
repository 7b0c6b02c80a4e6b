// Pictures of one operand's tile, from values.
#pragma once
#include <cstdint>

#include <sectile/dsl/tell/draw/figure.hpp>
#include <sectile/dsl/tell/draw/tile_subject.hpp>

namespace sectile::tell {

/// The tile as it lies in shared memory, in lines of 128 bytes: which 16 bytes lie where, one core matrix outlined, LBO
/// and SBO as distances, and where each K step's descriptor starts. Lines that show nothing new are left out.
figure draw_memory(const tile_subject& s);

/// The 64 bits of a descriptor as a ruler of fields.
figure draw_descriptor(std::uint64_t bits);

/// The descriptor of the instruction on the tile's first element.
figure draw_descriptor(const tile_subject& s);

/// The banks that one core matrix takes, beside those it would take without the swizzle (of a tile without one: in rows
/// of the tile's width).
figure draw_banks(const tile_subject& s);

/// How a tile comes: equal boxes, each fetched by one of `slices` CTAs and multicast to all of them.
struct tile_boxes {
  tma_box box{};
  int slices = 1;
  int per_panel = 1;          // of one slice
  int transaction_bytes = 0;  // what the full barrier of the stage waits for
  std::string metadata{};     // of a sparse operand: its boxes, in words
};

/// The boxes of input `operand` of a plan, and those for a tile of values. Throws layout_error where the tile's rows
/// cannot be cut into so many slices where TMA may write.
tile_boxes boxes_of(const plan& p, int operand);
tile_boxes boxes_of(const tile_subject& s, int slices = 1);

/// Which TMA boxes make the tile, who fetches them, where they land, and what lies past the matrix's edge.
figure draw_box(const tile_subject& s, const tile_boxes& b);

/// The tile as the matrix it is, in core matrices: at which byte each begins before the swizzle, and where LBO and SBO
/// lead; the layout in the notation.
figure draw_canonical(const tile_subject& s);

}  // namespace sectile::tell
