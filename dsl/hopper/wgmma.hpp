// wgmma.mma_async, its fence, commit and wait. PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate".
//
// The operand list of an asm statement is literal text, so there is one statement per number of accumulator registers
// and source of A; Boost.Preprocessor writes them. The opcode is an operand (see ptx_text.hpp).
#pragma once
#include <boost/preprocessor/arithmetic/add.hpp>
#include <boost/preprocessor/control/expr_if.hpp>
#include <boost/preprocessor/repetition/enum.hpp>
#include <boost/preprocessor/repetition/repeat.hpp>
#include <boost/preprocessor/seq/for_each.hpp>
#include <boost/preprocessor/stringize.hpp>
#include <cstdint>

#include <sectile/dsl/hopper/verb.hpp>

#include <sectile/dsl/hopper/ptx_text.hpp>
#include <sectile/dsl/hopper/registers.hpp>

namespace sectile::hopper {

#ifdef __CUDA_ARCH__
/// One instruction with R accumulator registers. scale 0: D = A * B, otherwise D += A * B.
template <int R>
struct wgmma_call;

#define SECTILE_TEXT(z, i, _) BOOST_PP_EXPR_IF(i, ",") "%" BOOST_PP_STRINGIZE(i)
#define SECTILE_OPERAND(z, i, d) "+f"(d[i])
#define SECTILE_NUMBER(R, i) "%" BOOST_PP_STRINGIZE(BOOST_PP_ADD(R, i))
#define SECTILE_WGMMA_CALL(r, _, R)                                                                                   \
  template <>                                                                                                         \
  struct wgmma_call<R> {                                                                                              \
    template <class Opcode, int TransposeA, int TransposeB>                                                           \
    __device__ __forceinline__ static void from_shared(float (&d)[R], std::uint64_t a, std::uint64_t b, int scale) { \
      asm volatile("{ .reg .pred p; setp.ne.b32 p, " SECTILE_NUMBER(R, 2) ", 0; " SECTILE_NUMBER(R, 5)                \
                   " {" BOOST_PP_REPEAT(R, SECTILE_TEXT, _) "}, " SECTILE_NUMBER(R, 0) ", " SECTILE_NUMBER(R, 1)      \
                   ", p, 1, 1, " SECTILE_NUMBER(R, 3) ", " SECTILE_NUMBER(R, 4) "; }"                                 \
                   : BOOST_PP_ENUM(R, SECTILE_OPERAND, d)                                                             \
                   : "l"(a), "l"(b), "r"(scale), "n"(TransposeA), "n"(TransposeB), "C"(Opcode::value));               \
    }                                                                                                                 \
    template <class Opcode, int TransposeB>                                                                           \
    __device__ __forceinline__ static void from_registers(float (&d)[R], std::uint32_t a0, std::uint32_t a1,         \
                                                           std::uint32_t a2, std::uint32_t a3, std::uint64_t b,       \
                                                           int scale) {                                               \
      asm volatile("{ .reg .pred p; setp.ne.b32 p, " SECTILE_NUMBER(R, 5) ", 0; " SECTILE_NUMBER(R, 7)                \
                   " {" BOOST_PP_REPEAT(R, SECTILE_TEXT, _) "}, {" SECTILE_NUMBER(R, 0) "," SECTILE_NUMBER(R, 1) ","  \
                   SECTILE_NUMBER(R, 2) "," SECTILE_NUMBER(R, 3) "}, " SECTILE_NUMBER(R, 4) ", p, 1, 1, "             \
                   SECTILE_NUMBER(R, 6) "; }"                                                                         \
                   : BOOST_PP_ENUM(R, SECTILE_OPERAND, d)                                                             \
                   : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(scale), "n"(TransposeB), "C"(Opcode::value));    \
    }                                                                                                                 \
  };

// N = 8, 16 .. 256 with 32-bit accumulators: N / 2 registers.
BOOST_PP_SEQ_FOR_EACH(SECTILE_WGMMA_CALL, _,
                      (4)(8)(12)(16)(20)(24)(28)(32)(36)(40)(44)(48)(52)(56)(60)(64)(68)(72)(76)(80)(84)(88)(92)(96)(
                          100)(104)(108)(112)(116)(120)(124)(128))

#undef SECTILE_TEXT
#undef SECTILE_OPERAND
#undef SECTILE_NUMBER
#undef SECTILE_WGMMA_CALL
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
