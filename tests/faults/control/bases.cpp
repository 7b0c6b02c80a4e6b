// Control: what the cases spoil is right, also when it goes through the two hooks unchanged.
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
