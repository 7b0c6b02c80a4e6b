// The verbs of the portable readings on any NVIDIA GPU from sm_70 on: CUDA's own functions, no instruction by name.
#pragma once
#ifdef __CUDACC__
#include <cuda_pipeline_primitives.h>
#include <mma.h>

#include <sectile/dsl/hopper/arithmetic.hpp>
#include <sectile/dsl/hopper/registers.hpp>
#include <sectile/dsl/portable/wmma_product.hpp>
#include <sectile/dsl/program/tile.hpp>
#include <sectile/dsl/program/unroll.hpp>

namespace sectile::portable {

#ifdef __CUDA_ARCH__
/// The names that nvcuda::wmma has for our element types: in fragments, and in memory.
template <class T>
struct wmma_type;
template <>
struct wmma_type<f16> {
  using fragment = half;
  using memory = half;
};
#if __CUDA_ARCH__ >= 720
template <>
struct wmma_type<s8> {
  using fragment = signed char;
  using memory = signed char;
};
template <>
struct wmma_type<u8> {
  using fragment = unsigned char;
  using memory = unsigned char;
};
#endif
#if __CUDA_ARCH__ >= 800
template <>
struct wmma_type<bf16> {
  using fragment = __nv_bfloat16;
  using memory = __nv_bfloat16;
};
template <>
struct wmma_type<tf32> {
  using fragment = nvcuda::wmma::precision::tf32;
  using memory = float;
};
#endif

template <class T>
using wmma_sum =
    std::conditional_t<std::is_same_v<T, f16>, half, std::conditional_t<std::is_same_v<T, s32>, int, float>>;

template <int M, int N, int KStep, class T>
using sum_fragment = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, M, N, KStep, T>;

/// Moves fragment F between a thread's registers and nvcuda's type. Registers of f16 hold two elements.
template <int F, class D, class Block, int Atoms, class Fragment>
__device__ __forceinline__ void take_registers(const Block (&d)[Atoms], Fragment& x) {
  constexpr int count = std::is_same_v<D, f16> ? 4 : 8, first = F * count;
  constexpr int per_atom = sizeof(Block) / 4, atom = first / per_atom, begin = first % per_atom;
  unroll<count>([&](auto i) {
    if constexpr (std::is_same_v<D, f16>) {
      x.x[2 * i] = __ushort_as_half(static_cast<unsigned short>(d[atom][begin + i] & 0xFFFFu));
      x.x[2 * i + 1] = __ushort_as_half(static_cast<unsigned short>(d[atom][begin + i] >> 16));
    } else {
      x.x[i] = d[atom][begin + i];
    }
  });
}
template <int F, class D, class Block, int Atoms, class Fragment>
__device__ __forceinline__ void put_registers(Block (&d)[Atoms], const Fragment& x) {
  constexpr int count = std::is_same_v<D, f16> ? 4 : 8, first = F * count;
  constexpr int per_atom = sizeof(Block) / 4, atom = first / per_atom, begin = first % per_atom;
  unroll<count>([&](auto i) {
    if constexpr (std::is_same_v<D, f16>)
      d[atom][begin + i] = __half_as_ushort(x.x[2 * i]) | static_cast<std::uint32_t>(__half_as_ushort(x.x[2 * i + 1]))
                                                              << 16;
    else
      d[atom][begin + i] = x.x[i];
  });
}

/// Loads the factor's fragment that begins at (mn, k) of the tile. tf32 is rounded to nearest, as CUDA asks for; a
/// negated factor changes its signs here.
template <class T, bool Negate, class Fragment>
__device__ __forceinline__ void load_fragment(Fragment& x, const unsigned char* tile, wmma_factor f, int mn, int k) {
  using memory = typename wmma_type<T>::memory;
  constexpr int size = sizeof(memory);
  nvcuda::wmma::load_matrix_sync(x, reinterpret_cast<const memory*>(tile + f.at(mn, k, size)), f.tile.pitch / size);
  if constexpr (std::is_same_v<T, tf32>)
    for (int i = 0; i < x.num_elements; ++i) x.x[i] = nvcuda::wmma::__float_to_tf32(x.x[i]);
  if constexpr (Negate && element_of<T>().kind == number::floating)
    for (int i = 0; i < x.num_elements; ++i) x.x[i] = -x.x[i];
}
#endif

struct cuda_machine : hopper::arithmetic_verbs {
  static constexpr bool computes = true;
  template <class T, int N>
  using registers = hopper::registers<T, N>;

#ifdef __CUDA_ARCH__
  /// The start of shared memory: the array itself, so that the compiler knows what memory it is.
  SECTILE_VERB unsigned char* shared() {
    extern __shared__ __align__(128) unsigned char portable_shared[];
    return portable_shared;
  }
  SECTILE_VERB int thread() { return static_cast<int>(threadIdx.x); }
  SECTILE_VERB void sync() { __syncthreads(); }
  SECTILE_VERB void warp_sync() { __syncwarp(); }
  /// Waits for this thread's copies.
  SECTILE_VERB void copies_done() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
#else
  SECTILE_VERB unsigned char* shared() { return nullptr; }
  SECTILE_VERB int thread() { return 0; }
  SECTILE_VERB void sync() {}
  SECTILE_VERB void warp_sync() {}
  SECTILE_VERB void copies_done() {}
#endif

  /// Brings a piece of `Bytes` bytes to shared memory: the first `valid` from global memory, then zeros. Asynchronous
  /// where both sides are aligned.
  template <int Bytes, int ElementBytes>
  SECTILE_VERB void copy_in(unsigned char* to, const unsigned char* from, int valid, bool aligned) {
#ifdef __CUDA_ARCH__
    if (valid == Bytes && aligned) {
      __pipeline_memcpy_async(to, from, Bytes);
      return;
    }
    using unit = std::conditional_t<ElementBytes == 1, unsigned char,
                                    std::conditional_t<ElementBytes == 2, unsigned short, unsigned int>>;
    for (int i = 0; i < Bytes / ElementBytes; ++i)
      reinterpret_cast<unit*>(to)[i] = i * ElementBytes < valid ? reinterpret_cast<const unit*>(from)[i] : unit{0};
#endif
  }

  /// Writes one element, or as many as x has, to global memory.
  template <class T>
  SECTILE_VERB void store(void* to, const T& x) {
    __builtin_memcpy(__builtin_assume_aligned(to, alignof(T)), &x, sizeof x);
  }

  /// d += a * b for this warp's part.
  template <wmma_product P, class T, class D, class Block, int Atoms>
  SECTILE_VERB void wmma_multiply(Block (&d)[Atoms], int warp, const unsigned char* a_tile,
                                  const unsigned char* b_tile) {
#ifdef __CUDA_ARCH__
    namespace w = nvcuda::wmma;
    using a_order = std::conditional_t<P.a.k_is_contiguous, w::row_major, w::col_major>;
    using b_order = std::conditional_t<P.b.k_is_contiguous, w::col_major, w::row_major>;
    using type = typename wmma_type<T>::fragment;
    sum_fragment<P.m, P.n, P.k, wmma_sum<D>> sum[P.rows * P.cols];
    unroll<P.rows * P.cols>([&](auto f) { take_registers<f, D>(d, sum[f]); });
    const int row = P.first_row(warp), col = P.first_col(warp);
#pragma unroll
    for (int k = 0; k < P.k_steps; ++k) {
      w::fragment<w::matrix_a, P.m, P.n, P.k, type, a_order> a[P.rows];
      unroll<P.rows>([&](auto r) { load_fragment<T, P.negate>(a[r], a_tile, P.a, row + r * P.m, k * P.k); });
      unroll<P.cols>([&](auto c) {
        w::fragment<w::matrix_b, P.m, P.n, P.k, type, b_order> b;
        load_fragment<T, false>(b, b_tile, P.b, col + c * P.n, k * P.k);
        unroll<P.rows>([&](auto r) {
          auto& s = sum[r * P.cols + c];
          if constexpr (std::is_same_v<D, s32>)
            w::mma_sync(s, a[r], b, s, P.saturate);
          else
            w::mma_sync(s, a[r], b, s);
        });
      });
    }
    unroll<P.rows * P.cols>([&](auto f) { put_registers<f, D>(d, sum[f]); });
#endif
  }

  /// Writes fragment F, row-major, to `to`: elements as they are summed, or, from packed pairs, as floats.
  template <int M, int N, int K, int F, int Pitch, class D, class Block, int Atoms, class Staged>
  SECTILE_VERB void wmma_unload(const Block (&d)[Atoms], Staged* to) {
#ifdef __CUDA_ARCH__
    sum_fragment<M, N, K, wmma_sum<Staged>> x;
    if constexpr (sizeof(D) == 2 && std::is_same_v<Staged, float>) {
      constexpr int per_atom = sizeof(Block) / 4, atom = F * 4 / per_atom, begin = F * 4 % per_atom;
      unroll<8>([&](auto i) {
        x.x[i] = static_cast<float>(D::from_bits(static_cast<std::uint16_t>(d[atom][begin + i / 2] >> (16 * (i % 2)))));
      });
    } else {
      take_registers<F, D>(d, x);
    }
    nvcuda::wmma::store_matrix_sync(reinterpret_cast<wmma_sum<Staged>*>(to), x, Pitch, nvcuda::wmma::mem_row_major);
#endif
  }
};

}  // namespace sectile::portable
#endif  // __CUDACC__
