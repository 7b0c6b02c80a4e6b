// Saturation of s32 sums.
#include <cstdio>

#include "probe.hpp"
#include "probe_kit.hpp"

namespace sectile::conformance {
namespace {

/// 16 products of 127 * 127 and 16 of 127 * -128, which add up to -2032: the positive ones first, last or in turn.
problem up_and_down(int order, bool saturate) {
  problem p = blank(instruction(s8_s32));
  p.w.saturate = saturate;
  for (int s = 0; s < 32; ++s) {
    const bool positive = order == 0 ? s < 16 : order == 1 ? s >= 16 : s % 2 == 0;
    p.a[static_cast<std::size_t>(s)] = 127;
    p.b[static_cast<std::size_t>(s)] = positive ? 127 : 0x80;
  }
  return p;
}

}  // namespace

void probe_integers(gpu_runner& gpu) {
  std::puts("\n(m) saturation: is it of the exact sum, or of parts of it?");
  for (const bool saturate : {true, false}) {
    for (const int order : {0, 1, 2}) {
      for (const std::uint32_t c : {0x7FFF'FFFFu, 0x8000'0000u, 0x7FFF'FFF0u}) {
        problem p = up_and_down(order, saturate);
        p.c[0] = c;
        const std::uint32_t d = on_gpu(gpu, p)[0];
        std::printf(" %s order %d C %08x: %08x%s", saturate ? "satfinite" : "wrapping", order, c, d,
                    d == reference_answer(p)[0] ? "" : " (reference differs)");
      }
    }
    std::printf("\n");
  }
}

}  // namespace sectile::conformance
