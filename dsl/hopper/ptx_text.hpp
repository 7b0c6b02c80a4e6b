// PTX opcodes as text that is put together at compile time and handed to `asm` through the "C" constraint, so that one
// asm statement serves every instruction with the same operand list.
#pragma once
#include <cstddef>
#include <utility>

#include <sectile/dsl/plan/instruction.hpp>

namespace sectile::hopper {

/// What the "C" constraint takes: a static array of const char, nothing else.
template <char... C>
struct characters {
  static constexpr const char value[] = {C..., 0};
};

struct ptx_text {
  char text[96]{};
  int length = 0;
  constexpr ptx_text& operator<<(const char* s) {
    while (*s) text[length++] = *s++;
    return *this;
  }
  constexpr ptx_text& operator<<(int v) {
    if (v >= 10) *this << v / 10;
    text[length++] = static_cast<char>('0' + v % 10);
    return *this;
  }
};

template <ptx_text T, std::size_t... I>
auto spell(std::index_sequence<I...>) -> characters<T.text[I]...>;
template <ptx_text T>
using spelled = decltype(spell<T>(std::make_index_sequence<T.length>{}));

// A wgmma is spelled in four pieces around its operands:
//   opcode {d...}, a, b-descriptor metadata, scale-d modifiers
// a, metadata and scale-d are PTX registers of these names that the asm statement declares.

/// wgmma.mma_async[.sp].sync.aligned.shape.dtype.atype.btype[.op]
constexpr ptx_text opcode(const wgmma_instruction& w) {
  ptx_text t{};
  t << "wgmma.mma_async." << (w.sparse ? "sp." : "") << "sync.aligned.m64n" << w.n << "k" << w.k << "." << w.d.name
    << "." << w.a.name << "." << w.b.name;
  if (w.a.kind == number::bits) t << ".and.popc";
  if (w.saturate) t << ".satfinite";
  return t;
}

/// Operand A: a descriptor or four registers.
constexpr ptx_text operand_a(const wgmma_instruction& w) {
  ptx_text t{};
  return t << (w.a_in_registers ? "{a0, a1, a2, a3}" : "a");
}

/// What stands between B's descriptor and scale-d: of a sparse instruction its metadata and selector.
constexpr ptx_text metadata(const wgmma_instruction& w) {
  ptx_text t{};
  if (w.sparse) t << ", m, " << w.selector;
  return t;
}

/// What stands behind scale-d: of floats the signs of A and B, of 16-bit types which operands in shared memory are
/// MN-major.
constexpr ptx_text modifiers(const wgmma_instruction& w) {
  ptx_text t{};
  if (w.a.kind != number::floating) return t;
  t << (w.negate_a ? ", -1" : ", 1") << (w.negate_b ? ", -1" : ", 1");
  if (w.a.bits != 16) return t;
  if (!w.a_in_registers) t << (w.a_major == major::mn ? ", 1" : ", 0");
  return t << (w.b_major == major::mn ? ", 1" : ", 0");
}

}  // namespace sectile::hopper
