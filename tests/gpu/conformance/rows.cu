// The rows of family SECTILE_FAMILY. A kernel per N, in which the job says which of the instructions is issued.
#include <cuda_runtime.h>

#include <sectile/dsl/hopper/machine.hpp>
#include <type_traits>
#include <utility>

#include "rows.hpp"

namespace sectile::conformance {
namespace {

using hopper::registers;

constexpr instruction_family family_at(int f) {
  const instruction_table table = wgmma_table();
  return table.at[f];
}

template <int F, int N, int V, class Accumulator>
__device__ __forceinline__ void issue(Accumulator& d, const registers<std::uint32_t, 4>& a, std::uint64_t a_descriptor,
                                      std::uint64_t b_descriptor, bool accumulate, std::uint32_t metadata) {
  constexpr wgmma_instruction w = variant_of(family_at(F), N, V);
  using verbs = hopper::wgmma_verbs;
  verbs::wgmma_fence();
  if constexpr (w.a_in_registers)
    verbs::wgmma<w>(d, a, 0, b_descriptor, accumulate, metadata);
  else
    verbs::wgmma<w>(d, a_descriptor, b_descriptor, accumulate, metadata);
  verbs::wgmma_commit();
  verbs::wgmma_wait<0>();
  verbs::touch(d);
}

template <int F, int N>
constexpr int registers_of() {
  constexpr wgmma_instruction w = variant_of(family_at(F), N, 0);
  return accumulator_registers(w);
}

template <int F>
constexpr bool f32_accumulator() {
  constexpr instruction_family f = family_at(F);
  return f.d.kind == number::floating && f.d.bits == 32;
}

template <int F, int N, std::size_t... V>
__global__ void __launch_bounds__(128) run_jobs(const batch work, std::index_sequence<V...>) {
  using T = std::conditional_t<f32_accumulator<F>(), float, std::uint32_t>;
  constexpr int R = registers_of<F, N>();
  extern __shared__ __align__(1024) unsigned char shared[];
  const job j = work.jobs[blockIdx.x];
  const int thread = static_cast<int>(threadIdx.x);

  for (int i = thread; i < j.shared_bytes / 4; i += 128)
    reinterpret_cast<std::uint32_t*>(shared)[i] = noise_at(static_cast<unsigned>(i));
  __syncthreads();
  for (int i = thread; i < j.chunks; i += 128)
    *reinterpret_cast<uint4*>(shared + work.chunk_place[j.first_chunk + i]) = work.chunk[j.first_chunk + i];
  hopper::machine::fence_proxy_async();
  __syncthreads();

  const std::uint32_t* source = work.sources + blockIdx.x * 640u + threadIdx.x;
  registers<std::uint32_t, 4> a;
  for (int i = 0; i < 4; ++i) a[i] = source[i * 128];
  const std::uint32_t metadata = source[512];

  std::uint32_t* memory = work.d + static_cast<std::size_t>(blockIdx.x) * (R * 128) + threadIdx.x;
  registers<T, R> d;
#pragma unroll
  for (int i = 0; i < R; ++i) d[i] = __builtin_bit_cast(T, memory[i * 128]);
  const std::uint64_t base = static_cast<std::uint64_t>(__cvta_generic_to_shared(shared)) >> 4;
  (void)((j.variant == static_cast<int>(V)
              ? (issue<F, N, static_cast<int>(V)>(d, a, j.a + base, j.b + base, j.accumulate != 0, metadata), true)
              : false) ||
         ...);
#pragma unroll
  for (int i = 0; i < R; ++i) memory[i * 128] = __builtin_bit_cast(std::uint32_t, d[i]);
}

template <int F, int N>
cudaError_t launch(const batch& work, int count, int shared_bytes, cudaStream_t stream) {
  constexpr auto all = std::make_index_sequence<variants(family_at(F))>{};
  const auto kernel = [](auto forms) {
    return []<std::size_t... V>(std::index_sequence<V...>) { return run_jobs<F, N, V...>; }
    (forms);
  }(all);
  if (const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes))
    return e;
  kernel<<<static_cast<unsigned>(count), 128, static_cast<std::size_t>(shared_bytes), stream>>>(work, all);
  return cudaGetLastError();
}

template <int F, std::size_t... N>
cudaError_t launch_nth(int n_index, const batch& work, int count, int shared_bytes, cudaStream_t stream,
                       std::index_sequence<N...>) {
  using launcher = cudaError_t (*)(const batch&, int, int, cudaStream_t);
  constexpr launcher all[] = {launch<F, static_cast<int>(N)>...};
  return all[n_index](work, count, shared_bytes, stream);
}

}  // namespace

template <int F>
cudaError_t issue_jobs(int n_index, const batch& b, int count, int shared_bytes, cudaStream_t stream) {
  return launch_nth<F>(n_index, b, count, shared_bytes, stream, std::make_index_sequence<family_at(F).n_choices()>{});
}

template cudaError_t issue_jobs<SECTILE_FAMILY>(int, const batch&, int, int, cudaStream_t);

}  // namespace sectile::conformance
