// Control: what the cases spoil is right, also when it goes through the two hooks unchanged.
#include <cmath>

#include "../fault.hpp"

constexpr plan untouched(plan p) { return p; }
template <class Machine>
struct right : wrong<Machine> {
  using wrong<Machine>::wrong;
};
static_assert(verified<product>);
static_assert(verified<shared_product>);
static_assert(verified<drawn_product>);
static_assert(verified<with_plan<product, untouched>>);
static_assert(verified<with_plan<shared_product, untouched>>);
static_assert(verified<on_machine<product, right>>);
static_assert(verified<on_machine<shared_product, right>>);
static_assert(verified<on_machine<drawn_product, right>>);

/// Functions that a GPU has: constexpr, of <cmath>, or said to run there; also where some numbers have no answer.
constexpr float inverse(float x) { return 1 / (x - 0.125f); }
inline float squared(float x) { return x * x; }
struct mapped_product : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc = map(map(acc, inverse), [](float x) { return std::acos(x); });
    acc = map(acc, host_device(squared));
    sm.store(C, {m, n},
             mask(
                 acc, {m, n}, [](int row, int col) { return 8 / (col - row) < 3; }, 0.0f));
  }
};
static_assert(plan_of<mapped_product>.refusal.what == rule::holds);
