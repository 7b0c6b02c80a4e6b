#pragma once
// How many columns of a sparse operand an instruction takes and a block of metadata covers, and which block an
// instruction reads. What the metadata says is in sparse.hpp, and where in a block each of its bits is in metadata.hpp.
//
// Widths (`element_bits`) are 8, 16 or 32; there is no sparse form of one-bit operands.
//
// Source: PTX ISA, "Sparse matrix storage" of wgmma.mma_async.sp.

#include <sectile/layouts/fragment.hpp>

namespace sectile {

/// Neighbours along a row that share four bits of metadata.
constexpr int sparse_group(int element_bits) { return element_bits == 32 ? 2 : 4; }

/// Columns (K) of the whole matrix that one sparse instruction takes: 64 bytes; half of them are stored.
constexpr int sparse_k(int element_bits) { return 512 / element_bits; }

/// Groups of a row that a block covers, and words that it has.
constexpr int metadata_groups = 16;
constexpr int metadata_words = warpgroup_threads;

/// Columns of the whole matrix that a block covers: 64, of tf32 32.
constexpr int metadata_k(int element_bits) { return metadata_groups * sparse_group(element_bits); }

/// Instructions that one block serves, each with a selector of its own: 1 for 8-bit elements, else 2.
constexpr int metadata_selectors(int element_bits) { return metadata_k(element_bits) / sparse_k(element_bits); }

/// The block that K step `step` (steps of one instruction) reads, and its selector.
constexpr int metadata_block(int element_bits, int step) { return step / metadata_selectors(element_bits); }
constexpr int metadata_selector(int element_bits, int step) { return step % metadata_selectors(element_bits); }

}  // namespace sectile
