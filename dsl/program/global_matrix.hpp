// A matrix in global memory as a program sees that is written by hand on the machine's verbs, and the piece of 16 bytes
// in which ordinary threads move it: the largest that one instruction loads or stores.
#pragma once
#include <cstdint>

namespace sectile {

/// 16 bytes on their way from global to shared memory: a row of a core matrix. Zero unless something was loaded.
struct piece {
  std::uint32_t word[4]{};
};

/// Rows of `cols` elements, `stride` elements from one to the next; data and rows begin at multiples of 16 bytes. T is
/// const for inputs.
template <class T>
struct global_matrix {
  T* data = nullptr;
  int rows = 0, cols = 0;
  long long stride = 0;

  constexpr T* at(int row, int col) const { return data + row * stride + col; }
};

/// Elements of type T in a piece.
template <class T>
inline constexpr int piece_elements = static_cast<int>(sizeof(piece) / sizeof(T));

}  // namespace sectile
