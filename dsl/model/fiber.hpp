// Stackful coroutines for CUDA threads: Boost.Context with pooled stacks, known to the address sanitizer.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <vector>

namespace sectile::model {

/// Stacks of one fixed size, a guard page below each, handed out and taken back by one OS thread.
struct stack_pool {
  static constexpr std::size_t stack_bytes = std::size_t{128} << 10;

  stack_pool() = default;
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;
  ~stack_pool();

  /// The lowest usable byte of a stack. Throws std::bad_alloc.
  std::byte* take();
  void release(std::byte* stack) { free_.push_back(stack); }

 private:
  void grow();

  std::vector<std::byte*> free_;
  std::vector<std::byte*> slabs_;
};

/// One coroutine. Its function runs between resume() and the next suspend(), or its end.
struct fiber {
  fiber() = default;
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Prepares function(argument), which must not throw. Nothing runs yet.
  void start(stack_pool& pool, void (*function)(void*), void* argument);
  bool started() const { return started_; }
  bool finished() const { return finished_; }

  /// Called by the scheduler: runs the coroutine until it suspends itself or ends.
  void resume();
  /// Called inside the coroutine: back to the scheduler.
  void suspend();

 private:
  void body(boost::context::fiber&& scheduler);

  boost::context::fiber self_, scheduler_;
  void (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool started_ = false, finished_ = false;

  // For the sanitizer: the stacks of both sides.
  std::byte* stack_ = nullptr;
  const void* scheduler_stack_ = nullptr;
  std::size_t scheduler_stack_bytes_ = 0;
};

}  // namespace sectile::model
