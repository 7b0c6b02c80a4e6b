// fault: panels whose numbers are the other output's, where both are made of the same sums
// caught: model
// expect: another value than the body stores there
#include "running/running.hpp"

namespace values_of_the_other_output {

/// C = -(A * B^T), and D = A * B^T.
struct opposites : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), output<"D(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto D) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, -acc);
    sm.store(D, {m, n}, acc);
  }
};

/// The second output's panels lie one buffer of each consumer behind the first one's.
template <class Machine>
struct spoiled : wrong<Machine> {
  using wrong<Machine>::wrong;
  static constexpr std::uint32_t first = 49152, second = 65536;
  template <int Rank>
  constexpr void tma_store(const typename Machine::tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    if constexpr (requires { map.box.element_bits; })  // where it runs; what is proven are other machines
      from = from - this->shared_base() >= second ? from - (second - first) : from;
    Machine::tma_store(map, from, c);
  }
};
static_assert(plan_of<opposites>.epilogue[0].offset == 49152 && plan_of<opposites>.epilogue[1].offset == 65536);

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64), D(128, 64);
  run_on_model<on_machine<opposites, spoiled>>(A.in(), B.in(), C.view(), D.view());
});

}  // namespace values_of_the_other_output
