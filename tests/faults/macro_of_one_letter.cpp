// fault: a macro of one capital letter in front of the headers, as #define K 64
// caught: compile time
// expect: K is a macro, and sectile's headers use K as a name: include them before it is defined, or name it otherwise
#define K 64
#include <sectile/dsl.hpp>

struct scaled {
  static constexpr auto operands = sectile::operands(sectile::input<"X(M,N)", float>(),
                                                     sectile::output<"Y(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", K}, {"N", 64}}, .stages = 2};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, 2.0f * in_registers(sm.load(X, {m, n})));
  }
};
static_assert(sectile::verified<scaled>);
