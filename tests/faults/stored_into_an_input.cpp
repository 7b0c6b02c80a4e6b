// fault: panels of two outputs that are stored into the memory of an input
// caught: model
// expect: of D on, where none of its elements is
#include "running/running.hpp"

namespace stored_into_an_input {

struct both : product {  // C = -(A * B^T), and D = A * B^T
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

inline const std::byte* input_memory = nullptr;

template <class Machine>
struct spoiled : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int Rank>
  constexpr void tma_store(typename Machine::tensor_map map, std::uint32_t from, const int (&c)[Rank]) {
    if constexpr (requires { map.base; })  // where it runs; what is proven are other machines
      map.base = input_memory;
    Machine::tma_store(map, from, c);
  }
};

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64), D(128, 64);
  const auto a = A.in();
  input_memory = reinterpret_cast<const std::byte*>(a.data);
  run_on_model<on_machine<both, spoiled>>(a, B.in(), C.view(), D.view());
});

}  // namespace stored_into_an_input
