// libsectile_attention: attention forward behind one C function, for attention.py and anything else that can call C.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/attention.hpp>

#include <cmath>

#include "bench/attention_dimensions.hpp"
#include "bench/tile_counter.hpp"

namespace {

using sectile::bf16;
using sectile::kernels::attention_mask;

struct problem {
  const void *q, *k, *v;
  void* o;
  int batch, heads, length, dimension;
  cudaStream_t stream;
};

template <int D, attention_mask Mask>
void launch(const problem& p) {
  const auto in = [&](const void* data) {
    return sectile::tensor(static_cast<const bf16*>(data), p.batch, p.heads, p.length, p.dimension);
  };
  const auto out = sectile::tensor(static_cast<bf16*>(p.o), p.batch, p.heads, p.length, p.dimension);
  constexpr double log2_e = 1.4426950408889634;
  const auto scale = static_cast<float>(log2_e / std::sqrt(static_cast<double>(D)));
  if constexpr (Mask == attention_mask::none) {
    sectile::launch<sectile::kernels::attention<D, Mask>>(in(p.q), in(p.k), in(p.v), out, scale, p.stream);
  } else {
    const auto drawn = [&]<bool Brief>(std::bool_constant<Brief>) {
      sectile::launch<sectile::kernels::drawn_attention<D, Brief>>(in(p.q), in(p.k), in(p.v), out, scale,
                                                                   sectile::bench::tile_counter(), p.stream);
    };
    if (p.length <= 1024)
      drawn(std::bool_constant<D <= 64>());
    else
      drawn(std::false_type());
  }
}

template <int D>
void launch(const problem& p, bool causal) {
  if (causal)
    launch<D, attention_mask::causal>(p);
  else
    launch<D, attention_mask::none>(p);
}

}  // namespace

/// Queues O = softmax(Q K^T / sqrt(D)) V on a stream of the current device, causal ones on one at a time. All four are
/// bf16 tensors of B x H x S x D elements in device memory, packed, 16-byte aligned; D is 64, 128 or 256. Returns null,
/// or why nothing was queued; the text is good until the thread's next call.
extern "C" const char* sectile_attention_forward(const void* q, const void* k, const void* v, void* o, int batch,
                                                 int heads, int length, int dimension, int causal, void* stream) {
  const problem p{q, k, v, o, batch, heads, length, dimension, static_cast<cudaStream_t>(stream)};
  return sectile::bench::with_dimension<64, 128, 256>(
      dimension, [&]<int D>(std::integral_constant<int, D>) { launch<D>(p, causal != 0); });
}
