// Running a kernel's portable readings on the CPU: the same code as on a GPU, host pointers instead of device pointers.
#pragma once
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/launch/portable_checks.hpp>
#include <sectile/dsl/portable/entry.hpp>
#include <sectile/dsl/portable/host_machine.hpp>

namespace sectile {

namespace portable {

/// Calls run_block(block, stacks) for blocks 0 .. count - 1, on several OS threads. Throws what the first to fail
/// threw.
template <class RunBlock>
void for_each_block(int count, const model_options& how, const RunBlock& run_block) {
  const int cores = how.workers > 0 ? how.workers : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::atomic<int> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    model::stack_pool stacks;
    for (int block = next++; block < count; block = next++) {
      try {
        run_block(block, stacks);
        if (how.progress) ++*how.progress;
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < std::min(cores, count); ++i) others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace portable

namespace portable {

/// The tensors of a launch, for those who look at what is read and written.
inline host_memory memory_of(const plan& program, const tensor_facts* tensors) {
  std::vector<model::tensor_label> inputs, outputs;
  for (int o = 0; o < program.operands; ++o)
    if (const operand_facts& f = program.operand[o].facts; f.is_read() || f.is_written())
      (f.is_read() ? inputs : outputs).push_back(model::name_tensor(program, o, tensors[o]));
  return {std::move(inputs), outputs};
}

}  // namespace portable

/// Runs kernel K on the CPU in the reading How: portable::wmma<> (or <32, 8>, <8, 32>) or portable::simt. Of the
/// options, `workers`, `progress` (which counts CTAs here) and `check_hazards` have a meaning: accesses to the tensors
/// are looked at, and that outputs are written, each element once or combined. Throws launch_error for arguments that
/// no GPU would take, model::hazard for what it finds.
template <class K, class How = portable::wmma<>, class... Arguments>
void run_portable_on_model_with(const model_options& how, const Arguments&... arguments) {
  static_assert(portable::readable<K, How>);
  if constexpr (portable::can_read<K, How>) {  // one message is enough
    constexpr violation v = check_arguments<K, Arguments...>();
    static_assert(decltype(reason<v>())::verified);
    if constexpr (v.holds()) {  // here and not in a call: each call is a line of what a compiler says of the body
      using namespace portable;
      given_operands given{};
      const auto all = fill_in<K, How>(given, arguments...);
      constexpr int threads = portable_plan_of<K, How>.threads, shared_bytes = portable_plan_of<K, How>.shared_bytes;
      fill_combined_on_host(portable_plan_of<K, How>.program, given.tensor);
      host_memory memory = memory_of(portable_plan_of<K, How>.program, given.tensor);
      using machine = typename machine_under_test<K, host_machine>::type;
      for_each_block(all.count, how, [&](int block, model::stack_pool& stacks) {
        host_cta cta(threads, shared_bytes);
        if (how.check_hazards) cta.host = &memory;
        const auto entry = [&](int thread) {
          machine hw{host_machine{{}, cta, thread}};
          portable::kernel_entry<K, How>(hw, block, all);
        };
        cta.run(stacks, entry);
      });
      if (how.check_hazards) memory.require_covered();
    }
  }
}

/// The same with one worker for each core.
template <class K, class How = portable::wmma<>, class... Arguments>
void run_portable_on_model(const Arguments&... arguments) {
  run_portable_on_model_with<K, How>({}, arguments...);
}

}  // namespace sectile
