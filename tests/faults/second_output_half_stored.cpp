// fault: a second output of which the second consumer's panels stay where they are
// caught: model
// expect: C: 4096 of its 8192 elements are never written
#include "running/running.hpp"

namespace second_output_half_stored {

template <class Machine>
struct spoiled : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int Rank>
  constexpr void tma_store(const typename Machine::tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    if constexpr (requires { map.box.element_bits; })  // where it runs; what is proven are other machines
      if (map.box.element_bits == 16 && c[1] >= 64) return;
    Machine::tma_store(map, from, c);
  }
};

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64);
  host_matrix<float> Z(128, 64);
  run_on_model<on_machine<kept_product, spoiled>>(A.in(), B.in(), Z.view(), C.view());
});

}  // namespace second_output_half_stored
