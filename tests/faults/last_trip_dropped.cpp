// fault: consumers that make one trip fewer than the producer
// reported: tilelang#2381
// caught: compile time
// expect: K step 0 of block 0 of a product with operand B is multiplied 0 times
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int trips(int position, int asked) const {
    const int n = Machine::trips(position, asked);
    return this->thread() == 0 ? n : n - 1;
  }
};
static_assert(verified<on_machine<product, faulty>>);
