// Where the elements of an operand's tile lie in shared memory for the portable readings.
//
// Rows (along the contiguous mode, as in global memory) are cut into slabs; a slab's rows follow each other at a pitch.
// As a rule there is one slab, and 16 bytes behind each row that put neighbouring rows into different banks.
// nvcuda::wmma wants pointers that are multiples of 32 bytes and a pitch that is a multiple of 16: where a fragment is
// narrower than 32 bytes along the rows, a slab is one fragment wide, so that every fragment begins at a slab's first
// column.
#pragma once

namespace sectile::portable {

struct shared_tile {
  int offset = 0;     // bytes from the start of shared memory; a multiple of 128
  int row_bytes = 0;  // of a row of the tile
  int rows = 0;
  int slab_bytes = 0;  // of a row within one slab
  int pitch = 0;       // bytes from row to row within a slab; a multiple of 16

  constexpr int slabs() const { return (row_bytes + slab_bytes - 1) / slab_bytes; }
  constexpr int bytes() const { return slabs() * rows * pitch; }
  /// Bytes that are copied at once; rows and slabs are cut into such pieces.
  constexpr int piece() const { return slab_bytes < 16 ? slab_bytes : 16; }
  /// Byte `byte` of row `row`, from the tile's first.
  constexpr int at(int row, int byte) const {
    return byte / slab_bytes * (rows * pitch) + row * pitch + byte % slab_bytes;
  }

  friend constexpr bool operator==(const shared_tile&, const shared_tile&) = default;
};

/// A tile of `rows` rows of `row_bytes` bytes, read by fragments that are `fragment_bytes` wide along the rows (0: by
/// threads, element by element).
constexpr shared_tile lay_out(int rows, int row_bytes, int fragment_bytes) {
  shared_tile t{};
  t.rows = rows;
  t.row_bytes = row_bytes;
  if (fragment_bytes % 32 == 0) {
    const int whole = (row_bytes + 15) / 16 * 16;
    t.slab_bytes = whole;
    t.pitch = whole + 16;
  } else {
    t.slab_bytes = fragment_bytes;
    t.pitch = 16;
  }
  return t;
}

}  // namespace sectile::portable
