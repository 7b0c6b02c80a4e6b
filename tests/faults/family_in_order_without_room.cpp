// fault: a workspace that is too small for every configuration of a family that adds tiles up in order
// caught: launch
// expect: none of the 2 configurations fits; the nearest, configuration 1: workspace: the tiles that are summed into of_col need 1792 bytes to meet in, and it has 1000
#include "running/in_order.hpp"

namespace family_in_order_without_room {

struct in_order_by_two : in_order {
  static constexpr auto how =
      configurations(product::how.with_tile({{"M", 128}, {"N", 64}, {"K", 64}}),
                     sectile::configuration{.tile = {{"M", 256}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 2});
  static constexpr auto sums = any_order;
};

const running_case here([] {
  operands_in_order<> o;
  o.run<in_order_by_two>(workspace(o.room.view().data, 1000));
});

}  // namespace family_in_order_without_room
