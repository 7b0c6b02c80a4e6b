// What the 32 lanes of a warp do together: stmatrix, ldmatrix, shuffles, bar.warp.sync, setmaxnreg; and ordinary loads
// and stores.
//
// A lane leaves its part and goes on; the last one to come carries the instruction out. Only a shuffle or an ldmatrix,
// whose result is needed, a barrier, and a setmaxnreg that must wait for registers hold a lane up.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <sectile/dsl/model/observed_factors.hpp>
#include <sectile/dsl/model/shared_memory.hpp>
#include <set>
#include <vector>

namespace sectile::model {

struct cuda_thread;

enum class warp_instruction : std::uint8_t {
  stmatrix,
  stmatrix_trans,
  ldmatrix,
  ldmatrix_trans,
  shuffle_xor,
  shuffle,
  sync,
  decrease_registers,
  increase_registers
};

const char* name(warp_instruction what);

/// One collective instruction, from the first lane to come until all are done with it.
struct warp_step {
  warp_instruction what;
  int operand = 0;  ///< number of matrices, lane mask, register count
  int arrived = 0, taken = 0;

  struct matrix_part {
    std::uint32_t address = 0;
    std::uint32_t r[4] = {};
    observer who{};
    event mark{};
  };
  std::vector<matrix_part> matrix{};  ///< stmatrix, ldmatrix: by lane
  std::uint32_t value[32] = {};       ///< shuffles: by lane
  factor_part part{};                 ///< ldmatrix: what the program means it to read
  gathering met{};                    ///< sync: what its lanes knew that have come,
  knowledge known{};                  ///< and what all know then
};

struct warp {
  std::deque<warp_step> steps;
  std::uint64_t first_step = 0;                    ///< number of steps.front()
  int registers = 0;                               ///< per thread
  int wanted_registers = 0;                        ///< by a setmaxnreg.inc that waits; 0: none
  std::uint64_t shortest_run = ~std::uint64_t{0};  ///< steps of the lane that exited after the fewest
  std::vector<cuda_thread*> waiters;
  std::map<std::uint64_t, std::set<const void*>> combined_elements;  ///< by how many lists were told before
};

/// stmatrix of `matrices` (2 or 4) 8 x 8 matrices of 16-bit elements.
void store_matrices(cuda_thread& t, std::uint32_t address, const std::uint32_t (&r)[4], int matrices, bool transposed);
/// ldmatrix of four 8 x 8 matrices of 16-bit elements.
void load_matrices(cuda_thread& t, std::uint32_t (&r)[4], std::uint32_t address, bool transposed);
/// One word, or two.
void store_words(cuda_thread& t, std::uint32_t address, const std::uint32_t* words, int count);
/// The same in the shared memory of `at`, a CTA of the cluster.
void store_word_at(cuda_thread& t, cta& at, std::uint32_t address, std::uint32_t word);
std::uint32_t load_word(cuda_thread& t, std::uint32_t address);
void load_quad(cuda_thread& t, std::uint32_t (&words)[4], std::uint32_t address);
/// The same of a tile that a reading has told of.
void load_words(cuda_thread& t, std::uint32_t* words, int count, std::uint32_t address);
/// Words of another CTA of the cluster.
void load_words_at(cuda_thread& t, cta& at, std::uint32_t* words, int count, std::uint32_t address);
/// Copies one element of 2 or 4 bytes from shared memory to host memory with ordinary instructions.
void copy_out(cuda_thread& t, void* to, std::uint32_t from, std::uint32_t bytes);
/// The x of lane ^ mask.
std::uint32_t shuffle_xor(cuda_thread& t, std::uint32_t x, int lane_mask);
/// The x of lane `from`, which may be another one for each lane.
std::uint32_t shuffle(cuda_thread& t, std::uint32_t x, int from);
/// bar.warp.sync: from here on all lanes know what each knew.
void sync_warp(cuda_thread& t);
void change_registers(cuda_thread& t, int count, bool increase);
/// Throws if other lanes still wait for this one.
void leave_warp(cuda_thread& t);

}  // namespace sectile::model
