// What products and ldmatrix find in shared memory, compared with the tiles that the program means: each 16 bytes must
// be a copy of the elements that the instruction takes them for. The instruction is known by its place in the product,
// not by its addresses, and the elements by the view that was launched, not by tensor maps: what the lowering makes of
// boxes, slices, panels, stages and descriptors is not asked.
#pragma once

#include <cstdint>
#include <sectile/dsl/program/observed_tile.hpp>

namespace sectile::model {

struct cta;
struct cuda_thread;
struct operand_chunks;
struct operand_shape;
struct warp_step;
struct warpgroup;
struct warpgroup_step;

/// The tiles that the next instructions of a thread take.
struct observed_factors {
  observed_tile a, b;
  int blocks = 0, steps = 0;  ///< of 64 rows, along K; an instruction for each; 0: nothing is told
  int first = 0;              ///< of those steps, where the product is more than one group
  int row = 0;                ///< of A's tile: the thread's first
  int at_once = 0;            ///< of a read: registers that an instruction fills; steps are those of a block then
  int issued = 0;             ///< instructions so far

  int instructions() const { return blocks * steps / (at_once > 0 ? at_once : 1); }
};

/// What one of them takes: from row `row` of A's tile on, K step `step` of both. Of a read `row` is the consumer's
/// first, and `step` the first register that is filled, counted through blocks of so many.
struct factor_part {
  observed_tile a, b;
  int row = 0, step = 0;
  int of_block = 0;
};

/// What t's next instruction of these takes, which is counted. Nothing if nothing is told.
factor_part take_part(const cuda_thread& t, observed_factors& told);
/// Throws if t has not issued all instructions of the product that it told of. It has told of none afterwards.
void close_factors(const cuda_thread& t, observed_factors& told);

/// Throws hazard wrong_element unless the operand of a wgmma that lies at `chunks` (offsets from `base`) is rows
/// `row`.. and K step `step` of the tile.
void require_factor(const cta& c, const observed_tile& tile, const operand_shape& shape, int row, int step,
                    std::uint32_t base, const operand_chunks& chunks, const warpgroup& by, int trip);
/// The same of an ldmatrix.
void require_read(const cta& c, const warp_step& step, const cuda_thread& by);
/// The same of the words of sums that an ld.shared brings: of a pair of a thread's registers, or, where neighbours lie
/// in two rows of memory, of one.
void require_words(const cta& c, const factor_part& part, int words, std::uint32_t address, const cuda_thread& by);

}  // namespace sectile::model
