// ThunderKittens' tuned attention for the H100 behind a function, and, in kittens_template_attention.hpp, the one in
// its template. Nothing of it lies here: whoever builds this says where its include/ and kernels/ are.
#pragma once
#include <cooperative_groups.h>
#include <kittens.cuh>

#include <fstream>
#include <iostream>
#include <string>

#include "bench/peers/without_main.hpp"

#include <attention/mha_h100/mha_h100.cu>
#undef main

namespace sectile::bench {

/// Queues softmax(Q K^T / sqrt(128)) V for packed tensors of batch x heads x length x 128. `sums`: a float for each
/// row, which it writes. Its blocks have 192 queries; the last one may hang over the end, where its own program rounds
/// down.
template <bool Causal>
cudaError_t kittens_attention(const void* q, const void* k, const void* v, void* o, float* sums, int batch, int heads,
                              int length, cudaStream_t on) {
  using all = fwd_globals<128>;
  const auto size = [](int n) { return static_cast<unsigned>(n); };
  const auto in = [](const void* data) { return static_cast<kittens::bf16*>(const_cast<void*>(data)); };
  const auto tensor = [&]<class Layout>(std::type_identity<Layout>, auto* data, int rows, int cols) {
    return Layout(data, size(batch), size(heads), size(rows), size(cols));
  };
  constexpr int shared = kittens::MAX_SHARED_MEMORY - 1024, queries = 192;  // as its own program has it
  const auto kernel = &fwd_attend_ker<128, Causal>;
  if (const auto e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared); e) return e;
  kernel<<<dim3(size((length + queries - 1) / queries), size(heads), size(batch)), 32 * NUM_WORKERS, shared, on>>>(
      all{tensor(std::type_identity<all::q_gl>(), in(q), length, 128),
          tensor(std::type_identity<all::k_gl>(), in(k), length, 128),
          tensor(std::type_identity<all::v_gl>(), in(v), length, 128),
          tensor(std::type_identity<all::l_gl>(), sums, 1, length),
          tensor(std::type_identity<all::o_gl>(), in(o), length, 128), length, 1});
  return cudaGetLastError();
}

}  // namespace sectile::bench
