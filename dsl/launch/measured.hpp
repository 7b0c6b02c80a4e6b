// What was measured of a family's members, as plain data: the headers of kernels/tables hold it, and a pick reads it
// (table_pick.hpp). It is included with a kernel's declaration, so it needs next to nothing.
#pragma once
#include <cstdint>

#include <sectile/dsl/program/mode.hpp>

namespace sectile {

inline constexpr int max_measured_modes = 6;

/// 64 times the logarithm of a size to base 2, nearly: the bits of a float are its exponent and, behind that, a
/// mantissa that is less than a tenth below the logarithm. What it serves for is to tell near from far.
constexpr std::int16_t place_of(int size) {
  return static_cast<std::int16_t>(__builtin_bit_cast(std::uint32_t, static_cast<float>(size < 1 ? 1 : size)) >> 17);
}
inline constexpr int places_per_octave = 64;

/// A problem for which the members were timed. How long member i takes, measured over predicted, is a letter: 'o'
/// stands for the ratio of the problem as a whole (its fastest member's time over the least that is predicted), each
/// letter behind it for a step more, each before it for one less.
struct measured_shape {
  int sizes[max_measured_modes]{};  // along the table's modes
  int best = 0;                     // the fastest member
  const char* ratios = "";          // a letter for each member
  std::int16_t place[max_measured_modes]{};

  constexpr measured_shape() = default;
  template <int Modes>
  constexpr measured_shape(const int (&along)[Modes], int fastest, const char* letters)
      : best(fastest), ratios(letters) {
    for (int m = 0; m < max_measured_modes; ++m) {
      if (m < Modes) sizes[m] = along[m];
      place[m] = place_of(sizes[m]);
    }
  }
};
/// The letters go from '`' to '~': steps of 1/75 up to a fifth. What a member is off by beyond that says little of its
/// neighbours, as leaving out measured problems one by one has shown.
inline constexpr char middle_letter = 'o';
inline constexpr int ratio_steps = 15;
inline constexpr double ratio_step = 0.2 / ratio_steps;

/// What was measured of a family on a GPU.
struct measured_table {
  const char* gpu = "";      // as CUDA says it; a prefix
  std::uint64_t family = 0;  // fingerprint of the family that was measured
  mode_id modes[max_measured_modes]{};
  const measured_shape* shapes = nullptr;  // in the order of their first sizes
  int count = 0;
  constexpr bool is_ordered() const {
    for (int i = 1; i < count; ++i)
      if (shapes[i].sizes[0] < shapes[i - 1].sizes[0]) return false;
    return true;
  }
};
/// The tables of a program, one for each GPU that was measured.
struct measured_table_list {
  const measured_table* at = nullptr;
  int count = 0;
};
/// Those of program P. A header with measured tables specialises this.
template <class P>
inline constexpr measured_table_list measured_tables{};

}  // namespace sectile
