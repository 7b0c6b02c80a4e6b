// Control: a program that is right runs to its end, on a machine that is right too.
#include "running/running.hpp"

namespace {
template <class Machine>
struct right : wrong<Machine> {
  using wrong<Machine>::wrong;
};
const running_case here([] {
  run_product<product>();
  run_product<shared_product>();
  run_product<on_machine<product, right>>();
});
}  // namespace
