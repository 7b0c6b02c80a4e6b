// What a library of attentions is: another system's kernels of O = softmax(Q K^T / sqrt(D)) V, forward, in bf16 with
// D = 128, behind C functions by which attentions.py reaches them (attentions.cpp).
#pragma once
#include <functional>
#include <string>
#include <vector>

using cudaStream_t = struct CUstream_st*;  // as CUDA's headers have it, which tests do without

namespace sectile::bench {

/// Packed tensors of batch x heads x length x 128 in device memory.
struct attention_call {
  const void *q, *k, *v;
  void* o;
  float* sums;  ///< batch x heads x length floats, for kernels that write the logarithms of their sums as well
  int batch, heads, length;
  cudaStream_t on;
};

struct attention_candidate {
  std::string name;
  std::function<void(const attention_call&)> queue;  ///< throws where it cannot
};

/// Defined once in each library, as the library's name and version are.
std::vector<attention_candidate> attention_candidates(bool causal);
std::string attention_library_name();

}  // namespace sectile::bench
