// ThunderKittens' attention in its template, without a mask, behind a function. Nothing of it lies here: whoever builds
// this says where its include/, prototype/ and kernels/ are.
#pragma once
#include <kittens.cuh>
#include <prototype.cuh>

#include <chrono>
#include <fstream>
#include <iostream>
#include <string>

#include "bench/peers/without_main.hpp"

#include <attention/mha_h100_lcf/mha_h100_lcf.cu>
#undef main

namespace sectile::bench {

/// Queues softmax(Q K^T / sqrt(128)) V for packed tensors of batch x heads x length x 128; `length` is a multiple of
/// 128.
inline cudaError_t kittens_template_attention(const void* q, const void* k, const void* v, void* o, int batch,
                                              int heads, int length, cudaStream_t on) {
  using tiles = attn_fwd_template<128>;
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const auto tensor = [&](const void* data) {
    return typename tiles::layout::qo_global(static_cast<kittens::bf16*>(const_cast<void*>(data)), size(batch),
                                             size(heads), size(length), nullptr);
  };
  const auto keys = [&](const void* data) {
    return typename tiles::layout::kv_global(static_cast<kittens::bf16*>(const_cast<void*>(data)), size(batch),
                                             size(heads), size(length), nullptr);
  };
  constexpr int shared = kittens::MAX_SHARED_MEMORY - 2000, blocks = 132;  // as its own program has them
  const auto kernel = &kittens::prototype::lcf::kernel<tiles>;
  if (const auto e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared); e) return e;
  kernel<<<blocks, kittens::prototype::detail::NUM_THREADS_v<tiles>, shared, on>>>(
      {tensor(o), tensor(q), keys(k), keys(v)});
  return cudaGetLastError();
}

}  // namespace sectile::bench
