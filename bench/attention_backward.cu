// libsectile_attention: attention's gradients, and the forward pass that leaves what they take, behind C functions, for
// attention_gradients.py.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/attention_backward.hpp>

#include <cmath>
#include <cstdint>
#include <utility>

#include "bench/attention_dimensions.hpp"

namespace {

using sectile::bf16;
using sectile::kernels::attention_form, sectile::kernels::attention_mask;

struct problem {
  int batch, heads, length, dimension;
  bool causal;
  cudaStream_t stream;

  template <class T>
  auto matrix(T* data) const {
    return sectile::tensor(data, batch, heads, length, dimension);
  }
  template <class T>
  auto rows(T* data) const {
    return sectile::tensor(data, batch, heads, length);
  }
  float scale() const { return static_cast<float>(1.4426950408889634 / std::sqrt(static_cast<double>(dimension))); }
};

template <attention_form Form>
void forward(const problem& p, const bf16* q, const bf16* k, const bf16* v, bf16* o, float* lse) {
  sectile::launch<sectile::kernels::attention_of<Form>>(p.matrix(q), p.matrix(k), p.matrix(v), p.matrix(o), p.scale(),
                                                        p.rows(lse), p.stream);
}

/// The same memory with rows and columns in each other's place.
auto turned(auto matrices) {
  std::swap(matrices.extent[2], matrices.extent[3]);
  std::swap(matrices.stride[2], matrices.stride[3]);
  return matrices;
}

struct gradients {
  const bf16 *q, *k, *v, *o;
  const float* lse;
  const bf16* of_rows;
  float *delta, *offset;
  bf16 *dq, *dk, *dv, *scores;  // the last: null, or room for those of all heads
};
template <attention_form Form>
void backward(const problem& p, const gradients& g) {
  using namespace sectile::kernels;
  const auto numbers = [&](const float* x) { return p.rows(x); };
  sectile::launch<attention_delta<attention_form{.dim = Form.dim, .lse = true}>>(
      p.matrix(g.o), p.matrix(g.of_rows), numbers(g.lse), p.rows(g.delta), p.rows(g.offset), p.stream);
  if (g.scores != nullptr) {
    auto kept = sectile::tensor(g.scores, p.batch, p.heads, p.length, p.length);
    sectile::launch<attention_keys_backward<Form, bf16, true>>(
        p.matrix(g.q), p.matrix(g.k), p.matrix(g.v), p.matrix(g.of_rows), numbers(g.offset), numbers(g.delta),
        p.matrix(g.dk), p.matrix(g.dv), turned(kept), p.scale(), p.stream);
    sectile::launch<attention_queries_of_scores<Form>>(kept, p.matrix(g.k), p.matrix(g.dq), p.scale(), p.stream);
    return;
  }
  sectile::launch<attention_keys_backward<Form>>(p.matrix(g.q), p.matrix(g.k), p.matrix(g.v), p.matrix(g.of_rows),
                                                 numbers(g.offset), numbers(g.delta), p.matrix(g.dk), p.matrix(g.dv),
                                                 p.scale(), p.stream);
  sectile::launch<attention_queries_backward<Form>>(p.matrix(g.q), p.matrix(g.k), p.matrix(g.v), p.matrix(g.of_rows),
                                                    numbers(g.offset), numbers(g.delta), p.matrix(g.dq), p.scale(),
                                                    p.stream);
}

/// use(form) of the one that the problem has. Returns what with_dimension() does.
template <class Use>
const char* with_form(const problem& p, const Use& use) {
  return sectile::bench::with_dimension<64, 128>(p.dimension, [&]<int D>(std::integral_constant<int, D>) {
    if (p.causal)
      use.template operator()<attention_form{.dim = D, .mask = attention_mask::causal, .lse = true}>();
    else
      use.template operator()<attention_form{.dim = D, .lse = true}>();
  });
}

problem problem_of(int batch, int heads, int length, int dimension, int causal, void* stream) {
  return {batch, heads, length, dimension, causal != 0, static_cast<cudaStream_t>(stream)};
}

}  // namespace

/// sectile_attention_forward() that leaves each row's logarithm of its sum of exponentials as well: B x H x S floats.
extern "C" const char* sectile_attention_with_sums(const void* q, const void* k, const void* v, void* o, void* lse,
                                                   int batch, int heads, int length, int dimension, int causal,
                                                   void* stream) {
  const problem p = problem_of(batch, heads, length, dimension, causal, stream);
  return with_form(p, [&]<attention_form Form>() {
    forward<Form>(p, static_cast<const bf16*>(q), static_cast<const bf16*>(k), static_cast<const bf16*>(v),
                  static_cast<bf16*>(o), static_cast<float*>(lse));
  });
}

/// Queues dQ, dK and dV from dO and what the forward pass has left, by way of the scores' gradients in memory, for
/// which there is room for B x H x S x S of 16 bits. Matrices and numbers as there; delta and offset are room for a
/// number of each row.
extern "C" const char* sectile_attention_backward_by_scores(const void* q, const void* k, const void* v, const void* o,
                                                            const void* lse, const void* of_rows, void* delta,
                                                            void* offset, void* dq, void* dk, void* dv, void* scores,
                                                            int batch, int heads, int length, int dimension, int causal,
                                                            void* stream) {
  const problem p = problem_of(batch, heads, length, dimension, causal, stream);
  const gradients g{static_cast<const bf16*>(q), static_cast<const bf16*>(k),    static_cast<const bf16*>(v),
                    static_cast<const bf16*>(o), static_cast<const float*>(lse), static_cast<const bf16*>(of_rows),
                    static_cast<float*>(delta),  static_cast<float*>(offset),    static_cast<bf16*>(dq),
                    static_cast<bf16*>(dk),      static_cast<bf16*>(dv),         static_cast<bf16*>(scores)};
  return with_form(p, [&]<attention_form Form>() { backward<Form>(p, g); });
}

/// The same with the scores made twice.
extern "C" const char* sectile_attention_backward(const void* q, const void* k, const void* v, const void* o,
                                                  const void* lse, const void* of_rows, void* delta, void* offset,
                                                  void* dq, void* dk, void* dv, int batch, int heads, int length,
                                                  int dimension, int causal, void* stream) {
  return sectile_attention_backward_by_scores(q, k, v, o, lse, of_rows, delta, offset, dq, dk, dv, nullptr, batch,
                                              heads, length, dimension, causal, stream);
}
