// fault: rows that are longer than the tiles of every configuration
// caught: launch
// expect: none of the 3 configurations fits; the nearest, configuration 1: operand Y: N = 200 is more than the 128 of a tile, which this kernel takes for whole rows; use a wider tile
#include "running/running.hpp"

namespace family_of_rows_too_narrow {

constexpr sectile::configuration tiles_of(int columns) {
  return {.tile = {{"M", 64}, {"N", columns}}, .stages = 2, .consumers = 1};
}
struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>());
  static constexpr auto how = configurations(tiles_of(64), tiles_of(128), tiles_of(96));
  static constexpr auto sums = any_order;

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = cast<float>(in_registers(sm.load(X, {m, n})));
    sm.store(Y, {m, n}, x / row_max(x));
  }
};

const running_case here([] {
  host_matrix<bf16> X(64, 200), Y(64, 200);
  run_on_model<kernel>(X.in(), Y.view());
});

}  // namespace family_of_rows_too_narrow
