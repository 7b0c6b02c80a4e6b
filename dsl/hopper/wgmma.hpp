// wgmma.mma_async, its fence, commit and wait. PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate".
//
// The operand list of an asm statement is literal text, so there is one statement per kind and number of accumulator
// registers; a macro writes them. Everything else about an instruction is an operand: its opcode and modifiers are text
// (see ptx_text.hpp), and what it does not use (a descriptor of A when A is in registers, metadata of a dense A) is a
// constant that ptxas drops.
#pragma once
#include <cstdint>

#include <sectile/dsl/hopper/ptx_text.hpp>
#include <sectile/dsl/hopper/register_lists.hpp>
#include <sectile/dsl/hopper/registers.hpp>
#include <sectile/dsl/hopper/verb.hpp>
#include <sectile/dsl/plan/instruction_table.hpp>

namespace sectile::hopper {

#ifdef __CUDA_ARCH__
/// Whatever an instruction may read besides D.
struct wgmma_sources {
  std::uint64_t a = 0;  // descriptors
  std::uint64_t b = 0;
  std::uint32_t a0 = 0, a1 = 0, a2 = 0, a3 = 0;
  std::uint32_t metadata = 0;
};

/// Instructions with R accumulator registers of type T (float or std::uint32_t).
template <class T, int R>
struct wgmma_call;

// n0 .. n11 are the numbers of the operands behind the R registers.
#define SECTILE_WGMMA(R, T, c, n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11)                                       \
  template <>                                                                                                          \
  struct wgmma_call<T, R> {                                                                                            \
    template <class Opcode, class A, class Metadata, class Modifiers>                                                  \
    __device__ __forceinline__ static void issue(T(&x)[R], const wgmma_sources& s, int accumulate) {                   \
      asm volatile("{ .reg .pred p; .reg .b64 a; .reg .b32 a0, a1, a2, a3, m; mov.b64 a, %" #n0 "; mov.b32 a0, %" #n2  \
                   "; mov.b32 a1, %" #n3 "; mov.b32 a2, %" #n4 "; mov.b32 a3, %" #n5 "; mov.b32 m, %" #n6              \
                   "; setp.ne.b32 p, %" #n7 ", 0; %" #n8 " {" SECTILE_TEXT_##R "}, %" #n9 ", %" #n1 "%" #n10           \
                   ", p%" #n11 "; }"                                                                                   \
                   : SECTILE_LIST_##R(c)                                                                               \
                   : "l"(s.a), "l"(s.b), "r"(s.a0), "r"(s.a1), "r"(s.a2), "r"(s.a3), "r"(s.metadata), "r"(accumulate), \
                     "C"(Opcode::value), "C"(A::value), "C"(Metadata::value), "C"(Modifiers::value));                  \
    }                                                                                                                  \
  };

// f32: N = 8, 16 .. 256, N / 2 registers.
SECTILE_WGMMA(4, float, "+f", 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
SECTILE_WGMMA(8, float, "+f", 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
SECTILE_WGMMA(12, float, "+f", 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)
SECTILE_WGMMA(16, float, "+f", 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)
SECTILE_WGMMA(20, float, "+f", 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)
SECTILE_WGMMA(24, float, "+f", 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35)
SECTILE_WGMMA(28, float, "+f", 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39)
SECTILE_WGMMA(32, float, "+f", 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43)
SECTILE_WGMMA(36, float, "+f", 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47)
SECTILE_WGMMA(40, float, "+f", 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51)
SECTILE_WGMMA(44, float, "+f", 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55)
SECTILE_WGMMA(48, float, "+f", 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59)
SECTILE_WGMMA(52, float, "+f", 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63)
SECTILE_WGMMA(56, float, "+f", 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67)
SECTILE_WGMMA(60, float, "+f", 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71)
SECTILE_WGMMA(64, float, "+f", 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75)
SECTILE_WGMMA(68, float, "+f", 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79)
SECTILE_WGMMA(72, float, "+f", 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83)
SECTILE_WGMMA(76, float, "+f", 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87)
SECTILE_WGMMA(80, float, "+f", 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91)
SECTILE_WGMMA(84, float, "+f", 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95)
SECTILE_WGMMA(88, float, "+f", 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99)
SECTILE_WGMMA(92, float, "+f", 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103)
SECTILE_WGMMA(96, float, "+f", 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107)
SECTILE_WGMMA(100, float, "+f", 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111)
SECTILE_WGMMA(104, float, "+f", 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115)
SECTILE_WGMMA(108, float, "+f", 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119)
SECTILE_WGMMA(112, float, "+f", 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123)
SECTILE_WGMMA(116, float, "+f", 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127)
SECTILE_WGMMA(120, float, "+f", 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131)
SECTILE_WGMMA(124, float, "+f", 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135)
SECTILE_WGMMA(128, float, "+f", 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139)

// f16 in pairs: N / 4 registers. s32: N / 2, where N is 8, 24 or a multiple of 16.
SECTILE_WGMMA(2, std::uint32_t, "+r", 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
SECTILE_WGMMA(4, std::uint32_t, "+r", 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
SECTILE_WGMMA(6, std::uint32_t, "+r", 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)
SECTILE_WGMMA(8, std::uint32_t, "+r", 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
SECTILE_WGMMA(10, std::uint32_t, "+r", 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)
SECTILE_WGMMA(12, std::uint32_t, "+r", 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)
SECTILE_WGMMA(14, std::uint32_t, "+r", 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25)
SECTILE_WGMMA(16, std::uint32_t, "+r", 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)
SECTILE_WGMMA(18, std::uint32_t, "+r", 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
SECTILE_WGMMA(20, std::uint32_t, "+r", 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)
SECTILE_WGMMA(22, std::uint32_t, "+r", 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33)
SECTILE_WGMMA(24, std::uint32_t, "+r", 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35)
SECTILE_WGMMA(26, std::uint32_t, "+r", 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37)
SECTILE_WGMMA(28, std::uint32_t, "+r", 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39)
SECTILE_WGMMA(30, std::uint32_t, "+r", 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41)
SECTILE_WGMMA(32, std::uint32_t, "+r", 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43)
SECTILE_WGMMA(34, std::uint32_t, "+r", 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45)
SECTILE_WGMMA(36, std::uint32_t, "+r", 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47)
SECTILE_WGMMA(38, std::uint32_t, "+r", 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49)
SECTILE_WGMMA(40, std::uint32_t, "+r", 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51)
SECTILE_WGMMA(42, std::uint32_t, "+r", 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53)
SECTILE_WGMMA(44, std::uint32_t, "+r", 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55)
SECTILE_WGMMA(46, std::uint32_t, "+r", 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57)
SECTILE_WGMMA(48, std::uint32_t, "+r", 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59)
SECTILE_WGMMA(50, std::uint32_t, "+r", 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61)
SECTILE_WGMMA(52, std::uint32_t, "+r", 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63)
SECTILE_WGMMA(54, std::uint32_t, "+r", 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65)
SECTILE_WGMMA(56, std::uint32_t, "+r", 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67)
SECTILE_WGMMA(58, std::uint32_t, "+r", 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69)
SECTILE_WGMMA(60, std::uint32_t, "+r", 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71)
SECTILE_WGMMA(62, std::uint32_t, "+r", 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73)
SECTILE_WGMMA(64, std::uint32_t, "+r", 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75)
SECTILE_WGMMA(72, std::uint32_t, "+r", 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83)
SECTILE_WGMMA(80, std::uint32_t, "+r", 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91)
SECTILE_WGMMA(88, std::uint32_t, "+r", 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99)
SECTILE_WGMMA(96, std::uint32_t, "+r", 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107)
SECTILE_WGMMA(104, std::uint32_t, "+r", 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115)
SECTILE_WGMMA(112, std::uint32_t, "+r", 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123)
SECTILE_WGMMA(120, std::uint32_t, "+r", 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131)
SECTILE_WGMMA(128, std::uint32_t, "+r", 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139)
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

  /// d (+)= A * B, both operands in shared memory. `metadata` is read by sparse instructions only.
  template <wgmma_instruction I, class T, int R>
  SECTILE_VERB void wgmma(registers<T, R>& d, std::uint64_t a, std::uint64_t b, bool accumulate,
                          std::uint32_t metadata = 0) {
    static_assert(!I.a_in_registers, "this wgmma takes operand A from registers");
#ifdef __CUDA_ARCH__
    issue<I>(d, {.a = a, .b = b, .metadata = metadata}, accumulate);
#endif
  }
  /// d (+)= A * B, A in the four registers first .. first + 3 of a.
  template <wgmma_instruction I, class T, int R, int Q>
  SECTILE_VERB void wgmma(registers<T, R>& d, const registers<std::uint32_t, Q>& a, int first, std::uint64_t b,
                          bool accumulate, std::uint32_t metadata = 0) {
    static_assert(I.a_in_registers, "this wgmma takes operand A from shared memory");
#ifdef __CUDA_ARCH__
    issue<I>(d,
             {.b = b, .a0 = a[first], .a1 = a[first + 1], .a2 = a[first + 2], .a3 = a[first + 3], .metadata = metadata},
             accumulate);
#endif
  }
  /// The same two of sparse A, with the metadata in register `word` of a block. The tensor cores read that register
  /// while they work (an H100 was seen to): it must stay as it is until a wait covers the instruction, and be fenced
  /// before.
  template <wgmma_instruction I, class T, int R, int W>
  SECTILE_VERB void wgmma(registers<T, R>& d, std::uint64_t a, std::uint64_t b, bool accumulate,
                          const registers<std::uint32_t, W>& metadata, int word) {
    wgmma<I>(d, a, b, accumulate, metadata[word]);
  }
  template <wgmma_instruction I, class T, int R, int Q, int W>
  SECTILE_VERB void wgmma(registers<T, R>& d, const registers<std::uint32_t, Q>& a, int first, std::uint64_t b,
                          bool accumulate, const registers<std::uint32_t, W>& metadata, int word) {
    wgmma<I>(d, a, first, b, accumulate, metadata[word]);
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

#ifdef __CUDA_ARCH__
 private:
  template <wgmma_instruction I, class T, int R>
  __device__ __forceinline__ static void issue(registers<T, R>& d, const wgmma_sources& s, bool accumulate) {
    static_assert(check_instruction(I).holds(), "wgmma has no such instruction");
    static_assert(R == accumulator_registers(I), "D of 64 x N has N * bits / 64 registers");
    using register_type = std::conditional_t<std::is_same_v<T, float>, float, std::uint32_t>;
    wgmma_call<register_type, R>::template issue<spelled<opcode(I)>, spelled<operand_a(I)>, spelled<metadata(I)>,
                                                 spelled<modifiers(I)>>(reinterpret_cast<register_type(&)[R]>(d.r), s,
                                                                        accumulate);
  }
#endif
};

}  // namespace sectile::hopper
