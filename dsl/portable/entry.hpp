// A portable kernel: what each thread of each CTA does.
#pragma once
#include <sectile/dsl/portable/simt_reading.hpp>
#include <sectile/dsl/portable/wmma_reading.hpp>

namespace sectile::portable {

template <class K, class How, class Machine>
struct reading_of;
template <class K, int M, int N, class Machine>
struct reading_of<K, wmma<M, N>, Machine> {
  using type = wmma_reading<K, Machine, M, N>;
};
template <class K, class Machine>
struct reading_of<K, simt, Machine> {
  using type = simt_reading<K, Machine>;
};

/// Runs on every thread of CTA number `block`.
template <class K, class How, class Machine>
constexpr void kernel_entry(Machine& hw, int block, const parameters<K>& all) {
  typename reading_of<K, How, Machine>::type sm(hw, all, locate<K, How>(block, all));
  all.arguments.read_body(sm);
}

}  // namespace sectile::portable
