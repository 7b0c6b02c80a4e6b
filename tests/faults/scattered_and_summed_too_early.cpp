// fault: a row of which a warp adds up the summands as if its own were the last
// caught: model
// expect: adds bytes 0 to 3 of summand 0 of 2 of row 0, tile 0 of C behind those of summand 1
#include "running/scattered.hpp"

namespace scattered_and_summed_too_early {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr int place_asked_for(const sectile::ticket_counters& of, int counter, std::uint64_t found, int tickets) {
    wrong<Machine>::place_asked_for(of, counter, found, tickets);
    return tickets - 1;
  }
};

const running_case here([] {
  scattered_operands o;
  o.run<on_machine<scattered_product, faulty>>();
});

}  // namespace scattered_and_summed_too_early
