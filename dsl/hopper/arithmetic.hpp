// A thread's own instructions: arithmetic with the rounding spelled out (so that nothing is contracted), conversions,
// exchanges within a warp, stores to shared memory.
#pragma once
#include <cstdint>

#include <sectile/dsl/hopper/verb.hpp>

namespace sectile::hopper {

// An instruction of one f32, of two, and one or several that make two f32 (%2 and %1) a pair.
#define SECTILE_OF_ONE(name, instruction)           \
  SECTILE_VERB float name(float x) {                \
    float y;                                        \
    asm(instruction " %0, %1;" : "=f"(y) : "f"(x)); \
    return y;                                       \
  }
#define SECTILE_OF_TWO(name, instruction)                       \
  SECTILE_VERB float name(float x, float y) {                   \
    float z;                                                    \
    asm(instruction " %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y)); \
    return z;                                                   \
  }
#define SECTILE_PACKED(name, instructions)                 \
  SECTILE_VERB std::uint32_t name(float low, float high) { \
    std::uint32_t z;                                       \
    asm(instructions : "=r"(z) : "f"(high), "f"(low));     \
    return z;                                              \
  }
// Four words from and to shared memory; a combination in memory of what has no sign and of what has one.
#define SECTILE_LOAD_FOUR(name, instruction)                         \
  SECTILE_VERB void name(std::uint32_t(&r)[4], std::uint32_t from) { \
    asm volatile(instruction " {%0, %1, %2, %3}, [%4];"              \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])    \
                 : "r"(from)                                         \
                 : "memory");                                        \
  }
#define SECTILE_STORE_FOUR(name, instruction)                                                                 \
  SECTILE_VERB void name(std::uint32_t to, const std::uint32_t(&r)[4]) {                                      \
    asm volatile(instruction " [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) \
                 : "memory");                                                                                 \
  }
#define SECTILE_REDUCE(name, without_sign, with_sign)                                                      \
  SECTILE_VERB void name(float* to, float x, bool there) {                                                 \
    asm volatile(                                                                                          \
        "{ .reg .pred p, negative; setp.lt.s32 negative, %1, 0; setp.ne.and.u32 p, %2, 0, !negative;\n"    \
        "setp.ne.and.u32 negative, %2, 0, negative;\n"                                                     \
        "@p red.relaxed.gpu.global." without_sign " [%0], %1; @negative red.relaxed.gpu.global." with_sign \
        " [%0], %1; }" ::"l"(to),                                                                          \
        "r"(__builtin_bit_cast(std::uint32_t, x)), "r"(static_cast<std::uint32_t>(there))                  \
        : "memory");                                                                                       \
  }

struct arithmetic_verbs {
  SECTILE_OF_TWO(multiply, "mul.rn.f32")
  SECTILE_OF_TWO(add, "add.rn.f32")
  SECTILE_OF_TWO(subtract, "sub.rn.f32")
  SECTILE_OF_TWO(divide, "div.rn.f32")
  SECTILE_OF_ONE(negate, "neg.f32")
  SECTILE_VERB float fma(float x, float y, float z) {
    float w;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(w) : "f"(x), "f"(y), "f"(z));
    return w;
  }
  SECTILE_OF_TWO(maximum, "max.f32")
  SECTILE_OF_TWO(minimum, "min.f32")
  SECTILE_OF_ONE(exp2, "ex2.approx.ftz.f32")
  SECTILE_OF_ONE(reciprocal, "rcp.rn.f32")
  /// Within one unit of the last place, and without the branch that rounding takes; subnormal numbers count as zero.
  SECTILE_OF_ONE(approximate_reciprocal, "rcp.approx.ftz.f32")
  SECTILE_OF_ONE(sqrt, "sqrt.rn.f32")
  /// Two floats rounded to nearest even, `low` in the low half.
  SECTILE_PACKED(pack_bf16, "cvt.rn.bf16x2.f32 %0, %1, %2;")
  SECTILE_PACKED(pack_f16, "cvt.rn.f16x2.f32 %0, %1, %2;")
  /// Two floats rounded to nearest even in the lower 16 bits; what is too large becomes the largest finite number.
  SECTILE_PACKED(pack_e4m3, "{ .reg .b16 x; cvt.rn.satfinite.e4m3x2.f32 x, %1, %2; cvt.u32.u16 %0, x; }")
  SECTILE_PACKED(pack_e5m2, "{ .reg .b16 x; cvt.rn.satfinite.e5m2x2.f32 x, %1, %2; cvt.u32.u16 %0, x; }")
  /// Four as two calls make them, the first two in the lower half: the second conversion packs its two beside them.
  SECTILE_VERB std::uint32_t pack_four_e4m3(float a, float b, float c, float d) {
    std::uint32_t z;
    asm("{ .reg .b16 l, h; cvt.rn.satfinite.e4m3x2.f32 l, %2, %1; cvt.rn.satfinite.e4m3x2.f32 h, %4, %3;\n"
        "mov.b32 %0, {l, h}; }"
        : "=r"(z)
        : "f"(a), "f"(b), "f"(c), "f"(d));
    return z;
  }
  /// Four of the bytes of x and y: see permute_halves.
  SECTILE_VERB std::uint32_t permute_bytes(std::uint32_t x, std::uint32_t y, std::uint32_t selector) {
    std::uint32_t z;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(z) : "r"(x), "r"(y), "r"(selector));
    return z;
  }
  /// Two floats rounded to nearest even and clamped to 8 bits, in the lower 16 bits; NaN becomes 0.
  SECTILE_PACKED(pack_s8,
                 "{ .reg .s32 l, h; cvt.rni.s32.f32 l, %2; cvt.rni.s32.f32 h, %1;\n"
                 "cvt.pack.sat.s8.s32.b32 %0, h, l, 0; }")
  SECTILE_PACKED(pack_u8,
                 "{ .reg .s32 l, h; cvt.rni.s32.f32 l, %2; cvt.rni.s32.f32 h, %1;\n"
                 "cvt.pack.sat.u8.s32.b32 %0, h, l, 0; }")
  /// The two e4m3 in the lower 16 bits as packed f16, which has them all.
  SECTILE_VERB std::uint32_t f16_of_e4m3(std::uint32_t pair) {
    std::uint32_t z;
    asm("{ .reg .b16 x; cvt.u16.u32 x, %1; cvt.rn.f16x2.e4m3x2 %0, x; }" : "=r"(z) : "r"(pair));
    return z;
  }
  /// The halves of two packed f16 as floats.
  SECTILE_VERB float low_f16(std::uint32_t pair) {
    float x;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(x) : "r"(pair));
    return x;
  }
  SECTILE_VERB float high_f16(std::uint32_t pair) {
    float x;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h; }" : "=f"(x) : "r"(pair));
    return x;
  }
  /// x - y and x * y of packed halves, each rounded to nearest even.
#define SECTILE_OF_HALVES(name, instruction)                          \
  SECTILE_VERB std::uint32_t name(std::uint32_t x, std::uint32_t y) { \
    std::uint32_t z;                                                  \
    asm(instruction " %0, %1, %2;" : "=r"(z) : "r"(x), "r"(y));       \
    return z;                                                         \
  }
  SECTILE_OF_HALVES(sub_bf16x2, "sub.rn.bf16x2")
  SECTILE_OF_HALVES(sub_f16x2, "sub.rn.f16x2")
  SECTILE_OF_HALVES(mul_bf16x2, "mul.rn.bf16x2")
  SECTILE_OF_HALVES(mul_f16x2, "mul.rn.f16x2")
#undef SECTILE_OF_HALVES
  /// (x & mask) ^ bits in one instruction, which a compiler does not find if both are constants.
  SECTILE_VERB std::uint32_t and_xor(std::uint32_t x, std::uint32_t mask, std::uint32_t bits) {
    std::uint32_t z;
    asm("lop3.b32 %0, %1, %2, %3, 0x6A;" : "=r"(z) : "r"(x), "r"(mask), "r"(bits));
    return z;
  }
  SECTILE_VERB float to_float(std::int32_t x) {
    float y;
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(y) : "r"(x));
    return y;
  }

  /// A number that is the same in all lanes of the warp; saying so lets it live in a uniform register, where TMA and
  /// wgmma take their addresses from.
  SECTILE_VERB int uniform(int x) {
    int y;
    asm("shfl.sync.idx.b32 %0, %1, 0, 0x1f, 0xffffffff;" : "=r"(y) : "r"(x));
    return y;
  }
  /// The value of lane ^ mask. The whole warp calls it.
  SECTILE_VERB float shuffle_xor(float x, int mask) {
    float y;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(y) : "f"(x), "r"(mask));
    return y;
  }
  /// The value of another lane. The whole warp calls it.
  SECTILE_VERB std::uint32_t shuffle(std::uint32_t x, int lane) {
    std::uint32_t y;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(y) : "r"(x), "r"(lane));
    return y;
  }
  /// ldmatrix: four 8 x 8 blocks of 16-bit elements; lane l gives the address of row l % 8 of block l / 8, and receives
  /// of each block elements 2 (l % 4) and + 1 of row l / 4.
  SECTILE_LOAD_FOUR(ldmatrix_x4, "ldmatrix.sync.aligned.m8n8.x4.shared.b16")
  /// The same of the transposed blocks: rows 2 (l % 4) and + 1 of column l / 4.
  SECTILE_LOAD_FOUR(ldmatrix_x4_trans, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16")
  SECTILE_VERB std::uint32_t load_shared(std::uint32_t from) {
    std::uint32_t x;
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(x) : "r"(from) : "memory");
    return x;
  }
  /// One word of a tile, or two that are neighbours.
  SECTILE_VERB void load_shared(std::uint32_t (&r)[1], std::uint32_t from) { r[0] = load_shared(from); }
  SECTILE_VERB void load_shared(std::uint32_t (&r)[2], std::uint32_t from) {
    asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(from) : "memory");
  }
  /// Four, from a multiple of 16 bytes.
  SECTILE_LOAD_FOUR(load_shared, "ld.shared.v4.b32")
  /// Four words at the same place of another CTA of the cluster; `from` is a multiple of 16.
  SECTILE_VERB void load_shared_at(std::uint32_t (&r)[4], std::uint32_t from, int cta_rank) {
    asm volatile(
        "{ .reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %4, %5;\n"
        "ld.shared::cluster.v4.b32 {%0, %1, %2, %3}, [remote]; }"
        : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
        : "r"(from), "r"(cta_rank)
        : "memory");
  }
  /// Writes a word to the same place in another CTA's shared memory, or in this one's, whose barrier there counts its
  /// bytes when it has arrived. PTX ISA, "st.async".
  SECTILE_VERB void store_shared_async(std::uint32_t to, std::uint32_t x, std::uint32_t barrier, int cta_rank) {
    asm volatile(
        "{ .reg .b32 remote, there;\n"
        "mapa.shared::cluster.u32 remote, %0, %3;\n"
        "mapa.shared::cluster.u32 there, %2, %3;\n"
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [remote], %1, [there]; }" ::"r"(to),
        "r"(x), "r"(barrier), "r"(cta_rank)
        : "memory");
  }
  /// stmatrix: four (two) 8 x 8 blocks of 16-bit elements; lane l gives the address of row l % 8 of block l / 8.
  SECTILE_STORE_FOUR(stmatrix_x4, "stmatrix.sync.aligned.m8n8.x4.shared.b16")
  SECTILE_VERB void stmatrix_x2(std::uint32_t to, const std::uint32_t (&r)[4]) {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(to), "r"(r[0]), "r"(r[1]) : "memory");
  }
  /// The same of the transposed blocks, four, two or one: what is stored as row l % 8 of a block is its column.
  SECTILE_STORE_FOUR(stmatrix_x4_trans, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16")
  SECTILE_VERB void stmatrix_x2_trans(std::uint32_t to, const std::uint32_t (&r)[4]) {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(to), "r"(r[0]), "r"(r[1])
                 : "memory");
  }
  SECTILE_VERB void stmatrix_x1_trans(std::uint32_t to, const std::uint32_t (&r)[4]) {
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(to), "r"(r[0]) : "memory");
  }
  /// Bits of one element of Bytes (1, 2 or 4) bytes, which nobody writes meanwhile; 0 if it is not `there`. Volatile,
  /// or a compiler would gather all elements of a vector in registers before it uses the first.
  template <int Bytes>
  SECTILE_VERB std::uint32_t load_global(const void* from, bool there) {
    std::uint32_t x;
    const auto wanted = static_cast<std::uint32_t>(there);
    if constexpr (Bytes == 1)
      asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.u32 %0, 0; @p ld.global.u8 %0, [%1]; }"
                   : "=r"(x)
                   : "l"(from), "r"(wanted));
    else if constexpr (Bytes == 2)
      asm volatile(
          "{ .reg .pred p; .reg .b16 x; setp.ne.u32 p, %2, 0; mov.b16 x, 0;\n"
          "@p ld.global.b16 x, [%1]; cvt.u32.u16 %0, x; }"
          : "=r"(x)
          : "l"(from), "r"(wanted));
    else
      asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.u32 %0, 0; @p ld.global.b32 %0, [%1]; }"
                   : "=r"(x)
                   : "l"(from), "r"(wanted));
    return x;
  }
  /// Copies one element of Bytes (1, 2 or 4) bytes from shared to global memory.
  template <int Bytes>
  SECTILE_VERB void copy_to_global(void* to, std::uint32_t from) {
    if constexpr (Bytes == 1)
      asm volatile("{ .reg .b16 x; ld.shared.b8 x, [%1]; st.global.b8 [%0], x; }" ::"l"(to), "r"(from) : "memory");
    else if constexpr (Bytes == 2)
      asm volatile("{ .reg .b16 x; ld.shared.b16 x, [%1]; st.global.b16 [%0], x; }" ::"l"(to), "r"(from) : "memory");
    else
      asm volatile("{ .reg .b32 x; ld.shared.b32 x, [%1]; st.global.b32 [%0], x; }" ::"l"(to), "r"(from) : "memory");
  }
  /// Writes one element of Bytes (2 or 4) bytes, if it is `there`.
  template <int Bytes>
  SECTILE_VERB void store_global(void* to, std::uint32_t x, bool there) {
    const auto wanted = static_cast<std::uint32_t>(there);
    if constexpr (Bytes == 2)
      asm volatile(
          "{ .reg .pred p; .reg .b16 x, rest; setp.ne.u32 p, %2, 0; mov.b32 {x, rest}, %1;\n"
          "@p st.global.b16 [%0], x; }" ::"l"(to),
          "r"(x), "r"(wanted)
          : "memory");
    else
      asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.b32 [%0], %1; }" ::"l"(to), "r"(x), "r"(wanted)
                   : "memory");
  }
  /// Writes 16 bytes, if they are `there`.
  SECTILE_VERB void store_global(void* to, const std::uint32_t (&x)[4], bool there) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0; @p st.global.v4.b32 [%0], {%1, %2, %3, %4}; }" ::"l"(to),
                 "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(static_cast<std::uint32_t>(there))
                 : "memory");
  }
  /// Adds to a number in memory, if it is `there`. Rounded to nearest; subnormal numbers count as zero (PTX ISA,
  /// "red").
  SECTILE_VERB void reduce_add(float* to, float x, bool there) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p red.relaxed.gpu.global.add.f32 [%0], %1; }" ::"l"(to),
                 "f"(x), "r"(static_cast<std::uint32_t>(there))
                 : "memory");
  }
  /// The larger of x and a number in memory goes there. red has no max of f32 (PTX ISA, "red"); but the bits of numbers
  /// without a sign are ordered as integers are, those of numbers with one the other way round, and as signed integers
  /// they come before all others. Precondition: x is no NaN.
  SECTILE_REDUCE(reduce_max, "max.s32", "min.u32")
  /// The smaller one, likewise.
  SECTILE_REDUCE(reduce_min, "min.s32", "max.u32")
  SECTILE_VERB void store_shared(std::uint32_t to, std::uint32_t x, std::uint32_t y) {
    asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(to), "r"(x), "r"(y) : "memory");
  }
  SECTILE_VERB void store_shared(std::uint32_t to, std::uint32_t x) {
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(to), "r"(x) : "memory");
  }
  /// `to` is a multiple of 16.
  SECTILE_STORE_FOUR(store_shared, "st.shared.v4.b32")
};

#undef SECTILE_OF_ONE
#undef SECTILE_OF_TWO
#undef SECTILE_PACKED
#undef SECTILE_LOAD_FOUR
#undef SECTILE_STORE_FOUR
#undef SECTILE_REDUCE

}  // namespace sectile::hopper
