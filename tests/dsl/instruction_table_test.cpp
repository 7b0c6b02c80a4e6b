// The table of instructions: how many there are, how they are spelled, and what is said of those that do not exist.
#include <doctest/doctest.h>

#include <sectile/dsl/hopper/ptx_text.hpp>
#include <sectile/dsl/tell/instructions_by_number.hpp>
#include <set>
#include <string>

#include "tests/static_check.hpp"

namespace {

using namespace sectile;

static_assert(count_instructions() == 12388);
STATIC_CASE(check_instruction(instruction_at(0)).holds());
STATIC_CASE(check_instruction(instruction_at(count_instructions() - 1)).holds());

wgmma_instruction dense(const element& a, const element& b, const element& d, int n) {
  return {n, 256 / a.bits, a, b, d, false, major::k, major::k};
}
wgmma_instruction sparse(const element& a, const element& d, int n, int selector) {
  wgmma_instruction w = dense(a, a, d, n);
  w.k *= 2;
  w.sparse = true;
  return with_selector(w, selector);
}

constexpr element e_f16 = element_of<f16>(), e_bf16 = element_of<bf16>(), e_tf32 = element_of<tf32>(),
                  e_e4m3 = element_of<e4m3>(), e_s8 = element_of<s8>(), e_u8 = element_of<u8>(),
                  e_b1 = element_of<b1x8>(), e_f32 = element_of<float>(), e_s32 = element_of<s32>();

std::string spelling(const wgmma_instruction& w) {
  return std::string(hopper::opcode(w).text) + " {d}, " + hopper::operand_a(w).text + ", b" + hopper::metadata(w).text +
         ", p" + hopper::modifiers(w).text;
}

TEST_CASE("every numbered instruction is legal, and no two are the same") {
  std::set<std::string> seen;
  int illegal = 0;
  for (int i = 0; i < count_instructions(); ++i) {
    const wgmma_instruction w = instruction_at(i);
    illegal += !check_instruction(w).holds();
    seen.insert(spelling(w));
  }
  CHECK(illegal == 0);
  CHECK(seen.size() == static_cast<std::size_t>(count_instructions()));
}

TEST_CASE("a sum in f16 is rounded to f16's 10 bits; one in f32 keeps the 23 of f32, or 13 of factors of 8 bits") {
  constexpr instruction_table table = wgmma_table();
  for (const instruction_family& f : table.at) {
    CAPTURE(f.a.name);
    const bool whole = f.d == e_s32, half = f.d == e_f16, bytes = f.a.bits == 8;
    CHECK((f.sum == summation::integer) == whole);
    CHECK((f.sum == summation::rounded) == half);
    CHECK(f.aligned_bits == (whole ? 0 : bytes ? 13 : 25));
    CHECK(f.kept_bits == (whole ? 0 : half ? 10 : bytes ? 13 : 23));
  }
}

TEST_CASE("whatever is legal has a number") {
  // All values of all fields that a type can be combined with: those that check_instruction lets pass must be as many.
  const element types[] = {e_f16, e_bf16, e_tf32, e_e4m3, element_of<e5m2>(), e_s8, e_u8, e_b1, e_f32, e_s32};
  int legal = 0;
  for (const element& a : types)
    for (const element& b : types)
      for (const element& d : {e_f16, e_bf16, e_f32, e_s32})
        for (const int k : {8, 16, 32, 64, 128, 256, 512})
          for (int bits = 0; bits < 1 << 7; ++bits)
            for (int selector = 0; selector < 4; ++selector) {
              const auto flag = [&](int i) { return (bits >> i & 1) != 0; };
              wgmma_instruction w{
                  8, k, a, b, d, flag(0), flag(1) ? major::mn : major::k, flag(2) ? major::mn : major::k};
              w.negate_a = flag(3);
              w.negate_b = flag(4);
              w.saturate = flag(5);
              w.sparse = flag(6);
              w.selector = selector;
              if (!check_instruction(w).holds()) continue;
              for (w.n = 1; w.n <= 300; ++w.n) legal += check_instruction(w).holds();
            }
  CHECK(legal == count_instructions());
}

TEST_CASE("spelling") {
  wgmma_instruction w = dense(e_bf16, e_bf16, e_f32, 256);
  CHECK(spelling(w) == "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {d}, a, b, p, 1, 1, 0, 0");
  w.negate_b = true;
  w.a_major = major::mn;
  CHECK(spelling(w) == "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {d}, a, b, p, 1, -1, 1, 0");
  w.a_in_registers = true;
  w.a_major = major::k;
  w.b_major = major::mn;
  CHECK(spelling(w) == "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {d}, {a0, a1, a2, a3}, b, p, 1, -1, 1");
  CHECK(spelling(dense(e_tf32, e_tf32, e_f32, 24)) ==
        "wgmma.mma_async.sync.aligned.m64n24k8.f32.tf32.tf32 {d}, a, b, p, 1, 1");
  w = dense(e_s8, e_u8, e_s32, 8);
  w.saturate = true;
  CHECK(spelling(w) == "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8.satfinite {d}, a, b, p");
  CHECK(spelling(dense(e_b1, e_b1, e_s32, 240)) ==
        "wgmma.mma_async.sync.aligned.m64n240k256.s32.b1.b1.and.popc {d}, a, b, p");
  CHECK(spelling(sparse(e_f16, e_f16, 40, 1)) ==
        "wgmma.mma_async.sp.sync.aligned.m64n40k32.f16.f16.f16 {d}, a, b, m, 1, p, 1, 1, 0, 0");
}

void require_refused(const wgmma_instruction& w, rule what, const char* says) {
  const violation v = check_instruction(w);
  CHECK(v.what == what);
  CHECK(std::string(v.says.text) == says);
}

TEST_CASE("what does not exist is refused with what comes nearest") {
  require_refused(dense(e_f16, e_bf16, e_f32, 64), rule::types_have_no_wgmma_instruction,
                  "wgmma has no f16 x bf16 -> f32; f16 x f16 -> f16, f16 x f16 -> f32 or bf16 x bf16 -> f32 exist");
  require_refused(dense(e_tf32, e_tf32, e_f16, 64), rule::types_have_no_wgmma_instruction,
                  "wgmma has no tf32 x tf32 -> f16; tf32 x tf32 -> f32 exists");
  require_refused(dense(e_s8, e_s8, e_s32, 40), rule::n_has_no_wgmma_instruction,
                  "wgmma of s8 x s8 has N = 8, 16, 24, 32, 48, 64 .. 256, not 40; use 32 or 48");
  require_refused(dense(e_f16, e_f16, e_f16, 0), rule::n_has_no_wgmma_instruction,
                  "wgmma of f16 x f16 has N = 8, 16, 24 .. 256, not 0; use 8");
  wgmma_instruction w = dense(e_e4m3, e_e4m3, e_f32, 64);
  w.b_major = major::mn;
  require_refused(w, rule::operand_major_has_no_wgmma_instruction,
                  "operand B of e4m3 x e4m3 is MN-major; wgmma reads only 16-bit types so: store it with K contiguous");
  w = dense(e_f16, e_f16, e_f32, 64);
  w.a_in_registers = true;
  w.a_major = major::mn;
  require_refused(w, rule::operand_major_has_no_wgmma_instruction, "operand A in registers is K-major by construction");
  w = dense(e_u8, e_u8, e_s32, 64);
  w.negate_a = true;
  require_refused(w, rule::instruction_has_no_such_form,
                  "wgmma of u8 x u8 cannot negate an operand; only floating-point types can be subtracted");
  w = dense(e_b1, e_b1, e_s32, 64);
  w.saturate = true;
  require_refused(w, rule::instruction_has_no_such_form, "wgmma of b1 x b1 -> s32 cannot saturate; s8 and u8 can");
  require_refused(sparse(e_b1, e_s32, 64, 0), rule::instruction_has_no_such_form,
                  "wgmma has no sparse b1 x b1; store A dense");
  require_refused(sparse(e_f16, e_f32, 64, 2), rule::instruction_has_no_such_form,
                  "sparse f16 x f16 has the selectors 0 and 1, not 2");
  require_refused(sparse(e_s8, e_s32, 64, 1), rule::instruction_has_no_such_form,
                  "sparse s8 x s8 has the selector 0, not 1");
  require_refused(with_selector(dense(e_f16, e_f16, e_f32, 64), 1), rule::instruction_has_no_such_form,
                  "selector 1 of a dense f16 x f16: only sparse instructions have one");
  w = dense(e_f16, e_f16, e_f32, 64);
  w.k = 32;
  require_refused(w, rule::tile_is_not_a_multiple_of_the_instruction,
                  "a wgmma of f16 x f16 takes K = 16 at once, not 32");
}

}  // namespace
