// libattentions_cutlass: the kernels of CUTLASS's example 88 as attentions.
#include "bench/peers/cutlass_attention.hpp"

#include <cutlass/version.h>

#include "bench/peers/attentions.hpp"

namespace sectile::bench {

namespace {

template <class Schedule, bool Causal>
void queue(const attention_call& a) {
  const auto status =
      cutlass_attention<Schedule, Causal>::run(a.q, a.k, a.v, a.o, a.sums, a.batch, a.heads, a.length, a.on);
  if (status != cutlass::Status::kSuccess)
    throw std::runtime_error(std::string("CUTLASS's attention: ") + cutlass::cutlassGetStatusString(status));
}

template <bool Causal>
std::vector<attention_candidate> both() {
  return {{"128 x 128, cooperative", queue<cutlass::gemm::KernelTmaWarpSpecializedCooperative, Causal>},
          {"128 x 128, ping-pong", queue<cutlass::gemm::KernelTmaWarpSpecializedPingpong, Causal>}};
}

}  // namespace

std::vector<attention_candidate> attention_candidates(bool causal) { return causal ? both<true>() : both<false>(); }
std::string attention_library_name() {
  return "CUTLASS " + std::to_string(CUTLASS_MAJOR) + "." + std::to_string(CUTLASS_MINOR) + "." +
         std::to_string(CUTLASS_PATCH);
}

}  // namespace sectile::bench
