// Vectors that a kernel writes, for the tests on the model.
#pragma once
#include "tests/programs/kit.hpp"

namespace sectile::test {

/// Vectors in host memory that a kernel writes, one element behind a multiple of 128 bytes, between guards. All bytes
/// are 0xFF before, which is NaN.
template <class T>
struct written {
  std::vector<T> memory;
  std::int64_t first, size, rows, stride;

  explicit written(int n, int batches = 1, int pad = 3)
      : memory(static_cast<std::size_t>((n + pad) * batches + 128)), first(1), size(n), rows(batches), stride(n + pad) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    first += static_cast<std::int64_t>((128 - address % 128) % 128 / sizeof(T));
    poison();
  }
  void poison() { std::memset(static_cast<void*>(memory.data()), 0xFF, memory.size() * sizeof(T)); }
  int touched() const {
    int count = 0;
    const auto end = static_cast<std::int64_t>(memory.size());
    for (std::int64_t i = 0; i < end; ++i) {
      const std::int64_t at = i - first;
      const bool inside = at >= 0 && at / stride < rows && at % stride < size;
      constexpr unsigned char untouched[sizeof(T)] = {0xFF, 0xFF};
      T empty;
      std::memset(static_cast<void*>(&empty), untouched[0], sizeof empty);
      count += !inside && std::memcmp(&memory[static_cast<std::size_t>(i)], &empty, sizeof empty) != 0;
    }
    return count;
  }
  double operator()(int i, int batch = 0) const {
    return static_cast<double>(static_cast<float>(memory[static_cast<std::size_t>(first + batch * stride + i)]));
  }
  tensor_view<T> out() { return tensor(memory.data() + first, size); }
  tensor_view<T> number() { return tensor(memory.data() + first); }
  tensor_view<T> batches() { return {memory.data() + first, 2, {rows, size}, {stride, 1}}; }
};

/// Runs `run` with the options of the fair and of a random schedule, and looks at what has been written after each.
template <class Run, class Check, class... Outputs>
void on_schedules(Run run, Check check, Outputs&... outputs) {
  for (const int i : {0, 1}) {
    CAPTURE(i);
    (outputs.poison(), ...);
    const auto schedule = i > 0 ? schedule_mode::random : schedule_mode::fair;
    run(model_options{.schedule = schedule, .seed = 7, .workers = 2});
    CHECK((outputs.touched() + ... + 0) == 0);
    check();
  }
}

}  // namespace sectile::test
