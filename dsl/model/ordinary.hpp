// What ordinary threads do themselves where no copy engine does it for them: the verbs of hopper/ordinary.hpp on the
// CPU. A load outside of its matrix is reported, and so is a store to shared memory that is not ordered after who used
// the bytes before.
#pragma once
#include <cstddef>
#include <cstdint>

#include <sectile/dsl/model/machine.hpp>
#include <sectile/dsl/program/global_matrix.hpp>
#include <sectile/layouts/element.hpp>

namespace sectile::model {

/// The thread that runs now. Precondition: one of a simulation does.
cuda_thread& running();

/// A matrix without its element type.
struct untyped_matrix {
  const void* data;
  int rows, cols;
  long long stride;
  int element_bytes;
};
template <class T>
untyped_matrix untyped(const global_matrix<T>& m) {
  return {m.data, m.rows, m.cols, m.stride, static_cast<int>(sizeof(T))};
}

/// The same verbs as on hopper, checked: bounds, alignment, and by happens-before who wrote what is read.
struct ordinary_verbs {
  /// 16 bytes of a row from element (row, col) on. Throws out_of_range where that is not in the matrix or the bytes
  /// reach beyond the row's stride, misaligned where they do not begin at a multiple of 16.
  template <class T>
  static piece load_piece(const global_matrix<const T>& m, int row, int col) {
    return load_bytes(untyped(m), row, col);
  }
  /// st.shared.v4; `to` is a multiple of 16.
  static void store_piece(std::uint32_t to, const piece& x);
  /// Element (row, col) becomes x, rounded to nearest even. Throws out_of_range where it is not in the matrix.
  static void store_element(const global_matrix<bf16>& m, int row, int col, float x) {
    const bf16 rounded(x);
    store_bytes(untyped(m), row, col, &rounded);
  }

 private:
  static piece load_bytes(const untyped_matrix& m, int row, int col);
  static void store_bytes(const untyped_matrix& m, int row, int col, const void* element);
};

/// The machine with ordinary loads and stores.
struct ordinary_machine : machine, ordinary_verbs {
  explicit ordinary_machine(const machine& m) : machine(m) {}
};

}  // namespace sectile::model
