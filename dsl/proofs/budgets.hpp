// Proof 4, budgets: what the kernel asks of an SM, an SM has.
#pragma once
#include <sectile/dsl/plan/build.hpp>

namespace sectile {

constexpr int hardware_barriers = 16;
constexpr int max_transaction_bytes = (1 << 20) - 1;  // of one phase of an mbarrier

constexpr violation check_budgets(const plan& p) {
  if (p.shared_bytes > shared_memory_limit)
    return refuse(rule::stages_do_not_fit_in_shared_memory, "the kernel needs ", p.shared_bytes,
                  " bytes of shared memory, a CTA has ", shared_memory_limit);
  if (p.threads > 1024)
    return refuse(rule::too_many_threads, "the kernel needs ", p.threads, " threads, a CTA has at most 1024");
  const int launched = launch_registers(p) * (1 + p.how.consumers);
  const int asked = p.producer_registers + p.how.consumers * p.consumer_registers;
  if (asked > launched)
    return refuse(rule::registers_exceed_the_pool, "producer ", p.producer_registers, " + ", p.how.consumers,
                  " consumers x ", p.consumer_registers, " = ", asked,
                  " registers per thread, the CTA is launched with ", launched, ": setmaxnreg would wait forever");
  if (p.moves_registers() &&
      (p.consumer_registers < launch_registers(p) || p.producer_registers > launch_registers(p)))
    return refuse(rule::registers_exceed_the_pool, "setmaxnreg can only raise a consumer from ",
                  launch_registers(p), " and lower a producer: not to ", p.consumer_registers, " and ",
                  p.producer_registers);
  if (p.producer_registers < 24 || p.consumer_registers < 24 || p.producer_registers % 8 || p.consumer_registers % 8 ||
      p.consumer_registers > 256)
    return refuse(rule::registers_exceed_the_pool, "setmaxnreg takes multiples of 8 from 24 to 256, not ",
                  p.producer_registers, " and ", p.consumer_registers);
  // ptxas places one instruction's registers within those of the launch, whatever setmaxnreg gives a consumer later.
  constexpr int beside_an_instruction = 26;
  for (int i = 0; i < p.products.count; ++i) {
    const wgmma_instruction& x = p.products.at[i].instruction;
    const int needed = accumulator_registers(x) + beside_an_instruction;
    if (needed > launch_registers(p))
      return refuse(rule::accumulators_do_not_fit_in_registers, "an instruction of ", x.n, " ",
                    said_instruction_n(p.how), " needs ", needed, " registers per thread, the kernel is launched with ",
                    launch_registers(p), "; use tiles of fewer ", said_instruction_n(p.how), ", or fewer consumers");
  }
  const int fragments = p.live_registers > p.accumulator_registers ? p.live_registers : p.accumulator_registers;
  if (fragments + consumer_overhead > p.consumer_registers)
    return refuse(rule::accumulators_do_not_fit_in_registers, "fragments of ", fragments,
                  " registers per thread do not fit: a consumer has ", p.consumer_registers, ", ", consumer_overhead,
                  " of them for the rest; use smaller tiles or more consumers");
  const int barriers =
      1 + p.how.consumers * (p.how.takes_turns() ? 2 : 1) + p.splits() + p.sharers_meet() + producers_meet(p);
  if (barriers > hardware_barriers)
    return refuse(rule::too_many_barriers, barriers, " named barriers are needed, a CTA has ", hardware_barriers);
  for (int r = 0; r < p.rings; ++r)
    if (p.ring[r].transaction_bytes > max_transaction_bytes)
      return refuse(rule::too_many_barriers, "a stage of ", p.ring[r].transaction_bytes,
                    " bytes exceeds what one barrier counts, ", max_transaction_bytes);
  return {};
}

}  // namespace sectile
