// Operands for one instruction: random ones and ones made to hurt. Numbers are drawn as sign, exponent field and
// fraction, so that one description serves every format.
#pragma once
#include <cstdint>
#include <vector>

#include "reference.hpp"

namespace sectile::conformance {

/// A small fast generator (splitmix64).
struct random_bits {
  std::uint64_t state;

  std::uint32_t operator()() {
    std::uint64_t z = state += 0x9E37'79B9'7F4A'7C15u;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9u;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EBu;
    return static_cast<std::uint32_t>(z >> 32);
  }
  int below(int n) { return static_cast<int>((std::uint64_t{(*this)()} * static_cast<std::uint64_t>(n)) >> 32); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool one_in(int n) { return below(n) == 0; }
};

/// What the numbers of a case are like. The first ones are for floats, the others for integers and bits.
enum class data_set : std::uint8_t {
  ordinary,       // exponents as of normally distributed numbers
  any_finite,     // every finite bit pattern
  wide,           // exponents far apart
  cancelling,     // products in pairs that nearly cancel, C the negative of one
  subnormal,      // subnormal operands and C
  zeros,          // mostly zeros of either sign
  specials,       // infinities and NaN here and there
  large,          // near the largest number, so that sums overflow
  zero_by_large,  // zeros meet the largest numbers, all else is tiny
  precision,      // C = 1 + little, products where the alignment cuts
  ties,           // small integers: sums half way between two numbers of D
  far_c,          // C of any exponent
  underflow,      // products and sums where D is subnormal
  any_integer,
  extremes,
  near_the_ends,
  small_integers,
};
constexpr int float_sets = 13, integer_sets = 4;
constexpr int all_sets = float_sets + integer_sets;
const char* name_of(data_set);

/// The set of case number `i` of an instruction: floats run through all of theirs, integers through all of theirs.
data_set set_of(const wgmma_instruction& w, int i);

/// A case of `set`, the same for the same seed.
problem make_problem(const wgmma_instruction& w, data_set set, bool accumulate, std::uint64_t seed);

/// The operands as the instruction reads them: rows of 32 bytes (B of a sparse instruction: 64), K-contiguous.
std::vector<std::uint8_t> rows_of_a(const problem&);
std::vector<std::uint8_t> rows_of_b(const problem&);

/// The metadata register of each thread of the warpgroup; lanes that the selector leaves out get `noise`.
std::vector<std::uint32_t> metadata_of(const problem&, std::uint32_t noise);

/// C or D as registers: register r of thread t is word r * 128 + t.
std::vector<std::uint32_t> fragments_of(const wgmma_instruction&, const std::vector<std::uint32_t>& matrix);
std::vector<std::uint32_t> matrix_of(const wgmma_instruction&, const std::uint32_t* fragments);

}  // namespace sectile::conformance
