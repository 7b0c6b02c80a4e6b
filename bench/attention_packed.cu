// libsectile_attention: attention of packed sequences, forward and its gradients, behind C functions, for
// attention_packed.py.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/attention_backward.hpp>

#include <cmath>

#include "bench/attention_dimensions.hpp"
#include "bench/tile_counter.hpp"

namespace {

using sectile::bf16, sectile::bench::tile_counter;
using sectile::kernels::attention_form, sectile::kernels::attention_mask;

/// Sequences whose queries and keys end at the same places, one behind the other: rows x heads x dimension.
struct problem {
  const int* ends;
  int sequences, rows, heads, dimension;
  bool causal;
  cudaStream_t stream;

  template <class T>
  sectile::tensor_view<T> matrix(T* data) const {
    return {data, 3, {heads, rows, dimension}, {dimension, std::int64_t{heads} * dimension, 1}};
  }
  /// The same as those of one batch.
  template <class T>
  sectile::tensor_view<T> one_batch(T* data) const {
    return {data, 4, {1, heads, rows, dimension}, {0, dimension, std::int64_t{heads} * dimension, 1}};
  }
  template <class T>
  auto numbers(T* data) const {
    return sectile::tensor(data, heads, rows);
  }
  auto each_end() const { return sectile::tensor(ends, sequences); }
  float scale() const { return static_cast<float>(1.4426950408889634 / std::sqrt(static_cast<double>(dimension))); }
};

struct gradients {
  const bf16 *q, *k, *v, *o;
  const float* lse;
  const bf16* of_rows;
  float *delta, *offset;
  bf16 *dq, *dk, *dv;
};
template <attention_form Form>
void backward(const problem& p, const gradients& g) {
  using namespace sectile::kernels;
  const auto of_all = [&](auto* x) { return sectile::tensor(x, 1, p.heads, p.rows); };
  const auto numbers = [&](const float* x) { return p.numbers(x); };
  sectile::launch<attention_delta<Form>>(p.one_batch(g.o), p.one_batch(g.of_rows), of_all(g.lse), of_all(g.delta),
                                         of_all(g.offset), p.stream);
  sectile::launch<attention_keys_backward<Form>>(p.matrix(g.q), p.matrix(g.k), p.matrix(g.v), p.matrix(g.of_rows),
                                                 numbers(g.offset), numbers(g.delta), p.matrix(g.dk), p.matrix(g.dv),
                                                 p.scale(), p.each_end(), p.each_end(), tile_counter(), p.stream);
  sectile::launch<attention_queries_backward<Form>>(p.matrix(g.q), p.matrix(g.k), p.matrix(g.v), p.matrix(g.of_rows),
                                                    numbers(g.offset), numbers(g.delta), p.matrix(g.dq), p.scale(),
                                                    p.each_end(), p.each_end(), tile_counter(), p.stream);
}

/// use(form) of the one that the problem has. Returns what with_dimension() does.
template <class Use>
const char* with_form(const problem& p, const Use& use) {
  return sectile::bench::with_dimension<64, 128>(p.dimension, [&]<int D>(std::integral_constant<int, D>) {
    if (p.causal)
      use.template operator()<attention_form{
          .dim = D, .mask = attention_mask::causal, .from_end = true, .grouped = true, .lse = true, .varlen = true}>();
    else
      use.template operator()<attention_form{.dim = D, .grouped = true, .lse = true, .varlen = true}>();
  });
}

}  // namespace

/// Queues O of all sequences and, H x rows floats, the logarithms of sums, on a stream of the current device. Matrices
/// are bf16, rows x H x D in device memory; `ends` says where each sequence ends.
extern "C" const char* sectile_packed_attention(const void* q, const void* k, const void* v, void* o, void* lse,
                                                const void* ends, int sequences, int rows, int heads, int dimension,
                                                int causal, void* stream) {
  const problem p{static_cast<const int*>(ends),    sequences, rows, heads, dimension, causal != 0,
                  static_cast<cudaStream_t>(stream)};
  return with_form(p, [&]<attention_form Form>() {
    const auto in = [&](const void* x) { return p.matrix(static_cast<const bf16*>(x)); };
    sectile::launch<sectile::kernels::attention_of<Form>>(
        in(q), in(k), in(v), p.matrix(static_cast<bf16*>(o)), p.scale(), p.each_end(), p.each_end(),
        p.numbers(static_cast<float*>(lse)), tile_counter(), p.stream);
  });
}

/// Queues dQ, dK and dV from dO and what that has left. delta and offset are room for a number of each row of each
/// head.
extern "C" const char* sectile_packed_backward(const void* q, const void* k, const void* v, const void* o,
                                               const void* lse, const void* of_rows, void* delta, void* offset,
                                               void* dq, void* dk, void* dv, const void* ends, int sequences, int rows,
                                               int heads, int dimension, int causal, void* stream) {
  const problem p{static_cast<const int*>(ends),    sequences, rows, heads, dimension, causal != 0,
                  static_cast<cudaStream_t>(stream)};
  const gradients g{static_cast<const bf16*>(q), static_cast<const bf16*>(k),    static_cast<const bf16*>(v),
                    static_cast<const bf16*>(o), static_cast<const float*>(lse), static_cast<const bf16*>(of_rows),
                    static_cast<float*>(delta),  static_cast<float*>(offset),    static_cast<bf16*>(dq),
                    static_cast<bf16*>(dk),      static_cast<bf16*>(dv)};
  return with_form(p, [&]<attention_form Form>() { backward<Form>(p, g); });
}
