// fault: an epilogue that doubles a row: two lanes write to one row of a panel, and another is left out
// reported: tilelang#2522
// caught: model
// expect: writes C of consumer 0 buffer 0
#include "running/running.hpp"

namespace row_stored_twice {

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&r)[4]) {
    Machine::stmatrix_x4(this->thread() % 16 == 5 ? to - 128 : to, r);
  }
};

const running_case here([] { run_product<on_machine<product, faulty>>(); });

}  // namespace row_stored_twice
