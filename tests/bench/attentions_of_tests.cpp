// A library of attentions as bench/comparison.py loads them, which writes down what it is asked for: the first element
// of O becomes the first ones of Q, K and V and the extents, as digits, and that of the sums the number of the
// candidate.
#include <stdexcept>

#include "bench/peers/attentions.hpp"

namespace sectile::bench {

std::vector<attention_candidate> attention_candidates(bool causal) {
  const auto way = [](int number) {
    return attention_candidate{"way " + std::to_string(number), [number](const attention_call& a) {
                                 if (a.on != nullptr) throw std::runtime_error("a stream where there is no GPU");
                                 int digits = 0;
                                 for (const void* x : {a.q, a.k, a.v})
                                   digits = 10 * digits + *static_cast<const int*>(x);
                                 for (const int extent : {a.batch, a.heads, a.length}) digits = 10 * digits + extent;
                                 *static_cast<int*>(a.o) = digits;
                                 *a.sums = static_cast<float>(number);
                               }};
  };
  if (causal) return {way(3)};
  return {way(1), way(2)};
}
std::string attention_library_name() { return "Notes 2.0"; }

}  // namespace sectile::bench
