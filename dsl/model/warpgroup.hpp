// wgmma: what the 128 threads of a warpgroup do together, and what runs on after they did it (PTX ISA, "Asynchronous
// Warpgroup Level Matrix Multiply-Accumulate Instructions").
//
// As in a warp, each thread leaves its part (where its registers are) and goes on. When the last has come the
// instruction is issued: checked, and put into the warpgroup's queue. It is carried out when the scheduler says so, at
// the latest when a wait needs it.
//
// A product that takes registers (operand A, or metadata) orders reads: all 128 threads have come to it, so whatever
// they loaded for it has left shared memory by the time it is complete. A wait that covers it therefore tells the
// waiting thread that the ordinary reads of all of them are over. It says nothing of their writes.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <sectile/dsl/model/expected_output.hpp>
#include <sectile/dsl/model/machine.hpp>
#include <sectile/dsl/model/observed_factors.hpp>
#include <sectile/dsl/model/operand.hpp>
#include <sectile/dsl/model/registers.hpp>
#include <sectile/dsl/model/shared_memory.hpp>
#include <sectile/dsl/model/trips.hpp>
#include <sectile/dsl/plan/instruction.hpp>
#include <vector>

namespace sectile::model {

struct cta;
struct cuda_thread;

enum class warpgroup_instruction : std::uint8_t { fence, multiply, commit, wait };

/// One collective instruction, from the first thread to come until it is carried out.
struct warpgroup_step {
  warpgroup_instruction what = warpgroup_instruction::fence;
  const wgmma_instruction* instruction = nullptr;
  std::uint64_t a_descriptor = 0, b_descriptor = 0;
  bool accumulate = false;
  int newest = 0;  ///< wait: groups that may stay pending
  int arrived = 0;
  std::array<void*, 128> d{};
  std::array<const std::uint32_t*, 128> a{};
  std::array<std::uint32_t, 128> metadata{};
  std::vector<observer> readers{};           ///< threads that know different things
  gathering operand_reads{};                 ///< ordinary reads that the registers it takes may come from
  std::uint32_t group = 0;                   ///< multiply: the group it will be committed to
  const operand_chunks* a_chunks = nullptr;  ///< where the operands are
  const operand_chunks* b_chunks = nullptr;
  factor_part part{};  ///< what the program means the operands to be
};

struct warpgroup {
  /// The trip in which group `number` (the first is 1) was issued.
  int trip_of(std::uint32_t number) const { return number <= trips.size() ? trips[number - 1] : unknown_trip; }

  cta* home = nullptr;
  component id = 0;  ///< counts completed groups

  std::deque<std::unique_ptr<warpgroup_step>> steps;  ///< not all threads have come
  std::uint64_t first_step = 0;                       ///< number of steps.front()
  std::uint64_t shortest_run = ~std::uint64_t{0};     ///< steps of the thread that exited after the fewest

  std::deque<std::unique_ptr<warpgroup_step>> issued;  ///< products not yet carried out, in order
  std::uint32_t committed = 0;                         ///< groups
  std::uint32_t completed = 0;
  std::vector<int> trips;  ///< of the groups, in which trip of the loop they were issued
  std::vector<cuda_thread*> waiters;
  knowledge completion;  ///< knowledge that the wait for the group asked for last gives

  struct reads_of_group {
    std::uint32_t group;
    knowledge known;
  };
  std::deque<reads_of_group> operand_reads;  ///< of issued products, in order
  expected_output output;
};

/// The registers that each thread hands over for one wgmma. a: nullptr if operand A is in shared memory.
struct wgmma_part {
  void* d;
  register_state* d_state;
  const std::uint32_t* a;
  register_state* a_state;
};

void fence_wgmma(cuda_thread& t);
void issue_wgmma(cuda_thread& t, const wgmma_instruction& i, const wgmma_part& part, const wgmma_operands& operands);
void commit_wgmma(cuda_thread& t);
void wait_for_wgmma(cuda_thread& t, int newest);
/// Throws if other threads of the warpgroup still wait for this one.
void leave_warpgroup(cuda_thread& t);

/// Carries out the oldest issued product.
void complete_wgmma(warpgroup& g);

}  // namespace sectile::model
