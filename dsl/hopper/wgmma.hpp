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

// R registers: those below the ten t, and r of it. n0 .. n11 are the numbers of the operands behind them.
#define SECTILE_WGMMA(R, T, c, t, r, n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11)                                 \
  template <>                                                                                                          \
  struct wgmma_call<T, R> {                                                                                            \
    template <class Opcode, class A, class Metadata, class Modifiers>                                                  \
    __device__ __forceinline__ static void issue(T (&x)[R], const wgmma_sources& s, int accumulate) {                  \
      asm volatile("{ .reg .pred p; .reg .b64 a; .reg .b32 a0, a1, a2, a3, m; mov.b64 a, %" #n0 "; mov.b32 a0, %" #n2  \
                   "; mov.b32 a1, %" #n3 "; mov.b32 a2, %" #n4 "; mov.b32 a3, %" #n5 "; mov.b32 m, %" #n6              \
                   "; setp.ne.b32 p, %" #n7 ", 0; %" #n8                                                               \
                   " {" SECTILE_TEXT_BELOW_##t SECTILE_TEXT_##r(t) "}, %" #n9 ", %" #n1 "%" #n10 ", p%" #n11 "; }"     \
                   : SECTILE_LIST_BELOW_##t(c) SECTILE_LIST_##r(c, t)                                                  \
                   : "l"(s.a), "l"(s.b), "r"(s.a0), "r"(s.a1), "r"(s.a2), "r"(s.a3), "r"(s.metadata), "r"(accumulate), \
                     "C"(Opcode::value), "C"(A::value), "C"(Metadata::value), "C"(Modifiers::value));                  \
    }                                                                                                                  \
  };

// The tens behind t are u and v.
#define SECTILE_WGMMA_2(T, c, t, u) \
  SECTILE_WGMMA(t##2, T, c, t, 2, t##2, t##3, t##4, t##5, t##6, t##7, t##8, t##9, u##0, u##1, u##2, u##3)
#define SECTILE_WGMMA_4(T, c, t, u) \
  SECTILE_WGMMA(t##4, T, c, t, 4, t##4, t##5, t##6, t##7, t##8, t##9, u##0, u##1, u##2, u##3, u##4, u##5)
#define SECTILE_WGMMA_6(T, c, t, u) \
  SECTILE_WGMMA(t##6, T, c, t, 6, t##6, t##7, t##8, t##9, u##0, u##1, u##2, u##3, u##4, u##5, u##6, u##7)
#define SECTILE_WGMMA_8(T, c, t, u) \
  SECTILE_WGMMA(t##8, T, c, t, 8, t##8, t##9, u##0, u##1, u##2, u##3, u##4, u##5, u##6, u##7, u##8, u##9)
#define SECTILE_WGMMA_10(T, c, t, u, v) \
  SECTILE_WGMMA(u##0, T, c, t, 10, u##0, u##1, u##2, u##3, u##4, u##5, u##6, u##7, u##8, u##9, v##0, v##1)

// f32: N = 8, 16 .. 256, N / 2 registers. Those of two tens.
#define SECTILE_WGMMAS(t, u, v, w)   \
  SECTILE_WGMMA_4(float, "+f", t, u) \
  SECTILE_WGMMA_8(float, "+f", t, u) \
  SECTILE_WGMMA_2(float, "+f", u, v) \
  SECTILE_WGMMA_6(float, "+f", u, v) \
  SECTILE_WGMMA_10(float, "+f", u, v, w)
SECTILE_WGMMAS(, 1, 2, 3)
SECTILE_WGMMAS(2, 3, 4, 5)
SECTILE_WGMMAS(4, 5, 6, 7)
SECTILE_WGMMAS(6, 7, 8, 9)
SECTILE_WGMMAS(8, 9, 10, 11)
SECTILE_WGMMAS(10, 11, 12, 13)
SECTILE_WGMMA_4(float, "+f", 12, 13)
SECTILE_WGMMA_8(float, "+f", 12, 13)
#undef SECTILE_WGMMAS

// f16 in pairs: N / 4 registers. s32: N / 2, where N is 8, 24 or a multiple of 16. Those of a ten.
#define SECTILE_WGMMAS(t, u, v)              \
  SECTILE_WGMMA_2(std::uint32_t, "+r", t, u) \
  SECTILE_WGMMA_4(std::uint32_t, "+r", t, u) \
  SECTILE_WGMMA_6(std::uint32_t, "+r", t, u) \
  SECTILE_WGMMA_8(std::uint32_t, "+r", t, u) \
  SECTILE_WGMMA_10(std::uint32_t, "+r", t, u, v)
SECTILE_WGMMAS(, 1, 2)
SECTILE_WGMMAS(1, 2, 3)
SECTILE_WGMMAS(2, 3, 4)
SECTILE_WGMMAS(3, 4, 5)
SECTILE_WGMMAS(4, 5, 6)
SECTILE_WGMMAS(5, 6, 7)
SECTILE_WGMMA_2(std::uint32_t, "+r", 6, 7)
SECTILE_WGMMA_4(std::uint32_t, "+r", 6, 7)
SECTILE_WGMMA_2(std::uint32_t, "+r", 7, 8)
SECTILE_WGMMA_10(std::uint32_t, "+r", 7, 8, 9)
SECTILE_WGMMA_8(std::uint32_t, "+r", 8, 9)
SECTILE_WGMMA_6(std::uint32_t, "+r", 9, 10)
SECTILE_WGMMA_4(std::uint32_t, "+r", 10, 11)
SECTILE_WGMMA_2(std::uint32_t, "+r", 11, 12)
SECTILE_WGMMA_10(std::uint32_t, "+r", 11, 12, 13)
SECTILE_WGMMA_8(std::uint32_t, "+r", 12, 13)
#undef SECTILE_WGMMAS
#undef SECTILE_WGMMA_2
#undef SECTILE_WGMMA_4
#undef SECTILE_WGMMA_6
#undef SECTILE_WGMMA_8
#undef SECTILE_WGMMA_10
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
