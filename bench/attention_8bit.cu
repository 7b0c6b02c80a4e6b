// Attention of e4m3 in libsectile_attention, and what makes the values that it reads.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/turned_values.hpp>

#include "bench/attention_dimensions.hpp"

namespace {

using sectile::bf16;
using sectile::e4m3;
using sectile::tensor;
using sectile::kernels::attention_form;
using sectile::kernels::attention_mask;

/// Elements of B x H x T x D that lie as B x H x D x T.
template <class T>
sectile::tensor_view<T> turned(T* data, int batch, int heads, int length, int dimension) {
  sectile::tensor_view<T> v = tensor(data, batch, heads, length, dimension);
  v.stride[2] = 1, v.stride[3] = length;
  return v;
}

}  // namespace

/// Queues O = softmax(scale Q K^T) V value_scale in powers of two (scale has log2(e) / sqrt(D) in it). Q, K and V are
/// e4m3, V as B x H x D x S elements, O is bf16, both scales are B x H floats; all in device memory, packed, 16-byte
/// aligned. D is 64, 128 or 256, S a multiple of 16. Returns as sectile_attention_forward() does.
extern "C" const char* sectile_attention_8bit(const void* q, const void* k, const void* v, const void* scale,
                                              const void* value_scale, void* o, int batch, int heads, int length,
                                              int dimension, int causal, void* stream) {
  const auto run = [&]<int D, attention_mask Mask>() {
    const auto in = [&](const void* x) { return tensor(static_cast<const e4m3*>(x), batch, heads, length, D); };
    const auto of_heads = [&](const void* x) { return tensor(static_cast<const float*>(x), batch, heads); };
    sectile::launch<sectile::kernels::attention_of<attention_form{.dim = D, .mask = Mask}, e4m3>>(
        in(q), in(k), turned(static_cast<const e4m3*>(v), batch, heads, length, D),
        tensor(static_cast<bf16*>(o), batch, heads, length, D), of_heads(scale), of_heads(value_scale),
        static_cast<cudaStream_t>(stream));
  };
  return sectile::bench::with_dimension<64, 128, 256>(dimension, [&]<int D>(std::integral_constant<int, D>) {
    if (causal)
      run.template operator()<D, attention_mask::causal>();
    else
      run.template operator()<D, attention_mask::none>();
  });
}

/// Queues the copy of e4m3 values from B x H x S x D to B x H x D x S elements.
extern "C" const char* sectile_turned_values(const void* v, void* w, int batch, int heads, int length, int dimension,
                                             void* stream) {
  return sectile::bench::with_dimension<64, 128, 256>(dimension, [&]<int D>(std::integral_constant<int, D>) {
    sectile::launch<sectile::kernels::turned_values<e4m3>>(tensor(static_cast<const e4m3*>(v), batch, heads, length, D),
                                                           turned(static_cast<e4m3*>(w), batch, heads, length, D),
                                                           static_cast<cudaStream_t>(stream));
  });
}
