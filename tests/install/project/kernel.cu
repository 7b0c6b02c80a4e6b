#include <sectile/dsl.hpp>

// For nvcc alone: the host compiler, which checks this file first, knows no kernels of CUDA.
#if SECTILE_HAS_CUDA
#include <sectile/dsl/launch/launch.hpp>
#endif

namespace st = sectile;

struct product {  // C = A B^T
  static constexpr auto operands =
      st::operands(st::input<"A(M,K)", st::bf16>(), st::input<"B(N,K)", st::bf16>(), st::output<"C(M,N)", st::bf16>());
  static constexpr st::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(st::verified<product>);

// "" when the host compiler compiled this file; when nvcc did, why a launch on null pointers is refused.
const char* compiled_by_nvcc() {
#ifdef __CUDACC__
  static st::launch_error refused("");
  const st::bf16* none = nullptr;
  try {
    st::launch<product>(st::matrix(none, 64, 64), st::matrix(none, 64, 64), st::matrix((st::bf16*)nullptr, 64, 64));
  } catch (const st::launch_error& e) {
    refused = e;
  }
  return refused.what();
#else
  return "";
#endif
}
