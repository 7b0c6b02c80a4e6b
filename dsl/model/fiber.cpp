#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <sectile/dsl/model/fiber.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SECTILE_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SECTILE_ADDRESS_SANITIZER 1
#endif
#if defined(SECTILE_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace sectile::model {
namespace {

constexpr std::size_t stacks_per_slab = 64;

std::size_t guard_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
std::size_t pitch() { return stack_pool::stack_bytes + guard_bytes(); }

// The address sanitizer keeps one shadow of "the stack": it must be told of each change of stacks, before and after.
#if defined(SECTILE_ADDRESS_SANITIZER)
void leaving(void** keep, const void* to, std::size_t bytes) { __sanitizer_start_switch_fiber(keep, to, bytes); }
void arrived(void* kept, const void** from, std::size_t* bytes) { __sanitizer_finish_switch_fiber(kept, from, bytes); }
void forget_frames(std::byte* stack) { __asan_unpoison_memory_region(stack, stack_pool::stack_bytes); }
#else
void leaving(void**, const void*, std::size_t) {}
void arrived(void*, const void**, std::size_t*) {}
void forget_frames(std::byte*) {}
#endif

/// The stack allocator that Boost.Context asks for.
struct pooled_stack {
  stack_pool* pool;
  std::byte* stack;

  boost::context::stack_context allocate() {
    boost::context::stack_context context;
    context.size = stack_pool::stack_bytes;
    context.sp = stack + stack_pool::stack_bytes;
    return context;
  }
  void deallocate(boost::context::stack_context&) { pool->release(stack); }
};

}  // namespace

stack_pool::~stack_pool() {
  for (std::byte* slab : slabs_) munmap(slab, stacks_per_slab * pitch());
}

std::byte* stack_pool::take() {
  if (free_.empty()) grow();
  std::byte* stack = free_.back();
  free_.pop_back();
  forget_frames(stack);
  return stack;
}

void stack_pool::grow() {
  void* slab = mmap(nullptr, stacks_per_slab * pitch(), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (slab == MAP_FAILED) throw std::bad_alloc();
  auto* at = static_cast<std::byte*>(slab);
  slabs_.push_back(at);
  for (std::size_t i = 0; i < stacks_per_slab; ++i, at += pitch()) {
    mprotect(at, guard_bytes(), PROT_NONE);  // may fail where mappings are scarce; the stack works all the same
    free_.push_back(at + guard_bytes());
  }
}

void fiber::start(stack_pool& pool, void (*function)(void*), void* argument) {
  function_ = function;
  argument_ = argument;
  started_ = true;
  stack_ = pool.take();
  self_ =
      boost::context::fiber(std::allocator_arg, pooled_stack{&pool, stack_}, [this](boost::context::fiber&& scheduler) {
        body(std::move(scheduler));
        return std::move(scheduler_);
      });
}

void fiber::body(boost::context::fiber&& scheduler) {
  arrived(nullptr, &scheduler_stack_, &scheduler_stack_bytes_);
  scheduler_ = std::move(scheduler);
  function_(argument_);
  finished_ = true;
  leaving(nullptr, scheduler_stack_, scheduler_stack_bytes_);
}

void fiber::resume() {
  void* kept = nullptr;
  leaving(&kept, stack_, stack_pool::stack_bytes);
  self_ = std::move(self_).resume();
  arrived(kept, nullptr, nullptr);
}

void fiber::suspend() {
  void* kept = nullptr;
  leaving(&kept, scheduler_stack_, scheduler_stack_bytes_);
  scheduler_ = std::move(scheduler_).resume();
  arrived(kept, &scheduler_stack_, &scheduler_stack_bytes_);
}

}  // namespace sectile::model
