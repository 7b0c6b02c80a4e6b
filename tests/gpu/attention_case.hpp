// Random attention problems, with sequences that are no multiple of a tile, and their answer in float64.
#pragma once
#include <cstdint>
#include <string>

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

/// "case 3: B 2, H 3, S 257, T 130, D 64, causal"
std::string describe(const attention_case& c);

}  // namespace sectile::gpu_test
