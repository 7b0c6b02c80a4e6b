// A thread's block of registers that knows whether an asynchronous wgmma still uses it.
//
// wgmma runs on after it was issued: until a wait covers it, its accumulator and its register operand must not be
// touched, and registers that were touched need a wgmma.fence before the next wgmma (PTX ISA, "wgmma.fence",
// "Asynchronous Warpgroup Level Matrix Multiply-Accumulate"). On the chip nothing checks this; here each access does.
// Behind the wait the registers must be taken over (machine::touch), or a compiler may move what reads them before it;
// and registers that nothing has written hold anything.
#pragma once

#include <cstdint>
#include <sectile/dsl/plan/instruction.hpp>
#include <sectile/layouts/fragment.hpp>
#include <type_traits>

namespace sectile::model {

/// The element of its warpgroup's rows that register `i` of block `m` of an accumulator is, in thread `thread` (PTX
/// ISA, "Register Fragments for wgmma.mma_async": a warp has 16 rows of each block, a lane two of them, 8 apart).
inline coord element_of_register(int thread, int m, int i) {
  const int warp = thread / 32 % 4, lane = thread % 32;
  return {64 * m + 16 * warp + lane / 4 + (i % 4 < 2 ? 0 : 8), i / 4 * 8 + lane % 4 * 2 + i % 2};
}

/// How far the running thread has come, as far as its registers are concerned.
struct wgmma_progress {
  std::uint32_t fences = 1;        ///< wgmma.fence executed, plus one
  std::uint32_t waited_group = 0;  ///< all groups up to this one (the first is 1) have been waited for
};

inline constexpr wgmma_progress outside_of_simulation{};

/// The progress of the thread that runs now; the scheduler sets it.
constinit inline thread_local const wgmma_progress* running_progress = &outside_of_simulation;

enum class register_use : std::uint8_t { none, accumulator, operand, metadata };
constexpr const char* name_of(register_use u) {
  return u == register_use::operand ? "operand A" : u == register_use::metadata ? "metadata" : "accumulator";
}

/// What the model knows of one block of registers.
struct register_state {
  std::uint32_t touched = 0;        ///< wgmma_progress::fences when last read or written
  std::uint32_t pending_group = 0;  ///< last group with a wgmma on these registers; 0 is none
  register_use pending_use = register_use::none;
  const wgmma_instruction* pending = nullptr;  ///< that wgmma
  int unwritten = 0;                           ///< registers of the block that nothing has written yet

  bool is_pending() const { return pending_group > running_progress->waited_group; }
};

/// Throws hazard register_in_flight for the running thread.
[[noreturn]] void report_register_access(const register_state& state, const char* access);
/// The same where the wait has been, but nothing says that the registers depend on it.
[[noreturn]] void report_not_taken_over(const register_state& state);
/// Throws hazard unwritten_registers for the running thread.
[[noreturn]] void report_unwritten(int index);
/// Records the same without throwing: for destructors. The simulation ends at the thread's next verb.
void report_register_destroyed(const register_state& state) noexcept;
[[noreturn]] void report_register_index(int index, int size);

/// N 32-bit registers of one thread. They start with a value that shows (a NaN for float): real ones start with
/// anything. Copying copies the values, not the state; it counts as a read of the one and a write of the other.
template <class T, int N>
struct registers {
  static_assert(sizeof(T) == 4, "registers are 32 bits wide");

  constexpr registers() {
    for (T& x : values_) x = __builtin_bit_cast(T, 0xFFBA'DBADu);
    state_.unwritten = N;
    if (!std::is_constant_evaluated()) touch();
  }
  constexpr registers(const registers& other) : registers() { assign(other); }
  constexpr registers& operator=(const registers& other) {
    assign(other);
    return *this;
  }
  constexpr ~registers() {
    if (!std::is_constant_evaluated() && state_.is_pending()) report_register_destroyed(state_);
  }

  /// Register i, 0 <= i < N. Both need a wait before, a fence after; what a const block gives is read, and must have
  /// been written. What another gives counts as written.
  constexpr T& operator[](int i) {
    access(i);
    if (state_.unwritten != 0) note_written(i);
    return values_[i];
  }
  constexpr const T& operator[](int i) const {
    access(i);
    if (state_.unwritten != 0 && !is_written(i) && !std::is_constant_evaluated()) report_unwritten(i);
    return values_[i];
  }

  static constexpr int size() { return N; }

  /// For the machine: the storage, without it counting as an access.
  T* storage() { return values_; }
  const T* storage() const { return values_; }
  register_state& state() const { return state_; }

 private:
  constexpr void touch() const { state_.touched = running_progress->fences; }

  constexpr void access(int i) const {
    if (std::is_constant_evaluated()) return;
    if (i < 0 || i >= N) report_register_index(i, N);
    if (state_.pending_group != 0) {
      if (state_.is_pending()) report_register_access(state_, "reads or writes");
      report_not_taken_over(state_);
    }
    touch();
  }

  constexpr bool is_written(int i) const { return written_[i / 64] >> (i % 64) & 1; }
  constexpr void note_written(int i) {
    if (is_written(i)) return;
    written_[i / 64] |= std::uint64_t{1} << (i % 64);
    --state_.unwritten;
  }

  constexpr void assign(const registers& other) {
    for (int i = 0; i < N; ++i) (*this)[i] = other[i];
  }

  T values_[N < 1 ? 1 : N];
  std::uint64_t written_[N / 64 + 1]{};  // a bit for each; means nothing once none is unwritten
  mutable register_state state_{};
};

}  // namespace sectile::model
