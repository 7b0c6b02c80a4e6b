// fault: a left factor of which stmatrix writes 16 bytes to where others belong
// caught: compile time
// expect: a left factor in registers: row 0, column 0 is not written where the product takes it from
#include "fault.hpp"

struct chain {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(T,K)", bf16>(),
                                                     input<"D(T,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 16}, {"N", 128}, {"K", 64}, {"T", 128}}, .stages = 3, .consumers = 2, .swap = true};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto a = sm.load(A, {m, 0});
    auto acc = sm.accumulator(C);
    for (auto t : sm.pipelined(tiles<"T">(B))) {
      auto s = sm.accumulator(a * transpose(sm.load(B, {t, 0})));
      acc += cast<bf16>(s) * sm.load(D, {t, n});
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<chain>);

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <class Words>
  constexpr void stmatrix_x4_trans(std::uint32_t to, const Words& words) {
    Machine::stmatrix_x4_trans(to ^ 16, words);
  }
};
static_assert(verified<on_machine<chain, faulty>>);
