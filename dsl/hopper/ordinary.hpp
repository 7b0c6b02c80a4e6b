// What ordinary threads do themselves where no copy engine does it for them: loads from global memory, stores to shared
// and to global memory. PTX ISA, "ld", "st". With these beside the verbs of machine.hpp a kernel can be written by
// hand.
#pragma once
#include <sectile/dsl/hopper/machine.hpp>
#include <sectile/dsl/program/global_matrix.hpp>
#include <sectile/layouts/element.hpp>

namespace sectile::hopper {

/// Loads and stores by threads, between global memory, registers and shared memory, 16 bytes (a piece) at a time.
struct ordinary_verbs {
  /// Elements col .. col + 7 (of 16 bits) of a row. Precondition: (row, col) is in the matrix, col a multiple of 8.
  /// What the piece holds of columns behind the last one is whatever pads the row.
  template <class T>
  SECTILE_VERB piece load_piece(const global_matrix<const T>& m, int row, int col) {
    piece x;
    asm volatile("ld.global.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.word[0]), "=r"(x.word[1]), "=r"(x.word[2]), "=r"(x.word[3])
                 : "l"(m.at(row, col)));
    return x;
  }
  /// st.shared.v4; `to` is a multiple of 16.
  SECTILE_VERB void store_piece(std::uint32_t to, const piece& x) {
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(x.word[0]), "r"(x.word[1]), "r"(x.word[2]),
                 "r"(x.word[3])
                 : "memory");
  }
  /// Element (row, col) becomes x, rounded to nearest even. Precondition: it is in the matrix.
  SECTILE_VERB void store_element(const global_matrix<bf16>& m, int row, int col, float x) {
    asm volatile("{ .reg .b16 y; cvt.rn.bf16.f32 y, %1; st.global.b16 [%0], y; }" ::"l"(m.at(row, col)), "f"(x)
                 : "memory");
  }
};

/// The machine with ordinary loads and stores.
struct ordinary_machine : machine, ordinary_verbs {};

}  // namespace sectile::hopper
