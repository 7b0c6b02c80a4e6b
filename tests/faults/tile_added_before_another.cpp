// fault: tiles that are added up in order, from the last to the first
// caught: model
// expect: of part 0 of of_col behind that of tile 2
#include "running/in_order.hpp"

namespace tile_added_before_another {

template <class Machine>
struct backwards : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr float load_number(const float* numbers, long long at, bool there) {
    constexpr long long elements = 64, tiles = 3;
    const long long tile = at / elements % tiles;
    return wrong<Machine>::load_number(numbers, at + (tiles - 1 - 2 * tile) * elements, there);
  }
};

const running_case here([] {
  operands_in_order<> o;
  o.run<on_machine<in_order, backwards>>(o.room.view());
});

}  // namespace tile_added_before_another
