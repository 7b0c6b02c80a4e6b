// What a vector holds before anything is combined into it: the reduction's identity, which a launch writes there ahead
// of the kernel.
#pragma once
#include <cstring>

#include <sectile/dsl/launch/checks.hpp>

namespace sectile {

/// `rows` times `words` words, `pitch` bytes from one to the next, that are to become `identity`.
struct identity_block {
  std::uintptr_t first = 0;
  std::int64_t words = 0, rows = 1, pitch = 0;
  float identity = 0;
};

/// fill(block) for all memory of vectors that a kernel combines into. (Sums in order are stored.) Precondition: the
/// tensors are the kernel's (check_launch).
template <class Fill>
void for_each_identity(const plan& p, const tensor_facts (&t)[max_operands], const Fill& fill) {
  for (int o = 0; o < p.operands; ++o) {
    if (p.operand[o].combined == reduction::none || adds_in_order(p, o)) continue;
    const byte_set s = bytes_of(p.operand[o].facts, t[o]);
    identity_block b{static_cast<std::uintptr_t>(s.first), s.run / 4, 1, s.run, identity_of(p.operand[o].combined)};
    if (s.modes > 0) b.rows = s.count[0], b.pitch = s.stride[0];
    std::int64_t blocks = 1;
    for (int d = 1; d < s.modes; ++d) blocks *= s.count[d];
    for (std::int64_t n = 0; n < blocks; ++n) {
      std::int64_t rest = n, offset = 0;
      for (int d = 1; d < s.modes; rest /= s.count[d++]) offset += rest % s.count[d] * s.stride[d];
      b.first = static_cast<std::uintptr_t>(s.first + offset);
      fill(b);
    }
  }
}

/// Fills those of a launch on the CPU.
inline void fill_combined_on_host(const plan& p, const tensor_facts (&t)[max_operands]) {
  for_each_identity(p, t, [](const identity_block& b) {
    for (std::int64_t row = 0; row < b.rows; ++row)
      for (std::int64_t i = 0; i < b.words; ++i)
        std::memcpy(reinterpret_cast<void*>(b.first + static_cast<std::uintptr_t>(row * b.pitch + 4 * i)), &b.identity,
                    sizeof b.identity);
  });
}

}  // namespace sectile
