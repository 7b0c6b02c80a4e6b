// Rows of bench/types.cu: 8-bit integers, and single bits, which no library multiplies.
#include "bench/measure_types.hpp"

namespace sectile::bench {

namespace {

/// Bit i of byte j becomes element 8 j + i.
template <class T>
__global__ void write_bits(T* out, std::size_t count, const b1x8* bits) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += step)
    out[i] = static_cast<T>(bits[i / 8].bits >> i % 8 & 1);
}

device_buffer<s8> as_integers(const device_buffer<b1x8>& bits) {
  device_buffer<s8> integers(bits.count * 8);
  write_bits<<<data_blocks, data_threads>>>(integers.data, integers.count, bits.data);
  check(cudaGetLastError(), "spreading bits");
  return integers;
}

/// C[m, n] = how many ones row m of A and row n of B share. That is a product of integers 0 and 1, by which cuBLASLt
/// checks it.
dense_outcome measure_bits(const shape& s, int rounds, const stream& on) {
  using kernel = kernels::gemm<b1x8, b1x8, s32>;
  using set_type = operands<b1x8, b1x8, s32>;
  auto sets = make_sets<set_type>(s);
  const lt_product lt(s.m, s.n, s.k, lt_types_of<s8, s8, s32, s32>());
  const auto ours = [](const set_type& set, cudaStream_t to) { set.by<kernel>(to); };

  dense_outcome result{.size = s, .bar = 0};
  result.error = worst_error(sets, on, ours, [&](const set_type& set, cudaStream_t to) {
    const device_buffer<s8> a = as_integers(set.a), b = as_integers(set.b);
    check(cudaDeviceSynchronize(), "spreading bits");
    lt.run(0, a.data, b.data, set.expected.data, to);
    on.wait();
  });
  result.ours = race({rotating(sets, ours)}, on, {.rounds = rounds})[0];
  return result;
}

}  // namespace

void add_integer_cases(case_list& to) {
  to.dense.push_back({"s8 -> s32", measure_dense<s8, s8, s32>});
  to.dense.push_back({"b1 -> s32", measure_bits});
  to.sparse.push_back({"s8 -> s32", measure_sparse<s8, s8, s32>});
}

}  // namespace sectile::bench
