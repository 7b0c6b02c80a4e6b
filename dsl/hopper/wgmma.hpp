// wgmma.mma_async, its fence, commit and wait. PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate".
//
// The operand list of an asm statement is literal text, so there is one statement per number of accumulator registers
// and source of A; a macro writes them. The opcode is an operand (see ptx_text.hpp).
#pragma once
#include <cstdint>

#include <sectile/dsl/hopper/verb.hpp>
#include <sectile/dsl/hopper/ptx_text.hpp>
#include <sectile/dsl/hopper/register_lists.hpp>
#include <sectile/dsl/hopper/registers.hpp>

namespace sectile::hopper {

#ifdef __CUDA_ARCH__
/// One instruction with R accumulator registers. scale 0: D = A * B, otherwise D += A * B.
template <int R>
struct wgmma_call;

// n0 .. n7 are the numbers of the operands behind the R registers.
#define SECTILE_WGMMA(R, n0, n1, n2, n3, n4, n5, n6, n7)                                                               \
  template <>                                                                                                          \
  struct wgmma_call<R> {                                                                                               \
    template <class Opcode, int TransposeA, int TransposeB>                                                            \
    __device__ __forceinline__ static void from_shared(float (&x)[R], std::uint64_t a, std::uint64_t b, int scale) {   \
      asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #n2 ", 0; %" #n5 " {" SECTILE_TEXT_##R "}, %" #n0 ", %" #n1      \
                   ", p, 1, 1, %" #n3 ", %" #n4 "; }"                                                                  \
                   : SECTILE_LIST_##R                                                                                  \
                   : "l"(a), "l"(b), "r"(scale), "n"(TransposeA), "n"(TransposeB), "C"(Opcode::value));                \
    }                                                                                                                  \
    template <class Opcode, int TransposeB>                                                                            \
    __device__ __forceinline__ static void from_registers(float (&x)[R], std::uint32_t a0, std::uint32_t a1,           \
                                                          std::uint32_t a2, std::uint32_t a3, std::uint64_t b,         \
                                                          int scale) {                                                 \
      asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #n5 ", 0; %" #n7 " {" SECTILE_TEXT_##R "}, {%" #n0 ",%" #n1      \
                   ",%" #n2 ",%" #n3 "}, %" #n4 ", p, 1, 1, %" #n6 "; }"                                               \
                   : SECTILE_LIST_##R                                                                                  \
                   : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(scale), "n"(TransposeB), "C"(Opcode::value));     \
    }                                                                                                                  \
  };

// N = 8, 16 .. 256 with 32-bit accumulators: N / 2 registers.
SECTILE_WGMMA(4, 4, 5, 6, 7, 8, 9, 10, 11)
SECTILE_WGMMA(8, 8, 9, 10, 11, 12, 13, 14, 15)
SECTILE_WGMMA(12, 12, 13, 14, 15, 16, 17, 18, 19)
SECTILE_WGMMA(16, 16, 17, 18, 19, 20, 21, 22, 23)
SECTILE_WGMMA(20, 20, 21, 22, 23, 24, 25, 26, 27)
SECTILE_WGMMA(24, 24, 25, 26, 27, 28, 29, 30, 31)
SECTILE_WGMMA(28, 28, 29, 30, 31, 32, 33, 34, 35)
SECTILE_WGMMA(32, 32, 33, 34, 35, 36, 37, 38, 39)
SECTILE_WGMMA(36, 36, 37, 38, 39, 40, 41, 42, 43)
SECTILE_WGMMA(40, 40, 41, 42, 43, 44, 45, 46, 47)
SECTILE_WGMMA(44, 44, 45, 46, 47, 48, 49, 50, 51)
SECTILE_WGMMA(48, 48, 49, 50, 51, 52, 53, 54, 55)
SECTILE_WGMMA(52, 52, 53, 54, 55, 56, 57, 58, 59)
SECTILE_WGMMA(56, 56, 57, 58, 59, 60, 61, 62, 63)
SECTILE_WGMMA(60, 60, 61, 62, 63, 64, 65, 66, 67)
SECTILE_WGMMA(64, 64, 65, 66, 67, 68, 69, 70, 71)
SECTILE_WGMMA(68, 68, 69, 70, 71, 72, 73, 74, 75)
SECTILE_WGMMA(72, 72, 73, 74, 75, 76, 77, 78, 79)
SECTILE_WGMMA(76, 76, 77, 78, 79, 80, 81, 82, 83)
SECTILE_WGMMA(80, 80, 81, 82, 83, 84, 85, 86, 87)
SECTILE_WGMMA(84, 84, 85, 86, 87, 88, 89, 90, 91)
SECTILE_WGMMA(88, 88, 89, 90, 91, 92, 93, 94, 95)
SECTILE_WGMMA(92, 92, 93, 94, 95, 96, 97, 98, 99)
SECTILE_WGMMA(96, 96, 97, 98, 99, 100, 101, 102, 103)
SECTILE_WGMMA(100, 100, 101, 102, 103, 104, 105, 106, 107)
SECTILE_WGMMA(104, 104, 105, 106, 107, 108, 109, 110, 111)
SECTILE_WGMMA(108, 108, 109, 110, 111, 112, 113, 114, 115)
SECTILE_WGMMA(112, 112, 113, 114, 115, 116, 117, 118, 119)
SECTILE_WGMMA(116, 116, 117, 118, 119, 120, 121, 122, 123)
SECTILE_WGMMA(120, 120, 121, 122, 123, 124, 125, 126, 127)
SECTILE_WGMMA(124, 124, 125, 126, 127, 128, 129, 130, 131)
SECTILE_WGMMA(128, 128, 129, 130, 131, 132, 133, 134, 135)
#undef SECTILE_WGMMA
#endif

/// The verbs of the tensor cores. All 128 threads of a warpgroup call them together.
struct wgmma_verbs {
  SECTILE_VERB void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
  SECTILE_VERB void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
  /// At most N of the newest groups stay in flight. The instruction's field has three bits.
  template <int N>
  SECTILE_VERB void wgmma_wait() {
    static_assert(N >= 0 && N <= 7);
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
  }

  /// d (+)= A * B, both operands in shared memory.
  template <wgmma_instruction I, class T, int R>
  SECTILE_VERB void wgmma([[maybe_unused]] registers<T, R>& d, [[maybe_unused]] std::uint64_t a,
                                                  [[maybe_unused]] std::uint64_t b, [[maybe_unused]] bool accumulate) {
#ifdef __CUDA_ARCH__
    wgmma_call<R>::template from_shared<spelled<opcode(I)>, I.a_major == major::mn, I.b_major == major::mn>(d.r, a, b,
                                                                                                      accumulate);
#endif
  }
  /// d (+)= A * B, A in the four registers first .. first + 3 of a.
  template <wgmma_instruction I, class T, int R, int Q>
  SECTILE_VERB void wgmma([[maybe_unused]] registers<T, R>& d,
                                                  [[maybe_unused]] const registers<std::uint32_t, Q>& a,
                                                  [[maybe_unused]] int first, [[maybe_unused]] std::uint64_t b,
                                                  [[maybe_unused]] bool accumulate) {
#ifdef __CUDA_ARCH__
    wgmma_call<R>::template from_registers<spelled<opcode(I)>, I.b_major == major::mn>(
        d.r, a[first], a[first + 1], a[first + 2], a[first + 3], b, accumulate);
#endif
  }

  /// Keeps the compiler from moving ordinary accesses to these registers above the wait before this.
  template <class T, int R>
  SECTILE_VERB void touch(registers<T, R>& x) {
    for (int i = 0; i < R; ++i) {
      if constexpr (sizeof(T) == 4 && T(0.5f) != T(0))
        asm volatile("" : "+f"(x.r[i])::"memory");
      else
        asm volatile("" : "+r"(x.r[i])::"memory");
    }
  }
};

}  // namespace sectile::hopper
