// Control: of ten wrong kernels of which one in four is proven those outside of the sample are taken as right.
#include "sampled.hpp"

template <class K>
constexpr bool verify() {
  if constexpr (sectile::is_in_sample<K>())
    return false;
  else
    return sectile::verified<K> && sectile::can_run<K>();
}
template <int... Stages>
constexpr int taken_as_right(std::integer_sequence<int, Stages...>) {
  return (verify<too_many_stages<7 + Stages>>() + ...);
}
static_assert(taken_as_right(std::make_integer_sequence<int, 10>{}) > 4);
