// mma.sync of e4m3, to hold beside wgmma.
#include <bit>
#include <cstdio>
#include <utility>

#include "mma_sync.hpp"
#include "probe.hpp"
#include "probe_kit.hpp"

namespace sectile::conformance {
namespace {

using products = std::vector<std::pair<double, double>>;

void ask_mma(const char* what, const products& of, double c) {
  const element e = detail::e_e4m3;
  std::uint8_t a[32]{}, b[32]{};
  for (std::size_t i = 0; i < of.size(); ++i) {
    a[i] = static_cast<std::uint8_t>(bits_of(e, of[i].first));
    b[i] = static_cast<std::uint8_t>(bits_of(e, of[i].second));
  }
  const float d = mma_e4m3(a, b, static_cast<float>(c));
  std::printf("%s: %08x = %.9g\n", what, std::bit_cast<std::uint32_t>(d), static_cast<double>(d));
}

products repeat(products l, std::pair<double, double> x, int count) {
  l.insert(l.end(), static_cast<std::size_t>(count), x);
  return l;
}

/// 448 * 448 at k = 0 and its negative at k = `end`. 2^-8 elsewhere is lost if it is added to 448 * 448 and rounded,
/// and survives if it is added to the rounded sum or to what cancels it.
void steps(int end) {
  std::printf("448*448 (k = 0) - 448*448 (k = %d) + 2^-8 at each other k, . where it is lost: ", end);
  const element e = detail::e_e4m3;
  for (int at = 1; at < 32; ++at) {
    if (at == end) {
      std::printf("-");
      continue;
    }
    std::uint8_t a[32]{}, b[32]{};
    a[0] = b[0] = b[end] = static_cast<std::uint8_t>(bits_of(e, 448));
    a[end] = static_cast<std::uint8_t>(bits_of(e, -448));
    a[at] = b[at] = static_cast<std::uint8_t>(bits_of(e, power(-4)));
    const float d = mma_e4m3(a, b, 0);
    std::printf("%s", d == 0 ? "." : d == static_cast<float>(power(-8)) ? "x" : "?");
  }
  std::printf("\n");
}

}  // namespace

void probe_mma_sync() {
  std::puts("\n(n) mma.sync m16n8k32 of e4m3 with f32, the same products as wgmma");
  ask_mma("A = B = 0, C = 1 + 2^-20", {}, 1 + power(-20));
  ask_mma("C = 1, 32 of 2^-14", repeat({}, {power(-7), power(-7)}, 32), 1);
  ask_mma("C = 1, 32 of 2^-13", repeat({}, {power(-7), power(-6)}, 32), 1);
  ask_mma("448*448 + 31", repeat({{448, 448}}, {1, 1}, 31), 0);
  ask_mma("448*448 + 31 of 2^-8", repeat({{448, 448}}, {power(-4), power(-4)}, 31), 0);
  ask_mma("448*448 + 31 of 2^-9", repeat({{448, 448}}, {power(-4), power(-5)}, 31), 0);
  ask_mma("448*448 (k = 0) + 2^-8 (k = 1) - 448*448 (k = 2)", {{448, 448}, {power(-4), power(-4)}, {-448, 448}}, 0);
  for (const int end : {1, 2, 16, 31}) steps(end);
}

}  // namespace sectile::conformance
