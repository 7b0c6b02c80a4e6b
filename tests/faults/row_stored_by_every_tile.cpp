// fault: the sum of each row, stored by every tile of it, by a kernel that stores no matrix
// caught: launch
// expect: operand sums: N = 304 takes 3 tiles of 128, each of which would store the same elements; no matrix is stored: take rows_of(X) for the work, which is then all of these tiles, or combine() them
#include "running/running.hpp"

namespace row_stored_by_every_tile {

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"sums(M)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}}, .stages = 2};

  static constexpr void body(auto& sm, auto X, auto sums) {
    auto [m, n] = sm.tile_of(X);
    sm.store(sums, {m}, row_sum(cast<float>(in_registers(sm.load(X, {m, n})))).total());
  }
};

const running_case here([] {
  host_matrix<bf16> X(128, 304);
  std::vector<float> sums(128);
  run_on_model<kernel>(X.in(), sectile::tensor(sums.data(), 128));
});

}  // namespace row_stored_by_every_tile
