// A kernel that multiplies and does nothing else: how a case of bench/ceilings.cu runs, whatever its types.
//
// Random operands lie in shared memory (or A in registers) before the first product, and stay there. A tile's products
// go over them again and again, as over a long K; then the next tile's sums begin, so that they stay as large as those
// of a GEMM: an addend that is far smaller than its sum would toggle fewer wires, and draw less power.
#pragma once
#include <sectile/dsl/hopper/machine.hpp>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/metadata.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "bench/ceilings.hpp"
#include "bench/device_data.hpp"

namespace sectile::bench {

constexpr int most_shared_bytes = 232448;  // of a CTA, so that an SM has one

/// Products of Left with itself, summed in Sum. The tiles lie as TMA leaves them: K-major, rows of 128 swizzled bytes.
template <class Left, class Sum, int N, int Warpgroups, bool Sparse, bool InRegisters>
struct only_products {
  using element_type = Left;
  static constexpr element left = element_of<Left>(), sum = element_of<Sum>();
  static constexpr int warpgroups = Warpgroups, threads = 128 * Warpgroups;
  static constexpr int stages = 2, steps = 4, distinct = stages * steps;  // instructions with operands of their own
  static constexpr int trips = 16;                                        // over these, for a tile
  static constexpr int row_bytes = 128, a_bytes = 64 * row_bytes, panel_bytes = N * row_bytes;
  static constexpr int b_bytes = panel_bytes * (Sparse ? 2 : 1);
  static constexpr int data_bytes = stages * (Warpgroups * a_bytes + b_bytes);
  static_assert(data_bytes <= most_shared_bytes);

  /// The instruction of step `i`: of a sparse one the selector changes.
  static constexpr wgmma_instruction instruction(int i) {
    wgmma_instruction w{N, 256 / left.bits, left, left, sum, InRegisters, major::k, major::k};
    w.sparse = Sparse;
    if (Sparse) w.k = sparse_k(left.bits), w.selector = metadata_selector(left.bits, i % steps);
    return w;
  }

  /// Bytes from the first tile, those of B and behind them those of A, to the operand of step `i`.
  static constexpr unsigned a_offset(int i, int warpgroup) {
    return static_cast<unsigned>(stages * b_bytes + (i / steps * Warpgroups + warpgroup) * a_bytes + i % steps * 32);
  }
  static constexpr unsigned b_offset(int i) {
    const int at = i % steps * (Sparse ? 64 : 32);  // of a row of the matrix, which has a row of each panel
    return static_cast<unsigned>(i / steps * b_bytes + at / row_bytes * panel_bytes + at % row_bytes);
  }

  /// The mean of a sum's square. Every product is there `trips` times; the ones that differ are independent, with mean
  /// 0. Those of bits are not: a quarter of them are ones.
  static double mean_square() {
    const double terms = 1.0 * distinct * stored_k(instruction(0));
    if (left.kind == number::bits) return std::pow(trips * terms / 4, 2) + trips * trips * terms * 3 / 16;
    const double square = left.kind == number::floating ? 1 : 32 * 32;  // of an operand, see draw()
    return terms * std::pow(trips * square, 2);
  }
};

#ifdef __CUDACC__

/// Four bytes of elements.
template <class T>
__device__ std::uint32_t draw_word(std::uint64_t i, std::uint64_t seed) {
  constexpr int elements = 4 / sizeof(T);
  union {
    T element[elements];
    std::uint32_t word;
  } drawn;
  for (int e = 0; e < elements; ++e) drawn.element[e] = draw<T>(random_bits(elements * i + e, seed));
  return drawn.word;
}

/// The square of what a register of sums holds, of two sums in f16 both.
template <class P, class T>
__device__ float square_of(T x) {
  using verbs = hopper::machine;
  if constexpr (std::is_same_v<T, float>)
    return x * x;
  else if constexpr (P::sum.bits == 16)
    return verbs::low_f16(x) * verbs::low_f16(x) + verbs::high_f16(x) * verbs::high_f16(x);
  else
    return static_cast<float>(static_cast<std::int32_t>(x)) * static_cast<float>(static_cast<std::int32_t>(x));
}

template <class P>
__global__ void __launch_bounds__(P::threads, 1) multiply_only(const ceiling_work work) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  using verbs = hopper::machine;
  using sum_register = std::conditional_t<P::sum == element_of<f32>(), float, std::uint32_t>;
  extern __shared__ __align__(1024) unsigned char shared[];
  const long long begin = clock64();
  for (unsigned i = threadIdx.x; i < P::data_bytes / 4; i += P::threads)
    reinterpret_cast<std::uint32_t*>(shared)[i] = draw_word<typename P::element_type>(i, blockIdx.x);
  const std::uint64_t seed = gridDim.x + blockIdx.x * P::threads + threadIdx.x;
  hopper::registers<std::uint32_t, 4 * P::distinct> a;
  for (int i = 0; i < 4 * P::distinct; ++i) a[i] = draw_word<typename P::element_type>(i, seed);
  hopper::registers<std::uint32_t, P::distinct> metadata;
  for (int i = 0; i < P::distinct; ++i)
    metadata[i] = draw_metadata(P::left.bits, random_bits(metadata_block(P::left.bits, i), ~seed));
  verbs::fence_proxy_async();  // wgmma reads by another way than these stores took
  __syncthreads();

  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  const int warpgroup = verbs::uniform(static_cast<int>(threadIdx.x) / 128);
  const auto descriptor = [](unsigned start) {
    return encode({.start_bytes = start, .leading_bytes = 16, .stride_bytes = 1024, .swizzle = swizzle_mode::b128});
  };
  const std::uint64_t first_a = descriptor(base + P::a_offset(0, warpgroup)), first_b = descriptor(base);
  constexpr wgmma_instruction any = P::instruction(0);
  hopper::registers<sum_register, accumulator_registers(any)> d;
  for (int tile = 0; tile < work.tiles; ++tile)
    for (int trip = 0; trip < P::trips; ++trip) {
      verbs::wgmma_fence();
      [&]<int... I>(std::integer_sequence<int, I...>) {
        const auto multiply = [&]<int i>(std::integral_constant<int, i>) {
          constexpr std::uint64_t next_a = (P::a_offset(i, 0) - P::a_offset(0, 0)) / 16, next_b = P::b_offset(i) / 16;
          constexpr wgmma_instruction w = P::instruction(i);
          const bool adds = i > 0 || trip > 0;
          if constexpr (w.a_in_registers)
            verbs::wgmma<w>(d, a, 4 * i, first_b + next_b, adds, metadata[i]);
          else
            verbs::wgmma<w>(d, first_a + next_a, first_b + next_b, adds, metadata[i]);
        };
        (multiply(std::integral_constant<int, I>()), ...);
      }
      (std::make_integer_sequence<int, P::distinct>{});
      verbs::wgmma_commit();
      verbs::template wgmma_wait<1>();
    }
  verbs::template wgmma_wait<0>();
  verbs::touch(d);

  float squares = 0;
  for (int i = 0; i < accumulator_registers(any); ++i) squares += square_of<P>(d[i]);
  work.squares[blockIdx.x * P::threads + threadIdx.x] = squares;
  if (threadIdx.x == 0) work.cycles[blockIdx.x] = clock64() - begin;
#endif
}

template <class P>
void launch_only_products(const ceiling_work& work, int ctas, cudaStream_t on) {
  check(cudaFuncSetAttribute(multiply_only<P>, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared_bytes),
        "asking for shared memory");
  multiply_only<P><<<static_cast<unsigned>(ctas), P::threads, most_shared_bytes, on>>>(work);
  check(cudaGetLastError(), "launching products");
}

template <class P>
ceiling_case ceiling_of() {
  return {P::instruction(0), P::warpgroups, P::trips * P::distinct, P::mean_square(), launch_only_products<P>};
}

/// Every width, with one and with two warpgroups, A in shared memory and in registers.
template <class Left, class Sum, bool Sparse>
void add_ceilings(std::vector<ceiling_case>& to) {
  const auto add_widths = [&]<int... N>(std::integer_sequence<int, N...>) {
    ((to.push_back(ceiling_of<only_products<Left, Sum, N, 1, Sparse, false>>()),
      to.push_back(ceiling_of<only_products<Left, Sum, N, 2, Sparse, false>>()),
      to.push_back(ceiling_of<only_products<Left, Sum, N, 1, Sparse, true>>()),
      to.push_back(ceiling_of<only_products<Left, Sum, N, 2, Sparse, true>>())),
     ...);
  };
  add_widths(std::integer_sequence<int, 64, 128, 192, 256>());
}

#endif

}  // namespace sectile::bench
