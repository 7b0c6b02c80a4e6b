// Random attention problems, with sequences that are no multiple of a tile, and their answer in float64.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>

#include "tests/gpu/guarded.hpp"

namespace sectile::gpu_test {

/// Q and O are B x H x S x D, K and V are B x H x T x D, packed: B H S (or B H T) rows of D elements.
struct attention_case {
  int index = 0;
  std::int64_t batch = 0, heads = 0, queries = 0, keys = 0, dimension = 0;
  bool causal = false;
  guarded<bf16> q, k, v, o;

  float scale() const;  // log2(e) / sqrt(D), as the kernel takes it
};

constexpr int attention_case_count = 20;
attention_case make_attention_case(int index);

/// Relative L2 error of c.o against softmax(Q K^T / sqrt(D)) V in float64; infinite where an element is not finite.
double relative_error(const attention_case& c);

/// Calls launch(D, causal, Q, K, V, O, scale), D and causal as constants in types, with views of the case's tensors,
/// whose bytes begin at q, k, v and o.
template <class Launch>
void with_views(const attention_case& c, const unsigned char* q, const unsigned char* k, const unsigned char* v,
                unsigned char* o, const Launch& launch) {
  const auto shaped = [&](auto* data, std::int64_t length) {
    return tensor(data, c.batch, c.heads, length, c.dimension);
  };
  const auto queries = shaped(c.q.const_view(q).data, c.queries);
  const auto keys = shaped(c.k.const_view(k).data, c.keys), values = shaped(c.v.const_view(v).data, c.keys);
  const auto out = shaped(c.o.view(o).data, c.queries);
  const auto masked = [&](auto dimension) {
    if (c.causal)
      launch(dimension, std::true_type{}, queries, keys, values, out, c.scale());
    else
      launch(dimension, std::false_type{}, queries, keys, values, out, c.scale());
  };
  if (c.dimension == 64) masked(std::integral_constant<int, 64>{});
  if (c.dimension == 128) masked(std::integral_constant<int, 128>{});
}

/// "case 3: B 2, H 3, S 257, T 130, D 64, causal"
std::string describe(const attention_case& c);

}  // namespace sectile::gpu_test
