// fault: an accumulator as right factor: wgmma reads the right one from shared memory
// reported: cutlass#2332
// caught: compile time
// expect: a * b with a tile of A and a fragment of f32, 128 x 64: the right factor must be a tile in shared memory; swap the factors, or transpose the product; element by element: cast<float>(in_registers(a)) * b
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto square = sm.accumulator(C);
    square += sm.load(A, {m, 0}) * acc;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
