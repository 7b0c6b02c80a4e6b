// fault: numbers of tiles that are drawn from another counter than the launch's
// caught: model
// expect: draw_ticket of producer (cta 0, thread 0, outside of loops): no work is drawn from there
#include "running/drawn.hpp"

namespace drawn_from_another_counter {

template <class Machine>
struct elsewhere : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr std::uint64_t draw_ticket(const sectile::ticket_counters& of, int counter) {
    return wrong<Machine>::draw_ticket(of, counter + 1);
  }
};

const running_case here([] {
  drawn_operands o;
  o.run<on_machine<drawn_product, elsewhere>>(o.memory.view());
});

}  // namespace drawn_from_another_counter
