// Control: of ten wrong kernels of which one in four is proven some are refused.
#include "sampled.hpp"

template <int... Stages>
constexpr bool verify(std::integer_sequence<int, Stages...>) {
  return (sectile::verified<too_many_stages<7 + Stages>> && ...);
}
static_assert(verify(std::make_integer_sequence<int, 10>{}));
