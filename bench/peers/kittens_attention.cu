// libattentions_kittens: ThunderKittens' tuned attention, and its other one (kittens_template_attention.cu).
#include "bench/peers/kittens_attention.hpp"

#include "bench/peers/kittens_attentions.hpp"
#include "bench/timing.hpp"

namespace sectile::bench {

namespace {

template <bool Causal>
void tuned(const attention_call& a) {
  check(kittens_attention<Causal>(a.q, a.k, a.v, a.o, a.sums, a.batch, a.heads, a.length, a.on),
        "running ThunderKittens' attention");
}

}  // namespace

std::vector<attention_candidate> attention_candidates(bool causal) {
  if (causal) return {{"tuned", tuned<true>}};
  return {{"tuned", tuned<false>}, {"in its template", queue_kittens_template}};
}
std::string attention_library_name() { return "ThunderKittens " KITTENS_COMMIT; }

}  // namespace sectile::bench
